package import Foundation
public import GatehouseTransport
public import SaltEdgeAuthenticator
internal import Synchronization

/// The device as the published calls see it: where keys are kept, the network, time, chance, and how the app names
/// itself. The published surface is static, so there is one for the app: set it before the first call.
public struct SEAuthenticatorPlatform: Sendable {
  /// Where keys are kept.
  public var store: any DirectSecureStore
  public var transport: HTTPTransport
  public var clock: ClientClock
  public var randomness: ClientRandomness
  public var device: DeviceDescription
  /// Asks for the user's passcode or biometrics. When it is there, every confirmation waits for it, and is neither
  /// signed nor sent unless it says yes (saltedge-authenticator §10.4); nil leaves that to the app. Denying does not
  /// ask.
  public var userPresence: (@Sendable () async -> Bool)?
  /// How long services may take and be silent (saltedge-authenticator §2).
  public var limits = ExchangeLimits()
  /// One for the whole app: no two proofs of v2 expire in the same second (saltedge-authenticator §5.5).
  private let expiries = ProofExpiries()

  public init(
    store: any DirectSecureStore, transport: HTTPTransport = .live(), clock: ClientClock = .live,
    randomness: ClientRandomness = .live, device: DeviceDescription = .application,
    userPresence: (@Sendable () async -> Bool)? = nil
  ) {
    self.store = store
    self.transport = transport
    self.clock = clock
    self.randomness = randomness
    self.device = device
    self.userPresence = userPresence
  }

  /// The one that calls to come use.
  public static var current: SEAuthenticatorPlatform {
    get { inUse.withLock { $0 } }
    set { inUse.withLock { $0 = newValue } }
  }

  private static let inUse = Mutex(live)

  /// This device: the keychain on Apple's systems, elsewhere a sealed file in the user's folder for application data,
  /// with its key beside it.
  private static var live: SEAuthenticatorPlatform {
    #if canImport(Security)
      SEAuthenticatorPlatform(store: KeychainStore(service: "com.saltedge.authenticator"))
    #else
      SEAuthenticatorPlatform(
        store: SealedFileStore.ofApplication(
          "com.saltedge.authenticator", instance: Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName))
    #endif
  }

  package var keys: ConnectionKeys { ConnectionKeys(store) }
  package var line: ServiceLine {
    ServiceLine(transport: transport, clock: clock, device: device, limits: limits, expiries: expiries)
  }
  package var now: Date { Date(timeIntervalSince1970: clock.wallTime()) }
}

extension DeviceDescription {
  /// The app as its bundle describes it, on this system (saltedge-authenticator §2).
  public static var application: DeviceDescription {
    let bundle = Bundle.main
    func entry(_ name: String, otherwise: String) -> String {
      bundle.object(forInfoDictionaryKey: name) as? String ?? otherwise
    }
    let version = ProcessInfo.processInfo.operatingSystemVersion
    #if canImport(Darwin)
      let (model, system) = ("Apple", "iOS")
    #else
      let (model, system) = ("computer", "Linux")
    #endif
    return DeviceDescription(
      app: entry("CFBundleName", otherwise: ProcessInfo.processInfo.processName),
      version: entry("CFBundleShortVersionString", otherwise: "0"), build: entry("CFBundleVersion", otherwise: "0"),
      model: model, system: "\(system) \(version.majorVersion).\(version.minorVersion)")
  }
}
