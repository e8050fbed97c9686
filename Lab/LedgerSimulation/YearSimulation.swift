// SPDX-License-Identifier: Apache-2.0

import CrashTrials
import GatehouseWire
import Kit
import Ledger
import Storage

/// Invented customers of a bank through a year of day ends: deposits, withdrawals into overdrafts, postings with earlier
/// value dates, changed rates, interest and fees at month ends. The same seed is the same year. What was ordered and
/// what came of it are lists, from which `scripts/check-interest` computes the same by itself.
package struct YearSimulation: Sendable {
  /// What was ordered and what came of it, as CSV.
  package struct Lists: Sendable {
    /// product, from_day, yearly_interest_millionths, monthly_fee, available_min.
    package var terms = ["product,from_day,yearly_interest_millionths,monthly_fee,available_min"]
    /// account, product.
    package var accounts = ["account,product"]
    /// In the order of their booking: day, account, amount (minor units, negative for what leaves), value_day.
    package var orders = ["day,account,amount,value_day"]
    /// Days that were ended: day, month_end (0 or 1), microseconds that the day end took.
    package var days = ["day,month_end,microseconds"]
    /// At the end: account, balance, entries, unbooked (interest in whole minor units).
    package var results = ["account,balance,entries,unbooked"]

    /// By the names of their files, without `.csv`.
    package var all: [String: [String]] {
      ["terms": terms, "accounts": accounts, "orders": orders, "days": days, "results": results]
    }
  }

  /// How long a day end took.
  package struct DayEnd: Sendable {
    package let day: Int64
    package let isMonthEnd: Bool
    package let time: Duration
  }

  private static let (tenant, currency) = ("simulation", "CAD")
  /// 2026-01-01, a day of a year without 29 February.
  package static let firstDay: Int64 = 20_454
  /// Orders or accounts of one transaction.
  private static let batch = 250
  private static let house = ["cash", "interest", "fees"]

  private let ledger: Ledger
  private let clock: SimulatedClock
  private let accounts: Int
  private let days: Int64
  private var random: SeededGenerator
  package private(set) var lists = Lists()
  package private(set) var dayEnds: [DayEnd] = []

  /// - Parameters:
  ///   - database: with the tables of the ledger, empty.
  ///   - seal: nil leaves entries without a seal.
  package init(
    _ database: any SQLDatabase, accounts: Int, days: Int64 = 365, seed: UInt64, seal: LedgerSeal? = nil
  ) {
    let clock = SimulatedClock(day: Self.firstDay)
    (self.accounts, self.days, self.clock, random) = (accounts, days, clock, SeededGenerator(seed: seed))
    ledger = Ledger(database: database, world: clock.world(seed: seed), seal: seal)
  }

  /// - Parameter say: gets a line for each month.
  package mutating func run(_ say: @Sendable (String) -> Void = { _ in }) async throws {
    try await open()
    for day in Self.firstDay..<(Self.firstDay + days) {
      clock.set(day, minutes: 600)
      try await changeTerms(on: day)
      try await order(on: day)
      // The day end of a day runs on the next one, when nothing can be booked on it any more.
      clock.set(day + 1, minutes: 10)
      let end = try await end(day)
      dayEnds.append(end)
      lists.days.append("\(day),\(end.isMonthEnd ? 1 : 0),\(end.time.microseconds)")
      if end.isMonthEnd { say("\(WireDate(daysSince1970: Int(day))): the day end took \(end.time)") }
    }
    try await listResults()
  }

  // MARK: Accounts and terms

  private static func product(_ code: String, rate: Int64, fee: Int64 = 0, least: Int64? = 0) -> LedgerProduct {
    LedgerProduct(
      tenant: tenant, code: code, kind: .customer, currency: currency, availableMin: least,
      yearlyInterestMillionths: rate, monthlyFee: fee)
  }

  private func id(_ number: Int) -> LedgerAccount.ID { .init(rawValue: "account-\(number)") }

  private mutating func put(_ product: LedgerProduct, on day: Int64) async throws {
    try await ledger.database.write { [ledger] tx in try ledger.put(product, in: tx) }
    lists.terms.append(
      "\(product.code),\(day),\(product.yearlyInterestMillionths),\(product.monthlyFee),\(product.availableMin ?? 0)")
  }

  private mutating func open() async throws {
    clock.set(Self.firstDay, minutes: 540)
    try await put(Self.product("savings", rate: 24_500), on: Self.firstDay)
    try await put(Self.product("current", rate: 1_250, fee: 395, least: -50_000), on: Self.firstDay)
    try await ledger.database.write { [ledger] tx in
      for name in Self.house {
        try ledger.put(
          LedgerProduct(
            tenant: Self.tenant, code: name, kind: .house, currency: Self.currency, availableMin: nil), in: tx)
        _ = try ledger.open(
          .init(id: .init(rawValue: name), tenant: Self.tenant, product: name, name: name), in: tx)
      }
    }
    for start in stride(from: 0, to: accounts, by: Self.batch) {
      let numbers = start..<min(start + Self.batch, accounts)
      let products = numbers.map { _ in Bool.random(using: &random) ? "savings" : "current" }
      try await ledger.database.write { [ledger, self] tx in
        for (number, product) in zip(numbers, products) {
          let opening = LedgerOpening(
            id: id(number), tenant: Self.tenant, product: product, name: "\(number)", owners: ["party-\(number)"])
          _ = try ledger.activate(ledger.open(opening, in: tx).id, tenant: Self.tenant, in: tx)
        }
      }
      for (number, product) in zip(numbers, products) { lists.accounts.append("\(id(number)),\(product)") }
    }
  }

  private mutating func changeTerms(on day: Int64) async throws {
    switch day - Self.firstDay {
    case 100: try await put(Self.product("savings", rate: 31_750), on: day)
    case 200: try await put(Self.product("savings", rate: 0), on: day)
    case 215: try await put(Self.product("savings", rate: 19_999), on: day)
    case 250: try await put(Self.product("current", rate: 1_250, fee: 495, least: -50_000), on: day)
    default: break
    }
  }

  // MARK: Orders

  /// Every account gets its first money on the first day; later, on a day every fiftieth has a posting.
  private mutating func order(on day: Int64) async throws {
    let isFirst = day == Self.firstDay
    var orders: [TransferOrder] = []
    for turn in 0..<(isFirst ? accounts : max(accounts / 50, 1)) {
      let number = isFirst ? turn : Int.random(in: 0..<accounts, using: &random)
      let isCredit = isFirst || Int.random(in: 0..<10, using: &random) < 6
      let most: Int64 = isFirst ? 1_500_000 : isCredit ? 90_000 : 120_000
      let amount = Int64.random(in: 1...most, using: &random)
      let isLate = !isFirst && Int.random(in: 0..<20, using: &random) == 0
      let back = isLate ? Int64.random(in: 1...25, using: &random) : 0
      let valueDay = isLate ? max(day - back, Self.firstDay) : nil
      lists.orders.append("\(day),\(id(number)),\(isCredit ? amount : -amount),\(valueDay ?? day)")
      orders.append(
        TransferOrder(
          tenant: Self.tenant, key: "\(day) \(turn)", kind: isCredit ? "deposit" : "withdrawal",
          domain: "core-banking", debit: isCredit ? Self.own("cash") : id(number),
          credit: isCredit ? id(number) : Self.own("cash"), amount: Money(amount, Self.currency), valueDay: valueDay))
    }
    for start in stride(from: 0, to: orders.count, by: Self.batch) {
      let some = orders[start..<min(start + Self.batch, orders.count)]
      try await ledger.database.write(.readCommitted) { [ledger] tx in
        for order in some {
          if case .refused(let refusal) = try ledger.transfer(order, in: tx) { throw Refused(refusal: refusal) }
        }
      }
    }
  }

  /// What this simulation orders is never refused.
  package struct Refused: Error { package let refusal: LedgerRefusal }

  private static func own(_ name: String) -> LedgerAccount.ID { .init(rawValue: name) }

  // MARK: The end of a day

  private func end(_ day: Int64) async throws -> DayEnd {
    let date = WireDate(daysSince1970: Int(day))
    let isMonthEnd = WireDate(daysSince1970: Int(day) + 1).month != date.month
    let month = Int64((date.year - 1970) * 12 + date.month - 1)
    let start = World.live.ticks()
    for product in ["current", "savings"] {
      var tasks = [DayEndTask.accrual(day: day)]
      if isMonthEnd {
        tasks.append(.interest(month: month, lastDay: day, from: Self.own("interest")))
        tasks.append(.fee(month: month, lastDay: day, to: Self.own("fees")))
      }
      for task in tasks {
        let run = try await ledger.end(task, tenant: Self.tenant, product: product)
        guard run.deadLettered.isEmpty else { throw Refused(refusal: .outOfRange) }
      }
    }
    return DayEnd(day: day, isMonthEnd: isMonthEnd, time: World.live.ticks() - start)
  }

  private mutating func listResults() async throws {
    let names = Self.house.map(Self.own) + (0..<accounts).map(id)
    for start in stride(from: 0, to: names.count, by: Self.batch) {
      let some = names[start..<min(start + Self.batch, names.count)]
      let lines = try await ledger.database.read { tx in
        let store = LedgerStore(tx)
        return try some.compactMap { id in
          try store.account(id).map { "\(id),\($0.actual),\($0.sequence),\(try store.accruedInterest(of: id))" }
        }
      }
      lists.results += lines
    }
  }
}

extension Duration {
  package var microseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
  }
}
