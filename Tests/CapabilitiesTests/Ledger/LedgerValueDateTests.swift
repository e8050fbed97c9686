// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage
import TestSupport
import Testing

@testable import Ledger

@Suite("Ledger: what is booked late counts from its value date")
struct LedgerValueDateTests {
  private static let rate: Int64 = 36_500

  private static func put(_ order: TransferOrder, valueDay: Int64) -> TransferOrder {
    TransferOrder(
      tenant: order.tenant, key: order.key, kind: order.kind, domain: order.domain, debit: order.debit,
      credit: order.credit, amount: order.amount, valueDay: valueDay)
  }

  /// An account on which 100 000 grew for ten days, and the first of those days.
  private static func app(_ engine: Engine, guarded: Bool = true) async throws -> (LedgerTestApp, Int64) {
    let app = try await LedgerTestApp(engine, guarded: guarded)
    try await app.database.write { tx in
      try app.ledger.put(
        LedgerProduct(
          tenant: "acme", code: "savings", kind: .customer, currency: "CAD", yearlyInterestMillionths: rate), in: tx)
    }
    try await app.open("one", funds: 100_000, product: "savings")
    let day = Ledger.day(of: app.clock.now)
    app.clock.advance(by: .days(10))
    return (app, day)
  }

  private static let one = LedgerAccount.ID(rawValue: "one")

  @Test(
    "terms that begin later for an account count from its own day, also where days are counted again",
    arguments: Engine.available)
  func lateTerms(engine: Engine) async throws {
    let (app, day) = try await Self.app(engine)
    let two = try await app.open("two", funds: 100_000, product: "savings")
    try await app.database.write { tx in
      let changed = LedgerProduct(
        tenant: "acme", code: "savings", kind: .customer, currency: "CAD", yearlyInterestMillionths: 2 * Self.rate)
      try app.ledger.put(changed, from: day + 4, in: tx)
      for id in [Self.one, two] {
        _ = try tx.execute(
          "INSERT INTO ledger_late_terms (account_id, from_day, begins_day) VALUES (\(id), \(day + 4), NULL)")
      }
      try LedgerStore(tx).begin(termsFrom: day + 4, of: Self.one, on: day + 7)
      // Put once more they count for accounts that still wait, too.
      try app.ledger.put(changed, from: day + 9, in: tx)
    }
    let booking = Self.put(app.order("late", from: LedgerTestApp.cash, to: Self.one, 50_000), valueDay: day + 5)
    _ = try #require(try await app.ledger.transfer(booking).done)
    app.clock.advance(by: .days(1))
    for offset in 0...10 as ClosedRange<Int64> {
      _ = try await app.ledger.accrue(day: day + offset, tenant: "acme", product: "savings")
    }
    // Seven days of 10, three of 20 and one of 30; the two days before the account's own get 5 more, three get 10.
    #expect(try await app.ledger.accruedInterest(of: Self.one) == 70 + 60 + 30 + 10 + 30)
    // It had money on the last day only.
    #expect(try await app.ledger.accruedInterest(of: two) == 20)
    #expect(try await app.verify().faults.isEmpty)
  }

  @Test("days since the value date are counted again, once; a month that was booked stays", arguments: Engine.available)
  func countedAgain(engine: Engine) async throws {
    let (app, day) = try await Self.app(engine)
    func accrue(_ days: ClosedRange<Int64>) async throws -> Int {
      var grown = 0
      for offset in days {
        grown += try await app.ledger.accrue(day: day + offset, tenant: "acme", product: "savings")
      }
      return grown
    }
    let booking = Self.put(app.order("late", from: LedgerTestApp.cash, to: Self.one, 50_000), valueDay: day + 5)
    let booked = try #require(try await app.ledger.transfer(booking).done)
    #expect(booked.valueDay == day + 5 && booked.order.valueDay == day + 5)
    // The same key with another value date is another order.
    let other = Self.put(booking, valueDay: day + 4)
    #expect(try await app.ledger.transfer(other).refusal == .keyReused)
    // What is declined counts nowhere.
    let short = Self.put(app.order("short", from: Self.one, to: LedgerTestApp.cash, 900_000), valueDay: day + 1)
    #expect(try await app.ledger.transfer(short).decline == .insufficientFunds)
    app.clock.advance(by: .days(1))
    #expect(try await accrue(0...9) == 10)
    // 10 a day: what is booked on the tenth day changes nothing before it is over.
    #expect(try await app.ledger.accruedInterest(of: Self.one) == 100)
    #expect(try await accrue(10...10) == 1)
    // 15 of the day itself, and 5 more for each of the five days before.
    #expect(try await app.ledger.accruedInterest(of: Self.one) == 140)
    #expect(try await accrue(0...10) == 0)
    func book(_ month: Int64, through last: Int64) async throws -> Int {
      try await app.ledger.bookInterest(
        month: month, lastDay: day + last, tenant: "acme", product: "savings", from: LedgerTestApp.cash)
    }
    let back = Self.put(app.order("back", from: Self.one, to: LedgerTestApp.cash, 20_000), valueDay: day + 8)
    #expect(try await app.ledger.transfer(back).done?.valueDay == day + 8)
    #expect(try await book(1, through: 10) == 1)
    #expect(try await app.account(Self.one)?.actual == 130_140)
    app.clock.advance(by: .days(1))
    #expect(try await accrue(11...11) == 1)
    // 13.014 of the day, and 2 less for each of three days.
    #expect(try await app.ledger.accruedInterest(of: Self.one) == 7)
    #expect(try await book(1, through: 11) == 0)
    #expect(try await book(2, through: 11) == 1)
    #expect(try await app.account(Self.one)?.actual == 130_147)
    #expect(try await app.prove().isEmpty)
  }

