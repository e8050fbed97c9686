// SPDX-License-Identifier: Apache-2.0

import CryptoPrimitives
import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// A password or PIN that does not show in logs and whose memory is cleared when it goes (powerauth.md §10).
public final class PowerAuthCorePassword: Sendable, Equatable, Redacted {
  private let secret: SymmetricKey

  /// The UTF-8 of a text.
  public convenience init(string: String) { self.init(data: Data(string.utf8)) }

  public init(data: Data) { secret = SymmetricKey(data: data) }

  /// Bytes, not characters.
  public func length() -> Int { secret.bitCount / 8 }

  /// Whether both are the same, in a time that depends on the lengths only.
  public func isEqual(to other: PowerAuthCorePassword) -> Bool { self == other }

  /// Lends the bytes to a check of the app's own, such as one for simple PINs.
  public func validatePasswordComplexity<Verdict>(_ check: (UnsafeRawBufferPointer) throws -> Verdict) rethrows
    -> Verdict
  {
    try secret.withUnsafeBytes(check)
  }

  /// The password in the open, to derive a key from.
  public var bytes: Data { secret.withUnsafeBytes { Data($0) } }

  public static func == (left: PowerAuthCorePassword, right: PowerAuthCorePassword) -> Bool {
    left.bytes.equalsInConstantTime(right.bytes)
  }
}
