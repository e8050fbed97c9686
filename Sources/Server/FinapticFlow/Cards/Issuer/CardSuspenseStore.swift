// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Rows of `finaptic_card_suspense`.
package struct CardSuspenseStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  package static let migration = Migration(
    "2026-12-03 finaptic card suspense",
    """
    CREATE TABLE finaptic_card_suspense (
      id TEXT PRIMARY KEY,
      tenant_id BIGINT NOT NULL REFERENCES finaptic_tenant (id),
      account_id TEXT NOT NULL,
      payment_id TEXT REFERENCES finaptic_card_payment (id),
      direction TEXT NOT NULL CHECK (direction IN ('owed', 'due')),
      reason TEXT NOT NULL,
      amount BIGINT NOT NULL CHECK (amount >= 0),
      state TEXT NOT NULL CHECK (state IN ('waiting', 'settled')),
      since BIGINT NOT NULL,
      version BIGINT NOT NULL
    );
    CREATE INDEX finaptic_card_suspense_queue ON finaptic_card_suspense (tenant_id, since, id) WHERE state = 'waiting';
    CREATE INDEX finaptic_card_suspense_payment ON finaptic_card_suspense (payment_id) WHERE state = 'waiting';
    """)

  package static let writeOffMigration = Migration(
    "2026-12-04 finaptic card write-off",
    """
    ALTER TABLE finaptic_card_suspense ADD COLUMN written_off BIGINT NOT NULL DEFAULT 0;
    CREATE INDEX finaptic_card_suspense_given_up ON finaptic_card_suspense (payment_id) WHERE written_off > 0;
    """)

  private static let columns: SQLColumns =
    "id, tenant_id, account_id, payment_id, direction, reason, amount, written_off, state, since, version"

  func insert(_ item: CardSuspense) throws {
    try tx.execute(
      """
      INSERT INTO finaptic_card_suspense (
        id, tenant_id, account_id, payment_id, direction, reason, amount, state, since, version)
      VALUES (\(item.id), \(item.tenant), \(item.account), \(item.payment), \(item.direction), \(item.reason),
        \(item.amount), \(item.state), \(item.since), \(item.version))
      """)
  }

  /// - Throws: `SQLError.outdated`.
  func save(_ item: CardSuspense) throws {
    let changed = try tx.execute(
      """
      UPDATE finaptic_card_suspense SET state = \(item.state), amount = \(item.amount),
        written_off = \(item.writtenOff), version = version + 1
      WHERE id = \(item.id) AND version = \(item.version)
      """)
    guard changed == 1 else { throw SQLError.outdated }
  }

  /// What changes an item has locked the suspense account before.
  func find(_ id: CardSuspense.ID, tenant: Int) throws -> CardSuspense? {
    try tx.first(
      "SELECT \(Self.columns) FROM finaptic_card_suspense WHERE id = \(id) AND tenant_id = \(tenant)"
    ).map(Self.item)
  }

  /// Whatever its tenant.
  func find(_ id: CardSuspense.ID) throws -> CardSuspense? {
    try tx.first("SELECT \(Self.columns) FROM finaptic_card_suspense WHERE id = \(id)").map(Self.item)
  }

  /// What the bank paid for a payment, the oldest first.
  func owed(of payment: CardPayment.ID) throws -> [CardSuspense] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM finaptic_card_suspense
      WHERE payment_id = \(payment) AND state = 'waiting' AND direction = 'owed' ORDER BY since, id
      """
    ).map(Self.item)
  }

  /// What the bank paid for a payment and gave up, the oldest first.
  func writtenOff(of payment: CardPayment.ID) throws -> [CardSuspense] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM finaptic_card_suspense
      WHERE payment_id = \(payment) AND written_off > 0 ORDER BY since, id
      """
    ).map(Self.item)
  }

  /// The oldest first.
  func waiting(of tenant: Int, limit: Int) throws -> [CardSuspense] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM finaptic_card_suspense
      WHERE tenant_id = \(tenant) AND state = 'waiting' ORDER BY since, id LIMIT \(limit)
      """
    ).map(Self.item)
  }

  private static func item(_ row: SQLRow) throws -> CardSuspense {
    CardSuspense(
      id: try row.get("id"), tenant: try row.get("tenant_id"), account: try row.get("account_id"),
      payment: try row.get("payment_id"), direction: try row.get("direction"), reason: try row.get("reason"),
      amount: try row.get("amount"), writtenOff: try row.get("written_off"), state: try row.get("state"),
      since: try row.get("since"), version: try row.get("version"))
  }
}
