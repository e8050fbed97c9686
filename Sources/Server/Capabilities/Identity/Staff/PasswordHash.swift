// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

/// A password as it is stored, in the PHC string format with base64 without padding:
/// `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`, or `$scrypt$ln=15,r=8,p=3$salt$hash` where it was stored by an earlier
/// version and was not used since.
package struct PasswordHash: Equatable, Sendable {
  /// It cannot be hashed: there is no memory for it, or the price is one that Argon2 does not have.
  package struct Failure: Error, Sendable {}

  private enum Function: Equatable, Sendable {
    case argon2id(PasswordCost)
    case scrypt(ScryptCost)

    func derive(_ password: Data, salt: Data, length: Int) throws -> Data {
      switch self {
      case .argon2id(let cost): try cost.derive(password, salt: salt, length: length)
      case .scrypt(let cost): try cost.derive(password, salt: salt, length: length)
      }
    }
  }

  private static let hashLength = 32
  /// Of Argon2, as a number: 1.3.
  private static let version = "v=19"

  private let function: Function
  private let salt: Data
  private let hash: Data

  /// Hashes a password under a new salt. Slow on purpose.
  /// - Throws: `Failure`.
  package init(_ password: String, cost: PasswordCost, world: World) throws {
    function = .argon2id(cost)
    salt = Data(world.random(PasswordCost.saltLength))
    hash = try function.derive(Self.bytes(of: password), salt: salt, length: Self.hashLength)
  }

  /// A hash that no password has, made without hashing: for comparisons that must fail and take as long.
  package init(decoy cost: PasswordCost, world: World) { self.init(.argon2id(cost), world) }

  /// A hash that no password has, and with which comparisons take as long as with another one.
  package init(decoyOf other: PasswordHash, world: World) { self.init(other.function, world) }

  private init(_ function: Function, _ world: World) {
    self.function = function
    salt = Data(world.random(PasswordCost.saltLength))
    hash = Data(world.random(Self.hashLength))
  }

  /// Nil when the text is no such hash.
  package init?(_ text: String) {
    var parts = text.split(separator: "$", omittingEmptySubsequences: false)[...]
    guard parts.popFirst() == "", let name = parts.popFirst(), let hash = parts.popLast().flatMap(Self.bytes),
      let salt = parts.popLast().flatMap(Self.bytes), hash.count >= 16, let function = Self.function(name, Array(parts))
    else { return nil }
    if case .argon2id = function { guard salt.count == PasswordCost.saltLength else { return nil } }
    guard salt.count >= 8 else { return nil }
    (self.function, self.salt, self.hash) = (function, salt, hash)
    // Numbers and base64 have other spellings.
    guard self.text == text else { return nil }
  }

  package var text: String {
    let start =
      switch function {
      case .argon2id(let cost): "argon2id$\(Self.version)$m=\(cost.memory),t=\(cost.passes),p=1"
      case .scrypt(let cost): "scrypt$ln=\(cost.logRounds),r=\(cost.blockSize),p=\(cost.parallelism)"
      }
    return "$\(start)$\(Self.base64(salt))$\(Self.base64(hash))"
  }

  /// Slow on purpose.
  /// - Throws: `Failure`.
  package func matches(_ password: String) throws -> Bool {
    try function.derive(Self.bytes(of: password), salt: salt, length: hash.count).isEqualInConstantTime(to: hash)
  }

  /// Whether it is to be replaced when its password is known: a guess at it takes less work, or less than half of the
  /// memory, than it should by now, or it is of the function that was used before.
  package func isOutdated(for wanted: PasswordCost) -> Bool {
    guard case .argon2id(let cost) = function else { return true }
    return cost.work < wanted.work || cost.memory < wanted.memory / 2
  }

  /// NFKC first, so that the same password typed on another keyboard is the same bytes (NIST SP 800-63B-4 §3.1.1.2).
  private static func bytes(of password: String) -> Data {
    Data(password.precomposedStringWithCompatibilityMapping.utf8)
  }

  private static func function(_ name: Substring, _ parts: [Substring]) -> Function? {
    switch (name, parts.count) {
    case ("argon2id", 2):
      guard parts[0] == version, let values = numbers(parts[1], named: ["m", "t", "p"]), values[2] == 1 else {
        return nil
      }
      let cost = PasswordCost(memory: values[0], passes: values[1])
      return cost.isReasonable ? .argon2id(cost) : nil
    case ("scrypt", 1):
      guard let values = numbers(parts[0], named: ["ln", "r", "p"]) else { return nil }
      let cost = ScryptCost(logRounds: values[0], blockSize: values[1], parallelism: values[2])
      return cost.isReasonable ? .scrypt(cost) : nil
    default: return nil
    }
  }

  /// Numbers behind their names, in that order.
  private static func numbers(_ text: Substring, named names: [String]) -> [Int]? {
    let pairs = text.split(separator: ",", omittingEmptySubsequences: false)
    guard pairs.count == names.count else { return nil }
    var numbers: [Int] = []
    for (pair, name) in zip(pairs, names) {
      guard pair.hasPrefix(name + "="), let number = Int(pair.dropFirst(name.count + 1)) else { return nil }
      numbers.append(number)
    }
    return numbers
  }

  private static func base64(_ data: Data) -> String { data.base64EncodedString().replacing("=", with: "") }

  private static func bytes(_ text: Substring) -> Data? {
    Data(base64Encoded: text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4))
  }
}
