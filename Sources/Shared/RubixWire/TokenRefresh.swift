// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// Body of `POST /auth/refresh-token` (rubix-onboarding §6.2); the token itself travels in `x-refresh-token`.
public struct RefreshTokenRequest: Codable, Sendable, Equatable {
  /// Must be the device of the registration when given.
  public var deviceID: String?

  /// Creates the value from its members.
  public init(deviceID: String? = nil) {
    self.deviceID = deviceID
  }

  enum CodingKeys: String, CodingKey {
    case deviceID = "device_id"
  }
}

/// Answer to `POST /auth/refresh-token` (rubix-onboarding §6.2); both new tokens are in the headers.
public struct RefreshTokenResponse: Codable, Sendable, Equatable {
  /// `SUCCESS`.
  public var status: ResponseStatus
  /// For people.
  public var message: String
  /// Seconds of life of the access token.
  public var accessExpiresIn: Int
  /// Seconds of life of the refresh token.
  public var refreshExpiresIn: Int

  /// Creates the value from its members.
  public init(status: ResponseStatus, message: String, accessExpiresIn: Int, refreshExpiresIn: Int) {
    self.status = status
    self.message = message
    self.accessExpiresIn = accessExpiresIn
    self.refreshExpiresIn = refreshExpiresIn
  }

  enum CodingKeys: String, CodingKey {
    case status
    case message
    case accessExpiresIn = "access_expires_in"
    case refreshExpiresIn = "refresh_expires_in"
  }
}

/// The word that some answers of the original system carry beside their data.
public struct ResponseStatus: OpenEnumeration {
  /// The word on the wire.
  public let rawValue: String

  /// Wraps any word, also one that this version does not know.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// `SUCCESS`.
  public static let success = ResponseStatus(rawValue: "SUCCESS")

  /// Every word that this version knows, in the order of the specification.
  public static let known: [ResponseStatus] = [.success]
}
