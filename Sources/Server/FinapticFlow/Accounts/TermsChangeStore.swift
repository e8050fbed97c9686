// SPDX-License-Identifier: Apache-2.0

import Kit
import Ledger
import Storage

/// Rows of `finaptic_terms_change`, `finaptic_terms_notice` and `finaptic_terms_policy`.
package struct TermsChangeStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  static let migration = Migration(
    "2026-12-04 finaptic terms change",
    """
    CREATE TABLE finaptic_terms_policy (
      tenant_id BIGINT PRIMARY KEY REFERENCES finaptic_tenant (id),
      notice_days BIGINT NOT NULL CHECK (notice_days BETWEEN 0 AND 366)
    );
    CREATE TABLE finaptic_terms_change (
      id TEXT PRIMARY KEY,
      tenant_id BIGINT NOT NULL REFERENCES finaptic_tenant (id),
      product TEXT NOT NULL,
      currency TEXT NOT NULL,
      yearly_interest_millionths BIGINT NOT NULL,
      monthly_fee BIGINT NOT NULL,
      from_day BIGINT NOT NULL,
      announced_at BIGINT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('announced', 'withdrawn', 'effective')),
      version BIGINT NOT NULL
    );
    CREATE UNIQUE INDEX finaptic_terms_change_day ON finaptic_terms_change (tenant_id, product, from_day)
      WHERE state = 'announced';
    CREATE INDEX finaptic_terms_change_tenant ON finaptic_terms_change (tenant_id, announced_at, id);
    CREATE TABLE finaptic_terms_round (
      change_id TEXT NOT NULL REFERENCES finaptic_terms_change (id),
      kind TEXT NOT NULL CHECK (kind IN ('announced', 'withdrawn')),
      after_account TEXT NOT NULL,
      is_done BIGINT NOT NULL CHECK (is_done IN (0, 1)),
      PRIMARY KEY (change_id, kind)
    );
    CREATE INDEX finaptic_terms_round_open ON finaptic_terms_round (change_id) WHERE is_done = 0;
    CREATE TABLE finaptic_terms_notice (
      account_id TEXT NOT NULL,
      change_id TEXT NOT NULL REFERENCES finaptic_terms_change (id),
      kind TEXT NOT NULL CHECK (kind IN ('announced', 'withdrawn')),
      made_at BIGINT NOT NULL,
      PRIMARY KEY (account_id, change_id, kind)
    );
    """)

  /// Earlier notices count as sent when they were made.
  static let toldMigration = Migration(
    "2026-12-06 finaptic terms told",
    """
    ALTER TABLE finaptic_terms_notice ADD COLUMN notice_days BIGINT NOT NULL DEFAULT 0;
    ALTER TABLE finaptic_terms_notice ADD COLUMN sent_at BIGINT;
    ALTER TABLE finaptic_terms_notice ADD COLUMN unreached BIGINT NOT NULL DEFAULT 0;
    UPDATE finaptic_terms_notice SET sent_at = made_at;
    CREATE INDEX finaptic_terms_notice_unreached ON finaptic_terms_notice (change_id) WHERE unreached > 0;
    CREATE TABLE finaptic_terms_parked (
      change_id TEXT NOT NULL REFERENCES finaptic_terms_change (id),
      kind TEXT NOT NULL CHECK (kind IN ('announced', 'withdrawn')),
      account_id TEXT NOT NULL,
      reason TEXT NOT NULL,
      tried_at BIGINT NOT NULL,
      PRIMARY KEY (change_id, kind, account_id)
    );
    CREATE INDEX finaptic_terms_parked_tried ON finaptic_terms_parked (tried_at);
    """)

  private static let columns: SQLColumns = """
    id, tenant_id, product, currency, yearly_interest_millionths, monthly_fee, from_day, announced_at, state, version
    """

  static let noticeColumns: SQLColumns = """
    c.id, c.tenant_id, c.product, c.currency, c.yearly_interest_millionths, c.monthly_fee, c.from_day, c.announced_at,
    c.state, c.version, n.kind, n.account_id, n.made_at, n.notice_days, n.sent_at, n.unreached
    """

  // MARK: How long before

  /// Nil where nothing is set.
  func noticeDays(of tenant: Int) throws -> Int64? {
    try tx.first("SELECT notice_days FROM finaptic_terms_policy WHERE tenant_id = \(tenant)")?.get("notice_days")
  }

  func setNoticeDays(_ days: Int64, of tenant: Int) throws {
    try tx.execute(
      """
      INSERT INTO finaptic_terms_policy (tenant_id, notice_days) VALUES (\(tenant), \(days))
      ON CONFLICT (tenant_id) DO UPDATE SET notice_days = excluded.notice_days
      """)
  }

  // MARK: Changes

  /// - Throws: `SQLError.notUnique` for a day on which the product changes already.
  func insert(_ change: TermsChange) throws {
    try tx.execute(
      """
      INSERT INTO finaptic_terms_change
        (id, tenant_id, product, currency, yearly_interest_millionths, monthly_fee, from_day, announced_at, state,
         version)
      VALUES (\(change.id), \(change.tenant), \(change.product), \(change.currency), \(change.yearlyInterest),
        \(change.monthlyFee), \(change.fromDay), \(change.announcedAt), \(change.state), \(change.version))
      """)
  }

  /// - Throws: `SQLError.outdated`.
  func save(_ change: TermsChange) throws {
    let changed = try tx.execute(
      """
      UPDATE finaptic_terms_change SET state = \(change.state), version = version + 1
      WHERE id = \(change.id) AND version = \(change.version)
      """)
    guard changed == 1 else { throw SQLError.outdated }
  }

  func find(_ id: TermsChange.ID, of tenant: Int) throws -> TermsChange? {
    try tx.first(
      "SELECT \(Self.columns) FROM finaptic_terms_change WHERE id = \(id) AND tenant_id = \(tenant)"
    ).map(Self.change)
  }

  /// The terms of a kind of account that are announced and do not count yet: one change at most.
  func announced(_ product: String, of tenant: Int) throws -> TermsChange? {
    try tx.first(
      """
      SELECT \(Self.columns) FROM finaptic_terms_change
      WHERE tenant_id = \(tenant) AND product = \(product) AND state = 'announced' LIMIT 1
      """
    ).map(Self.change)
  }

  /// The newest first.
  func list(of tenant: Int, limit: Int) throws -> [TermsChange] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM finaptic_terms_change WHERE tenant_id = \(tenant)
      ORDER BY announced_at DESC, id LIMIT \(limit)
      """
    ).map(Self.change)
  }

  /// Announced changes that count from a day or before, in their order.
  func due(of tenant: Int, by day: Int64) throws -> [TermsChange] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM finaptic_terms_change
      WHERE tenant_id = \(tenant) AND state = 'announced' AND from_day <= \(day) ORDER BY from_day, id
      """
    ).map(Self.change)
  }

  // MARK: Notices

  /// A way through the accounts of a change, to tell their holders.
  struct NotificationRun: Sendable {
    let change: TermsChange
    let kind: TermsNotice.Kind
    let after: LedgerAccount.ID?
  }

  func begin(_ kind: TermsNotice.Kind, of change: TermsChange.ID) throws {
    try tx.execute(
      """
      INSERT INTO finaptic_terms_round (change_id, kind, after_account, is_done) VALUES (\(change), \(kind), '', 0)
      ON CONFLICT (change_id, kind) DO NOTHING
      """)
  }

  func end(_ kind: TermsNotice.Kind, of change: TermsChange.ID) throws {
    try tx.execute("UPDATE finaptic_terms_round SET is_done = 1 WHERE change_id = \(change) AND kind = \(kind)")
  }

  func rounds(of tenant: Int) throws -> [NotificationRun] {
    let rows = try tx.query(
      """
      SELECT c.id, c.tenant_id, c.product, c.currency, c.yearly_interest_millionths, c.monthly_fee, c.from_day,
        c.announced_at, c.state, c.version, r.kind, r.after_account
      FROM finaptic_terms_round r JOIN finaptic_terms_change c ON c.id = r.change_id
      WHERE r.is_done = 0 AND c.tenant_id = \(tenant) ORDER BY c.announced_at, c.id, r.kind
      """)
    return try rows.map { row in
      let after: String = try row.get("after_account")
      return NotificationRun(
        change: try Self.change(row), kind: try row.get("kind"), after: after.isEmpty ? nil : .init(rawValue: after))
    }
  }

  /// - Parameters:
  ///   - last: the last account that was told; nil when no more was there.
  /// - Throws: `SQLError.outdated` when another node was faster.
  func advance(_ round: NotificationRun, to last: LedgerAccount.ID?, isDone: Bool) throws {
    let changed = try tx.execute(
      """
      UPDATE finaptic_terms_round SET after_account = \((last ?? round.after)?.rawValue ?? ""),
        is_done = \(isDone ? 1 : 0)
      WHERE change_id = \(round.change.id) AND kind = \(round.kind) AND is_done = 0
        AND after_account = \(round.after?.rawValue ?? "")
      """)
    guard changed == 1 else { throw SQLError.outdated }
  }

  /// - Returns: false when the account was told of it before.
  func insert(_ notice: TermsNotice) throws -> Bool {
    try tx.execute(
      """
      INSERT INTO finaptic_terms_notice (account_id, change_id, kind, made_at, notice_days, unreached)
      VALUES (\(notice.account.rawValue), \(notice.change.id), \(notice.kind), \(notice.madeAt),
        \(notice.noticeDays), \(notice.unreached))
      ON CONFLICT (account_id, change_id, kind) DO NOTHING
      """) == 1
  }

  /// Which of some accounts have a notice.
  func told(
    _ ids: [BankAccount.ID], of change: TermsChange.ID, _ kind: TermsNotice.Kind
  ) throws -> Set<BankAccount.ID> {
    guard !ids.isEmpty else { return [] }
    return Set(
      try tx.query(
        """
        SELECT account_id FROM finaptic_terms_notice
        WHERE account_id IN \(list: ids) AND change_id = \(change) AND kind = \(kind)
        """
      ).map { try $0.get("account_id") })
  }

  /// The first time counts.
  func sent(_ notice: TermsNotice, at now: Instant) throws {
    try tx.execute(
      """
      UPDATE finaptic_terms_notice SET sent_at = \(now)
      WHERE account_id = \(notice.account.rawValue) AND change_id = \(notice.change.id) AND kind = \(notice.kind)
        AND sent_at IS NULL
      """)
  }

  /// What holders of an account were told, the oldest first.
  func notices(on account: BankAccount.ID, limit: Int) throws -> [TermsNotice] {
    try tx.query(
      """
      SELECT \(Self.noticeColumns) FROM finaptic_terms_notice n JOIN finaptic_terms_change c ON c.id = n.change_id
      WHERE n.account_id = \(account.rawValue) ORDER BY n.made_at DESC, c.id LIMIT \(limit)
      """
    ).map(Self.notice).reversed()
  }

  func notice(_ kind: TermsNotice.Kind, of change: TermsChange.ID, on account: BankAccount.ID) throws -> TermsNotice? {
    try tx.first(
      """
      SELECT \(Self.noticeColumns) FROM finaptic_terms_notice n JOIN finaptic_terms_change c ON c.id = n.change_id
      WHERE n.account_id = \(account.rawValue) AND n.change_id = \(change) AND n.kind = \(kind)
      """
    ).map(Self.notice)
  }

  /// Notices of a change that no mail told, or not every owner, by account.
  func unnotified(_ change: TermsChange.ID, limit: Int) throws -> [TermsNotice] {
    try tx.query(
      """
      SELECT \(Self.noticeColumns) FROM finaptic_terms_notice n JOIN finaptic_terms_change c ON c.id = n.change_id
      WHERE n.change_id = \(change) AND (n.sent_at IS NULL OR n.unreached > 0) ORDER BY n.account_id, n.kind
      LIMIT \(limit)
      """
    ).map(Self.notice)
  }

  /// Owners whom no mail reaches and whom the bank has not told yet.
  func unreached(_ change: TermsChange.ID) throws -> Int {
    try tx.first(
      """
      SELECT CAST(COALESCE(SUM(unreached), 0) AS BIGINT) AS n FROM finaptic_terms_notice
      WHERE change_id = \(change) AND unreached > 0
      """)?.get("n") ?? 0
  }

  /// The bank told the owners of an account by itself.
  /// - Returns: false when they were all told before.
  func toldByBank(_ account: BankAccount.ID, of change: TermsChange.ID, at now: Instant) throws -> Bool {
    try tx.execute(
      """
      UPDATE finaptic_terms_notice SET sent_at = COALESCE(sent_at, \(now)), unreached = 0
      WHERE account_id = \(account.rawValue) AND change_id = \(change) AND (sent_at IS NULL OR unreached > 0)
      """) > 0
  }

  static func notice(_ row: SQLRow) throws -> TermsNotice {
    TermsNotice(
      change: try Self.change(row), kind: try row.get("kind"), account: try row.get("account_id"),
      madeAt: try row.get("made_at"), noticeDays: try row.get("notice_days"), sentAt: try row.get("sent_at"),
      unreached: try row.get("unreached"))
  }

  private static func change(_ row: SQLRow) throws -> TermsChange {
    TermsChange(
      id: try row.get("id"), tenant: try row.get("tenant_id"), product: try row.get("product"),
      currency: try row.get("currency"), yearlyInterest: try row.get("yearly_interest_millionths"),
      monthlyFee: try row.get("monthly_fee"), fromDay: try row.get("from_day"),
      announcedAt: try row.get("announced_at"), state: try row.get("state"), version: try row.get("version"))
  }
}
