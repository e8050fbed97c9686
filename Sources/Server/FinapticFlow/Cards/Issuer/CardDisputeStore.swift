// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Rows of `finaptic_card_dispute`.
package struct CardDisputeStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  package static let migration = Migration(
    "2026-12-03 finaptic card dispute",
    """
    CREATE TABLE finaptic_card_dispute (
      id TEXT PRIMARY KEY,
      tenant_id BIGINT NOT NULL REFERENCES finaptic_tenant (id),
      reference TEXT NOT NULL,
      payment_id TEXT NOT NULL REFERENCES finaptic_card_payment (id),
      account_id TEXT NOT NULL,
      amount BIGINT NOT NULL CHECK (amount > 0),
      reason TEXT NOT NULL,
      state TEXT NOT NULL CHECK (
        state IN ('opened', 'credited', 'represented', 'creditedRepresented', 'won', 'lost')),
      opened_at BIGINT NOT NULL,
      version BIGINT NOT NULL,
      UNIQUE (tenant_id, reference)
    );
    CREATE INDEX finaptic_card_dispute_queue ON finaptic_card_dispute (tenant_id, opened_at, id);
    CREATE UNIQUE INDEX finaptic_card_dispute_payment ON finaptic_card_dispute (payment_id)
      WHERE state NOT IN ('won', 'lost');
    """)

  private static let columns: SQLColumns =
    "id, tenant_id, reference, payment_id, account_id, amount, reason, state, opened_at, version"

  /// - Throws: `SQLError.notUnique` when another is open for the payment, or has the reference.
  func insert(_ dispute: CardDispute) throws {
    try tx.execute(
      """
      INSERT INTO finaptic_card_dispute (
        id, tenant_id, reference, payment_id, account_id, amount, reason, state, opened_at, version)
      VALUES (\(dispute.id), \(dispute.tenant), \(dispute.reference), \(dispute.payment), \(dispute.account),
        \(dispute.amount), \(dispute.reason), \(dispute.state), \(dispute.openedAt), \(dispute.version))
      """)
  }

  /// - Throws: `SQLError.outdated`.
  func save(_ dispute: CardDispute) throws {
    let changed = try tx.execute(
      """
      UPDATE finaptic_card_dispute SET state = \(dispute.state), version = version + 1
      WHERE id = \(dispute.id) AND version = \(dispute.version)
      """)
    guard changed == 1 else { throw SQLError.outdated }
  }

  func find(_ id: CardDispute.ID, tenant: Int) throws -> CardDispute? {
    try tx.first(
      "SELECT \(Self.columns) FROM finaptic_card_dispute WHERE id = \(id) AND tenant_id = \(tenant)"
    ).map(Self.dispute)
  }

  /// Whatever its tenant.
  func find(_ id: CardDispute.ID) throws -> CardDispute? {
    try tx.first("SELECT \(Self.columns) FROM finaptic_card_dispute WHERE id = \(id)").map(Self.dispute)
  }

  func find(reference: String, tenant: Int) throws -> CardDispute? {
    try tx.first(
      "SELECT \(Self.columns) FROM finaptic_card_dispute WHERE reference = \(reference) AND tenant_id = \(tenant)"
    ).map(Self.dispute)
  }

  /// The oldest first.
  func open(of tenant: Int, limit: Int) throws -> [CardDispute] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM finaptic_card_dispute
      WHERE tenant_id = \(tenant) AND state NOT IN ('won', 'lost') ORDER BY opened_at, id LIMIT \(limit)
      """
    ).map(Self.dispute)
  }

  func hasOpen(for payment: CardPayment.ID) throws -> Bool {
    try tx.first(
      """
      SELECT id FROM finaptic_card_dispute WHERE payment_id = \(payment) AND state NOT IN ('won', 'lost') LIMIT 1
      """) != nil
  }

  private static func dispute(_ row: SQLRow) throws -> CardDispute {
    CardDispute(
      id: try row.get("id"), tenant: try row.get("tenant_id"), reference: try row.get("reference"),
      payment: try row.get("payment_id"), account: try row.get("account_id"), amount: try row.get("amount"),
      reason: try row.get("reason"), state: try row.get("state"), openedAt: try row.get("opened_at"),
      version: try row.get("version"))
  }
}
