// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GatehouseTransport

/// One activation of this device at one server (powerauth.md §10): creates it, signs and encrypts with it, removes it.
///
/// Callbacks come once, on the main queue, also after `cancel()` of the task that a call gave. Every such call is there
/// as an `async` function, too. Errors are `NSError`s in `PowerAuthErrorDomain`; see `powerAuthErrorCode`.
public final class PowerAuthSDK: Sendable {
  let access: ClientAccess
  private let settings: Settings

  /// The configuration's values; the object that was handed in may be changed without an effect here.
  private struct Settings: Sendable {
    let instanceId: String
    let baseEndpointUrl: String
    let text: String
    let protocolVersion: PowerAuthProtocolVersion
    let biometryKeyName: String?
    let externalEncryptionKey: Data?
    let offlineSignatureComponentLength: Int
  }

  public let tokenStore: any PowerAuthTokenStore
  public let timeSynchronizationService: any PowerAuthTimeSynchronizationService

  /// - Parameter configuration: if it is invalid, every call fails with `wrongParameter`.
  public convenience init(configuration: PowerAuthConfiguration) {
    self.init(configuration: configuration, keychainConfiguration: nil, clientConfiguration: nil)
  }

  /// - Parameter configuration: if it is invalid, every call fails with `wrongParameter`.
  public convenience init(
    configuration: PowerAuthConfiguration, keychainConfiguration: PowerAuthKeychainConfiguration?,
    clientConfiguration: PowerAuthClientConfiguration?
  ) {
    let client = clientConfiguration ?? PowerAuthClientConfiguration()
    self.init(
      configuration: configuration, clientConfiguration: client,
      platform: .current(
        instanceId: configuration.instanceId, keychain: keychainConfiguration ?? PowerAuthKeychainConfiguration(),
        client: client))
  }

  /// On a platform of the app's choice: its own store, network or clock.
  /// - Parameter platform: not asked for when the configuration is invalid.
  public init(
    configuration: PowerAuthConfiguration, clientConfiguration: PowerAuthClientConfiguration? = nil,
    platform: @autoclosure () -> PowerAuthPlatform
  ) {
    settings = Settings(
      instanceId: configuration.instanceId, baseEndpointUrl: configuration.baseEndpointUrl,
      text: configuration.configuration, protocolVersion: configuration.protocolVersion,
      biometryKeyName: configuration.keychainKey_Biometry, externalEncryptionKey: configuration.externalEncryptionKey,
      offlineSignatureComponentLength: configuration.offlineSignatureComponentLength)
    access = ClientAccess(configuration, clientConfiguration ?? PowerAuthClientConfiguration(), platform())
    tokenStore = TokenStore(access)
    timeSynchronizationService = TimeService(access)
  }

  /// Everything outside of this instance, for modules that go with it: they keep their state in the same store. Nil
  /// when the configuration is invalid.
  public var platform: PowerAuthPlatform? { access.platform }

  /// A copy of the configuration.
  public var configuration: PowerAuthConfiguration {
    let copy = PowerAuthConfiguration(
      instanceId: settings.instanceId, baseEndpointUrl: settings.baseEndpointUrl, configuration: settings.text)
    copy.protocolVersion = settings.protocolVersion
    copy.keychainKey_Biometry = settings.biometryKeyName
    copy.externalEncryptionKey = settings.externalEncryptionKey
    copy.offlineSignatureComponentLength = settings.offlineSignatureComponentLength
    return copy
  }

  // MARK: State

  /// Whether `createActivation` may be called.
  public func canStartActivation() -> Bool { access.client?.session.canStartActivation ?? false }

  /// Whether an activation is being created, or was created and not persisted.
  public func hasPendingActivation() -> Bool { access.client?.session.hasPendingActivation ?? false }

  /// Whether there is a persisted activation. Whether the server still knows it tells its status.
  public func hasValidActivation() -> Bool { access.client?.session.activation != nil }

  /// What the server calls the activation, a pending one too; nil without one.
  public var activationIdentifier: String? {
    guard let session = access.client?.session else { return nil }
    return session.activation?.identifier.text ?? session.pending?.identifier.text
  }

  /// Eight digits over the keys of both ends, of a pending activation too; nil without one.
  public var activationFingerprint: String? {
    guard let session = access.client?.session else { return nil }
    return session.activation?.fingerprint.text ?? session.pending?.fingerprint.text
  }

  /// What `fetchActivationStatus` gave last; nil after a start.
  public var lastFetchedActivationStatus: PowerAuthActivationStatus? { access.client?.lastHeard.status }

  /// What `fetchUserInfo` or the activation gave last; nil after a start.
  public var lastFetchedUserInfo: PowerAuthUserInfo? { access.client?.lastHeard.userInfo }
}
