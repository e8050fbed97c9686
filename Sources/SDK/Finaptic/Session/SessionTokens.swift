// SPDX-License-Identifier: Apache-2.0

/// The tokens as they are kept on the device.
struct SessionTokens: Codable, Sendable, Equatable {
  var accessToken: String
  var refreshToken: String
  /// Seconds since 1970, by the device's clock; 0 for one that has to be renewed before it is used.
  var accessExpiry: Double
  /// The idempotency key of every renewal of these tokens, also after a crash: the answer that was lost comes again,
  /// where a second renewal would look like a stolen token. It is random and not made of the token: one who has only
  /// the token must look like the thief that they are. Nil in what earlier versions kept.
  var renewalKey: String?
  /// Which of this process's sign-ins they are of.
  var generation = 0

  enum CodingKeys: String, CodingKey {
    case accessToken, refreshToken, accessExpiry, renewalKey
  }

  /// What the app is given.
  var authState: AuthState { AuthState(accessToken: accessToken, refreshToken: refreshToken) }
}
