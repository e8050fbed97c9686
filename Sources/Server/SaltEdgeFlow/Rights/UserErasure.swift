// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Kit
import Storage

/// Erases a customer of a bank (GDPR art. 17): their devices, what those were shown and decided, the evidence of it,
/// and their key, so that older copies cannot be opened either. The audit log goes on without its subject.
///
/// Answers that the bank may ask for again under their `Idempotency-Key` are sealed under that key when they name the
/// customer, and lapse by themselves.
package struct UserErasure: Sendable {
  private static let batch = 200

  let core: CoreDependencies
  let erasures: SubjectErasures

  package init(_ core: CoreDependencies) {
    self.core = core
    erasures = SubjectErasures(core, columns: SaltEdgeModule.sealedColumns + DeliveryModule.sealedColumns)
  }

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
  @discardableResult
  package func forget(
    _ user: String, of bank: SaltEdgeProvider, for reason: ErasureReason, by actor: String, in tx: any SQLTransaction
  ) throws -> Erased {
    let digest = core.digest(user: user, of: bank.id)
    let subject = KeySubject(digest, of: KeySubject.tenant(of: bank.id))
    let part = try erasures.part(of: subject, objects: 0, in: tx)
    var chains = [String]()
    func cut(_ chain: String) throws {
      try Webhooks.forget(about: chain, in: tx)
      chains.append(try core.audit.cutSubject(of: chain, reason: reason.rawValue, by: actor, in: tx))
    }
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
        try FlowFigures.forget(core.chain(id), in: tx)
        try cut(core.chain(id))
      }
      erased.connections += ids.count
      ids = try connections.ids(user: digest, limit: Self.batch)
    }
    try authorizations.deleteActions(user: digest)
    try core.cases.forget(person: digest, in: tx)
    try LinkStore(tx, vault: core.vault).deleteAll(user: digest)
    for id in try OperationStore(tx, vault: core.vault).deleteAll(user: digest) {
      try OutboxStore(tx).forget(subject: id.rawValue)
      try cut(core.chain(id))
      erased.operations += 1
    }
    // A repetition keeps the proof of the first one. A key may be there without a row: retention deletes rows only.
    if try erased != Erased() || core.vault.hasSubjectKey(of: digest, in: tx) {
      let name = DataSubject(user, of: bank.code, by: actor).proofName(in: SaltEdgeModule.name)
      try erasures.destroy([part], of: name, for: reason, chains: chains, in: tx)
    }
    return erased
  }

  /// The same customer at every bank of an institution, for who knows them by one id everywhere.
  package func forget(
    _ user: String, tenant: String, for reason: ErasureReason, by actor: String, in tx: any SQLTransaction
  ) throws {
    let banks = ProviderStore(tx, vault: core.vault)
    for bank in try banks.ids(tenant: tenant).compactMap({ try banks.find($0) }) {
      try forget(user, of: bank, for: reason, by: actor, in: tx)
    }
  }

  /// - Returns: nil when there is no such bank.
  package func forget(
    _ user: String, ofBank code: String, for reason: ErasureReason, by actor: String
  ) async throws -> Erased? {
    try await core.database.write(retrying: .outdated, .serializable) { tx in
      guard let provider = try ProviderStore(tx, vault: core.vault).find(code: code) else { return nil }
      return try forget(user, of: provider, for: reason, by: actor, in: tx)
    }
  }
}
