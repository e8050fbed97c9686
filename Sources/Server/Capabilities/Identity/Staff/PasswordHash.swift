// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import Foundation
import Kit

/// The price of one password guess: scrypt (RFC 7914), a memory-hard function.
package struct PasswordCost: Sendable, Equatable {
  /// Binary logarithm of the rounds N; memory is 128 · r · N bytes.
  package let logRounds: Int
  package let blockSize: Int
  package let parallelism: Int

  package init(logRounds: Int, blockSize: Int = 8, parallelism: Int) {
    self.logRounds = logRounds
    self.blockSize = blockSize
    self.parallelism = parallelism
  }

  /// One of the settings of equal strength in OWASP's Password Storage Cheat Sheet, the one with 32 MiB.
  package static let standard = PasswordCost(logRounds: 15, parallelism: 3)

  /// What a stored hash may ask of us: a changed row must not make a server run out of memory.
  var isReasonable: Bool {
    (1...20).contains(logRounds) && (1...32).contains(blockSize) && (1...16).contains(parallelism)
      && blockSize << logRounds <= 1 << 21
  }

  var work: Int { (blockSize * parallelism) << logRounds }
}

/// A password as it is stored: `$scrypt$ln=15,r=8,p=3$salt$hash`, base64 without padding (PHC string format).
package struct PasswordHash: Equatable, Sendable {
  private static let saltLength = 16
  private static let hashLength = 32

  package let cost: PasswordCost
  private let salt: Data
  private let hash: Data

  /// Hashes a password under a new salt. Slow on purpose.
  package init(_ password: String, cost: PasswordCost, world: World) throws {
    self.cost = cost
    salt = Data(world.random(Self.saltLength))
    hash = try Self.derive(password, salt: salt, length: Self.hashLength, cost: cost)
  }

  /// A hash that no password has, made without hashing: for comparisons that must fail and take as long.
  package init(decoy cost: PasswordCost, world: World) {
    self.cost = cost
    salt = Data(world.random(Self.saltLength))
    hash = Data(world.random(Self.hashLength))
  }

  /// Nil when the text is no such hash.
  package init?(_ text: String) {
    let parts = text.split(separator: "$", omittingEmptySubsequences: false)
    guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt", let cost = Self.cost(parts[2]),
      let salt = Self.bytes(parts[3]), salt.count >= 8, let hash = Self.bytes(parts[4]), hash.count >= 16
    else { return nil }
    self.cost = cost
    self.salt = salt
    self.hash = hash
  }

  package var text: String {
    "$scrypt$ln=\(cost.logRounds),r=\(cost.blockSize),p=\(cost.parallelism)$\(Self.base64(salt))$\(Self.base64(hash))"
  }

  /// Slow on purpose.
  package func matches(_ password: String) throws -> Bool {
    try Self.derive(password, salt: salt, length: hash.count, cost: cost).isEqualInConstantTime(to: hash)
  }

  /// Whether a guess at this one is cheaper than it should be by now.
  package func isWeaker(than wanted: PasswordCost) -> Bool { cost.work < wanted.work }

  /// NFKC first, so that the same password typed on another keyboard is the same bytes (NIST SP 800-63B-4 §3.1.1.2).
  private static func derive(_ password: String, salt: Data, length: Int, cost: PasswordCost) throws -> Data {
    try KDF.Scrypt.deriveKey(
      from: Data(password.precomposedStringWithCompatibilityMapping.utf8), salt: salt, outputByteCount: length,
      rounds: 1 << cost.logRounds, blockSize: cost.blockSize, parallelism: cost.parallelism
    ).withUnsafeBytes { Data($0) }
  }

  private static func cost(_ text: Substring) -> PasswordCost? {
    var values: [String: Int] = [:]
    for part in text.split(separator: ",") {
      let pair = part.split(separator: "=")
      guard pair.count == 2, let number = Int(pair[1]) else { return nil }
      values[String(pair[0])] = number
    }
    guard values.count == 3, let logRounds = values["ln"], let blockSize = values["r"], let parallelism = values["p"]
    else { return nil }
    let cost = PasswordCost(logRounds: logRounds, blockSize: blockSize, parallelism: parallelism)
    return cost.isReasonable ? cost : nil
  }

  private static func base64(_ data: Data) -> String { data.base64EncodedString().replacing("=", with: "") }

  private static func bytes(_ text: Substring) -> Data? {
    Data(base64Encoded: text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4))
  }
}
