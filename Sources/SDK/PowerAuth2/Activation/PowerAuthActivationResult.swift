// SPDX-License-Identifier: Apache-2.0

internal import PowerAuthCore

/// What came of creating an activation (powerauth.md §10).
public final class PowerAuthActivationResult: Sendable {
  /// Eight digits, which the user may compare with what the server shows.
  public let activationFingerprint: String
  /// A code for a later device; nil when the server gives none.
  public let activationRecovery: PowerAuthActivationRecoveryData?
  /// Who the user is, when the server tells it.
  public let userInfo: PowerAuthUserInfo?
  private let attributes: [String: JSONValue]?

  init(
    activationFingerprint: String, customAttributes: [String: JSONValue]?,
    activationRecovery: PowerAuthActivationRecoveryData?, userInfo: PowerAuthUserInfo?
  ) {
    self.activationFingerprint = activationFingerprint
    self.activationRecovery = activationRecovery
    self.userInfo = userInfo
    attributes = customAttributes
  }

  /// JSON of the application's own server.
  public var customAttributes: [String: Any]? { attributes?.mapValues(\.native) }
}