  @Test("what was taken off more than grew is made up for by what grows later", arguments: Engine.available)
  func belowZero(engine: Engine) async throws {
    let (app, day) = try await Self.app(engine)
    for offset in Int64(0)...9 {
      _ = try await app.ledger.accrue(day: day + offset, tenant: "acme", product: "savings")
    }
    func book(_ month: Int64, through last: Int64) async throws -> Int {
      try await app.ledger.bookInterest(
        month: month, lastDay: day + last, tenant: "acme", product: "savings", from: LedgerTestApp.cash)
    }
    #expect(try await book(1, through: 9) == 1)
    // It never was this customer's: 100 too much were paid, and 100 are left.
    let back = Self.put(app.order("back", from: Self.one, to: LedgerTestApp.cash, 100_000), valueDay: day)
    #expect(try await app.ledger.transfer(back).done != nil)
    app.clock.advance(by: .days(1))
    _ = try await app.ledger.accrue(day: day + 10, tenant: "acme", product: "savings")
    #expect(try await book(2, through: 10) == 0)
    #expect(try await app.ledger.accruedInterest(of: Self.one) == -100)
    #expect(try await app.account(Self.one)?.actual == 100)
    #expect(try await app.prove().isEmpty)
  }

  @Test(
    "a forged value date, and a day counted again that does not follow from the books, are found",
    arguments: Engine.available)
  func forged(engine: Engine) async throws {
    let damages: [(String, LedgerVerification.Rule)] = [
      ("UPDATE ledger_transfer SET value_day = value_day - 1 WHERE idempotency_key = 'late'", .seal),
      ("UPDATE ledger_transfer SET value_day = NULL WHERE idempotency_key = 'late'", .seal),
      ("UPDATE ledger_value_accrual SET millionths = millionths + 1", .accrual),
      // It was never counted again.
      ("DELETE FROM ledger_value_accrual", .accrual),
      ("UPDATE ledger_value_accrual SET booked_day = 9223372036854775807", .accrual),
      (
        """
        INSERT INTO ledger_value_accrual
          (account_id, day, booked_day, balance, yearly_interest_millionths, millionths)
        SELECT account_id, day, booked_day + 1, balance, yearly_interest_millionths, millionths
        FROM ledger_value_accrual
        """, .accrual
      ),
    ]
    for (statement, rule) in damages {
      let (app, day) = try await Self.app(engine, guarded: false)
      let late = Self.put(app.order("late", from: LedgerTestApp.cash, to: Self.one, 50_000), valueDay: day + 9)
      #expect(try await app.ledger.transfer(late).done != nil)
      app.clock.advance(by: .days(1))
      _ = try await app.ledger.accrue(day: day + 10, tenant: "acme", product: "savings")
      #expect(try await app.prove().isEmpty)
      try await app.database.write { _ = try $0.execute(SQL(stringLiteral: statement)) }
      #expect(try await app.prove().contains(rule), "\(statement)")
    }
  }

  @Test("whatever is booked late, the days add up to what counted in the end", .storeless, arguments: UInt64(1)...20)
  func property(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let moves = (0..<30).map { _ in
      let booked = Int64.random(in: 0..<40, using: &random)
      return (
        booked: booked, value: booked - Int64.random(in: 0...8, using: &random),
        amount: Int64.random(in: -90_000...100_000, using: &random)
      )
    }
    let dates = LedgerValueDates(
      moves: moves.map { .init(bookedDay: $0.booked, valueDay: $0.value, amount: $0.amount) })
    func booked(_ day: Int64) -> Int64 { moves.filter { $0.booked <= day }.map(\.amount).reduce(0, +) }
    for day in Int64(-10)..<40 {
      var sum = try #require(Ledger.growth(of: booked(day), Self.rate))
      for later in (day + 1)..<41 where dates.days(changedOn: later).contains(day) {
        sum += try #require(
          dates.accrual(of: day, changedOn: later, balance: booked(day), rate: Self.rate)
        ).millionths
      }
      let counted = moves.filter { $0.value <= day }.map(\.amount).reduce(0, +)
      #expect(sum == Ledger.growth(of: counted, Self.rate), "seed \(seed), day \(day)")
    }
  }
}
