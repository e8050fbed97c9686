// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// What counts for interest from an earlier day than that of its booking.
extension LedgerStore {
  package static let valueDateMigration = Migration(
    "2026-12-01 ledger value date",
    """
    ALTER TABLE ledger_transfer ADD COLUMN value_day BIGINT;
    CREATE TABLE ledger_value_accrual (
      account_id TEXT NOT NULL REFERENCES ledger_account (id),
      day BIGINT NOT NULL,
      booked_day BIGINT NOT NULL,
      balance BIGINT NOT NULL,
      yearly_interest_millionths BIGINT NOT NULL,
      millionths BIGINT NOT NULL,
      PRIMARY KEY (account_id, day, booked_day),
      CHECK (booked_day > day)
    );
    """, appendOnly: ["ledger_value_accrual"])

  /// A step of its own: an index reads the whole table, and the column's lock on it does not wait for that.
  package static let valueDateIndexMigration = Migration(
    "2026-12-01 ledger value date index",
    """
    CREATE INDEX ledger_transfer_value_debit ON ledger_transfer (debit_id, booked_at) WHERE value_day IS NOT NULL;
    CREATE INDEX ledger_transfer_value_credit ON ledger_transfer (credit_id, booked_at) WHERE value_day IS NOT NULL;
    """)

  /// Which of some accounts have something that was booked on a day and names a value date.
  func valueDated(bookedOn day: Int64, among ids: [LedgerAccount.ID]) throws -> Set<LedgerAccount.ID> {
    guard !ids.isEmpty else { return [] }
    let (start, end) = (Ledger.start(ofDay: day), Ledger.start(ofDay: day + 1))
    let rows = try tx.query(
      """
      SELECT debit_id AS id FROM ledger_transfer WHERE value_day IS NOT NULL AND debit_id IN \(list: ids)
        AND booked_at >= \(start) AND booked_at < \(end) AND declined IS NULL
      UNION
      SELECT credit_id AS id FROM ledger_transfer WHERE value_day IS NOT NULL AND credit_id IN \(list: ids)
        AND booked_at >= \(start) AND booked_at < \(end) AND declined IS NULL
      """)
    return Set(try rows.map { try $0.get("id", as: LedgerAccount.ID.self) })
  }

  /// What of an account was booked in some time and names a value date.
  func valueDated(of id: LedgerAccount.ID, from: LedgerTime, to: LedgerTime) throws -> LedgerValueDates {
    LedgerValueDates(try valueDatedTransfers(of: id, from: from, to: to), on: id)
  }

  /// The value dates of what was booked on an account from an instant to another, days since 1970-01-01, where they are
  /// not the days of the bookings.
  package func valueDays(
    of id: LedgerAccount.ID, from: LedgerTime, to: LedgerTime
  ) throws -> [LedgerTransfer.ID: Int64] {
    try valueDatedTransfers(of: id, from: from, to: to).reduce(into: [:]) {
      if $1.valueDay != Ledger.day(of: $1.at.instant) { $0[$1.id] = $1.valueDay }
    }
  }

  private func valueDatedTransfers(
    of id: LedgerAccount.ID, from: LedgerTime, to: LedgerTime
  ) throws -> [LedgerTransfer] {
    try tx.query(
      """
      SELECT \(Self.transferColumns) FROM ledger_transfer WHERE value_day IS NOT NULL AND declined IS NULL
        AND debit_id = \(id) AND booked_at >= \(from) AND booked_at < \(to)
      UNION ALL
      SELECT \(Self.transferColumns) FROM ledger_transfer WHERE value_day IS NOT NULL AND declined IS NULL
        AND credit_id = \(id) AND booked_at >= \(from) AND booked_at < \(to)
      """
    ).map(Self.transfer)
  }

  /// A day's interest that something booked later changed.
  struct ValueAccrual: Sendable, Hashable {
    let day: Int64
    /// When what changes it was booked.
    let bookedDay: Int64
    /// What counts on the day, with all that was booked up to the end of `bookedDay`.
    let balance: Int64
    let rate: Int64
    /// The difference to what was counted before.
    let millionths: Int64
  }

  /// - Returns: false when the difference was counted before.
  func insert(_ accrual: ValueAccrual, of id: LedgerAccount.ID) throws -> Bool {
    try tx.execute(
      """
      INSERT INTO ledger_value_accrual (account_id, day, booked_day, balance, yearly_interest_millionths, millionths)
      VALUES (\(id), \(accrual.day), \(accrual.bookedDay), \(accrual.balance), \(accrual.rate), \(accrual.millionths))
      ON CONFLICT (account_id, day, booked_day) DO NOTHING
      """) == 1
  }

  /// In the order of the days.
  func valueAccruals(of id: LedgerAccount.ID) throws -> [ValueAccrual] {
    try tx.query(
      """
      SELECT day, booked_day, balance, yearly_interest_millionths, millionths FROM ledger_value_accrual
      WHERE account_id = \(id) ORDER BY day, booked_day
      """
    ).map {
      ValueAccrual(
        day: try $0.get("day"), bookedDay: try $0.get("booked_day"), balance: try $0.get("balance"),
        rate: try $0.get("yearly_interest_millionths"), millionths: try $0.get("millionths"))
    }
  }

  /// What sort of account one is. Nothing else of its row is read, so that a damaged one is a fault and no failure.
  func product(of id: LedgerAccount.ID, in tenant: String) throws -> LedgerProduct? {
    try tx.first("SELECT product FROM ledger_account WHERE id = \(id)").flatMap {
      try product($0.get("product"), tenant: tenant)
    }
  }

  /// The booked balance at the end of a day.
  func balance(of id: LedgerAccount.ID, atEndOf day: Int64) throws -> Int64 {
    try balance(of: id, after: firstSequence(of: id, at: Ledger.start(ofDay: day + 1)) - 1)
  }
}
