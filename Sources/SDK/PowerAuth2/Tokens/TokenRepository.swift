// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GatehouseTransport
internal import PowerAuthCore
internal import Locks

/// The tokens of the activation, by name. Those of another activation are not given out.
final class TokenRepository: Sendable {
  private struct StoredTokens: Codable {
    var activationId: String
    var tokens: [String: StoredToken]
  }

  private let store: any DirectSecureStore
  private let name: String
  /// Held while the store is read or written.
  private let mutexes = Guarded<[String: AsyncMutex]>([:])

  init(instanceId: String, store: any DirectSecureStore) {
    self.store = store
    name = "powerauth.\(instanceId).tokens"
  }

  /// Callers that want the same token wait for each other.
  func mutex(for name: String) -> AsyncMutex {
    mutexes.withLock { mutexes in
      if let mutex = mutexes[name] { return mutex }
      let mutex = AsyncMutex()
      mutexes[name] = mutex
      return mutex
    }
  }

  /// - Parameter type: what it must have been created with.
  /// - Throws: `wrongParameter` when it was created with something else.
  func token(
    _ name: String, of activation: ActivationIdentifier, _ type: SignatureType
  ) throws -> StoredToken? {
    guard let token = try token(name, of: activation) else { return nil }
    guard token.type == type.rawValue else {
      throw CallFailure(.wrongParameter, "The token of this name was made with other factors.")
    }
    return token
  }

  func token(_ name: String, of activation: ActivationIdentifier) throws -> StoredToken? {
    try withShelf(of: activation) { $0.tokens[name] }
  }

  func keep(_ token: StoredToken, _ name: String, of activation: ActivationIdentifier) throws {
    try withShelf(of: activation, writing: true) { $0.tokens[name] = token }
  }

  func remove(_ name: String, of activation: ActivationIdentifier) throws {
    try withShelf(of: activation, writing: true) { $0.tokens[name] = nil }
  }

  func removeAll() {
    mutexes.withLock { _ in try? store.remove(name) }
  }

  private func withShelf<Value: Sendable>(
    of activation: ActivationIdentifier, writing: Bool = false, _ body: (inout StoredTokens) -> Value
  ) throws -> Value {
    try mutexes.withLock { _ in
      var stored = try store.read(name).flatMap { try? JSONDecoder().decode(StoredTokens.self, from: $0) }
      if stored?.activationId != activation.text { stored = nil }
      var current = stored ?? StoredTokens(activationId: activation.text, tokens: [:])
      let value = body(&current)
      if writing { try store.write(try JSONEncoder().encode(current), as: name) }
      return value
    }
  }
}
