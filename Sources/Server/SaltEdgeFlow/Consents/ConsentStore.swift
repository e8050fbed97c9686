// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import SaltEdgeWire
import Storage

/// A permission that a customer gave, on one of their devices.
struct SaltEdgeConsent: Sendable {
  typealias ID = Identifier<SaltEdgeConsent>

  let id: ID
  let provider: SaltEdgeProvider.ID
  /// The bank's name for it, the same on all devices.
  let reference: String
  let connection: SaltEdgeConnection.ID
  var state: ConsentState
  /// For the device alone.
  let payload: SaltEdge.Ciphertext
  let expiresAt: Instant
  let createdAt: Instant
  var version = 0
}

/// Rows of `saltedge_consent`.
package struct ConsentStore {
  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, vault: Vault) {
    self.tx = tx
    self.vault = vault
  }

  private static let columns: SQLColumns =
    "id, provider_id, reference, connection_id, state, payload, expires_at, created_at, version"

  package static let migration = Migration(
    "2026-11-22 saltedge consent",
    """
    CREATE TABLE saltedge_consent (
      id TEXT PRIMARY KEY,
      provider_id TEXT NOT NULL REFERENCES saltedge_provider (id),
      reference TEXT NOT NULL,
      connection_id TEXT NOT NULL REFERENCES saltedge_connection (id),
      state TEXT NOT NULL,
      payload BLOB NOT NULL,
      expires_at BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      version BIGINT NOT NULL,
      UNIQUE (provider_id, reference, connection_id)
    );
    CREATE INDEX saltedge_consent_connection ON saltedge_consent (connection_id, state, created_at);
    """)

  /// - Throws: `SQLError.notUnique` when the device has it already.
  func insert(_ consent: SaltEdgeConsent) throws {
    let payload = try vault.seal(
      consent.payload, as: Self.context(consent.id),
      of: ConnectionStore(tx, vault: vault).keySubject(of: consent.connection), in: tx)
    try tx.execute(
      """
      INSERT INTO saltedge_consent
        (id, provider_id, reference, connection_id, state, payload, expires_at, created_at, version)
      VALUES (\(consent.id), \(consent.provider), \(consent.reference), \(consent.connection), \(consent.state),
        \(payload), \(consent.expiresAt), \(consent.createdAt), 0)
      """)
  }

  func open(on connection: SaltEdgeConnection.ID, at now: Instant, limit: Int) throws -> [SaltEdgeConsent] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM saltedge_consent
      WHERE connection_id = \(connection) AND state = \(ConsentState.open) AND expires_at > \(now)
      ORDER BY created_at, id LIMIT \(limit)
      """
    ).map(consent)
  }

  /// Every one on a device, also those that are over, the oldest first.
  func all(on connection: SaltEdgeConnection.ID, limit: Int) throws -> [SaltEdgeConsent] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM saltedge_consent
      WHERE connection_id = \(connection) ORDER BY created_at, id LIMIT \(limit)
      """
    ).map(consent)
  }

  func find(_ id: SaltEdgeConsent.ID) throws -> SaltEdgeConsent? {
    try tx.first("SELECT \(Self.columns) FROM saltedge_consent WHERE id = \(id)").map(consent)
  }

  /// The bank's consent of that name on one device.
  func find(
    _ reference: String, of provider: SaltEdgeProvider.ID, on connection: SaltEdgeConnection.ID
  ) throws -> SaltEdgeConsent? {
    try tx.first(
      """
      SELECT \(Self.columns) FROM saltedge_consent
      WHERE provider_id = \(provider) AND reference = \(reference) AND connection_id = \(connection)
      """
    ).map(consent)
  }

  /// One consent on all devices that show it.
  func all(_ reference: String, of provider: SaltEdgeProvider.ID) throws -> [SaltEdgeConsent] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM saltedge_consent
      WHERE provider_id = \(provider) AND reference = \(reference) ORDER BY created_at, id
      """
    ).map(consent)
  }

  /// Lets an addition and a revocation meet: one of the two runs again and finds what the other one did.
  func touch(_ reference: String, of provider: SaltEdgeProvider.ID) throws {
    try tx.execute(
      "UPDATE saltedge_consent SET state = state WHERE provider_id = \(provider) AND reference = \(reference)")
  }

  /// Compare-and-set on the version that the change was decided on.
  /// - Throws: `SQLError.outdated`.
  func save(_ consent: SaltEdgeConsent) throws {
    let changed = try tx.execute(
      """
      UPDATE saltedge_consent SET state = \(consent.state), version = version + 1
      WHERE id = \(consent.id) AND version = \(consent.version)
      """)
    guard changed == 1 else { throw SQLError.outdated }
  }

  func deleteAll(on connection: SaltEdgeConnection.ID) throws {
    try tx.execute("DELETE FROM saltedge_consent WHERE connection_id = \(connection)")
  }

  /// - Returns: how many there were.
  func sweep(expiredBefore horizon: Instant, limit: Int) throws -> Int {
    try tx.execute(
      """
      DELETE FROM saltedge_consent WHERE id IN
        (SELECT id FROM saltedge_consent WHERE expires_at <= \(horizon) ORDER BY expires_at LIMIT \(limit))
      """)
  }

  private static func context(_ id: SaltEdgeConsent.ID) -> String { "saltedge_consent.payload:\(id)" }

  private func consent(_ row: SQLRow) throws -> SaltEdgeConsent {
    let id: SaltEdgeConsent.ID = try row.get("id")
    return SaltEdgeConsent(
      id: id, provider: try row.get("provider_id"), reference: try row.get("reference"),
      connection: try row.get("connection_id"), state: try row.get("state"),
      payload: try vault.open(row.get("payload"), or: SaltEdge.Ciphertext.erased, context: Self.context(id), in: tx),
      expiresAt: try row.get("expires_at"), createdAt: try row.get("created_at"), version: try row.get("version"))
  }
}
