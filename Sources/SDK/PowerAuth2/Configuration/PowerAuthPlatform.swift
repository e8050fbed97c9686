internal import Foundation
public import GatehouseTransport

/// Everything outside of an instance: storage, network, time, chance, biometry and the device. Tests hand in their own;
/// apps on Linux hand in a store of their choice.
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
      return PowerAuthPlatform(
        store: KeychainStore(
          service: keychain.keychainInstanceName, accessGroup: keychain.keychainAttribute_AccessGroup),
        transport: transport, biometry: .keychain(keychain))
    #else
      return PowerAuthPlatform(store: sealedFile(keychain.keychainInstanceName, instanceId), transport: transport)
    #endif
  }

  #if !canImport(Security)
    private static func sealedFile(_ name: String, _ instanceId: String) -> any DirectSecureStore {
      // A name of a file whatever the instance is called.
      let instance = instanceId.utf8.map { String($0, radix: 16) }.joined()
      do {
        let folder = try FileManager.default.url(
          for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true
        ).appendingPathComponent(name, isDirectory: true).appendingPathComponent(instance, isDirectory: true)
        try FileManager.default.createDirectory(
          at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return try SealedFileStore(
          file: folder.appendingPathComponent("state"), keyFile: folder.appendingPathComponent("key"))
      } catch {
        return RefusingStore(error: error as? SecureStoreError ?? SecureStoreError(.unavailable))
      }
    }
  #endif
}

/// Stands in for a store that could not be opened: an instance without state whose calls fail.
private struct RefusingStore: DirectSecureStore {
  let error: SecureStoreError

  func read(_ name: String) throws(SecureStoreError) -> Data? { throw error }
  func write(_ secret: Data, as name: String) throws(SecureStoreError) { throw error }
  func remove(_ name: String) throws(SecureStoreError) { throw error }
}
