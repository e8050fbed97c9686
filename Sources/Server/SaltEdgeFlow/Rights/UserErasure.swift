import Delivery
import Foundation
import Kit
import Storage

/// Erases a customer of a bank (GDPR art. 17): their devices, what those were shown and decided, the evidence of it.
/// The
/// audit log goes on without its subject.
///
/// Answers that the bank may ask for again under their `Idempotency-Key` are sealed and lapse by themselves.
package struct UserErasure: Sendable {
  private static let batch = 200

  let core: CoreDependencies

  package init(_ core: CoreDependencies) { self.core = core }

  /// What went.
  package struct Erased: Sendable, Equatable {
    package var connections = 0
    package var operations = 0

    package init(connections: Int = 0, operations: Int = 0) {
      (self.connections, self.operations) = (connections, operations)
    }
  }

  /// - Parameters:
  ///   - user: as the bank names them.
  ///   - reason: a code.
  @discardableResult
  package func forget(
    _ user: String, of provider: SaltEdgeProvider.ID, reason: String, by actor: String, in tx: any SQLTransaction
  ) throws -> Erased {
    let digest = core.digest(user: user, of: provider)
    let (connections, authorizations) = (
      ConnectionStore(tx, vault: core.vault), AuthorizationStore(tx, vault: core.vault)
    )
    var erased = Erased()
    var ids = try connections.ids(user: digest, limit: Self.batch)
    while !ids.isEmpty {
      for id in ids {
        for authorization in try authorizations.deleteAll(on: id) {
          try OutboxStore(tx).forget(subject: authorization.rawValue)
        }
        try ConsentStore(tx, vault: core.vault).deleteAll(on: id)
        try connections.delete(id)
        try OutboxStore(tx).forget(subject: id.rawValue)
        try Webhooks.forget(about: core.chain(id), in: tx)
        _ = try core.audit.cutSubject(of: core.chain(id), reason: reason, by: actor, in: tx)
      }
      erased.connections += ids.count
      ids = try connections.ids(user: digest, limit: Self.batch)
    }
    try authorizations.deleteActions(user: digest)
    for id in try OperationStore(tx, vault: core.vault).deleteAll(user: digest) {
      try OutboxStore(tx).forget(subject: id.rawValue)
      try Webhooks.forget(about: core.chain(id), in: tx)
      _ = try core.audit.cutSubject(of: core.chain(id), reason: reason, by: actor, in: tx)
      erased.operations += 1
    }
    return erased
  }

  /// The same customer at every bank of an institution, for who knows them by one id everywhere.
  package func forget(
    _ user: String, tenant: String, reason: String, by actor: String, in tx: any SQLTransaction
  ) throws {
    for provider in try ProviderStore(tx, vault: core.vault).ids(tenant: tenant) {
      try forget(user, of: provider, reason: reason, by: actor, in: tx)
    }
  }

  /// - Returns: nil when there is no such bank.
  package func forget(
    _ user: String, ofBank code: String, reason: String, by actor: String
  ) async throws -> Erased? {
    try await core.database.write(retrying: .outdated, .serializable) { tx in
      guard let provider = try ProviderStore(tx, vault: core.vault).find(code: code) else { return nil }
      return try forget(user, of: provider.id, reason: reason, by: actor, in: tx)
    }
  }
}
