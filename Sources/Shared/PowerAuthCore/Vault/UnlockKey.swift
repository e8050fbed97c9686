// SPDX-License-Identifier: Apache-2.0

import CryptoPrimitives
import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// What locks the key of one factor on a device (powerauth.md §3.5).
///
/// Locking has no checksum, on purpose: a wrong password opens a wrong key, and only the server, which counts, can
/// tell.
public struct UnlockKey: Equatable, Sendable, Redacted {
  /// Rounds of PBKDF2, by the protocol.
  static let rounds = 10_000
  public static let saltBytes = 16
  /// Bytes of the shortest password.
  public static let passwordBytesMin = 4
  /// Bytes of the longest password.
  public static let passwordBytesMax = 1024

  private let key: SecretKey

  /// Possession: the device itself, by an identifier that it keeps.
  public init(deviceIdentifier: String) {
    key = SecretKey(sixteen: Data(SHA256.hash(data: Data(deviceIdentifier.utf8)).prefix(SecretKey.byteCount)))
  }

  /// Knowledge: a password or PIN, by PBKDF2 with HMAC-SHA-1.
  ///
  /// SHA-1 and 10 000 rounds are the protocol's. They are weak, and do not matter much: a wrong password gives another
  /// key and not an error, so that guesses have to be tried against the server, which counts them.
  /// - Throws: `malformed` for a password too short or a salt that does not have 16 bytes; `tooLong`.
  public init(password: Data, salt: Data) throws(PowerAuthError) {
    guard password.count <= Self.passwordBytesMax else { throw .tooLong(.vault) }
    guard password.count >= Self.passwordBytesMin, salt.count == Self.saltBytes else { throw .malformed(.vault) }
    let derived = PBKDF2.derive(
      password: password, salt: salt, rounds: Self.rounds, hash: .sha1, count: SecretKey.byteCount)
    guard let derived else { throw .invalidKey }
    key = SecretKey(derived)
  }

  /// Biometry, or an external encryption key: a random key that something else guards.
  /// - Throws: `invalidKey` for zeros, which is what a guard that failed gives.
  public init(guardedKey: SecretKey) throws(PowerAuthError) {
    guard !guardedKey.isZero else { throw .invalidKey }
    key = guardedKey
  }

  /// 16 bytes to keep.
  /// - Parameter externalKey: an external encryption key, which locks the result once more; for knowledge and biometry.
  public func lock(_ signatureKey: SecretKey, externalKey: UnlockKey? = nil) -> Data {
    let locked = AES128CBC.encrypt(signatureKey.bytes, key: key, padding: .none)
    return externalKey.map { AES128CBC.encrypt(locked, key: $0.key, padding: .none) } ?? locked
  }

  /// The signature key, or some other key when this is not what locked it.
  /// - Throws: `malformed` unless there are 16 bytes.
  public func unlock(_ locked: Data, externalKey: UnlockKey? = nil) throws(PowerAuthError) -> SecretKey {
    guard locked.count == SecretKey.byteCount else { throw .malformed(.vault) }
    var bytes = locked
    if let externalKey { bytes = try AES128CBC.decrypt(bytes, key: externalKey.key, padding: .none) }
    return try SecretKey(AES128CBC.decrypt(bytes, key: key, padding: .none))
  }
}
