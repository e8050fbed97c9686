// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GatehouseTransport
internal import PowerAuthCore

/// One activation and its server: everything behind `PowerAuthSDK`, as plain functions that throw `CallFailure`.
final class ActivationClient: Sendable {
  let setup: ClientSetup
  private let shared: SharedInstance
  let server: RemoteServer
  let time: ServerTime
  let keys: TemporaryKeys
  let clock: ClientClock
  let randomness: Randomness
  let biometry: PowerAuthBiometryGuard
  let device: PowerAuthDevice

  init(setup: ClientSetup, platform: PowerAuthPlatform, client: PowerAuthClientConfiguration) {
    self.setup = setup
    let bytes = platform.randomness.bytes
    randomness = Randomness { bytes($0) }
    clock = platform.clock
    biometry = platform.biometry
    device = platform.device
    shared = .of(setup.instanceId, in: platform.store, platform.randomness)
    server = RemoteServer(
      address: setup.baseEndpointUrl, transport: platform.transport, deadline: client.defaultRequestTimeout,
      userAgent: client.userAgent, interceptors: client.requestInterceptors ?? [])
    time = ServerTime(platform.clock)
    keys = TemporaryKeys(setup: setup, server: server, time: time, randomness: randomness)
  }

  var session: Session { shared.session }
  var tokens: TokenKeeper { shared.tokens }
  var queue: SerialQueue { shared.queue }
  var lastHeard: SharedInstance.Heard { shared.lastHeard }

  func hear(_ edit: @Sendable (inout SharedInstance.Heard) -> Void) { shared.hear(edit) }

  /// An external encryption key that was handed in after the start.
  var givenExternalKey: UnlockKey? {
    get { shared.givenExternalKey }
    set { shared.givenExternalKey = newValue }
  }

  // MARK: Time

  /// Asks the server for its time, whatever is known of it.
  func synchronizeTime() async throws {
    try await time.mutex.withLock { try await askTime() }
  }

  /// Makes sure that the server's time is known.
  func ensureTime() async throws {
    guard !time.isSynchronized else { return }
    try await time.mutex.withLock {
      if !time.isSynchronized { try await askTime() }
    }
  }

  private func askTime() async throws {
    let question = time.ask()
    try time.learn(try await serverStatus().serverTime, answering: question)
  }

  // MARK: What needs no activation

  func serverStatus() async throws -> ServerStatus {
    try await server.call(
      .serverStatus, ServerStatusRequest(applicationKey: setup.application.applicationKey.text))
  }

  /// Forgets everything about the activation, here only.
  /// - Parameter identifier: of the only activation that is meant; nil for whatever there is.
  func removeLocal(only identifier: ActivationIdentifier? = nil) {
    // The activation first: without it the rest is of no use, should this end halfway.
    session.remove(only: identifier) { activation in
      keys.forgetActivations()
      hear { $0 = SharedInstance.Heard() }
      tokens.removeAll()
      if activation?.record.lockedBiometryKey != nil { try? biometry.forget(setup.biometryKeyName) }
    }
  }
}
