// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// Proof that the caller holds a token's secret (powerauth.md §7). It does not cover the body of the request.
public enum TokenDigest {
  public static let byteCount = 32
  /// Milliseconds for which a server takes a digest that was made earlier.
  public static let pastMax: UInt64 = 7_200_000
  /// Milliseconds that a device's clock may be ahead.
  public static let futureMax: UInt64 = 1_800_000

  /// `HMAC(secret, nonce & timestamp [& version])`, the version from 3.2 on.
  public static func compute(
    secret: SecretKey, nonce: Data, timestamp: UInt64, version: ProtocolVersion
  ) -> Data {
    Data(secret.authenticationCode(for: message(nonce: nonce, timestamp: timestamp, version: version)))
  }

  /// A header that is complete, on the device.
  /// - Throws: `malformed` unless the nonce has 16 bytes.
  public static func header(
    for token: TokenIdentifier, secret: SecretKey, nonce: Data, timestamp: UInt64, version: ProtocolVersion
  ) throws(PowerAuthError) -> TokenHeader {
    try TokenHeader(
      version: version, tokenIdentifier: token,
      digest: compute(secret: secret, nonce: nonce, timestamp: timestamp, version: version), nonce: nonce,
      timestamp: timestamp)
  }

  /// Whether a header was made with this secret. The time and the nonce's novelty are checked apart.
  public static func verifies(_ header: TokenHeader, secret: SecretKey) -> Bool {
    HMAC<SHA256>.isValidAuthenticationCode(
      header.digest,
      authenticating: message(nonce: header.nonce, timestamp: header.timestamp, version: header.version),
      using: secret.symmetric)
  }

  /// Whether a server whose clock shows `now` takes a digest of this time, both in milliseconds since 1970.
  public static func isTimely(_ timestamp: UInt64, now: UInt64) -> Bool {
    timestamp > now ? timestamp - now <= futureMax : now - timestamp <= pastMax
  }

  private static func message(nonce: Data, timestamp: UInt64, version: ProtocolVersion) -> Data {
    let ending = version.hasVersionInTokenDigest ? "&\(version.rawValue)" : ""
    return nonce + Data("&\(timestamp)\(ending)".utf8)
  }
}
