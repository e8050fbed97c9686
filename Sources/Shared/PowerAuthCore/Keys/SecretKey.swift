// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// A symmetric key of 16 bytes: every `KEY_…` of the protocol that is not a key pair (powerauth.md §2).
///
/// Its memory is cleared when it goes; comparing takes the same time wherever keys differ.
public struct SecretKey: Equatable, Sendable, Redacted {
  public static let byteCount = 16

  let symmetric: SymmetricKey

  /// - Throws: `invalidKey` unless there are 16 bytes.
  public init(_ bytes: Data) throws(PowerAuthError) {
    guard bytes.count == Self.byteCount else { throw .invalidKey }
    symmetric = SymmetricKey(data: bytes)
  }

  /// A fresh key.
  public init(_ randomness: Randomness) {
    self.init(sixteen: randomness.bytes(Self.byteCount))
  }

  init(_ symmetric: SymmetricKey) {
    precondition(symmetric.bitCount == Self.byteCount * 8, "a PowerAuth key has 16 bytes")
    self.symmetric = symmetric
  }

  init(sixteen bytes: some ContiguousBytes) {
    self.init(SymmetricKey(data: bytes))
  }

  /// The key in the open, to be sealed at rest or sent encrypted.
  public var bytes: Data { withUnsafeBytes { Data($0) } }

  /// Whether all bits are zero, in the same time for every key.
  public var isZero: Bool { withUnsafeBytes { $0.reduce(UInt8(0), |) } == 0 }

  /// Lends the bytes without a copy.
  public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try symmetric.withUnsafeBytes(body)
  }
}
