internal import Foundation
internal import GatehouseTransport
internal import PowerAuthCore
internal import Synchronization

/// One activation and its server: everything behind `PowerAuthSDK`, as plain functions that throw `CallFailure`.
final class ActivationClient: Sendable {
  let setup: ClientSetup
  let session: Session
  let server: RemoteServer
  let time: ServerTime
  let keys: TemporaryKeys
  let tokens: TokenKeeper
  let queue = SerialQueue()
  let clock: ClientClock
  let randomness: Randomness
  let biometry: PowerAuthBiometryGuard
  let device: PowerAuthDevice
  private let heard = Mutex(Heard())
  private let external = Mutex<UnlockKey?>(nil)

  /// What the server said last. In memory only.
  struct Heard: Sendable {
    var status: PowerAuthActivationStatus?
    var userInfo: PowerAuthUserInfo?
  }

  init(setup: ClientSetup, platform: PowerAuthPlatform, client: PowerAuthClientConfiguration) {
    self.setup = setup
    let bytes = platform.randomness.bytes
    randomness = Randomness { bytes($0) }
    clock = platform.clock
    biometry = platform.biometry
    device = platform.device
    session = Session(
      ActivationStorage(instanceId: setup.instanceId, store: platform.store, randomness: platform.randomness))
    server = RemoteServer(
      address: setup.baseEndpointUrl, transport: platform.transport, deadline: client.defaultRequestTimeout,
      userAgent: client.userAgent)
    time = ServerTime(platform.clock)
    keys = TemporaryKeys(setup: setup, server: server, time: time, randomness: randomness)
    tokens = TokenKeeper(instanceId: setup.instanceId, store: platform.store)
  }

  var lastHeard: Heard { heard.withLock { $0 } }

  func hear(_ edit: @Sendable (inout Heard) -> Void) { heard.withLock { edit(&$0) } }

  /// An external encryption key that was handed in after the start.
  var givenExternalKey: UnlockKey? {
    get { external.withLock { $0 } }
    set { external.withLock { $0 = newValue } }
  }

  // MARK: Time

  /// Asks the server for its time, whatever is known of it.
  func synchronizeTime() async throws {
    try await time.turnstile.alone { try await askTime() }
  }

  /// Makes sure that the server's time is known.
  func ensureTime() async throws {
    guard !time.isSynchronized else { return }
    try await time.turnstile.alone {
      if !time.isSynchronized { try await askTime() }
    }
  }

  private func askTime() async throws {
    let question = time.ask()
    try time.learn(try await serverStatus().serverTime, answering: question)
  }

  // MARK: What needs no activation

  func serverStatus() async throws -> ServerStatus {
    let body = try RemoteServer.encoded(EmptyObject())
    return try RemoteServer.decoded(
      ResponseEnvelope<ServerStatus>.self, from: try await server.post(.serverStatus, body)
    ).responseObject
  }

  /// Forgets everything about the activation, here only.
  func removeLocal() {
    let activation = session.activation
    // The activation first: without it nobody can use the rest, should this end halfway.
    session.remove()
    keys.forgetActivations()
    hear { $0 = Heard() }
    tokens.removeAll()
    if activation?.record.lockedBiometryKey != nil { try? biometry.forget(setup.biometryKeyName) }
  }
}
