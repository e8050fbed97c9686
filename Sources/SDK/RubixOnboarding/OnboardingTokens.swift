// SPDX-License-Identifier: Apache-2.0

/// The tokens of one application, as they are kept on the device. Opaque: never parsed, never shown, never logged.
public struct OnboardingTokens: Codable, Sendable, Equatable, CustomStringConvertible {
  /// From `x-access-token`.
  public var accessToken: String
  /// From `x-refresh-token`.
  public var refreshToken: String
  /// The device of the registration: a refresh that is repeated after a lost answer must name it (§3.3).
  public var deviceID: String

  /// Creates the value.
  public init(accessToken: String, refreshToken: String, deviceID: String) {
    self.accessToken = accessToken
    self.refreshToken = refreshToken
    self.deviceID = deviceID
  }

  enum CodingKeys: String, CodingKey {
    case accessToken = "access_token"
    case refreshToken = "refresh_token"
    case deviceID = "device_id"
  }

  /// Says nothing, so that a stray print gives nothing away.
  public var description: String { "OnboardingTokens(…)" }
}
