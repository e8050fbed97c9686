// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// `CTR_DATA`: 16 bytes that both ends advance together, so that no signature is made twice (powerauth.md §5.1).
public struct CounterData: Hashable, Sendable, Redacted {
  public let bytes: Data

  /// - Throws: `malformed` unless there are 16 bytes.
  public init(_ bytes: Data) throws(PowerAuthError) {
    guard bytes.count == SecretKey.byteCount else { throw .malformed(.counterData) }
    self.bytes = bytes
  }

  /// Where a new activation starts.
  public init(_ randomness: Randomness) {
    bytes = randomness.bytes(SecretKey.byteCount)
  }

  private init(folding digest: SHA256.Digest) {
    bytes = Data(digest.withUnsafeBytes { SecretKey.fold($0) })
  }

  /// `FOLD(SHA256(c))`.
  public var next: CounterData { CounterData(folding: SHA256.hash(data: bytes)) }

  /// - Precondition: `steps` is not negative; callers bound it by a look-ahead window.
  public func advanced(by steps: Int) -> CounterData {
    (0..<steps).reduce(self) { counter, _ in counter.next }
  }
}
