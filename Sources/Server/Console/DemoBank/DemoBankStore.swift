// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Rows of `demo_bank_session` and `demo_bank_order`.
package struct DemoBankStore {
  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, vault: Vault) {
    self.tx = tx
    self.vault = vault
  }

  package static let migration = Migration(
    "2026-11-22 demo bank",
    """
    CREATE TABLE demo_bank_session (
      digest TEXT PRIMARY KEY,
      customer_id TEXT NOT NULL,
      expires_at BIGINT NOT NULL
    );
    CREATE INDEX demo_bank_session_expiry ON demo_bank_session (expires_at);
    CREATE TABLE demo_bank_order (
      id TEXT PRIMARY KEY,
      kind TEXT NOT NULL CHECK (kind IN ('signIn', 'payment')),
      browser_digest TEXT NOT NULL,
      customer_id TEXT,
      state TEXT NOT NULL,
      authorization_id TEXT,
      content BLOB NOT NULL,
      devices BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL
    );
    CREATE INDEX demo_bank_order_customer ON demo_bank_order (customer_id, created_at);
    CREATE INDEX demo_bank_order_age ON demo_bank_order (created_at);
    """)

  private static let orderColumns: SQLColumns = """
    id, kind, browser_digest, customer_id, state, authorization_id, content, devices, created_at, expires_at
    """

  // MARK: Sessions

  func insertSession(_ digest: String, of customer: String, until end: Instant) throws {
    try tx.execute(
      "INSERT INTO demo_bank_session (digest, customer_id, expires_at) VALUES (\(digest), \(customer), \(end))")
  }

  func customer(session digest: String, at now: Instant) throws -> String? {
    try tx.first("SELECT customer_id FROM demo_bank_session WHERE digest = \(digest) AND expires_at > \(now)")
      .map { try $0.get("customer_id") }
  }

  func endSession(_ digest: String) throws {
    try tx.execute("DELETE FROM demo_bank_session WHERE digest = \(digest)")
  }

  /// Forgets up to `limit` sessions that ended.
  static func sweepSessions(before now: Instant, limit: Int, in tx: any SQLTransaction) throws -> Int {
    try tx.execute(
      """
      DELETE FROM demo_bank_session WHERE digest IN
        (SELECT digest FROM demo_bank_session WHERE expires_at <= \(now) LIMIT \(limit))
      """)
  }

  /// Forgets up to `limit` orders that are no longer shown.
  static func sweepOrders(before old: Instant, limit: Int, in tx: any SQLTransaction) throws -> Int {
    try tx.execute(
      """
      DELETE FROM demo_bank_order WHERE id IN
        (SELECT id FROM demo_bank_order WHERE created_at <= \(old) LIMIT \(limit))
      """)
  }

  // MARK: Orders

  /// - Returns: false when there is one of that id.
  func insert(_ order: BankOrder) throws -> Bool {
    try tx.execute(
      """
      INSERT INTO demo_bank_order
        (id, kind, browser_digest, customer_id, state, authorization_id, content, devices, created_at, expires_at)
      VALUES (\(order.id), \(order.kind), \(order.browser), \(order.customer), \(order.state), \(order.authorization),
        \(try sealed(order)), \(order.devices), \(order.createdAt), \(order.expiresAt))
      ON CONFLICT (id) DO NOTHING
      """) == 1
  }

  func find(_ id: BankOrder.ID) throws -> BankOrder? {
    try tx.first(
      """
      SELECT \(Self.orderColumns)
      FROM demo_bank_order WHERE id = \(id)
      """
    ).map(order)
  }

  /// A customer's payments, the newest first.
  func payments(of customer: String, limit: Int) throws -> [BankOrder] {
    try tx.query(
      """
      SELECT \(Self.orderColumns)
      FROM demo_bank_order WHERE customer_id = \(customer) AND kind = \(BankOrder.Kind.payment)
      ORDER BY created_at DESC, id DESC LIMIT \(limit)
      """
    ).map(order)
  }

  /// The service has it. A webhook may have been faster: then the end stands.
  func setOpened(_ order: BankOrder) throws {
    try tx.execute(
      """
      UPDATE demo_bank_order SET authorization_id = \(order.authorization), content = \(try sealed(order)),
        devices = \(order.devices), expires_at = \(order.expiresAt),
        state = CASE WHEN state = \(BankOrder.State.draft) THEN \(BankOrder.State.waiting) ELSE state END
      WHERE id = \(order.id) AND authorization_id IS NULL
      """)
  }

  /// - Returns: false when it had ended.
  func end(_ id: BankOrder.ID, as state: BankOrder.State, customer: String?) throws -> Bool {
    try tx.execute(
      """
      UPDATE demo_bank_order SET state = \(state), customer_id = COALESCE(customer_id, \(customer))
      WHERE id = \(id) AND state IN (\(BankOrder.State.draft), \(BankOrder.State.waiting))
      """) == 1
  }

  /// A sign-in is made use of once.
  func use(_ id: BankOrder.ID) throws -> Bool {
    try tx.execute(
      """
      UPDATE demo_bank_order SET state = \(BankOrder.State.used)
      WHERE id = \(id) AND state = \(BankOrder.State.confirmed) AND kind = \(BankOrder.Kind.signIn)
      """) == 1
  }

  private func sealed(_ order: BankOrder) throws -> Data {
    try vault.seal(order.content, as: Self.context(order.id))
  }

  private static func context(_ id: BankOrder.ID) -> String { "demo_bank_order.content:\(id)" }

  private func order(_ row: SQLRow) throws -> BankOrder {
    let id: BankOrder.ID = try row.get("id")
    return BankOrder(
      id: id, kind: try row.get("kind"), browser: try row.get("browser_digest"), customer: try row.get("customer_id"),
      state: try row.get("state"), authorization: try row.get("authorization_id"),
      content: try vault.open(row.get("content"), as: BankOrder.Content.self, context: Self.context(id)),
      devices: try row.get("devices"), createdAt: try row.get("created_at"), expiresAt: try row.get("expires_at"))
  }
}
