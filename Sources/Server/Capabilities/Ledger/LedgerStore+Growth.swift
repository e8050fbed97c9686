// SPDX-License-Identifier: Apache-2.0
import Kit
import Storage

/// What has grown on an account and what of it was booked, added up as it grows. The rows of days and months are the
/// books, and the sums follow from them: without its row an account's are added up anew.
struct LedgerAccrual: Sendable, Hashable {
  /// Before any day and month of the books.
  static let never: Int64 = -10_000_000

  /// Millionths of a minor unit, of all days and of what was counted again up to `throughDay`.
  var grown: Int128 = 0
  var throughDay = never
  /// Minor units, of all months up to `throughMonth`.
  var booked: Int128 = 0
  var throughMonth = never

  /// What is not booked yet, in whole minor units.
  var due: Int128 { grown / Int128(Ledger.millionths) - booked }
}

extension LedgerStore {
  /// Accounts without a row get theirs when they grow next.
  package static let growthMigration = Migration(
    "2026-12-08 ledger growth",
    """
    CREATE TABLE ledger_growth (
      account_id TEXT PRIMARY KEY REFERENCES ledger_account (id),
      through_day BIGINT NOT NULL DEFAULT -10000000,
      grown_high BIGINT NOT NULL DEFAULT 0,
      grown_low BIGINT NOT NULL DEFAULT 0,
      through_month BIGINT NOT NULL DEFAULT -10000000,
      booked_high BIGINT NOT NULL DEFAULT 0,
      booked_low BIGINT NOT NULL DEFAULT 0
    );
    """)

  /// The sums as they stand in their rows.
  /// - Parameter isLocked: takes the rows, in the order of their accounts.
  func sums(of ids: [LedgerAccount.ID], isLocked: Bool = false) throws -> [LedgerAccount.ID: LedgerAccrual] {
    guard !ids.isEmpty else { return [:] }
    let columns: SQLColumns =
      "account_id, through_day, grown_high, grown_low, through_month, booked_high, booked_low"
    let read: SQL = """
      SELECT \(columns) FROM ledger_growth WHERE account_id IN \(list: ids) ORDER BY account_id
      """
    let take: SQL = """
      SELECT \(columns) FROM ledger_growth WHERE account_id IN \(list: ids) ORDER BY account_id \(.forUpdate)
      """
    return try tx.query(isLocked ? take : read).reduce(into: [:]) { sums, row in
      sums[try row.get("account_id")] = LedgerAccrual(
        grown: try row.wide("grown"), throughDay: try row.get("through_day"), booked: try row.wide("booked"),
        throughMonth: try row.get("through_month"))
    }
  }

  /// What has grown up to a day, and was booked at all: the sums, and the few rows that they do not have or that are
  /// later. A row that is added meanwhile counts as if it came after.
  func growth(
    of ids: [LedgerAccount.ID], through day: Int64, isLocked: Bool = false
  ) throws -> [LedgerAccount.ID: LedgerAccrual] {
    let known = try sums(of: ids, isLocked: isLocked)
    var sums = ids.reduce(into: [:]) { $0[$1] = known[$1] ?? LedgerAccrual() }
    let days = sums.filter { $0.value.throughDay != day }.mapValues {
      min($0.throughDay, day)..<max($0.throughDay, day)
    }
    for (id, some) in try grown(in: days) {
      guard let sum = sums[id] else { continue }
      sums[id]?.grown += sum.throughDay < day ? some : -some
    }
    var months = SQLRows(.text("account_id"), .integer("low"))
    for (id, sum) in sums { months.append(id, sum.throughMonth) }
    guard months.count > 0 else { return sums }
    let later = try tx.query(
      """
      SELECT i.account_id, CAST(SUM(i.amount >> 32) AS BIGINT) AS n_high,
        CAST(SUM(i.amount & 4294967295) AS BIGINT) AS n_low, MAX(i.month) AS month
      FROM \(months) AS r JOIN ledger_interest AS i ON i.account_id = r.account_id AND i.month > r.low
      GROUP BY i.account_id
      """)
    for row in later {
      let id = try row.get("account_id", as: LedgerAccount.ID.self)
      sums[id]?.booked += try row.wide("n")
      sums[id]?.throughMonth = try row.get("month")
    }
    return sums
  }

