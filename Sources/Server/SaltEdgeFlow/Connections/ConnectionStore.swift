// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Rows of `saltedge_connection`.
package struct ConnectionStore {
  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, vault: Vault) {
    self.tx = tx
    self.vault = vault
  }

  private static let columns: SQLColumns = """
    id, provider_id, api_version, state, platform, return_url, enrolment_ends_at, session_digest, user_digest,
    public_key, token_digest, token_expires_at, secrets, created_at, version
    """

  package static let migration = Migration(
    "2026-11-22 saltedge connection",
    """
    CREATE TABLE saltedge_connection (
      id TEXT PRIMARY KEY,
      provider_id TEXT NOT NULL REFERENCES saltedge_provider (id),
      api_version BIGINT NOT NULL CHECK (api_version IN (1, 2)),
      state TEXT NOT NULL,
      platform TEXT NOT NULL,
      return_url TEXT NOT NULL,
      enrolment_ends_at BIGINT NOT NULL,
      session_digest TEXT UNIQUE,
      user_digest TEXT,
      public_key TEXT,
      token_digest TEXT UNIQUE,
      token_expires_at BIGINT,
      secrets BLOB NOT NULL,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      version BIGINT NOT NULL,
      CHECK (state <> 'valid' OR (user_digest IS NOT NULL AND public_key IS NOT NULL AND token_digest IS NOT NULL))
    );
    CREATE INDEX saltedge_connection_user ON saltedge_connection (user_digest, state);
    CREATE INDEX saltedge_connection_enrolment ON saltedge_connection (state, enrolment_ends_at);
    """)

  /// What is old is found without looking at what is not.
  package static let retentionMigration = Migration(
    "2026-11-22 saltedge retention",
    """
    CREATE INDEX saltedge_connection_token_expiry ON saltedge_connection (token_expires_at);
    CREATE INDEX saltedge_authorization_age ON saltedge_authorization (finished_at) WHERE finished_at IS NOT NULL;
    CREATE INDEX saltedge_action_age ON saltedge_action (expires_at);
    CREATE INDEX saltedge_action_user ON saltedge_action (user_digest);
    CREATE INDEX saltedge_operation_age ON saltedge_operation (ended_at) WHERE ended_at IS NOT NULL;
    CREATE INDEX saltedge_consent_age ON saltedge_consent (expires_at);
    """)

  /// Valid connections whose token expired are found without looking at those that have ended.
  package static let expiryMigration = Migration(
    "2026-11-24 saltedge expiry",
    "CREATE INDEX saltedge_connection_state_expiry ON saltedge_connection (state, token_expires_at);")

  func insert(_ connection: SaltEdgeConnection) throws {
    try tx.execute(
      """
      INSERT INTO saltedge_connection
        (id, provider_id, api_version, state, platform, return_url, enrolment_ends_at, session_digest, user_digest,
         public_key, token_digest, token_expires_at, secrets, created_at, updated_at, version)
      VALUES (\(connection.id), \(connection.provider), \(connection.apiVersion), \(connection.state),
        \(connection.platform), \(connection.returnURL), \(connection.enrolmentEndsAt), \(connection.sessionDigest),
        \(connection.userDigest), \(connection.publicKey), \(connection.tokenDigest), \(connection.tokenExpiresAt),
        \(try sealed(connection)), \(connection.createdAt), \(connection.createdAt), 0)
      """)
  }

  func find(_ id: SaltEdgeConnection.ID) throws -> SaltEdgeConnection? {
    try tx.first("SELECT \(Self.columns) FROM saltedge_connection WHERE id = \(id)").map(connection)
  }

  func find(tokenDigest: String) throws -> SaltEdgeConnection? {
    try tx.first("SELECT \(Self.columns) FROM saltedge_connection WHERE token_digest = \(tokenDigest)").map(connection)
  }

  func find(sessionDigest: String) throws -> SaltEdgeConnection? {
    try tx.first(
      "SELECT \(Self.columns) FROM saltedge_connection WHERE session_digest = \(sessionDigest)"
    ).map(connection)
  }

  /// Whose key seals what is on a connection; nil before its customer signed in.
  func keySubject(of id: SaltEdgeConnection.ID) throws -> KeySubject? {
    try tx.first("SELECT user_digest, provider_id FROM saltedge_connection WHERE id = \(id)").flatMap {
      try KeySubject(user: $0.get("user_digest"), of: $0.get("provider_id"))
    }
  }

  /// A customer's, the newest first.
  func valid(user: String, at now: Instant, limit: Int) throws -> [SaltEdgeConnection] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM saltedge_connection
      WHERE user_digest = \(user) AND state = \(ConnectionState.valid) AND token_expires_at > \(now)
      ORDER BY created_at DESC, id LIMIT \(limit)
      """
    ).map(connection)
  }

  /// Connections without a sign-in.
  func lapsed(
    before now: Instant, after place: OverdueCursor<SaltEdgeConnection>, limit: Int
  ) throws -> [OverdueCursor<SaltEdgeConnection>] {
    try tx.query(
      """
      SELECT id, enrolment_ends_at FROM saltedge_connection
      WHERE state = \(ConnectionState.authenticating) AND enrolment_ends_at <= \(now)
        AND (enrolment_ends_at, id) > (\(place.end), \(place.id))
      ORDER BY enrolment_ends_at, id LIMIT \(limit)
      """
    ).map { .init(end: try $0.get("enrolment_ends_at"), id: try $0.get("id")) }
  }

  /// Connections whose token ran out of time.
  func expired(
    before now: Instant, after place: OverdueCursor<SaltEdgeConnection>, limit: Int
  ) throws -> [OverdueCursor<SaltEdgeConnection>] {
    try tx.query(
      """
      SELECT id, token_expires_at FROM saltedge_connection
      WHERE state = \(ConnectionState.valid) AND token_expires_at <= \(now)
        AND (token_expires_at, id) > (\(place.end), \(place.id))
      ORDER BY token_expires_at, id LIMIT \(limit)
      """
    ).map { .init(end: try $0.get("token_expires_at"), id: try $0.get("id")) }
  }

  /// Lets an erasure and what is said of a connection meet: one of the two runs again and finds what the other one did.
  /// - Returns: false when it is gone.
  func touch(_ id: SaltEdgeConnection.ID) throws -> Bool {
    try tx.execute("UPDATE saltedge_connection SET state = state WHERE id = \(id)") == 1
  }

  /// Compare-and-set on the version that the change was decided on.
  /// - Throws: `SQLError.outdated`; `SQLError.notUnique` when another connection has the token.
  func save(_ connection: SaltEdgeConnection, at now: Instant) throws {
    let changed = try tx.execute(
      """
      UPDATE saltedge_connection SET state = \(connection.state), session_digest = \(connection.sessionDigest),
        user_digest = \(connection.userDigest), public_key = \(connection.publicKey),
        token_digest = \(connection.tokenDigest), token_expires_at = \(connection.tokenExpiresAt),
        secrets = \(try sealed(connection)), updated_at = \(now), version = version + 1
      WHERE id = \(connection.id) AND version = \(connection.version)
      """)
    guard changed == 1 else { throw SQLError.outdated }
  }

  // MARK: Deleting

  /// A customer's, in whatever state.
  func ids(user: String, limit: Int) throws -> [SaltEdgeConnection.ID] {
    try tx.query("SELECT id FROM saltedge_connection WHERE user_digest = \(user) ORDER BY id LIMIT \(limit)").map {
      try $0.get("id")
    }
  }

  func delete(_ id: SaltEdgeConnection.ID) throws {
    try tx.execute("DELETE FROM saltedge_connection WHERE id = \(id)")
  }

  /// - Returns: those that were never valid.
  func sweep(failedBefore horizon: Instant, limit: Int) throws -> [SaltEdgeConnection.ID] {
    try tx.query(
      """
      DELETE FROM saltedge_connection WHERE id IN
        (SELECT id FROM saltedge_connection
         WHERE state IN (\(ConnectionState.failed), \(ConnectionState.revoked)) AND token_expires_at IS NULL
           AND enrolment_ends_at <= \(horizon)
         ORDER BY enrolment_ends_at LIMIT \(limit))
      RETURNING id
      """
    ).map { try $0.get("id") }
  }

  /// Connections that proved something once and cannot any more, when nothing is left of it.
  /// - Returns: how many there were.
  func sweep(goneBefore horizon: Instant, limit: Int) throws -> Int {
    try tx.execute(
      """
      DELETE FROM saltedge_connection WHERE id IN
        (SELECT id FROM saltedge_connection
         WHERE token_expires_at <= \(horizon) AND updated_at <= \(horizon)
           AND NOT EXISTS
             (SELECT 1 FROM saltedge_authorization WHERE saltedge_authorization.connection_id = saltedge_connection.id)
           AND NOT EXISTS
             (SELECT 1 FROM saltedge_consent WHERE saltedge_consent.connection_id = saltedge_connection.id)
         ORDER BY token_expires_at LIMIT \(limit))
      """)
  }

  private func sealed(_ connection: SaltEdgeConnection) throws -> Data {
    if connection.userDigest != nil, connection.secrets == .erased { return Data() }
    return try vault.seal(
      connection.secrets, as: Self.context(connection.id),
      of: KeySubject(user: connection.userDigest, of: connection.provider), in: tx)
  }

  private static func context(_ id: SaltEdgeConnection.ID) -> String { "saltedge_connection.secrets:\(id)" }

  private func connection(_ row: SQLRow) throws -> SaltEdgeConnection {
    let id: SaltEdgeConnection.ID = try row.get("id")
    let secrets = try vault.open(
      row.get("secrets"), or: SaltEdgeConnection.Secrets.erased, context: Self.context(id), in: tx)
    let digest: String? = try row.get("user_digest")
    let state: ConnectionState = try row.get("state")
    return SaltEdgeConnection(
      id: id, provider: try row.get("provider_id"), apiVersion: try row.get("api_version"),
      // The device of a customer who was erased: it is in a copy that was restored.
      state: digest != nil && secrets == .erased && state == .valid ? .revoked : state,
      platform: try row.get("platform"), returnURL: try row.get("return_url"),
      enrolmentEndsAt: try row.get("enrolment_ends_at"), createdAt: try row.get("created_at"),
      version: try row.get("version"), sessionDigest: try row.get("session_digest"),
      userDigest: digest, publicKey: try row.get("public_key"),
      tokenDigest: try row.get("token_digest"), tokenExpiresAt: try row.get("token_expires_at"), secrets: secrets)
  }
}
