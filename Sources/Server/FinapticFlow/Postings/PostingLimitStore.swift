// SPDX-License-Identifier: Apache-2.0

import Kit
import Ledger
import Storage

/// Rows of `finaptic_posting_limit` and `finaptic_posting_day`.
package struct PostingLimitStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  /// `holder` is a caller as the audit log names them, or a role.
  package static let migration = Migration(
    "2026-11-29 finaptic posting limit",
    """
    CREATE TABLE finaptic_posting_limit (
      tenant_id BIGINT NOT NULL REFERENCES finaptic_tenant (id),
      holder TEXT NOT NULL,
      currency TEXT NOT NULL,
      posting_max BIGINT CHECK (posting_max >= 0),
      day_max BIGINT CHECK (day_max >= 0),
      PRIMARY KEY (tenant_id, holder, currency)
    );
    CREATE TABLE finaptic_posting_day (
      tenant_id BIGINT NOT NULL REFERENCES finaptic_tenant (id),
      actor TEXT NOT NULL,
      currency TEXT NOT NULL,
      day BIGINT NOT NULL,
      amount BIGINT NOT NULL CHECK (amount >= 0),
      PRIMARY KEY (tenant_id, actor, currency, day)
    );
    CREATE INDEX finaptic_posting_day_age ON finaptic_posting_day (day);
    """)

  /// The caller's own, or else that of their role, or else the standard one; nil without any.
  func limit(of actor: String, in currency: String, tenant: Int) throws -> PostingLimit? {
    let role = PostingLimit.Role(of: actor)
    let rows = try tx.query(
      """
      SELECT holder, posting_max, day_max FROM finaptic_posting_limit
      WHERE tenant_id = \(tenant) AND currency = \(currency) AND holder IN (\(actor), \(role.rawValue))
      """)
    if let row = try rows.first(where: { try $0.get("holder", as: String.self) == actor }) ?? rows.first {
      return PostingLimit(posting: try row.get("posting_max"), day: try row.get("day_max"))
    }
    guard role != .operators, let kind = try TenantStore(tx).find(tenant)?.kind else { return nil }
    return PostingLimit.standard(of: role, kind)
  }

  func set(_ limit: PostingLimit, of holder: String, in currency: String, tenant: Int) throws {
    try tx.execute(
      """
      INSERT INTO finaptic_posting_limit (tenant_id, holder, currency, posting_max, day_max)
      VALUES (\(tenant), \(holder), \(currency), \(limit.posting), \(limit.day))
      ON CONFLICT (tenant_id, holder, currency)
        DO UPDATE SET posting_max = excluded.posting_max, day_max = excluded.day_max
      """)
  }

  /// - Throws: `Problem` forbidden `over-limit`.
  func check(_ amount: Money, by actor: String, tenant: Int) throws {
    guard let limit = try limit(of: actor, in: amount.currency, tenant: tenant) else { return }
    let most = min(limit.posting ?? .max, limit.day ?? .max)
    guard amount.minorUnits <= most else { throw PostingLimit.exceeded }
  }

  /// Counts what is booked in this transaction: of several at once, the sum stays within the day.
  /// - Throws: `Problem` forbidden `over-limit`.
  func count(_ amount: Money, by actor: String, tenant: Int, on day: Int64) throws {
    guard let most = try limit(of: actor, in: amount.currency, tenant: tenant)?.day else { return }
    guard amount.minorUnits <= most else { throw PostingLimit.exceeded }
    // The sum is never built before it is known to fit.
    let room = most - amount.minorUnits
    let changed = try tx.execute(
      """
      INSERT INTO finaptic_posting_day (tenant_id, actor, currency, day, amount)
      VALUES (\(tenant), \(actor), \(amount.currency), \(day), \(amount.minorUnits))
      ON CONFLICT (tenant_id, actor, currency, day)
        DO UPDATE SET amount = finaptic_posting_day.amount + excluded.amount
        WHERE finaptic_posting_day.amount <= \(room)
      """)
    guard changed == 1 else { throw PostingLimit.exceeded }
  }

  static func sweep(before day: Int64, limit: Int, in tx: any SQLTransaction) throws -> Int {
    try tx.execute(
      """
      DELETE FROM finaptic_posting_day WHERE (tenant_id, actor, currency, day) IN
        (SELECT tenant_id, actor, currency, day FROM finaptic_posting_day WHERE day < \(day) LIMIT \(limit))
      """)
  }
}
