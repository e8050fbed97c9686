// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Tasks that an account could not do, and what else the end of a day reads and writes.
extension LedgerStore {
  package static let deadLetterMigration = Migration(
    "2026-11-26 ledger parked",
    """
    CREATE TABLE ledger_parked (
      account_id TEXT NOT NULL REFERENCES ledger_account (id),
      duty TEXT NOT NULL CHECK (duty IN ('accrual', 'interest', 'fee')),
      period BIGINT NOT NULL,
      last_day BIGINT NOT NULL,
      counterparty_id TEXT,
      tenant TEXT NOT NULL,
      product TEXT NOT NULL,
      reason TEXT NOT NULL,
      parked_at BIGINT NOT NULL,
      tried_at BIGINT NOT NULL,
      PRIMARY KEY (account_id, duty, period)
    );
    CREATE INDEX ledger_parked_tenant ON ledger_parked (tenant, tried_at);
    """)

  /// Ids of a tenant's accounts of a product, after a given one. It reads nothing else of them, so that a row which
  /// cannot be read stops no other.
  package func accountIDs(
    tenant: String, product: String, after: LedgerAccount.ID?, limit: Int
  ) throws -> [LedgerAccount.ID] {
    try tx.query(
      """
      SELECT id FROM ledger_account
      WHERE tenant = \(tenant) AND product = \(product) AND id > \(after?.rawValue ?? "") ORDER BY id LIMIT \(limit)
      """
    ).map { try $0.get("id") }
  }

  /// In the order of their ids.
  package func accounts(_ ids: [LedgerAccount.ID]) throws -> [LedgerAccount] {
    guard !ids.isEmpty else { return [] }
    return try tx.query(
      "SELECT \(Self.accountColumns) FROM ledger_account WHERE id IN \(list: ids) ORDER BY id"
    ).map(Self.account)
  }

  /// - Returns: false when it was dead-lettered before; that it was tried again is kept.
  func deadLetter(_ letter: DeadLetteredDayEndTask) throws -> Bool {
    let task = letter.task
    let isNew =
      try tx.execute(
        """
        INSERT INTO ledger_parked (account_id, duty, period, last_day, counterparty_id, tenant, product, reason,
          parked_at, tried_at)
        VALUES (\(letter.account), \(task.name), \(task.period), \(task.lastDay), \(task.counterparty),
          \(letter.tenant), \(letter.product), \(letter.reason), \(letter.deadLetteredAt), \(letter.deadLetteredAt))
        ON CONFLICT (account_id, duty, period) DO NOTHING
        """) == 1
    if isNew { return true }
    try tx.execute(
      """
      UPDATE ledger_parked SET tried_at = \(letter.deadLetteredAt), reason = \(letter.reason)
      WHERE account_id = \(letter.account) AND duty = \(task.name) AND period = \(task.period)
      """)
    return false
  }

  /// Which of some accounts have a task dead-lettered.
  func deadLettered(_ task: DayEndTask, among ids: [LedgerAccount.ID]) throws -> Set<LedgerAccount.ID> {
    guard !ids.isEmpty else { return [] }
    return Set(
      try tx.query(
        """
        SELECT account_id FROM ledger_parked
        WHERE account_id IN \(list: ids) AND duty = \(task.name) AND period = \(task.period)
        """
      ).map { try $0.get("account_id") })
  }

  func clearDeadLetter(_ id: LedgerAccount.ID, _ task: DayEndTask) throws {
    try tx.execute(
      """
      DELETE FROM ledger_parked WHERE account_id = \(id) AND duty = \(task.name) AND period = \(task.period)
      """)
  }

  /// Of a tenant, those first that were not tried for longest. A row that cannot be read stops no other.
  func deadLettered(
    tenant: String, triedBefore: Instant?, limit: Int
  ) throws -> (tasks: [DeadLetteredDayEndTask], unreadable: [UnreadableDayEndTask]) {
    let rows = try tx.query(
      """
      SELECT account_id, duty, period, CAST(period AS TEXT) AS period_text, last_day, counterparty_id, tenant, product,
        reason, parked_at
      FROM ledger_parked WHERE tenant = \(tenant) AND tried_at <= \(triedBefore ?? Instant(milliseconds: .max))
      ORDER BY tried_at, account_id, duty, period LIMIT \(limit)
      """)
    var (tasks, unreadable) = ([DeadLetteredDayEndTask](), [UnreadableDayEndTask]())
    for row in rows {
      do { tasks.append(try Self.deadLettered(row)) } catch SQLError.unreadable {
        unreadable.append(
          UnreadableDayEndTask(
            account: try row.get("account_id"), task: try row.get("duty"), period: try row.get("period_text")))
      }
    }
    return (tasks, unreadable)
  }

  /// Lets rows that cannot be read rest as others that were tried.
  func rest(_ unreadable: [UnreadableDayEndTask], at now: Instant) throws {
    for one in unreadable {
      try tx.execute(
        """
        UPDATE ledger_parked SET tried_at = \(now)
        WHERE account_id = \(one.account) AND duty = \(one.task) AND CAST(period AS TEXT) = \(one.period)
        """)
    }
  }

  private static func deadLettered(_ row: SQLRow) throws -> DeadLetteredDayEndTask {
    DeadLetteredDayEndTask(
      account: try row.get("account_id"), tenant: try row.get("tenant"), product: try row.get("product"),
      task: try DayEndTask(
        try row.get("duty"), period: try row.get("period"), lastDay: try row.get("last_day"),
        counterparty: try row.get("counterparty_id")),
      reason: try row.get("reason"), deadLetteredAt: try row.get("parked_at"))
  }
}
