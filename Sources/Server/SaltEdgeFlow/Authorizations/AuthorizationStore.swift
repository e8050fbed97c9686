// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import SaltEdgeWire
import Storage

/// Rows of `saltedge_action` and `saltedge_authorization`.
package struct AuthorizationStore {
  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, vault: Vault) {
    self.tx = tx
    self.vault = vault
  }

  private static let actionColumns: SQLColumns =
    "id, provider_id, reference, user_digest, is_multiple, content_digest, expires_at, created_at, is_open"
  private static let authorizationColumns: SQLColumns = """
    id, action_id, reference, provider_id, connection_id, state, payload, expires_at, created_at, finished_at,
    decision, forward_attempts, addition, version
    """

  package static let migration = Migration(
    "2026-11-22 saltedge connection authorization",
    """
    CREATE TABLE saltedge_action (
      id TEXT PRIMARY KEY,
      provider_id TEXT NOT NULL REFERENCES saltedge_provider (id),
      reference TEXT NOT NULL,
      user_digest TEXT,
      is_multiple BIGINT NOT NULL,
      content_digest TEXT NOT NULL,
      expires_at BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      is_open BIGINT NOT NULL,
      UNIQUE (provider_id, reference)
    );
    CREATE TABLE saltedge_authorization (
      id TEXT PRIMARY KEY,
      action_id TEXT NOT NULL REFERENCES saltedge_action (id),
      reference TEXT NOT NULL,
      provider_id TEXT NOT NULL,
      connection_id TEXT NOT NULL REFERENCES saltedge_connection (id),
      state TEXT NOT NULL,
      payload BLOB NOT NULL,
      expires_at BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      finished_at BIGINT,
      decision BLOB,
      forward_attempts BIGINT NOT NULL,
      version BIGINT NOT NULL
    );
    CREATE INDEX saltedge_authorization_unfinished ON saltedge_authorization (connection_id, created_at)
      WHERE finished_at IS NULL;
    CREATE INDEX saltedge_authorization_finished ON saltedge_authorization (connection_id, finished_at);
    CREATE INDEX saltedge_authorization_action ON saltedge_authorization (action_id);
    CREATE INDEX saltedge_authorization_expiry ON saltedge_authorization (state, expires_at);
    """)

  /// What waits for its bank is found without reading the others.
  package static let decidedMigration = Migration(
    "2026-11-22 saltedge decided",
    """
    ALTER TABLE saltedge_authorization ADD COLUMN decided_at BIGINT;
    CREATE INDEX saltedge_authorization_unanswered ON saltedge_authorization (decided_at, id)
      WHERE finished_at IS NULL AND decided_at IS NOT NULL;
    """)

  /// What a bank showed on several devices by one request is one question.
  package static let additionMigration = Migration(
    "2026-11-24 saltedge addition", "ALTER TABLE saltedge_authorization ADD COLUMN addition TEXT;")

  // MARK: Actions

  /// - Throws: `SQLError.notUnique` when the bank has one of that name.
  func insert(_ action: SaltEdgeAction) throws {
    try tx.execute(
      """
      INSERT INTO saltedge_action
        (id, provider_id, reference, user_digest, is_multiple, content_digest, expires_at, created_at, is_open)
      VALUES (\(action.id), \(action.provider), \(action.reference), \(action.userDigest), \(action.isMultiple),
        \(action.contentDigest), \(action.expiresAt), \(action.createdAt), \(action.isOpen))
      """)
  }

  func action(_ reference: String, of provider: SaltEdgeProvider.ID) throws -> SaltEdgeAction? {
    try tx.first(
      "SELECT \(Self.actionColumns) FROM saltedge_action WHERE provider_id = \(provider) AND reference = \(reference)"
    ).map(Self.action)
  }

  func action(_ id: SaltEdgeAction.ID) throws -> SaltEdgeAction? {
    try tx.first("SELECT \(Self.actionColumns) FROM saltedge_action WHERE id = \(id)").map(Self.action)
  }

  /// A customer's, the oldest first.
  func actions(user: String, limit: Int) throws -> [SaltEdgeAction] {
    try tx.query(
      """
      SELECT \(Self.actionColumns) FROM saltedge_action
      WHERE user_digest = \(user) ORDER BY created_at, id LIMIT \(limit)
      """
    ).map(Self.action)
  }

  private static func action(_ row: SQLRow) throws -> SaltEdgeAction {
    SaltEdgeAction(
      id: try row.get("id"), provider: try row.get("provider_id"), reference: try row.get("reference"),
      userDigest: try row.get("user_digest"), isMultiple: try row.get("is_multiple"),
      contentDigest: try row.get("content_digest"), expiresAt: try row.get("expires_at"),
      createdAt: try row.get("created_at"), isOpen: try row.get("is_open"))
  }

  /// Writes what may change of an action, while it is open. A transaction that writes the row meets one that closes the
  /// action at the same time: one of them runs again and finds what the other one did.
  /// - Returns: false when it is closed.
  func saveOpen(_ action: SaltEdgeAction) throws -> Bool {
    try tx.execute(
      """
      UPDATE saltedge_action SET is_multiple = \(action.isMultiple), expires_at = \(action.expiresAt)
      WHERE id = \(action.id) AND is_open = 1
      """) == 1
  }

  /// Lets a decision and the end of an action's time meet at one row: one of the two runs again and finds what the
  /// other one did. Reading alone would not stop PostgreSQL from letting both happen.
  func touch(_ action: SaltEdgeAction.ID) throws {
    try tx.execute("UPDATE saltedge_action SET is_open = is_open WHERE id = \(action)")
  }

  func close(_ action: SaltEdgeAction.ID) throws {
    try tx.execute("UPDATE saltedge_action SET is_open = 0 WHERE id = \(action) AND is_open = 1")
  }

  // MARK: Authorizations

  func insert(_ authorization: SaltEdgeAuthorization) throws {
    let payload = try seal(authorization.payload, "payload", of: authorization)
    try tx.execute(
      """
      INSERT INTO saltedge_authorization
        (id, action_id, reference, provider_id, connection_id, state, payload, expires_at, created_at, finished_at,
         decision, forward_attempts, addition, version)
      VALUES (\(authorization.id), \(authorization.action), \(authorization.reference), \(authorization.provider),
        \(authorization.connection), \(authorization.state), \(payload), \(authorization.expiresAt),
        \(authorization.createdAt), NULL, NULL, 0, \(authorization.addition), 0)
      """)
  }

  func find(_ id: SaltEdgeAuthorization.ID) throws -> SaltEdgeAuthorization? {
    try tx.first("SELECT \(Self.authorizationColumns) FROM saltedge_authorization WHERE id = \(id)").map(authorization)
  }

  /// What a device has not decided yet, in the order of its coming.
  func unfinished(on connection: SaltEdgeConnection.ID, limit: Int) throws -> [SaltEdgeAuthorization] {
    try tx.query(
      """
      SELECT \(Self.authorizationColumns) FROM saltedge_authorization
      WHERE connection_id = \(connection) AND finished_at IS NULL
      ORDER BY created_at, id LIMIT \(limit)
      """
    ).map(authorization)
  }

  /// What came to its end on a device since an instant.
  func finished(
    on connection: SaltEdgeConnection.ID, since start: Instant, limit: Int
  ) throws -> [SaltEdgeAuthorization] {
    try tx.query(
      """
      SELECT \(Self.authorizationColumns) FROM saltedge_authorization
      WHERE connection_id = \(connection) AND finished_at > \(start)
      ORDER BY finished_at DESC, id LIMIT \(limit)
      """
    ).map(authorization)
  }

  func all(of action: SaltEdgeAction.ID) throws -> [SaltEdgeAuthorization] {
    try tx.query(
      """
      SELECT \(Self.authorizationColumns) FROM saltedge_authorization
      WHERE action_id = \(action) ORDER BY created_at, id
      """
    ).map(authorization)
  }

  /// Authorizations whose time ran out undecided.
  func overdue(
    before now: Instant, after place: OverdueCursor<SaltEdgeAuthorization>, limit: Int
  ) throws -> [OverdueCursor<SaltEdgeAuthorization>] {
    try tx.query(
      """
      SELECT id, expires_at FROM saltedge_authorization
      WHERE state = \(AuthorizationState.pending) AND expires_at <= \(now)
        AND (expires_at, id) > (\(place.end), \(place.id))
      ORDER BY expires_at, id LIMIT \(limit)
      """
    ).map { .init(end: try $0.get("expires_at"), id: try $0.get("id")) }
  }

  /// Authorizations that were decided long ago, and of which the bank has not said anything.
  func unanswered(
    decidedBefore horizon: Instant, after place: OverdueCursor<SaltEdgeAuthorization>, limit: Int
  ) throws -> [OverdueCursor<SaltEdgeAuthorization>] {
    try tx.query(
      """
      SELECT id, decided_at FROM saltedge_authorization
      WHERE finished_at IS NULL AND decided_at IS NOT NULL AND decided_at <= \(horizon)
        AND (decided_at, id) > (\(place.end), \(place.id))
      ORDER BY decided_at, id LIMIT \(limit)
      """
    ).map { .init(end: try $0.get("decided_at"), id: try $0.get("id")) }
  }

  /// Compare-and-set on the version that the change was decided on.
  /// - Throws: `SQLError.outdated`.
  func save(_ authorization: SaltEdgeAuthorization) throws {
    let decision = try authorization.decision.map { try seal($0, "decision", of: authorization) }
    let changed = try tx.execute(
      """
      UPDATE saltedge_authorization SET state = \(authorization.state), finished_at = \(authorization.finishedAt),
        decision = \(decision), decided_at = \(authorization.decision?.at),
        forward_attempts = \(authorization.forwardAttempts), version = version + 1
      WHERE id = \(authorization.id) AND version = \(authorization.version)
      """)
    guard changed == 1 else { throw SQLError.outdated }
  }

  // MARK: Deleting

  /// - Returns: those that there were.
  func deleteAll(on connection: SaltEdgeConnection.ID) throws -> [SaltEdgeAuthorization.ID] {
    try tx.query("DELETE FROM saltedge_authorization WHERE connection_id = \(connection) RETURNING id").map {
      try $0.get("id")
    }
  }

  /// A customer's, after their devices are gone. What a bank shows to several customers at once stays while one of
  /// them has it.
  func deleteActions(user: String) throws {
    try tx.execute(
      """
      DELETE FROM saltedge_action WHERE user_digest = \(user) AND NOT EXISTS
        (SELECT 1 FROM saltedge_authorization WHERE saltedge_authorization.action_id = saltedge_action.id)
      """)
  }

  /// What came to its end by then, and the actions of which nothing is left.
  /// - Returns: how many rows went.
  func sweep(finishedBefore horizon: Instant, limit: Int) throws -> Int {
    let authorizations = try tx.execute(
      """
      DELETE FROM saltedge_authorization WHERE id IN
        (SELECT id FROM saltedge_authorization
         WHERE finished_at IS NOT NULL AND finished_at <= \(horizon) ORDER BY finished_at LIMIT \(limit))
      """)
    let actions = try tx.execute(
      """
      DELETE FROM saltedge_action WHERE id IN
        (SELECT id FROM saltedge_action WHERE expires_at <= \(horizon) AND NOT EXISTS
           (SELECT 1 FROM saltedge_authorization WHERE saltedge_authorization.action_id = saltedge_action.id)
         ORDER BY expires_at LIMIT \(limit))
      """)
    return authorizations + actions
  }

  private static func context(_ column: String, _ id: SaltEdgeAuthorization.ID) -> String {
    "saltedge_authorization.\(column):\(id)"
  }

  private func seal(_ value: some Encodable, _ column: String, of authorization: SaltEdgeAuthorization) throws -> Data {
    try vault.seal(
      value, as: Self.context(column, authorization.id),
      of: ConnectionStore(tx, vault: vault).keySubject(of: authorization.connection), in: tx)
  }

  private func authorization(_ row: SQLRow) throws -> SaltEdgeAuthorization {
    let id: SaltEdgeAuthorization.ID = try row.get("id")
    let decision = try row.get("decision", as: Data?.self).flatMap {
      try vault.open($0, or: SignedDecision?.none, context: Self.context("decision", id), in: tx)
    }
    return SaltEdgeAuthorization(
      id: id, action: try row.get("action_id"), reference: try row.get("reference"),
      provider: try row.get("provider_id"), connection: try row.get("connection_id"), state: try row.get("state"),
      payload: try vault.open(
        row.get("payload"), or: SaltEdge.Ciphertext.erased, context: Self.context("payload", id), in: tx),
      expiresAt: try row.get("expires_at"), createdAt: try row.get("created_at"),
      finishedAt: try row.get("finished_at"), decision: decision, forwardAttempts: try row.get("forward_attempts"),
      addition: try row.get("addition"),
      version: try row.get("version"))
  }
}