  /// Millionths of the days after a day, up to and with another one. They are added in 128 bits: each day fits 64, all
  /// of them need not.
  private func grown(in days: [LedgerAccount.ID: Range<Int64>]) throws -> [LedgerAccount.ID: Int128] {
    guard !days.isEmpty else { return [:] }
    var asked = SQLRows(.text("account_id"), .integer("low"), .integer("high"))
    for (id, days) in days { asked.append(id, days.lowerBound, days.upperBound) }
    // No value date is further back, so that the primary key finds what was counted again.
    return try tx.query(
      """
      SELECT account_id, CAST(SUM(millionths >> 32) AS BIGINT) AS n_high,
        CAST(SUM(millionths & 4294967295) AS BIGINT) AS n_low
      FROM (
        SELECT a.account_id, a.millionths FROM \(asked) AS r JOIN ledger_accrual AS a
          ON a.account_id = r.account_id AND a.day > r.low AND a.day <= r.high
        UNION ALL
        SELECT v.account_id, v.millionths FROM \(asked) AS r JOIN ledger_value_accrual AS v
          ON v.account_id = r.account_id AND v.day >= r.low - \(Ledger.valueDaysMax) AND v.day < r.high
            AND v.booked_day > r.low AND v.booked_day <= r.high
      ) AS grown GROUP BY account_id
      """
    ).reduce(into: [:]) { $0[try $1.get("account_id")] = try $1.wide("n") }
  }

  /// Adds what was written for a day. The rows of the sums are taken first: of two days that are counted at once, the
  /// second one finds whether its own is among what the first one added up.
  /// - Parameters:
  ///   - added: what this transaction wrote, in millionths.
  ///   - whole: those of which that is all there can be of the day. Where the sum is that of the day before, nothing is
  ///     read back.
  func add(
    _ added: [LedgerAccount.ID: Int128], of day: Int64, whole: Set<LedgerAccount.ID> = []
  ) throws {
    guard !added.isEmpty else { return }
    let ids = Array(added.keys)
    var sums = try grownSums(of: ids)
    if sums.count < ids.count {
      var missing = SQLRows(.text("account_id"))
      for id in ids where sums[id] == nil { missing.append(id) }
      try tx.execute(
        """
        INSERT INTO ledger_growth (account_id) SELECT r.account_id FROM \(missing) AS r WHERE TRUE
        ORDER BY r.account_id ON CONFLICT (account_id) DO NOTHING
        """)
      sums = try grownSums(of: ids)
    }
    let late = sums.filter { id, sum in
      sum.throughDay < day && !(sum.throughDay == day - 1 && whole.contains(id))
    }
    // Also what a node of a release without sums wrote since.
    let behind = try grown(in: late.mapValues { $0.throughDay..<day })
    var rows = SQLRows(
      .text("account_id"), .integer("through_day"), .integer("grown_high"), .integer("grown_low"))
    rows.reserve(sums.count)
    for (id, sum) in sums {
      let grown = sum.grown + (late[id] == nil ? added : behind)[id, default: 0]
      rows.append(
        cells: .text(id.rawValue), .integer(max(sum.throughDay, day)), .integer(Self.high(grown)),
        .integer(Self.low(grown)))
    }
    try tx.execute(.update("ledger_growth", to: rows))
  }

  /// What has grown alone, of rows that are taken in the order of their accounts.
  private func grownSums(
    of ids: [LedgerAccount.ID]
  ) throws -> [LedgerAccount.ID: (grown: Int128, throughDay: Int64)] {
    try tx.query(
      """
      SELECT account_id, through_day, grown_high, grown_low FROM ledger_growth
      WHERE account_id IN \(list: ids) ORDER BY account_id \(.forUpdate)
      """
    ).reduce(into: [:]) { $0[try $1.get("account_id")] = (try $1.wide("grown"), try $1.get("through_day")) }
  }

  /// Keeps what was booked, of accounts that are locked.
  /// - Parameter sums: with all months, and the one that was booked now.
  func setBooked(_ sums: [LedgerAccount.ID: LedgerAccrual]) throws {
    var rows = SQLRows(
      .text("account_id"), .integer("through_month"), .integer("booked_high"), .integer("booked_low"))
    for (id, sum) in sums { rows.append(id, sum.throughMonth, Self.high(sum.booked), Self.low(sum.booked)) }
    try tx.execute(
      """
      INSERT INTO ledger_growth (account_id, through_month, booked_high, booked_low)
      SELECT r.account_id, r.through_month, r.booked_high, r.booked_low FROM \(rows) AS r WHERE TRUE
      ORDER BY r.account_id ON CONFLICT (account_id) DO UPDATE SET through_month = excluded.through_month,
        booked_high = excluded.booked_high, booked_low = excluded.booked_low
      """)
  }

  /// Whether the sums of an account are those of its rows.
  func isRight(_ sum: LedgerAccrual?, of id: LedgerAccount.ID) throws -> Bool {
    guard let sum else { return true }
    return try sum.grown == growth(id, through: sum.throughDay)
      && sum.booked == interest(of: id, through: sum.throughMonth)
  }

  private static func high(_ sum: Int128) -> Int64 { Int64(clamping: sum >> 32) }
  private static func low(_ sum: Int128) -> Int64 { Int64(truncatingIfNeeded: sum & 4_294_967_295) }
}
