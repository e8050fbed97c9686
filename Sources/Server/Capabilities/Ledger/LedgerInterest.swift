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

  /// Lets the accounts of a product grow by the interest of a day that is over.
  /// - Returns: how many grew.
  /// - Throws: `Problem` when the day is not final yet.
  @discardableResult
  package func accrue(day: Int64, tenant: String, product: String) async throws -> Int {
    try await end(.accrual(day: day), tenant: tenant, product: product).done
  }

  /// In millionths of a minor unit; nil when it does not fit.
  static func growth(of balance: Int64, _ yearlyMillionths: Int64) -> Int64? {
    guard balance > 0 else { return 0 }
    return Int64(exactly: Int128(balance) * Int128(yearlyMillionths) / Int128(daysOfYear))
  }

  /// Books what has grown up to the end of a month.
  /// - Parameters:
  ///   - month: months since 1970-01, for the key: a month is booked once.
  ///   - lastDay: of the month.
  ///   - expense: the institution's account that pays.
  /// - Returns: how many accounts got something.
  @discardableResult
  package func bookInterest(
    month: Int64, lastDay: Int64, tenant: String, product: String, from expense: LedgerAccount.ID
  ) async throws -> Int {
    try await end(.interest(month: month, lastDay: lastDay, from: expense), tenant: tenant, product: product).done
  }

  /// Books the monthly fee of a product, as it was on the last day of the month, on accounts that were there by then. An
  /// account that cannot pay is declined, and not asked again for that month.
  /// - Returns: how many accounts paid now; one that paid before is not counted again.
  @discardableResult
  package func bookFees(
    month: Int64, lastDay: Int64, tenant: String, product: String, to income: LedgerAccount.ID
  ) async throws -> Int {
    try await end(.fee(month: month, lastDay: lastDay, to: income), tenant: tenant, product: product).done
  }

  /// What came of a duty of one account.
  enum DutyOutcome {
    case done
    /// There is nothing to do, it was done before, or the account declines.
    case nothing
    /// The account cannot, for a reason in one word.
    case bad(String)
  }

  /// Does the duty of one account, in a transaction that has locked it where it books.
  /// - Parameters:
  ///   - terms: of the product on the last day of the duty.
  ///   - isValueDated: whether something of the account that names a value date was booked on the day that grows.
  func outcome(
    of duty: LedgerDuty, on account: LedgerAccount, _ product: LedgerProduct,
    _ terms: (yearlyInterestMillionths: Int64, monthlyFee: Int64)?, isValueDated: Bool = false,
    in tx: any SQLTransaction
  ) throws -> DutyOutcome {
    let store = LedgerStore(tx)
    switch duty {
    case .accrual(let day):
      var unchanged = DutyOutcome.nothing
      if isValueDated {
        switch try countAgain(account, product, bookedOn: day, in: store) {
        case .bad: return .bad(Self.tooMuch)
        case .changed: unchanged = .done
        case .unchanged: break
        }
      }
      let rate = terms?.yearlyInterestMillionths ?? 0
      guard rate > 0 else { return unchanged }
      let balance = try store.balance(of: account.id, atEndOf: day)
      guard let growth = Self.growth(of: balance, rate) else { return .bad(Self.tooMuch) }
      guard growth > 0 else { return unchanged }
      return try store.insertAccrual(account.id, day: day, balance: balance, rate: rate, millionths: growth)
        ? .done : unchanged
    case .interest(let month, let lastDay, let expense):
      // A closed account got what had grown when it was closed.
      guard account.stop != .closed, try !store.hasInterest(account.id, month: month) else { return .nothing }
      let whole = try store.wholeGrowth(account.id, through: lastDay) - store.interest(of: account.id)
      guard whole > 0 else { return .nothing }
      guard let amount = Int64(exactly: whole) else { return .bad(Self.tooMuch) }
      let order = TransferOrder(
        tenant: account.tenant, key: "interest \(account.id) \(month)", kind: "interest", domain: "core-banking",
        debit: expense, credit: account.id, amount: Money(amount, product.currency))
      switch try transfer(order, in: tx) {
      case .done(let transfer):
        try store.insertInterest(account.id, month: month, amount: amount, transfer: transfer.id)
        return .done
      case .declined: return .nothing
      case .refused(let refusal): return .bad(refusal.rawValue)
      }
    case .fee(let month, let lastDay, let income):
      guard let fee = terms?.monthlyFee, fee > 0, account.state == .active, account.stop != .closed,
        Self.day(of: account.openedAt) <= lastDay
      else { return .nothing }
      let key = "fee \(account.id) \(month)"
      // The same key has the same answer for ever: who paid before would be counted again.
      guard try store.transfer(under: key, of: account.tenant) == nil else { return .nothing }
      let order = TransferOrder(
        tenant: account.tenant, key: key, kind: "fee", domain: "core-banking", debit: account.id, credit: income,
        amount: Money(fee, product.currency))
      switch try transfer(order, in: tx) {
      case .done: return .done
      case .declined: return .nothing
      case .refused(let refusal): return .bad(refusal.rawValue)
      }
    }
  }

  private static let tooMuch = LedgerRefusal.outOfRange.rawValue

  /// What has grown and is not booked yet, in whole minor units.
  package func accruedInterest(of id: LedgerAccount.ID) async throws -> Int64 {
    try await database.read { try LedgerStore($0).accruedInterest(of: id) }
  }
}

