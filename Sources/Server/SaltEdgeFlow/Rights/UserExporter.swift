// SPDX-License-Identifier: Apache-2.0

import Delivery
import Kit
import Storage

/// Gathers what is kept of a bank's customer. An export is an audit entry of each device and each operation,
/// written before anything is shown.
package struct UserExporter: Sendable {
  /// Rows of one kind that are read, of one customer or of one device; far more than there are.
  private static let rowsMax = 10_000

  let core: CoreDependencies

  package init(_ core: CoreDependencies) { self.core = core }

  /// What there is of a customer, as of one instant.
  /// - Parameters:
  ///   - user: as the bank names them.
  ///   - code: of the bank.
  /// - Throws: `Problem` not-found, also for a bank that is not there.
  package func export(_ user: String, ofBank code: String, by actor: String) async throws -> UserExport {
    try await core.database.write(retrying: .outdated) { [self] tx in
      guard let bank = try ProviderStore(tx, vault: core.vault).find(code: code) else { throw Problem.notFound }
      try note(core.digest(user: user, of: bank.id), of: bank.id, by: actor, in: tx)
    }
    return try await core.database.read { [self] tx in
      guard let bank = try ProviderStore(tx, vault: core.vault).find(code: code) else { throw Problem.notFound }
      return try gathered(user, of: bank, in: tx)
    }
  }

  /// Whether something is kept of a customer: a link, or the key alone, such as after the time for which rows are kept.
  private func isKnown(_ digest: String, in tx: any SQLTransaction) throws -> Bool {
    try LinkStore(tx, vault: core.vault).has(user: digest) || core.vault.hasSubjectKey(of: digest, in: tx)
  }

  /// - Throws: `Problem` not-found when nothing is kept of them.
  private func note(
    _ digest: String, of bank: SaltEdgeProvider.ID, by actor: String, in tx: any SQLTransaction
  ) throws {
    let devices = try ConnectionStore(tx, vault: core.vault).ids(user: digest, limit: Self.rowsMax)
    let operations = try OperationStore(tx, vault: core.vault).all(user: digest, limit: Self.rowsMax)
    let actions = try AuthorizationStore(tx, vault: core.vault).actions(user: digest, limit: Self.rowsMax)
    guard try !devices.isEmpty || !operations.isEmpty || !actions.isEmpty || isKnown(digest, in: tx) else {
      throw Problem.notFound
    }
    var chains = devices.map { core.chain($0) }
    chains += operations.map { core.chain($0.id) }
    // Of actions there is no story but that of the devices, which may be gone before them, and links have no story.
    if chains.isEmpty { chains = ["saltedge-provider-\(bank)"] }
    for chain in chains { try core.audit.append("saltedge.user.exported", to: chain, by: actor, in: tx) }
  }

  private func gathered(
    _ user: String, of bank: SaltEdgeProvider, in tx: any SQLTransaction
  ) throws -> UserExport {
    let digest = core.digest(user: user, of: bank.id)
    let connections = ConnectionStore(tx, vault: core.vault)
    let devices = try connections.ids(user: digest, limit: Self.rowsMax).compactMap { try connections.find($0) }
      .sorted { ($0.createdAt, $0.id.rawValue) < ($1.createdAt, $1.id.rawValue) }
    let operations = try OperationStore(tx, vault: core.vault).all(user: digest, limit: Self.rowsMax)
    let actions = try AuthorizationStore(tx, vault: core.vault).actions(user: digest, limit: Self.rowsMax)
    // Forgotten since the line was written.
    guard try !devices.isEmpty || !operations.isEmpty || !actions.isEmpty || isKnown(digest, in: tx) else {
      throw Problem.notFound
    }
    let shownDevices = try devices.map { try shown($0, in: tx) }
    let shownOperations = try operations.map { try shown($0, in: tx) }
    return UserExport(
      exportedAt: core.world.now().rfc3339, bank: .init(code: bank.code, name: bank.name), user: user,
      devices: shownDevices, actions: actions.map { UserExport.Action($0) }, operations: shownOperations,
      links: try LinkStore(tx, vault: core.vault).exported(user: digest))
  }

  private func shown(_ connection: SaltEdgeConnection, in tx: any SQLTransaction) throws -> UserExport.Device {
    let (store, now) = (AuthorizationStore(tx, vault: core.vault), core.world.now())
    let waiting = try store.unfinished(on: connection.id, limit: Self.rowsMax)
    let finished = try store.finished(
      on: connection.id, since: Instant(milliseconds: .min), limit: Self.rowsMax)
    let authorizations = (waiting + finished).sorted {
      ($0.createdAt, $0.id.rawValue) < ($1.createdAt, $1.id.rawValue)
    }
    let consents = try ConsentStore(tx, vault: core.vault).all(on: connection.id, limit: Self.rowsMax)
    let chain = core.chain(connection.id)
    return UserExport.Device(
      connection, authorizations: authorizations.map { UserExport.Authorization($0.seen(at: now)) },
      consents: consents.map { UserExport.Consent($0) }, told: try Webhooks.told(about: chain, in: tx),
      history: try AuditStore(tx).exported(chain))
  }

  private func shown(_ operation: Operation, in tx: any SQLTransaction) throws -> UserExport.Confirmation {
    let chain = core.chain(operation.id)
    return UserExport.Confirmation(
      operation, told: try Webhooks.told(about: chain, in: tx), history: try AuditStore(tx).exported(chain))
  }
}
