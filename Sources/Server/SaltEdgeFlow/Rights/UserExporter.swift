import Delivery
import Kit
import Storage

/// Gathers what is kept of a bank's customer. Being looked at is a line in the story of each device and each operation,
/// written before anything is shown.
package struct UserExporter: Sendable {
  /// Rows of one kind that are read, of one customer or of one device; nobody has near as many.
  private static let rowsMax = 10_000

  let parts: SaltEdgeDependencies

  package init(_ parts: SaltEdgeDependencies) { self.parts = parts }

  /// What there is of a customer, as of one instant.
  /// - Parameters:
  ///   - user: as the bank names them.
  ///   - code: of the bank.
  /// - Throws: `Problem` not-found, also for a bank that is not there.
  package func export(_ user: String, ofBank code: String, by actor: String) async throws -> UserExport {
    try await parts.database.write(retrying: .outdated) { [self] tx in
      guard let bank = try ProviderStore(tx, vault: parts.vault).find(code: code) else { throw Problem.notFound }
      try note(parts.digest(user: user, of: bank.id), of: bank.id, by: actor, in: tx)
    }
    return try await parts.database.read { [self] tx in
      guard let bank = try ProviderStore(tx, vault: parts.vault).find(code: code) else { throw Problem.notFound }
      return try gathered(user, of: bank, in: tx)
    }
  }

  /// - Throws: `Problem` not-found when nothing is kept of them.
  private func note(
    _ digest: String, of bank: SaltEdgeProvider.ID, by actor: String, in tx: any SQLTransaction
  ) throws {
    let devices = try ConnectionStore(tx, vault: parts.vault).ids(user: digest, limit: Self.rowsMax)
    let operations = try OperationStore(tx, vault: parts.vault).all(user: digest, limit: Self.rowsMax)
    let actions = try AuthorizationStore(tx, vault: parts.vault).actions(user: digest, limit: Self.rowsMax)
    guard !devices.isEmpty || !operations.isEmpty || !actions.isEmpty else { throw Problem.notFound }
    var chains = devices.map { parts.chain($0) }
    chains += operations.map { parts.chain($0.id) }
    // Of actions there is no story but that of the devices, which may be gone before them.
    if chains.isEmpty { chains = ["saltedge-provider-\(bank)"] }
    for chain in chains { try parts.audit.append("saltedge.user.exported", to: chain, by: actor, in: tx) }
  }

  private func gathered(
    _ user: String, of bank: SaltEdgeProvider, in tx: any SQLTransaction
  ) throws -> UserExport {
    let digest = parts.digest(user: user, of: bank.id)
    let connections = ConnectionStore(tx, vault: parts.vault)
    let devices = try connections.ids(user: digest, limit: Self.rowsMax).compactMap { try connections.find($0) }
      .sorted { ($0.createdAt, $0.id.rawValue) < ($1.createdAt, $1.id.rawValue) }
    let operations = try OperationStore(tx, vault: parts.vault).all(user: digest, limit: Self.rowsMax)
    let actions = try AuthorizationStore(tx, vault: parts.vault).actions(user: digest, limit: Self.rowsMax)
    // Forgotten since the line was written.
    guard !devices.isEmpty || !operations.isEmpty || !actions.isEmpty else { throw Problem.notFound }
    let shownDevices = try devices.map { try shown($0, in: tx) }
    let shownOperations = try operations.map { try shown($0, in: tx) }
    return UserExport(
      exportedAt: parts.world.now().rfc3339, bank: .init(code: bank.code, name: bank.name), user: user,
      devices: shownDevices, actions: actions.map { UserExport.Action($0) }, operations: shownOperations)
  }

  private func shown(_ connection: SaltEdgeConnection, in tx: any SQLTransaction) throws -> UserExport.Device {
    let (store, now) = (AuthorizationStore(tx, vault: parts.vault), parts.world.now())
    let waiting = try store.unfinished(on: connection.id, limit: Self.rowsMax)
    let finished = try store.finished(
      on: connection.id, since: Instant(milliseconds: .min), limit: Self.rowsMax)
    let authorizations = (waiting + finished).sorted {
      ($0.createdAt, $0.id.rawValue) < ($1.createdAt, $1.id.rawValue)
    }
    let consents = try ConsentStore(tx, vault: parts.vault).all(on: connection.id, limit: Self.rowsMax)
    let chain = parts.chain(connection.id)
    return UserExport.Device(
      connection, authorizations: authorizations.map { UserExport.Authorization($0.seen(at: now)) },
      consents: consents.map { UserExport.Consent($0) }, told: try Webhooks.told(about: chain, in: tx),
      history: try AuditStore(tx).exported(chain))
  }

  private func shown(_ operation: Operation, in tx: any SQLTransaction) throws -> UserExport.Confirmation {
    let chain = parts.chain(operation.id)
    return UserExport.Confirmation(
      operation, told: try Webhooks.told(about: chain, in: tx), history: try AuditStore(tx).exported(chain))
  }
}