extension LedgerStore {
  /// - Returns: false when the day was counted before.
  func insertAccrual(
    _ id: LedgerAccount.ID, day: Int64, balance: Int64, rate: Int64, millionths: Int64
  ) throws -> Bool {
    try tx.execute(
      """
      INSERT INTO ledger_accrual (account_id, day, balance, yearly_interest_millionths, millionths)
      VALUES (\(id), \(day), \(balance), \(rate), \(millionths)) ON CONFLICT (account_id, day) DO NOTHING
      """) == 1
  }

  /// Whole minor units of all days up to one.
  func wholeGrowth(_ id: LedgerAccount.ID, through day: Int64) throws -> Int128 {
    try growth(id, through: day) / Int128(Ledger.millionths)
  }

  /// Millionths of all days up to one, with what was counted again by then. They are added in 128 bits: each day fits
  /// 64, all of them need not.
  func growth(_ id: LedgerAccount.ID, through day: Int64) throws -> Int128 {
    let row = try tx.first(
      """
      SELECT CAST(COALESCE(SUM(millionths >> 32), 0) AS BIGINT) AS n_high,
        CAST(COALESCE(SUM(millionths & 4294967295), 0) AS BIGINT) AS n_low
      FROM (
        SELECT millionths FROM ledger_accrual WHERE account_id = \(id) AND day <= \(day)
        UNION ALL
        SELECT millionths FROM ledger_value_accrual WHERE account_id = \(id) AND booked_day <= \(day)
      ) AS grown
      """)
    return try row?.wide("n") ?? 0
  }

  func insertInterest(_ id: LedgerAccount.ID, month: Int64, amount: Int64, transfer: LedgerTransfer.ID) throws {
    try tx.execute(
      """
      INSERT INTO ledger_interest (account_id, month, amount, transfer_id)
      VALUES (\(id), \(month), \(amount), \(transfer))
      """)
  }

  func hasInterest(_ id: LedgerAccount.ID, month: Int64) throws -> Bool {
    try tx.first("SELECT month FROM ledger_interest WHERE account_id = \(id) AND month = \(month)") != nil
  }

  /// What has grown and is not booked yet, in whole minor units; as much as fits 64 bits where it is more.
  package func accruedInterest(of id: LedgerAccount.ID) throws -> Int64 {
    Int64(clamping: try wholeGrowth(id, through: .max) - interest(of: id))
  }

  /// Minor units that were booked.
  func interest(of id: LedgerAccount.ID) throws -> Int128 {
    let row = try tx.first(
      """
      SELECT CAST(COALESCE(SUM(amount >> 32), 0) AS BIGINT) AS n_high,
        CAST(COALESCE(SUM(amount & 4294967295), 0) AS BIGINT) AS n_low
      FROM ledger_interest WHERE account_id = \(id)
      """)
    return try row?.wide("n") ?? 0
  }
}
