import Foundation
import GatehouseTransport
import PowerAuthCore
import Synchronization

@testable import PowerAuth2

/// A device with the SDK on it, beside a peer.
final class Phone: Sendable {
  static let pin = "1357"
  static let wrongPin = "2468"

  let peer: Peer
  let clock: MovableClock
  let store: any DirectSecureStore
  let finger: Finger
  let instanceId: String
  let bytes: SeededBytes

  init(
    _ version: ProtocolVersion = .v33, store: any DirectSecureStore = MemorySecureStore(), finger: Finger = Finger(),
    peer: Peer? = nil, instanceId: String = "default"
  ) {
    clock = peer?.clock ?? MovableClock()
    self.peer = peer ?? Peer(version: version, clock: clock)
    self.store = store
    self.finger = finger
    self.instanceId = instanceId
    bytes = SeededBytes(self.peer.nextSeed())
  }

  /// A fresh start of the app on what is stored.
  func start(_ edit: (PowerAuthConfiguration) -> Void = { _ in }) -> PowerAuthSDK {
    let configuration = PowerAuthConfiguration(
      instanceId: instanceId, baseEndpointUrl: "https://bank.example", configuration: peer.configuration.text)
    configuration.protocolVersion = peer.version == .v32 ? .v32 : .v33
    edit(configuration)
    let bytes = bytes
    return PowerAuthSDK(
      configuration: configuration,
      platform: PowerAuthPlatform(
        store: store, transport: peer.transport, clock: clock.client,
        randomness: ClientRandomness(
          unit: { 0.5 }, uuid: { UUID() }, bytes: { bytes.next($0) }),
        biometry: finger.guard, device: PowerAuthDevice(platform: "iOS", model: "iPhone12,3")))
  }

  /// A start and an activation with a PIN, and biometry if wanted.
  func activated(
    biometry: Bool = false, _ edit: (PowerAuthConfiguration) -> Void = { _ in }
  ) async throws -> PowerAuthSDK {
    let sdk = start(edit)
    _ = try await sdk.createActivation(PowerAuthActivation(activationCode: Peer.codeText))
    try sdk.persistActivation(
      with: biometry ? .persistWithPasswordAndBiometry(password: Self.pin) : .persistWithPassword(password: Self.pin))
    return sdk
  }

  /// Has the peer check a signature over a small request.
  func sign(
    _ sdk: PowerAuthSDK, _ authentication: PowerAuthAuthentication = .possessionWithPassword(Phone.pin)
  ) throws {
    let body = Data(#"{"amount":"10"}"#.utf8)
    let header = try sdk.requestSignature(with: authentication, method: "POST", uriId: "/payment", body: body)
    try peer.verify(header.value, method: "POST", uriId: "/payment", body: body)
  }
}

/// A finger, and the guard that knows it.
final class Finger: Sendable {
  private struct State {
    var keys: [String: Data] = [:]
    var availability = PowerAuthBiometryGuard.Availability.available
    /// What the guard says instead of giving the key out.
    var refusal: PowerAuthBiometryGuard.Answer?
    var refusesToKeep = false
    var prompts: [String?] = []
  }

  private let state = Mutex(State())

  func set(_ availability: PowerAuthBiometryGuard.Availability) { state.withLock { $0.availability = availability } }
  func answer(_ refusal: PowerAuthBiometryGuard.Answer?) { state.withLock { $0.refusal = refusal } }
  func refuseToKeep(_ refuses: Bool = true) { state.withLock { $0.refusesToKeep = refuses } }
  var prompts: [String?] { state.withLock { $0.prompts } }
  var keys: [String: Data] { state.withLock { $0.keys } }

  var `guard`: PowerAuthBiometryGuard {
    PowerAuthBiometryGuard(
      availability: { self.state.withLock { $0.availability } },
      hasKey: { name in self.state.withLock { $0.keys[name] != nil } },
      keep: { (key, name) throws(SecureStoreError) in
        let isKept = self.state.withLock { state in
          if !state.refusesToKeep { state.keys[name] = key }
          return !state.refusesToKeep
        }
        guard isKept else { throw SecureStoreError(.unavailable) }
      },
      forget: { (name) throws(SecureStoreError) in self.state.withLock { $0.keys[name] = nil } },
      unlock: { name, prompt in
        self.state.withLock { state in
          state.prompts.append(prompt)
          return state.refusal ?? state.keys[name].map { .key($0) } ?? .failed
        }
      })
  }
}
