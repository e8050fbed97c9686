// SPDX-License-Identifier: Apache-2.0

public import SaltEdgeWire

/// Classes that no service sends: the device's own (specification §6).
extension SaltEdge.ErrorClass {
  /// `HostUnreachable`: no network, no such host, or no answer in time.
  public static let hostUnreachable = Self(rawValue: "HostUnreachable")
  /// `SSLHandshakeException`: the server is not who it should be.
  public static let sslHandshake = Self(rawValue: "SSLHandshakeException")
  /// `ApiResponseError`: what came back is no answer of this API.
  public static let apiResponse = Self(rawValue: "ApiResponseError")
  /// `ApiRequestError`: the request could not be made or sent.
  public static let apiRequest = Self(rawValue: "ApiRequestError")
  /// `AuthenticationError`: signing in did not succeed for an unknown reason.
  public static let authentication = Self(rawValue: "AuthenticationError")
  /// `InvalidAccessToken`: the bank's page gave a token that this device cannot read.
  public static let invalidAccessToken = Self(rawValue: "InvalidAccessToken")
  /// `DeviceStoreError`. Ours.
  public static let deviceStore = Self(rawValue: "DeviceStoreError")

  /// `AppLocked`: unlock first. Ours, as are all that follow.
  public static let appLocked = Self(rawValue: "AppLocked")
  /// `UserPresenceMissing`: a confirmation without a passcode or biometrics of its own.
  public static let userPresenceMissing = Self(rawValue: "UserPresenceMissing")
  /// `GeolocationMissing`: the bank wants to know where the device is, which is unknown (§10.8).
  public static let geolocationMissing = Self(rawValue: "GeolocationMissing")
  /// `ConnectionInactive`: reconnect.
  public static let connectionInactive = Self(rawValue: "ConnectionInactive")
  /// `ConnectionUnknown`: no such connection on this device.
  public static let connectionUnknown = Self(rawValue: "ConnectionUnknown")
  /// `TooManyConnections`.
  public static let tooManyConnections = Self(rawValue: "TooManyConnections")
  /// `NameTaken`: an empty name, or another connection's.
  public static let nameTaken = Self(rawValue: "NameTaken")
  /// `AuthorizationOver`: decided, being decided or expired.
  public static let authorizationOver = Self(rawValue: "AuthorizationOver")

  /// All of them.
  public static let madeHere: [Self] = [
    .hostUnreachable, .sslHandshake, .apiResponse, .apiRequest, .authentication, .invalidAccessToken, .deviceStore,
    .appLocked, .userPresenceMissing, .geolocationMissing, .connectionInactive, .connectionUnknown,
    .tooManyConnections, .nameTaken, .authorizationOver,
  ]
}
