// SPDX-License-Identifier: Apache-2.0

package import Foundation
public import GatehouseTransport
public import SaltEdgeAuthenticator
internal import SaltEdgeCore
internal import Locks

/// The device as the published calls see it: where keys are kept, the network, time, randomness, and how the app names
/// itself. The published surface is static, so there is one for the app: set it before the first call.
public struct SEAuthenticatorPlatform: Sendable {
  /// Where keys are kept.
  public var store: any DirectSecureStore
  public var transport: HTTPTransport
  public var clock: ClientClock
  public var randomness: ClientRandomness
  public var device: DeviceDescription
  /// Asks for the user's passcode or biometrics: every confirmation waits for it, and is neither signed nor sent unless
  /// it says yes (saltedge-authenticator §10.4). When it is nil the device asks, by `keyProtection`; without that, too,
  /// nothing can be confirmed. An app that has just asked sets `{ true }`. Denying does not ask.
  public var userPresence: (@Sendable () async -> Bool)?
  /// Binds the private keys to the device's user; nil leaves them to the store alone. Protected keys are opened when
  /// they are first needed, which asks the user, until `lock()`.
  public var keyProtection: KeyProtection?
  /// In lower case; of other apps that an action of a QR code may return to. Besides them it may return to pages of the
  /// web, and to the app itself by the schemes that it has registered.
  public var returnSchemes: Set<String> = []
  /// How long services may take and be silent (saltedge-authenticator §2).
  public var limits = ExchangeLimits()
  /// One for the whole app: no two proofs of v2 expire in the same second (saltedge-authenticator §5.5).
  private let expiries = ProofExpiries()
  private let session = KeySession()

  public init(
    store: any DirectSecureStore, transport: HTTPTransport = .live(), clock: ClientClock = .live,
    randomness: ClientRandomness = .live, device: DeviceDescription = .application,
    userPresence: (@Sendable () async -> Bool)? = nil, keyProtection: KeyProtection? = .device
  ) {
    self.store = store
    self.transport = transport
    self.clock = clock
    self.randomness = randomness
    self.device = device
    self.userPresence = userPresence
    self.keyProtection = keyProtection
  }

  /// The one that calls to come use.
  public static var current: SEAuthenticatorPlatform {
    get { inUse.withLock { $0 } }
    set { inUse.withLock { $0 = newValue } }
  }

  private static let inUse = Guarded(live)

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

  /// Closes the keys: call it when the app locks, or goes to the background.
  public func lock() { session.end() }

  var openableSchemes: Set<String> { returnSchemes.union(Self.registeredSchemes) }

  /// The schemes of the app's Info.plist, and the published app's.
  private static let registeredSchemes: Set<String> = {
    let types = Bundle.main.object(forInfoDictionaryKey: "CFBundleURLTypes") as? [[String: Any]] ?? []
    let schemes = types.flatMap { $0["CFBundleURLSchemes"] as? [String] ?? [] }
    return Set(schemes.map { $0.lowercased() }).union([DeepLink.scheme])
  }()

  package var keys: ConnectionKeys { ConnectionKeys(store, protection: keyProtection) }

  /// The private key under the tag, opened by the user of the app.
  /// - Throws: `keyMissing`.
  package func key(_ tag: String) throws(AuthenticatorError) -> ConnectionKey {
    let permit = keyProtection.map { session.permit(from: $0, reason: Self.reason) }
    guard let key = try keys.key(tag, by: permit) else { throw AuthenticatorError(.keyMissing, .apiRequest) }
    return key
  }

  /// Has the user prove themselves for one confirmation.
  /// - Returns: what the key is opened by; nil when the app has asked.
  /// - Throws: `outOfOrder` with `userPresenceMissing`.
  func presence() async throws(AuthenticatorError) -> KeyProtection.Permit? {
    if let userPresence {
      if await userPresence() { return nil }
    } else if let keyProtection, case .permitted(let permit) = await keyProtection.ask(.owner, Self.reason) {
      return permit
    }
    throw AuthenticatorError(.outOfOrder, .userPresenceMissing)
  }

  private static var reason: String {
    AuthenticatorTexts(language: Locale.current.language.languageCode?.identifier ?? "en")[.unlockReason]
  }

  package var client: ServiceHTTPClient {
    ServiceHTTPClient(transport: transport, clock: clock, device: device, limits: limits, expiries: expiries)
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
