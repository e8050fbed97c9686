// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GatehouseTransport
internal import PowerAuthCore
internal import Locks

/// The keys that requests of 3.3 are encrypted to: one for the application, one for the activation, each fetched when
/// it is first needed and again ten seconds before it ends (powerauth.md §4.5).
final class TemporaryKeys: Sendable {
  private let setup: ClientSetup
  private let server: RemoteServer
  private let time: ServerTime
  private let randomness: Randomness
  private let keys = Guarded<[KeyScope: TemporaryKey]>([:])
  /// So that callers who need the same key wait for one question.
  private let mutex = AsyncMutex()

  init(setup: ClientSetup, server: RemoteServer, time: ServerTime, randomness: Randomness) {
    self.setup = setup
    self.server = server
    self.time = time
    self.randomness = randomness
  }

  /// A key that is there and will do, without asking anybody.
  func cached(for scope: KeyScope) -> TemporaryKey? {
    keys.withLock { $0[scope] }.flatMap { time.isSynchronized && $0.isFresh(at: time.milliseconds) ? $0 : nil }
  }

  /// A key that will do.
  /// - Parameter activation: whose key; nil for the application's.
  func key(for activation: ActiveActivation?) async throws -> TemporaryKey {
    let scope = activation.map { KeyScope.activation($0.identifier) } ?? .application
    if let key = cached(for: scope) { return key }
    return try await mutex.withLock {
      if let key = cached(for: scope) { return key }
      let key = try await fetch(activation)
      keys.withLock { $0[scope] = key }
      return key
    }
  }

  /// Forgets a key that the server does not know any more.
  func forget(_ identifier: String?) {
    guard let identifier else { return }
    keys.withLock { keys in keys = keys.filter { $0.value.identifier != identifier } }
  }

  /// Forgets the keys of activations.
  func forgetActivations() {
    keys.withLock { keys in keys = keys.filter { $0.key == .application } }
  }

  private func fetch(_ activation: ActiveActivation?) async throws -> TemporaryKey {
    let application = setup.application
    let request = TemporaryKeyRequest(
      applicationKey: application.applicationKey, activationIdentifier: activation?.identifier, randomness: randomness)
    let secret =
      activation.map {
        TemporaryKeyRequest.key(applicationSecret: application.applicationSecret, transportKey: $0.transportKey)
      } ?? TemporaryKeyRequest.key(applicationSecret: application.applicationSecret)
    let question = time.ask()
    let answer = try await server.call(
      .createTemporaryKey, TemporaryKeyMessage(jwt: request.token(key: secret)), as: TemporaryKeyMessage.self)
    let key = try encrypting { () throws(PowerAuthError) in
      try TemporaryKey(
        token: answer.jwt, answering: request, key: activation?.serverPublicKey ?? application.masterPublicKey)
    }
    // The key tells the server's time as well, signed even.
    if !time.isSynchronized { try time.learn(key.issuedAt, answering: question) }
    return key
  }
}

/// What fails in it is a failure of encryption.
func encrypting<Value>(_ work: () throws(PowerAuthError) -> Value) throws(CallFailure) -> Value {
  do throws(PowerAuthError) { return try work() } catch {
    throw CallFailure(.encryption, "The message is not what the protocol says, or not authentic.")
  }
}
