// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Interest that grows by the day and is booked by the month, and fees: what a product says, made into transfers.
///
/// 1. A day's interest is that of the balance at its end: balance × yearly rate ÷ 365, in millionths of a minor unit,
///    rounded down. Nothing grows below zero. What names an earlier value date counts from there on
///    (`LedgerValueDates`).
/// 2. What has grown is booked once a month, in whole minor units; the rest stays and grows on.
/// 3. A day and a month are of UTC, and counted once, however often they are asked for.
extension Ledger {
  package static let daysOfYear: Int64 = 365
  static let millionths: Int64 = 1_000_000

  /// A day of UTC: days since 1970-01-01.
  package static func day(of instant: Instant) -> Int64 {
    let (length, time) = (Duration.days(1).milliseconds, instant.milliseconds)
    return time >= 0 ? time / length : (time - length + 1) / length
  }

  /// The first instant of a day.
  package static func start(ofDay day: Int64) -> LedgerTime {
    LedgerTime(Instant(milliseconds: day * Duration.days(1).milliseconds))
  }

  /// In millionths of a minor unit; nil when it does not fit.
  static func growth(of balance: Int64, _ yearlyMillionths: Int64) -> Int64? {
    guard balance > 0 else { return 0 }
    return Int64(exactly: Int128(balance) * Int128(yearlyMillionths) / Int128(daysOfYear))
  }

  /// What came of a task of one account; nil where there is nothing to do, it was done before, or the account declines.
  enum DayEndOutcome {
    case done
    /// The account cannot, for a reason in one word.
    case bad(String)
  }

  /// Does the task of some accounts, in a transaction that has locked them where it books, by a few statements for all
  /// of them.
  /// - Parameters:
  ///   - terms: of an account on the last day of the task.
  ///   - valueDated: those of which something that names a value date was booked on the day that grows.
  func outcomes(
    of task: DayEndTask, on accounts: [LedgerAccount], _ product: LedgerProduct, valueDated: Set<LedgerAccount.ID> = [],
    terms: (LedgerAccount.ID) throws -> LedgerStore.Terms?, in tx: any SQLTransaction
  ) throws -> [LedgerAccount.ID: DayEndOutcome] {
    switch task {
    case .accrual(let day):
      return try accrue(day, accounts, product, valueDated: valueDated, terms: terms, in: LedgerStore(tx))
    case .interest(let month, let lastDay, let expense):
      return try payInterest(month, lastDay, accounts, product, from: expense, in: tx)
    case .fee(let month, let lastDay, let income):
      return try charge(month, lastDay, accounts, product, terms: terms, to: income, in: tx)
    }
  }

  private func accrue(
    _ day: Int64, _ accounts: [LedgerAccount], _ product: LedgerProduct, valueDated: Set<LedgerAccount.ID>,
    terms: (LedgerAccount.ID) throws -> LedgerStore.Terms?, in store: LedgerStore
  ) throws -> [LedgerAccount.ID: DayEndOutcome] {
    var outcomes: [LedgerAccount.ID: DayEndOutcome] = [:]
    var grown: [LedgerAccount.ID: Int128] = [:]
    var earning: [(id: LedgerAccount.ID, rate: Int64)] = []
    for account in accounts {
      if valueDated.contains(account.id) {
        let again = try countAgain(account, product, bookedOn: day, in: store)
        if let millionths = again.millionths {
          outcomes[account.id] = .done
          grown[account.id] = millionths
        }
        if again.isBad { outcomes[account.id] = .bad(Self.tooMuch) }
      }
      if case .bad? = outcomes[account.id] { continue }
      let rate = try terms(account.id)?.yearlyInterestMillionths ?? 0
      if rate > 0 { earning.append((account.id, rate)) }
    }
    let balances = try store.balances(of: earning.map(\.id), atEndOf: day)
    var accruals: [LedgerStore.Accrual] = []
    for (id, rate) in earning {
      let balance = balances[id] ?? 0
      guard let growth = Self.growth(of: balance, rate) else {
        outcomes[id] = .bad(Self.tooMuch)
        continue
      }
      if growth > 0 { accruals.append(.init(account: id, balance: balance, rate: rate, millionths: growth)) }
    }
    let added = Set(try store.insert(accruals, of: day))
    for accrual in accruals where added.contains(accrual.account) {
      outcomes[accrual.account] = .done
      grown[accrual.account, default: 0] += Int128(accrual.millionths)
    }
    // Who wrote the row of the day is the only one to add it, and only what names a value date is counted besides.
    try store.add(grown, of: day, whole: added.subtracting(valueDated))
    return outcomes
  }

