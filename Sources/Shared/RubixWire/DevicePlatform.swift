// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// The platform of the device (rubix-onboarding §2).
public struct DevicePlatform: OpenEnumeration {
  /// The word on the wire.
  public let rawValue: String

  /// Wraps any word, also one that this version does not know.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// `ios`.
  public static let ios = DevicePlatform(rawValue: "ios")
  /// `android`.
  public static let android = DevicePlatform(rawValue: "android")

  /// Every word that this version knows, in the order of the specification.
  public static let known: [DevicePlatform] = [.ios, .android]
}
