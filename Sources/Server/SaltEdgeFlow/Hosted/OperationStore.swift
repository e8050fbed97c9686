// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Rows of `saltedge_operation`; those of `saltedge_link` are in `LinkStore`.
package struct OperationStore {
  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, vault: Vault) {
    self.tx = tx
    self.vault = vault
  }

  private static let columns: SQLColumns = """
    id, provider_id, reference, user_digest, needs_confirmation, state, expires_at, created_at, ended_at, content,
    evidence, version
    """

  package static let migration = Migration(
    "2026-11-22 saltedge operation",
    """
    CREATE TABLE saltedge_operation (
      id TEXT PRIMARY KEY,
      provider_id TEXT NOT NULL REFERENCES saltedge_provider (id),
      reference TEXT NOT NULL,
      user_digest TEXT,
      needs_confirmation BIGINT NOT NULL,
      state TEXT NOT NULL,
      expires_at BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      ended_at BIGINT,
      content BLOB NOT NULL,
      evidence BLOB,
      version BIGINT NOT NULL,
      UNIQUE (provider_id, reference),
      CHECK (state = 'offered' OR state = 'expired' OR state = 'cancelled' OR user_digest IS NOT NULL)
    );
    CREATE INDEX saltedge_operation_user ON saltedge_operation (user_digest, state, created_at);
    CREATE INDEX saltedge_operation_expiry ON saltedge_operation (state, expires_at);
    CREATE TABLE saltedge_link (
      digest TEXT PRIMARY KEY,
      provider_id TEXT NOT NULL REFERENCES saltedge_provider (id),
      user_id BLOB NOT NULL,
      expires_at BIGINT NOT NULL
    );
    CREATE INDEX saltedge_link_expiry ON saltedge_link (expires_at);
    """)

  /// For pages, the newest first.
  package static let createdMigration = Migration(
    "2026-11-30 saltedge operation created",
    "CREATE INDEX saltedge_operation_created ON saltedge_operation (created_at, id);")

  // MARK: Operations

  /// - Throws: `SQLError.notUnique` when the bank has one of that name.
  func insert(_ operation: Operation) throws {
    try tx.execute(
      """
      INSERT INTO saltedge_operation
        (id, provider_id, reference, user_digest, needs_confirmation, state, expires_at, created_at, ended_at, content,
         evidence, version)
      VALUES (\(operation.id), \(operation.provider), \(operation.reference), \(operation.userDigest),
        \(operation.needsConfirmation), \(operation.state), \(operation.expiresAt), \(operation.createdAt), NULL,
        \(try seal(operation.content, "content", of: operation)), NULL, 0)
      """)
  }

  func find(_ id: Operation.ID) throws -> Operation? {
    try tx.first("SELECT \(Self.columns) FROM saltedge_operation WHERE id = \(id)").map(operation)
  }

  /// Lets an erasure and what is said of an operation meet: one of the two runs again and finds what the other one did.
  /// - Returns: false when it is gone.
  func touch(_ id: Operation.ID) throws -> Bool {
    try tx.execute("UPDATE saltedge_operation SET state = state WHERE id = \(id)") == 1
  }

  func find(_ reference: String, of provider: SaltEdgeProvider.ID) throws -> Operation? {
    try tx.first(
      "SELECT \(Self.columns) FROM saltedge_operation WHERE provider_id = \(provider) AND reference = \(reference)"
    ).map(operation)
  }

  /// What a customer has to decide, the oldest first.
  func pending(user: String, at now: Instant, limit: Int) throws -> [Operation] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM saltedge_operation
      WHERE user_digest = \(user) AND state = \(OperationState.pending) AND expires_at > \(now)
      ORDER BY created_at, id LIMIT \(limit)
      """
    ).map(operation)
  }

  /// A customer's, in whatever state, the oldest first.
  func all(user: String, limit: Int) throws -> [Operation] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM saltedge_operation WHERE user_digest = \(user) ORDER BY created_at, id LIMIT \(limit)
      """
    ).map(operation)
  }

  /// The newest first.
  /// - Parameter place: behind which the page begins.
  func page(
    _ states: [OperationState], of providers: [SaltEdgeProvider.ID], before place: (Instant, String)?, limit: Int
  ) throws -> [Operation] {
    let (at, id) = place ?? (Instant(milliseconds: .max), "")
    return try tx.query(
      """
      SELECT \(Self.columns) FROM saltedge_operation
      WHERE (created_at, id) < (\(at), \(id)) AND state IN \(list: states) AND provider_id IN \(list: providers)
      ORDER BY created_at DESC, id DESC LIMIT \(limit)
      """
    ).map(operation)
  }

  /// Operations that an identifier names, the newest first: each kind of identifier is looked for in its own index.
  /// - Parameters:
  ///   - users: digests of it as a user, one for each provider at least.
  ///   - place: behind which the page begins.
  func named(
    _ name: String, users: [String], of providers: [SaltEdgeProvider.ID], before place: (Instant, String)?, limit: Int
  ) throws -> [Operation] {
    let (at, id) = place ?? (Instant(milliseconds: .max), "")
    return try tx.query(
      """
      SELECT \(Self.columns) FROM (
        SELECT id AS found FROM saltedge_operation WHERE id = \(name)
        UNION SELECT id FROM saltedge_operation WHERE provider_id IN \(list: providers) AND reference = \(name)
        UNION SELECT id FROM saltedge_operation WHERE user_digest IN \(list: users)
      ) AS named JOIN saltedge_operation ON id = found
      WHERE (created_at, id) < (\(at), \(id)) AND provider_id IN \(list: providers)
      ORDER BY created_at DESC, id DESC LIMIT \(limit)
      """
    ).map(operation)
  }

  /// Operations whose time ran out.
  func overdue(
    _ state: OperationState, before now: Instant, after place: OverdueCursor<Operation>, limit: Int
  ) throws -> [OverdueCursor<Operation>] {
    try tx.query(
      """
      SELECT id, expires_at FROM saltedge_operation
      WHERE state = \(state) AND expires_at <= \(now) AND (expires_at, id) > (\(place.end), \(place.id))
      ORDER BY expires_at, id LIMIT \(limit)
      """
    ).map { .init(end: try $0.get("expires_at"), id: try $0.get("id")) }
  }

  /// Compare-and-set on the version that the change was decided on.
  /// - Throws: `SQLError.outdated`.
  func save(_ operation: Operation) throws {
    let evidence = try operation.evidence.map { try seal($0, "evidence", of: operation) }
    let content = operation.content == .erased ? Data() : try seal(operation.content, "content", of: operation)
    let changed = try tx.execute(
      """
      UPDATE saltedge_operation SET user_digest = \(operation.userDigest), state = \(operation.state),
        ended_at = \(operation.endedAt), content = \(content), evidence = \(evidence), version = version + 1
      WHERE id = \(operation.id) AND version = \(operation.version)
      """)
    guard changed == 1 else { throw SQLError.outdated }
  }

  /// - Returns: those that there were.
  func deleteAll(user: String) throws -> [Operation.ID] {
    try tx.query("DELETE FROM saltedge_operation WHERE user_digest = \(user) RETURNING id").map { try $0.get("id") }
  }

  /// - Returns: how many there were.
  func sweep(endedBefore horizon: Instant, limit: Int) throws -> Int {
    try tx.execute(
      """
      DELETE FROM saltedge_operation WHERE id IN
        (SELECT id FROM saltedge_operation
         WHERE ended_at IS NOT NULL AND ended_at <= \(horizon) ORDER BY ended_at LIMIT \(limit))
      """)
  }

  private static func context(_ column: String, _ id: Operation.ID) -> String { "saltedge_operation.\(column):\(id)" }

  private func seal(_ value: some Encodable, _ column: String, of operation: Operation) throws -> Data {
    try vault.seal(
      value, as: Self.context(column, operation.id), of: KeySubject(user: operation.userDigest, of: operation.provider),
      in: tx)
  }

  private func operation(_ row: SQLRow) throws -> Operation {
    let id: Operation.ID = try row.get("id")
    let evidence = try row.get("evidence", as: Data?.self).flatMap {
      try vault.open($0, or: Operation.Evidence?.none, context: Self.context("evidence", id), in: tx)
    }
    return Operation(
      id: id, provider: try row.get("provider_id"), reference: try row.get("reference"),
      userDigest: try row.get("user_digest"), needsConfirmation: try row.get("needs_confirmation"),
      state: try row.get("state"), expiresAt: try row.get("expires_at"), createdAt: try row.get("created_at"),
      endedAt: try row.get("ended_at"),
      content: try vault.open(
        row.get("content"), or: Operation.Content.erased, context: Self.context("content", id), in: tx),
      evidence: evidence, version: try row.get("version"))
  }
}
