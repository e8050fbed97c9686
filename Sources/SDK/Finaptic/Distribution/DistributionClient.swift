// SPDX-License-Identifier: Apache-2.0

/// Pushes.
public protocol DistributionClient: AnyObject, Sendable {
  /// Has pushes sent to this device.
  func registerChannel(request: RegisterPushNotificationChannelRequest, completion: @escaping FinapticCompletion<Void>)
}
