import Kit
import SaltEdgeCore
import Storage
import Synchronization

/// The service's own key, one for all nodes. Banks are configured with its public half (saltedge-authenticator §7.1).
package final class ServiceKeys: Sendable {
  private let known = Mutex<RSAPrivateKey?>(nil)
  private let database: any SQLDatabase
  private let vault: Vault
  private let world: World

  init(database: any SQLDatabase, vault: Vault, world: World) {
    (self.database, self.vault, self.world) = (database, vault, world)
  }

  /// Made when it is needed first.
  func current() async throws -> RSAPrivateKey {
    if let key = known.withLock({ $0 }) { return key }
    let found = try await database.read { [vault] in try ServiceKeyStore(tx: $0, vault: vault).find() }
    let key = if let found { found } else { try await keep(RSAPrivateKey.generate()) }
    known.withLock { $0 = key }
    return key
  }

  /// What banks check our signatures with: SubjectPublicKeyInfo in PEM.
  package func publicKey() async throws -> String { try await current().publicKey.pem }

  /// - Returns: the one that another node kept first, when there is one.
  private func keep(_ key: RSAPrivateKey) async throws -> RSAPrivateKey {
    try await database.write(.serializable) { [vault, world] tx in
      let store = ServiceKeyStore(tx: tx, vault: vault)
      if let other = try store.find() { return other }
      try store.insert(key, at: world.now())
      return key
    }
  }
}