  private func payInterest(
    _ month: Int64, _ lastDay: Int64, _ accounts: [LedgerAccount], _ product: LedgerProduct,
    from expense: LedgerAccount.ID, in tx: any SQLTransaction
  ) throws -> [LedgerAccount.ID: DayEndOutcome] {
    let store = LedgerStore(tx)
    // A closed account got what had grown when it was closed.
    let open = accounts.filter { $0.stop != .closed }
    let paid = try store.withInterest(open.map(\.id), month: month)
    let due = open.filter { !paid.contains($0.id) }
    let sums = try store.growth(of: due.map(\.id), through: lastDay, isLocked: true)
    var (outcomes, orders) = ([LedgerAccount.ID: DayEndOutcome](), [TransferOrder]())
    for account in due {
      guard let whole = sums[account.id]?.due, whole > 0 else { continue }
      guard let amount = Int64(exactly: whole) else {
        outcomes[account.id] = .bad(Self.tooMuch)
        continue
      }
      orders.append(
        TransferOrder(
          tenant: account.tenant, key: "interest \(account.id) \(month)", kind: "interest", domain: "core-banking",
          debit: expense, credit: account.id, amount: Money(amount, product.currency)))
    }
    guard !orders.isEmpty else { return outcomes }
    var rows = SQLRows(.text("account_id"), .integer("month"), .integer("amount"), .text("transfer_id"))
    var booked: [LedgerAccount.ID: LedgerAccrual] = [:]
    for (order, one) in zip(orders, try transfer(orders.map { ($0, nil) }, in: tx)) {
      switch one.answer {
      case .done(let transfer):
        rows.append(order.credit, month, order.amount.minorUnits, transfer.id)
        outcomes[order.credit] = .done
        guard var sum = sums[order.credit] else { continue }
        sum.booked += Int128(order.amount.minorUnits)
        sum.throughMonth = max(sum.throughMonth, month)
        booked[order.credit] = sum
      case .declined: break
      case .refused(let refusal): outcomes[order.credit] = .bad(refusal.rawValue)
      }
    }
    if rows.count > 0 {
      try tx.execute(.insert(rows, into: "ledger_interest"))
      try store.setBooked(booked)
    }
    return outcomes
  }

  private func charge(
    _ month: Int64, _ lastDay: Int64, _ accounts: [LedgerAccount], _ product: LedgerProduct,
    terms: (LedgerAccount.ID) throws -> LedgerStore.Terms?, to income: LedgerAccount.ID, in tx: any SQLTransaction
  ) throws -> [LedgerAccount.ID: DayEndOutcome] {
    var orders: [TransferOrder] = []
    for account in accounts {
      guard let fee = try terms(account.id)?.monthlyFee, fee > 0, account.state == .active, account.stop != .closed,
        Self.day(of: account.openedAt) <= lastDay
      else { continue }
      orders.append(
        TransferOrder(
          tenant: account.tenant, key: "fee \(account.id) \(month)", kind: "fee", domain: "core-banking",
          debit: account.id, credit: income, amount: Money(fee, product.currency)))
    }
    var outcomes: [LedgerAccount.ID: DayEndOutcome] = [:]
    guard !orders.isEmpty else { return outcomes }
    for (order, one) in zip(orders, try transfer(orders.map { ($0, nil) }, in: tx)) {
      switch one.answer {
      // The same key has the same answer for ever: who paid before is not counted again, whatever the fee is now.
      case .done: if one.isNew { outcomes[order.debit] = .done }
      case .declined, .refused(.keyReused): break
      case .refused(let refusal): outcomes[order.debit] = .bad(refusal.rawValue)
      }
    }
    return outcomes
  }

  private static let tooMuch = LedgerRefusal.outOfRange.rawValue

  /// What has grown and is not booked yet, in whole minor units.
  package func accruedInterest(of id: LedgerAccount.ID) async throws -> Int64 {
    try await database.read { try LedgerStore($0).accruedInterest(of: id) }
  }
}

extension LedgerStore {
  /// A day's interest of an account.
  struct Accrual: Sendable {
    let account: LedgerAccount.ID
    let balance: Int64
    let rate: Int64
    let millionths: Int64
  }

