// SPDX-License-Identifier: Apache-2.0

public import GatehouseTransport

/// What is outside of an instance: storage, network, time, randomness, biometry and the device. Tests hand in their
/// own; apps on Linux hand in a store of their choice.
public struct PowerAuthPlatform: Sendable {
  /// Where the state of the activation is kept.
  public var store: any DirectSecureStore
  public var transport: HTTPTransport
  public var clock: ClientClock
  public var randomness: ClientRandomness
  public var biometry: PowerAuthBiometryGuard
  public var device: PowerAuthDevice

  public init(
    store: any DirectSecureStore, transport: HTTPTransport = .live(), clock: ClientClock = .live,
    randomness: ClientRandomness = .live, biometry: PowerAuthBiometryGuard = .unavailable,
    device: PowerAuthDevice = .current
  ) {
    self.store = store
    self.transport = transport
    self.clock = clock
    self.randomness = randomness
    self.biometry = biometry
    self.device = device
  }

  /// This device: the keychain on Apple's systems, elsewhere a sealed file for each instance in the user's folder for
  /// application data, with its key beside it.
  public static func current(
    instanceId: String, keychain: PowerAuthKeychainConfiguration, client: PowerAuthClientConfiguration
  ) -> PowerAuthPlatform {
    let transport = HTTPTransport.live(allowingClearText: client.allowsClearText, trusting: client.serverTrust)
    #if canImport(Security)
      let (service, group) = (keychain.keychainInstanceName, keychain.keychainAttribute_AccessGroup)
      let shared = keychain.keychainAttribute_UserDefaultsSuiteName.flatMap(AppInstallation.group)
      return PowerAuthPlatform(
        store: KeychainStore(
          service: service, accessGroup: group, installation: group == nil ? .current : shared,
          companions: [PowerAuthBiometryGuard.service(of: keychain)]),
        transport: transport, biometry: .keychain(keychain))
    #else
      return PowerAuthPlatform(
        store: SealedFileStore.ofApplication(keychain.keychainInstanceName, instance: instanceId), transport: transport)
    #endif
  }
}
