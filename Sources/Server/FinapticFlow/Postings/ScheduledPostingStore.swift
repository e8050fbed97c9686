// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Ledger
import Storage

/// Rows of `finaptic_scheduled_posting`.
package struct ScheduledPostingStore {
  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, vault: Vault) { (self.tx, self.vault) = (tx, vault) }

  package static let migration = Migration(
    "2026-12-01 finaptic scheduled posting",
    """
    CREATE TABLE finaptic_scheduled_posting (
      id TEXT PRIMARY KEY,
      tenant_id BIGINT NOT NULL REFERENCES finaptic_tenant (id),
      order_key TEXT NOT NULL,
      account_id TEXT NOT NULL,
      purpose TEXT NOT NULL,
      reason TEXT NOT NULL,
      amount BIGINT NOT NULL CHECK (amount > 0),
      currency TEXT NOT NULL,
      value_day BIGINT NOT NULL,
      sealed_reference BLOB NOT NULL,
      maker TEXT NOT NULL,
      ordered_at BIGINT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('scheduled', 'booked', 'declined', 'withdrawn')),
      transfer_id TEXT UNIQUE,
      declined TEXT,
      version BIGINT NOT NULL,
      UNIQUE (tenant_id, order_key)
    );
    CREATE INDEX finaptic_scheduled_posting_due ON finaptic_scheduled_posting (tenant_id, value_day, id)
      WHERE state = 'scheduled';
    CREATE INDEX finaptic_scheduled_posting_age ON finaptic_scheduled_posting (value_day, id)
      WHERE state <> 'scheduled';
    CREATE INDEX finaptic_scheduled_posting_account ON finaptic_scheduled_posting (account_id);
    """)

  private static let columns: SQLColumns = """
    id, tenant_id, order_key, account_id, purpose, reason, amount, currency, value_day, sealed_reference, maker,
    ordered_at, state, transfer_id, declined, version
    """

  /// - Throws: `SQLError.notUnique` when another transaction ordered under the same key.
  func insert(_ posting: ScheduledPosting) throws {
    let (order, context) = (posting.order, Self.context(posting.id))
    let key = try AccountKeyStore(tx, vault: vault).key(of: posting.account, tenant: posting.tenant)
    let sealed = try posting.reference.map { try vault.seal(Data($0.utf8), context: context, under: key) } ?? Data()
    try tx.execute(
      """
      INSERT INTO finaptic_scheduled_posting
        (id, tenant_id, order_key, account_id, purpose, reason, amount, currency, value_day, sealed_reference, maker,
         ordered_at, state, transfer_id, declined, version)
      VALUES (\(posting.id), \(posting.tenant), \(order.key), \(posting.account), \(posting.purpose.rawValue),
        \(posting.reason.rawValue), \(order.amount.minorUnits), \(order.amount.currency), \(posting.valueDay),
        \(sealed), \(posting.maker), \(posting.orderedAt), \(posting.state), \(posting.transfer), \(posting.declined),
        \(posting.version))
      """)
  }

  /// - Throws: `SQLError.outdated`.
  func save(_ posting: ScheduledPosting) throws {
    let changed = try tx.execute(
      """
      UPDATE finaptic_scheduled_posting SET state = \(posting.state), transfer_id = \(posting.transfer),
        declined = \(posting.declined), version = version + 1
      WHERE id = \(posting.id) AND version = \(posting.version)
      """)
    guard changed == 1 else { throw SQLError.outdated }
  }

  func find(_ id: ScheduledPosting.ID, of tenant: Int) throws -> ScheduledPosting? {
    try tx.first(
      "SELECT \(Self.columns) FROM finaptic_scheduled_posting WHERE id = \(id) AND tenant_id = \(tenant)"
    ).map(posting)
  }

  func find(key: String, of tenant: Int) throws -> ScheduledPosting? {
    try tx.first(
      "SELECT \(Self.columns) FROM finaptic_scheduled_posting WHERE order_key = \(key) AND tenant_id = \(tenant)"
    ).map(posting)
  }

  /// Of these keys, those under which a posting was ordered for a value date to come.
  func known(_ keys: [String], of tenant: Int) throws -> Set<String> {
    let rows = try tx.query(
      "SELECT order_key FROM finaptic_scheduled_posting WHERE tenant_id = \(tenant) AND order_key IN \(list: keys)")
    return Set(try rows.map { try $0.get("order_key") })
  }

  /// Postings of a tenant that wait, by value date.
  func waiting(of tenant: Int, limit: Int) throws -> [ScheduledPosting] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM finaptic_scheduled_posting WHERE tenant_id = \(tenant) AND state = 'scheduled'
      ORDER BY value_day, id LIMIT \(limit)
      """
    ).map(posting)
  }

  /// What is to be booked on a day or before.
  struct Due: Sendable {
    let id: ScheduledPosting.ID
    let account: String
    let valueDay: Int64
  }

  /// By value date, after a given one.
  func due(of tenant: Int, by day: Int64, after: Due?, limit: Int) throws -> [Due] {
    let (last, id) = (after?.valueDay ?? .min, after?.id.rawValue ?? "")
    return try tx.query(
      """
      SELECT id, account_id, value_day FROM finaptic_scheduled_posting
      WHERE tenant_id = \(tenant) AND state = 'scheduled' AND value_day <= \(day)
        AND (value_day > \(last) OR (value_day = \(last) AND id > \(id)))
      ORDER BY value_day, id LIMIT \(limit)
      """
    ).map { Due(id: try $0.get("id"), account: try $0.get("account_id"), valueDay: try $0.get("value_day")) }
  }

  /// For an erasure. What waits is still booked or declined, without its reference.
  func forgetReferences(of account: BankAccount.ID) throws {
    try tx.execute(
      "UPDATE finaptic_scheduled_posting SET sealed_reference = \(Data()) WHERE account_id = \(account)")
  }

  /// Forgets those that ended, by value date; what was booked is in the books.
  static func sweep(before day: Int64, limit: Int, in tx: any SQLTransaction) throws -> Int {
    try tx.execute(
      """
      DELETE FROM finaptic_scheduled_posting WHERE id IN
        (SELECT id FROM finaptic_scheduled_posting WHERE value_day < \(day) AND state <> 'scheduled'
         ORDER BY value_day, id LIMIT \(limit))
      """)
  }

  private func posting(_ row: SQLRow) throws -> ScheduledPosting {
    let (id, tenant): (ScheduledPosting.ID, Int) = (try row.get("id"), try row.get("tenant_id"))
    let (purpose, reason): (String, String) = (try row.get("purpose"), try row.get("reason"))
    guard let purpose = PostingPurpose(rawValue: purpose), let reason = PostingReason(rawValue: reason) else {
      throw SQLError.unreadable("a scheduled posting of another purpose or reason")
    }
    let account: BankAccount.ID = try row.get("account_id")
    let kept = try vault.kept(row.get("sealed_reference"), context: Self.context(id), in: tx)
    return ScheduledPosting(
      id: id, tenant: tenant, account: account, purpose: purpose, reason: reason,
      order: purpose.order(
        of: Money(try row.get("amount"), try row.get("currency")), on: account, tenant: tenant,
        key: try row.get("order_key"), valueDay: try row.get("value_day")),
      reference: kept.map { String(decoding: $0, as: UTF8.self) }, maker: try row.get("maker"),
      orderedAt: try row.get("ordered_at"), state: try row.get("state"), transfer: try row.get("transfer_id"),
      declined: try row.get("declined"), version: try row.get("version"))
  }

  private static func context(_ id: ScheduledPosting.ID) -> String {
    "finaptic_scheduled_posting.sealed_reference:\(id)"
  }
}