  /// - Returns: the accounts whose day was not counted before.
  func insert(_ accruals: [Accrual], of day: Int64) throws -> [LedgerAccount.ID] {
    guard !accruals.isEmpty else { return [] }
    var rows = SQLRows(
      .text("account_id"), .integer("balance"), .integer("yearly_interest_millionths"), .integer("millionths"))
    rows.reserve(accruals.count)
    for one in accruals {
      rows.append(
        cells: .text(one.account.rawValue), .integer(one.balance), .integer(one.rate), .integer(one.millionths))
    }
    return try tx.query(
      """
      INSERT INTO ledger_accrual (account_id, day, balance, yearly_interest_millionths, millionths)
      SELECT r.account_id, CAST(\(day) AS BIGINT), r.balance, r.yearly_interest_millionths, r.millionths
      FROM \(rows) AS r WHERE TRUE ON CONFLICT (account_id, day) DO NOTHING RETURNING account_id
      """
    ).map { try $0.get("account_id") }
  }

  /// Millionths of all days up to one, with what was counted again by then, added anew from their rows.
  func growth(_ id: LedgerAccount.ID, through day: Int64) throws -> Int128 {
    try tx.first(
      """
      SELECT CAST(COALESCE(SUM(millionths >> 32), 0) AS BIGINT) AS n_high,
        CAST(COALESCE(SUM(millionths & 4294967295), 0) AS BIGINT) AS n_low
      FROM (
        SELECT millionths FROM ledger_accrual WHERE account_id = \(id) AND day <= \(day)
        UNION ALL
        SELECT millionths FROM ledger_value_accrual WHERE account_id = \(id) AND booked_day <= \(day)
      ) AS grown
      """)?.wide("n") ?? 0
  }

  /// Which of some accounts got the interest of a month.
  func withInterest(_ ids: [LedgerAccount.ID], month: Int64) throws -> Set<LedgerAccount.ID> {
    guard !ids.isEmpty else { return [] }
    return Set(
      try tx.query("SELECT account_id FROM ledger_interest WHERE account_id IN \(list: ids) AND month = \(month)")
        .map { try $0.get("account_id") })
  }

  /// What has grown and is not booked yet, in whole minor units; as much as fits 64 bits where it is more.
  package func accruedInterest(of id: LedgerAccount.ID) throws -> Int64 {
    Int64(clamping: try growth(of: [id], through: .max)[id]?.due ?? 0)
  }

  /// Minor units that were booked for all months up to one, added anew from their rows.
  func interest(of id: LedgerAccount.ID, through month: Int64) throws -> Int128 {
    try tx.first(
      """
      SELECT CAST(COALESCE(SUM(amount >> 32), 0) AS BIGINT) AS n_high,
        CAST(COALESCE(SUM(amount & 4294967295), 0) AS BIGINT) AS n_low
      FROM ledger_interest WHERE account_id = \(id) AND month <= \(month)
      """)?.wide("n") ?? 0
  }

  /// The booked balances at the end of a day. Of an account on which nothing happened since, as of nearly all shortly
  /// after midnight, it is that of the last entry; of the others it is found by halving, as in `firstSequence`.
  func balances(of ids: [LedgerAccount.ID], atEndOf day: Int64) throws -> [LedgerAccount.ID: Int64] {
    guard !ids.isEmpty else { return [:] }
    let end = Ledger.start(ofDay: day + 1)
    return try tx.query(
      """
      WITH RECURSIVE halving (id, low, high) AS (
        SELECT a.id, CASE WHEN a.last_at < \(end) THEN a.sequence + 1 ELSE CAST(1 AS BIGINT) END, a.sequence + 1
        FROM ledger_account AS a WHERE a.id IN \(list: ids)
        UNION ALL
        SELECT h.id,
          CASE WHEN (
            SELECT e.booked_at FROM ledger_entry AS e
            WHERE e.account_id = h.id AND e.sequence = (h.low + h.high) / 2
          ) < \(end) THEN (h.low + h.high) / 2 + 1 ELSE h.low END,
          CASE WHEN (
            SELECT e.booked_at FROM ledger_entry AS e
            WHERE e.account_id = h.id AND e.sequence = (h.low + h.high) / 2
          ) < \(end) THEN h.high ELSE (h.low + h.high) / 2 END
        FROM halving AS h WHERE h.low < h.high
      )
      SELECT h.id, e.balance FROM halving AS h
        JOIN ledger_entry AS e ON e.account_id = h.id AND e.sequence = h.low - 1
      WHERE h.low = h.high
      """
    ).reduce(into: [:]) { $0[try $1.get("id")] = try $1.get("balance") }
  }
}
