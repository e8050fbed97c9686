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
}
