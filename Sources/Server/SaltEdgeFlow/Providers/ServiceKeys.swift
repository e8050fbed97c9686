// SPDX-License-Identifier: Apache-2.0

import Kit
import SaltEdgeCore
import Storage
import Synchronization

/// The service's own key, one for all nodes. Banks are configured with its public half (saltedge-authenticator §7.1).
///
/// The wire names no key, and a bank checks with those that it was given. So a key is turned over in two steps: the
/// next one is prepared and given to the banks, which take both for a while; then it signs, on every node at once.
package final class ServiceKeys: Sendable {
  private static let first = "1"

  private let known = Mutex<(id: String, key: RSAPrivateKey)?>(nil)
  private let database: any SQLDatabase
  private let vault: Vault
  private let world: World
  private let audit: Audit
  private let makeKey: @Sendable () throws -> RSAPrivateKey

  /// - Parameter makeKey: draws a key; a test gives known ones.
  package init(
    _ core: CoreDependencies, makeKey: @escaping @Sendable () throws -> RSAPrivateKey = { try .generate() }
  ) {
    (database, vault, world, audit) = (core.database, core.vault, core.world, core.audit)
    self.makeKey = makeKey
  }

  /// Made when it is needed first. Which one it is, is asked every time.
  func current() async throws -> RSAPrivateKey {
    let known = known.withLock { $0 }
    let found = try await database.read { [vault] tx -> (id: String, key: RSAPrivateKey)? in
      let store = ServiceKeyStore(tx: tx, vault: vault)
      if let known, try store.currentID() == known.id { return known }
      return try store.current()
    }
    let current = if let found { found } else { try await keep(makeKey()) }
    self.known.withLock { $0 = current }
    return current.key
  }

  /// What banks check our signatures with: SubjectPublicKeyInfo in PEM.
  package func publicKey() async throws -> String { try await current().publicKey.pem }

  /// The public half of the key that is prepared to follow; nil when none is.
  package func preparedPublicKey() async throws -> String? {
    try await database.read { [vault] in try ServiceKeyStore(tx: $0, vault: vault).prepared()?.key.publicKey.pem }
  }

  /// Draws the key that is to follow. The same again is the same key.
  /// - Returns: its public half, for banks to take beside the current one.
  package func prepare(by actor: String) async throws -> String {
    _ = try await current()
    let (key, id) = (try makeKey(), world.uuid())
    return try await database.write(.serializable) { [vault, world, audit] tx in
      let store = ServiceKeyStore(tx: tx, vault: vault)
      if let other = try store.prepared() { return other.key.publicKey.pem }
      try store.insert(key, as: id, isPrepared: true, at: world.now())
      try audit.append("saltedge.serviceKey.prepared", to: Self.chain, by: actor, in: tx)
      return key.publicKey.pem
    }
  }

  /// Signs with the prepared key from now on, and forgets the one before.
  /// - Throws: `Problem` conflict when none is prepared.
  package func promote(by actor: String) async throws {
    try await database.write(.serializable) { [vault, audit] tx in
      let store = ServiceKeyStore(tx: tx, vault: vault)
      guard let next = try store.prepared() else {
        throw Problem(.conflict, "no-key-prepared", "No key is prepared. Prepare one, and give it to the banks first.")
      }
      try store.promote(next.id)
      try audit.append("saltedge.serviceKey.promoted", to: Self.chain, by: actor, in: tx)
    }
  }

  private static let chain = "saltedge-service-key"

  /// - Returns: the one that another node kept first, when there is one.
  private func keep(_ key: RSAPrivateKey) async throws -> (id: String, key: RSAPrivateKey) {
    try await database.write(.serializable) { [vault, world] tx in
      let store = ServiceKeyStore(tx: tx, vault: vault)
      if let other = try store.current() { return other }
      try store.insert(key, as: Self.first, isPrepared: false, at: world.now())
      return (Self.first, key)
    }
  }
}
