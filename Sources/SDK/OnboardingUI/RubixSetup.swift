// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import RubixOnboarding

/// A text that the customer agrees to before the application begins. The institution writes it, in the user's language.
public struct ConsentDocument: Sendable, Equatable {
  /// Which text.
  public var code: ConsentCode
  /// Which version of it.
  public var version: String
  /// Such as "Terms of the onboarding".
  public var title: String
  /// The whole of it, without markup.
  public var text: String

  /// Creates the value from its members.
  public init(code: ConsentCode, version: String, title: String, text: String) {
    (self.code, self.version, self.title, self.text) = (code, version, title, text)
  }
}

/// The device and the app, as the registration names them (rubix-onboarding §6.1).
public struct RubixDevice: Sendable, Equatable {
  /// 16 to 128 letters, digits or `-`; chosen once per installation.
  public var id: String
  /// The platform of the device.
  public var platform: DevicePlatform
  /// Version of the app, version of the system and model of the device; nil where that is not to be told.
  public var appVersion, osVersion, model: String?

  /// Creates the value from its members.
  public init(
    id: String, platform: DevicePlatform = .ios, appVersion: String? = nil, osVersion: String? = nil,
    model: String? = nil
  ) {
    (self.id, self.platform, self.appVersion) = (id, platform, appVersion)
    (self.osVersion, self.model) = (osVersion, model)
  }
}

/// What the screens need of the device beside the SDK's own ports.
public struct RubixPorts: Sendable {
  /// Opens the address of a video call.
  public var open: @Sendable (URL) async -> Void
  /// Between two looks while an application waits for the institution.
  public var lookEvery = Duration.seconds(15)
  /// How often it is looked before the user is left to ask: a day at the pace above.
  public var looksMax = 5760

  /// - Parameter open: opens the address of a video call.
  public init(open: @escaping @Sendable (URL) async -> Void) { self.open = open }
}
