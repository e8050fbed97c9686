// SPDX-License-Identifier: Apache-2.0

/// What to ask `registerChannel` for.
public struct RegisterPushNotificationChannelRequest: Hashable, Codable, Sendable {
  /// Anything that tells this device from others.
  public var deviceId: String
  /// The token of the push service.
  public var registrationId: String

  /// Creates the value from its members.
  public init(deviceId: String, registrationId: String) {
    (self.deviceId, self.registrationId) = (deviceId, registrationId)
  }
}
