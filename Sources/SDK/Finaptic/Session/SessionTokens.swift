internal import Foundation

#if canImport(CryptoKit)
  internal import CryptoKit
#else
  internal import Crypto
#endif

/// The tokens as they are kept on the device.
struct SessionTokens: Codable, Sendable, Equatable {
  var accessToken: String
  var refreshToken: String
  /// Seconds since 1970, by the device's clock.
  var accessExpiry: Double
  /// Which of this process's sign-ins they are of.
  var generation = 0

  enum CodingKeys: String, CodingKey {
    case accessToken, refreshToken, accessExpiry
  }

  /// What the app is given.
  var authState: AuthState { AuthState(accessToken: accessToken, refreshToken: refreshToken) }

  /// The idempotency key of every renewal with this refresh token, also after a crash: the answer that was lost comes
  /// again, where a second renewal would look like a stolen token. A UUID made of the token's digest.
  var renewalKey: String {
    var bytes = Array(SHA256.hash(data: Data("finaptic.renewal.\(refreshToken)".utf8)).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    let hex = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { hex[$0].joined() }.joined(separator: "-")
  }
}
