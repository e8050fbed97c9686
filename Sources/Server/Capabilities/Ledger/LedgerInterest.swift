import Kit
import Storage

/// Interest that grows by the day and is booked by the month, and fees: what a product says, made into transfers.
///
/// 1. A day's interest is that of the balance at its end: balance × yearly rate ÷ 365, in millionths of a minor unit,
///    rounded down. Nothing grows below zero.
/// 2. What has grown is booked once a month, in whole minor units; the rest stays and grows on.
/// 3. A day and a month are of UTC, and counted once, however often they are asked for.
extension Ledger {
  /// Accounts of one transaction.
  private static let accrualBatch = 200
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
    let end = Self.start(ofDay: day + 1)
    guard end <= LedgerTime(world.now() - Self.finality) else {
      throw Problem(.conflict, "day-not-over", "Something may still be booked on that day.")
    }
    return try await eachPage(tenant: tenant, product: product) { product, accounts, tx in
      let store = LedgerStore(tx)
      let rate = try store.terms(of: product, on: day)?.yearlyInterestMillionths ?? 0
      var count = 0
      for account in accounts where rate > 0 {
        let sequence = try store.firstSequence(of: account.id, at: end) - 1
        let balance = try store.balance(of: account.id, after: sequence)
        guard let growth = Self.growth(of: balance, rate) else { throw Problem.unexpected }
        guard growth > 0 else { continue }
        let isNew = try store.insertAccrual(
          account.id, day: day, balance: balance, rate: rate, millionths: growth)
        count += isNew ? 1 : 0
      }
      return count
    }
  }

  /// In millionths of a minor unit; nil when it does not fit.
  static func growth(of balance: Int64, _ yearlyMillionths: Int64) -> Int64? {
    guard balance > 0 else { return 0 }
    let (product, overflows) = balance.multipliedReportingOverflow(by: yearlyMillionths)
    return overflows ? nil : product / daysOfYear
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
    try await eachPage(tenant: tenant, product: product, .readCommitted) { [self] product, accounts, tx in
      let store = LedgerStore(tx)
      // Locked before they are looked at: two who book at once would pay one growth twice.
      _ = try store.heads(Set(accounts.map(\.id)).union([expense]))
      var count = 0
      for account in accounts where try !store.hasInterest(account.id, month: month) {
        let whole = try store.grown(account.id, through: lastDay) / Self.millionths - store.interest(of: account.id)
        guard whole > 0 else { continue }
        let order = TransferOrder(
          tenant: tenant, key: "interest \(account.id) \(month)", kind: "interest", domain: "core-banking",
          debit: expense, credit: account.id, amount: Money(whole, product.currency))
        guard case .done(let transfer) = try transfer(order, in: tx) else { continue }
        try store.insertInterest(account.id, month: month, amount: whole, transfer: transfer.id)
        count += 1
      }
      return count
    }
  }

  /// Books the monthly fee of a product, as it was on the last day of the month, on accounts that were there by then. An
  /// account that cannot pay is declined, and not asked again for that month.
  /// - Returns: how many accounts paid.
  @discardableResult
  package func bookFees(
    month: Int64, lastDay: Int64, tenant: String, product: String, to income: LedgerAccount.ID
  ) async throws -> Int {
    try await eachPage(tenant: tenant, product: product, .readCommitted) { [self] product, accounts, tx in
      let store = LedgerStore(tx)
      guard let fee = try store.terms(of: product, on: lastDay)?.monthlyFee, fee > 0 else { return 0 }
      _ = try store.heads(Set(accounts.map(\.id)).union([income]))
      let orders = accounts.filter { $0.state == .active && Self.day(of: $0.openedAt) <= lastDay }.map { account in
        TransferOrder(
          tenant: tenant, key: "fee \(account.id) \(month)", kind: "fee", domain: "core-banking", debit: account.id,
          credit: income, amount: Money(fee, product.currency))
      }
      return try orders.count { order in
        if case .done = try transfer(order, in: tx) { true } else { false }
      }
    }
  }

  /// What has grown and is not booked yet, in whole minor units.
  package func accruedInterest(of id: LedgerAccount.ID) async throws -> Int64 {
    try await database.read { try LedgerStore($0).accruedInterest(of: id) }
  }

  private func eachPage(
    tenant: String, product code: String, _ isolation: SQLIsolation = .snapshot,
    _ body: @escaping @Sendable (LedgerProduct, [LedgerAccount], any SQLTransaction) throws -> Int
  ) async throws -> Int {
    var (count, after) = (0, LedgerAccount.ID?.none)
    while true {
      let (done, last) = try await database.write(isolation) { [after] tx in
        let store = LedgerStore(tx)
        guard let product = try store.product(code, tenant: tenant) else {
          throw Problem(.unprocessable, "unknown-product", "There is no such product.")
        }
        let accounts = try store.accounts(tenant: tenant, product: code, after: after, limit: Self.accrualBatch)
        return (try body(product, accounts, tx), accounts.count < Self.accrualBatch ? nil : accounts.last?.id)
      }
      count += done
      guard let last else { return count }
      after = last
    }
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

  /// Millionths of a minor unit, of all days up to one.
  func grown(_ id: LedgerAccount.ID, through day: Int64) throws -> Int64 {
    try tx.first(
      """
      SELECT COALESCE(SUM(millionths), 0) AS n FROM ledger_accrual WHERE account_id = \(id) AND day <= \(day)
      """)?.get("n") ?? 0
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

  /// What has grown and is not booked yet, in whole minor units.
  package func accruedInterest(of id: LedgerAccount.ID) throws -> Int64 {
    try grown(id, through: .max) / Ledger.millionths - interest(of: id)
  }

  /// Minor units that were booked.
  func interest(of id: LedgerAccount.ID) throws -> Int64 {
    try tx.first("SELECT COALESCE(SUM(amount), 0) AS n FROM ledger_interest WHERE account_id = \(id)")?.get("n") ?? 0
  }
}
