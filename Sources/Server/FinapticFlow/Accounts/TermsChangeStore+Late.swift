// SPDX-License-Identifier: Apache-2.0
import Kit
import Ledger
import Storage

/// Accounts that could not be told of a change, and those for which it begins later because they were not told in time.
extension TermsChangeStore {
  /// An account that could not be told, and why: one word.
  struct DeadLettered: Sendable {
    let change: TermsChange.ID
    let kind: TermsNotice.Kind
    let account: BankAccount.ID
    let reason: String
  }

  // MARK: Dead-lettered

  /// - Returns: false when it was dead-lettered before; that it was tried again is kept.
  func deadLetter(_ letter: DeadLettered, at now: Instant) throws -> Bool {
    let isNew =
      try tx.execute(
        """
        INSERT INTO finaptic_terms_parked (change_id, kind, account_id, reason, tried_at)
        VALUES (\(letter.change), \(letter.kind), \(letter.account.rawValue), \(letter.reason), \(now))
        ON CONFLICT (change_id, kind, account_id) DO NOTHING
        """) == 1
    if !isNew { try claim(letter, at: now) }
    return isNew
  }

  /// Keeps other nodes, and a withdrawal of the change, out until the end of the transaction.
  /// - Throws: `SQLError.outdated` when it is not dead-lettered any more.
  func claim(_ letter: DeadLettered, at now: Instant) throws {
    let changed = try tx.execute(
      """
      UPDATE finaptic_terms_parked SET tried_at = \(now), reason = \(letter.reason)
      WHERE change_id = \(letter.change) AND kind = \(letter.kind) AND account_id = \(letter.account.rawValue)
      """)
    guard changed == 1 else { throw SQLError.outdated }
  }

  /// - Returns: false when it was not dead-lettered.
  func clearDeadLetter(_ account: BankAccount.ID, _ change: TermsChange.ID, _ kind: TermsNotice.Kind) throws -> Bool {
    try tx.execute(
      """
      DELETE FROM finaptic_terms_parked
      WHERE change_id = \(change) AND kind = \(kind) AND account_id = \(account.rawValue)
      """) == 1
  }

  /// Deletes the dead letters of a change that was withdrawn.
  func clearDeadLetter(_ change: TermsChange.ID, _ kind: TermsNotice.Kind) throws {
    try tx.execute("DELETE FROM finaptic_terms_parked WHERE change_id = \(change) AND kind = \(kind)")
  }

  /// Of a tenant, those first that were not tried for longest.
  func deadLettered(of tenant: Int, triedBefore: Instant, limit: Int) throws -> [DeadLettered] {
    try tx.query(
      """
      SELECT p.change_id, p.kind, p.account_id, p.reason
      FROM finaptic_terms_parked p JOIN finaptic_terms_change c ON c.id = p.change_id
      WHERE c.tenant_id = \(tenant) AND p.tried_at <= \(triedBefore) ORDER BY p.tried_at, p.account_id LIMIT \(limit)
      """
    ).map(Self.deadLettered)
  }

  func deadLettered(_ change: TermsChange.ID, limit: Int) throws -> [DeadLettered] {
    try tx.query(
      """
      SELECT change_id, kind, account_id, reason FROM finaptic_terms_parked WHERE change_id = \(change)
      ORDER BY account_id, kind LIMIT \(limit)
      """
    ).map(Self.deadLettered)
  }

  func deadLetteredCount(_ change: TermsChange.ID) throws -> Int {
    try tx.first("SELECT COUNT(*) AS n FROM finaptic_terms_parked WHERE change_id = \(change)")?.get("n") ?? 0
  }

  private static func deadLettered(_ row: SQLRow) throws -> DeadLettered {
    DeadLettered(
      change: try row.get("change_id"), kind: try row.get("kind"), account: try row.get("account_id"),
      reason: try row.get("reason"))
  }

  /// Until the end of the transaction no other one counts what waits for a change, and those that did are seen. Before
  /// it come the rows that are counted: the order is the same everywhere.
  func lock(_ change: TermsChange.ID) throws {
    try tx.execute("UPDATE finaptic_terms_change SET version = version WHERE id = \(change)")
  }

  // MARK: Late

