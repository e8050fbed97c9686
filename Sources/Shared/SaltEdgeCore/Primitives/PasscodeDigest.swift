// SPDX-License-Identifier: Apache-2.0

import CryptoPrimitives
import Foundation

/// What a device keeps of its owner's passcode: PBKDF2 with HMAC-SHA-256 (RFC 8018 §5.2) and a salt of its own
/// (specification §10.3). Ten thousand passcodes are soon tried even so: the digest is to be sealed at rest.
public struct PasscodeDigest: Codable, Hashable, Sendable, Redacted {
  public static let saltBytes = 16
  /// OWASP's for HMAC-SHA-256 in 2023.
  public static let roundsByDefault = 600_000
  private static let digestBytes = 32
  /// A digest that asks for more was not made here.
  private static let rounds = 1...10_000_000

  private let salt, digest: Data
  private let rounds: Int

  /// - Precondition: 16 bytes of salt.
  /// - Throws: `invalidKey` when the platform refuses the parameters.
  public init(of passcode: String, salt: Data, rounds: Int = roundsByDefault) throws(SaltEdgeError) {
    precondition(salt.count == Self.saltBytes, "the salt of a passcode has 16 bytes")
    self.salt = salt
    self.rounds = rounds
    digest = try Self.derive(Data(passcode.utf8), salt: salt, rounds: rounds)
  }

  /// Whether it is the passcode, in a time that does not depend on where they differ.
  /// - Throws: `invalidKey` when the platform refuses the parameters.
  public func matches(_ passcode: String) throws(SaltEdgeError) -> Bool {
    try Self.derive(Data(passcode.utf8), salt: salt, rounds: rounds).equalsInConstantTime(digest)
  }

  private static func derive(_ passcode: Data, salt: Data, rounds: Int) throws(SaltEdgeError) -> Data {
    guard self.rounds.contains(rounds) else { throw .invalidKey }
    let digest = PBKDF2.derive(password: passcode, salt: salt, rounds: rounds, hash: .sha256, count: digestBytes)
    guard let digest else { throw .invalidKey }
    return digest.withUnsafeBytes { Data($0) }
  }
}