  /// Lets a change that begins wait for the accounts that were not told, or not long enough before. Customers who have
  /// no notice get one: the way through the accounts begins again, unless each of them is dead-lettered.
  func delay(_ change: TermsChange) throws {
    let (name, day) = (BankAccount.ledgerTenant(change.tenant), Duration.days(1).milliseconds)
    try tx.execute(
      """
      INSERT INTO ledger_late_terms (account_id, from_day, begins_day)
      SELECT a.id, CAST(\(change.fromDay) AS BIGINT), n.sent_at / \(day) + n.notice_days
      FROM ledger_account a LEFT JOIN finaptic_terms_notice n
        ON n.account_id = a.id AND n.change_id = \(change.id) AND n.kind = 'announced'
      WHERE a.tenant = \(name) AND a.product = \(change.product) AND (a.stopped IS NULL OR a.stopped <> 'closed')
        AND (n.sent_at IS NULL OR n.sent_at / \(day) + n.notice_days > \(change.fromDay))
      ON CONFLICT (account_id, from_day) DO NOTHING
      """)
    try tx.execute(
      """
      UPDATE finaptic_terms_round SET is_done = 0, after_account = ''
      WHERE change_id = \(change.id) AND kind = 'announced' AND is_done = 1 AND EXISTS (
        SELECT 1 FROM ledger_late_terms l JOIN ledger_account a ON a.id = l.account_id
        WHERE l.from_day = \(change.fromDay) AND l.begins_day IS NULL AND a.tenant = \(name)
          AND a.product = \(change.product)
          AND NOT EXISTS (SELECT 1 FROM finaptic_terms_notice n
            WHERE n.account_id = a.id AND n.change_id = \(change.id) AND n.kind = 'announced')
          AND NOT EXISTS (SELECT 1 FROM finaptic_terms_parked p
            WHERE p.account_id = a.id AND p.change_id = \(change.id) AND p.kind = 'announced'))
      """)
  }

  /// How many accounts a change that began waits for, because their owners are not told yet.
  func waiting(_ change: TermsChange) throws -> Int {
    try tx.first(
      """
      SELECT COUNT(*) AS n
      FROM finaptic_terms_change c JOIN ledger_late_terms l ON l.from_day = c.from_day
        JOIN ledger_account a ON a.id = l.account_id AND a.product = c.product
      WHERE c.id = \(change.id) AND c.state = 'effective' AND l.begins_day IS NULL
        AND a.tenant = \(BankAccount.ledgerTenant(change.tenant)) AND (a.stopped IS NULL OR a.stopped <> 'closed')
        AND NOT EXISTS (SELECT 1 FROM finaptic_terms_notice n
          WHERE n.account_id = l.account_id AND n.change_id = c.id AND n.kind = 'announced' AND n.sent_at IS NOT NULL)
      """)?.get("n") ?? 0
  }

  /// For which of some accounts a change that began waits.
  func waiting(_ change: TermsChange, among ids: [BankAccount.ID]) throws -> Set<BankAccount.ID> {
    guard !ids.isEmpty else { return [] }
    return Set(
      try tx.query(
        """
        SELECT account_id FROM ledger_late_terms
        WHERE account_id IN \(list: ids) AND from_day = \(change.fromDay) AND begins_day IS NULL
        """
      ).map { try $0.get("account_id") })
  }

  /// Notices that were sent since, of changes that wait for their accounts.
  func sentLate(of tenant: Int, limit: Int) throws -> [TermsNotice] {
    try tx.query(
      """
      SELECT \(Self.noticeColumns)
      FROM ledger_late_terms l JOIN ledger_account a ON a.id = l.account_id
        JOIN finaptic_terms_change c ON c.product = a.product AND c.from_day = l.from_day AND c.state = 'effective'
        JOIN finaptic_terms_notice n ON n.account_id = l.account_id AND n.change_id = c.id AND n.kind = 'announced'
      WHERE l.begins_day IS NULL AND n.sent_at IS NOT NULL AND c.tenant_id = \(tenant)
        AND a.tenant = \(BankAccount.ledgerTenant(tenant))
      ORDER BY l.account_id LIMIT \(limit)
      """
    ).map(Self.notice)
  }
}
