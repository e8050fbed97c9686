// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage
import TestSupport
import Testing

@testable import Ledger

@Suite("Ledger: one bad account stops no other, and sums go beyond 64 bits")
struct DayEndTaskTests {
  private static let product = "savings"

  /// Books with a product that pays so much a year.
  private static func app(
    _ engine: Engine, rate: Int64, fee: Int64 = 0, booked: @escaping LedgerTestApp.Recorder.Record = { _, _ in }
  ) async throws -> LedgerTestApp {
    let app = try await LedgerTestApp(engine, booked: booked)
    try await app.database.write { tx in
      try app.ledger.put(
        LedgerProduct(
          tenant: LedgerTestApp.tenant, code: product, kind: .customer, currency: "CAD",
          yearlyInterestMillionths: rate, monthlyFee: fee), in: tx)
    }
    return app
  }

  @Test("an account whose interest does not fit is dead-lettered by name, until it does", arguments: Engine.available)
  func deadLettered(engine: Engine) async throws {
    let app = try await Self.app(engine, rate: 1_000_000)
    let rich = try await app.open("rich", funds: .max - 1000, product: Self.product)
    let usual = try await app.open("usual", funds: 365, product: Self.product)
    let day = Ledger.day(of: app.clock.now)
    app.clock.advance(by: .days(2))
    let run = try await app.ledger.end(.accrual(day: day), tenant: LedgerTestApp.tenant, product: Self.product)
    #expect(run.done == 1)
    #expect(run.deadLettered.map(\.account) == [rich])
    #expect(run.deadLettered.map(\.reason) == ["outOfRange"])
    #expect(try await app.ledger.accruedInterest(of: usual) == 1)
    // The same again: nothing is counted or told twice, and it waits.
    let again = try await app.ledger.end(.accrual(day: day), tenant: LedgerTestApp.tenant, product: Self.product)
    #expect(again == DayEndRun())
    let waiting = try await app.ledger.deadLettered(tenant: LedgerTestApp.tenant)
    #expect(waiting.map(\.task) == [.accrual(day: day)])
    #expect(try await app.ledger.deadLettered(tenant: "other").isEmpty)
    // Mended: a rate that was a typing error. It rests for an hour, unless an operator asks.
    try await app.database.write {
      _ = try $0.execute("UPDATE ledger_terms SET yearly_interest_millionths = 1 WHERE product = 'savings'")
    }
    #expect(try await app.ledger.retryDeadLettered(tenant: LedgerTestApp.tenant).done == 0)
    #expect(try await app.ledger.retryDeadLettered(tenant: LedgerTestApp.tenant, isForced: true).done == 1)
    #expect(try await app.ledger.deadLettered(tenant: LedgerTestApp.tenant).isEmpty)
    let grown = (Int128(Int64.max) - 1000) / 365 / 1_000_000
    #expect(try await app.ledger.accruedInterest(of: rich) == Int64(grown))
  }

  @Test(
    "what voids the transaction of many accounts dead-letters the one that it is about", arguments: Engine.available)
  func voided(engine: Engine) async throws {
    let app = try await Self.app(engine, rate: 0, fee: 5) { events, _ in
      guard !events.contains(where: { $0.debit.id.rawValue == "bad" }) else { throw SQLError.constraint("a test") }
    }
    for name in ["a", "bad", "c"] { try await app.open(name, product: Self.product) }
    for name in ["a", "bad", "c"] {
      _ = try await app.ledger.transfer(
        app.order("fund \(name)", from: LedgerTestApp.cash, to: .init(rawValue: name), 100))
    }
    let day = Ledger.day(of: app.clock.now)
    app.clock.advance(by: .days(2))
    let task = DayEndTask.fee(month: 1, lastDay: day, to: LedgerTestApp.cash)
    let run = try await app.ledger.end(task, tenant: LedgerTestApp.tenant, product: Self.product)
    #expect(run.done == 2)
    #expect(run.deadLettered.map(\.account.rawValue) == ["bad"])
    #expect(run.deadLettered.map(\.reason) == ["SQLError.constraint"])
    // Who paid is not counted again.
    #expect(try await app.ledger.end(task, tenant: LedgerTestApp.tenant, product: Self.product) == DayEndRun())
    #expect(try await app.account(.init(rawValue: "a"))?.actual == 95)
    #expect(try await app.account(.init(rawValue: "bad"))?.actual == 100)
    #expect(try await app.verify().faults.isEmpty)
  }

  @Test("a dead-lettered row that cannot be read is told, rests, and stops no other", arguments: Engine.available)
  func unreadable(engine: Engine) async throws {
    let app = try await Self.app(engine, rate: 365_000)
    let (bad, good) = (
      try await app.open("bad", funds: 1000, product: Self.product),
      try await app.open("good", funds: 1000, product: Self.product)
    )
    let day = Ledger.day(of: app.clock.now)
    app.clock.advance(by: .days(2))
    try await app.database.write { tx in
      // Interest without the account that pays it.
      _ = try tx.execute(
        """
        INSERT INTO ledger_parked (account_id, duty, period, last_day, tenant, product, reason, parked_at, tried_at)
        VALUES (\(bad), 'interest', 1, \(day), \(LedgerTestApp.tenant), \(Self.product), 'test', 0, 0),
          (\(good), 'accrual', \(day), \(day), \(LedgerTestApp.tenant), \(Self.product), 'test', 0, 0)
        """)
    }
    let run = try await app.ledger.retryDeadLettered(tenant: LedgerTestApp.tenant)
    #expect(run.done == 1)
    #expect(run.unreadable == [UnreadableDayEndTask(account: "bad", task: "interest", period: "1")])
    #expect(try await app.ledger.deadLettered(tenant: LedgerTestApp.tenant).isEmpty)
    // It is told again when an hour is over.
    #expect(try await app.ledger.retryDeadLettered(tenant: LedgerTestApp.tenant) == DayEndRun())
    app.clock.advance(by: Ledger.deadLetterRest)
    #expect(try await app.ledger.retryDeadLettered(tenant: LedgerTestApp.tenant).unreadable == run.unreadable)
    #expect(try await app.ledger.unreadable(tenant: LedgerTestApp.tenant) == run.unreadable)
  }

  @Test("a store that is busy dead-letters nothing", arguments: Engine.available)
  func busy(engine: Engine) async throws {
    let app = try await Self.app(engine, rate: 0, fee: 5) { events, _ in
      guard !events.contains(where: { $0.debit.id.rawValue == "bad" }) else { throw SQLError.unreachable("a test") }
    }
    let bad = try await app.open("bad", product: Self.product)
    _ = try await app.ledger.transfer(app.order("fund", from: LedgerTestApp.cash, to: bad, 100))
    let day = Ledger.day(of: app.clock.now)
    app.clock.advance(by: .days(2))
    await #expect(throws: SQLError.unreachable("a test")) {
      try await app.ledger.end(
        .fee(month: 1, lastDay: day, to: LedgerTestApp.cash), tenant: LedgerTestApp.tenant, product: Self.product)
    }
    #expect(try await app.ledger.deadLettered(tenant: LedgerTestApp.tenant).isEmpty)
  }

  @Test("a key that means something else is a reason to dead-letter, not to pay", arguments: Engine.available)
  func keyReused(engine: Engine) async throws {
    let app = try await Self.app(engine, rate: 365_000)
    let one = try await app.open("one", funds: 100_000, product: Self.product)
    _ = try await app.ledger.transfer(app.order("interest one 1", from: LedgerTestApp.cash, to: one, 7))
    let day = Ledger.day(of: app.clock.now)
    app.clock.advance(by: .days(2))
    #expect(try await app.ledger.accrue(day: day, tenant: LedgerTestApp.tenant, product: Self.product) == 1)
    let run = try await app.ledger.end(
      .interest(month: 1, lastDay: day, from: LedgerTestApp.cash), tenant: LedgerTestApp.tenant, product: Self.product)
    #expect(run.done == 0)
    #expect(run.deadLettered.map(\.reason) == ["keyReused"])
    #expect(try await app.account(one)?.actual == 100_007)
  }

  @Test("sums have each day and month once, no matter who wrote it and in whatever order", arguments: Engine.available)
  func sums(engine: Engine) async throws {
    let app = try await Self.app(engine, rate: 365_000)
    let one = try await app.open("one", funds: 1000, product: Self.product)
    let day = Ledger.day(of: app.clock.now)
    app.clock.advance(by: .days(6))
    func accrue(_ offset: Int64) async throws -> Int {
      try await app.ledger.accrue(day: day + offset, tenant: LedgerTestApp.tenant, product: Self.product)
    }
    func book(_ month: Int64, through offset: Int64) async throws -> Int {
      try await app.ledger.bookInterest(
        month: month, lastDay: day + offset, tenant: LedgerTestApp.tenant, product: Self.product,
        from: LedgerTestApp.cash)
    }
    func sum() async throws -> LedgerAccrual? {
      try await app.database.read { try LedgerStore($0).sums(of: [one])[one] }
    }
    #expect(try await accrue(0) == 1)
    // As a node of a release without sums writes it.
    try await app.database.write {
      _ = try $0.execute(
        """
        INSERT INTO ledger_accrual (account_id, day, balance, yearly_interest_millionths, millionths)
        VALUES (\(one), \(day + 1), 1000, 365000, 1000000)
        """)
    }
    #expect(try await sum() == LedgerAccrual(grown: 1_000_000, throughDay: day))
    #expect(try await app.ledger.accruedInterest(of: one) == 2)
    // A day that waited comes after a later one.
    #expect(try await accrue(3) == 1)
    #expect(try await sum() == LedgerAccrual(grown: 3_000_000, throughDay: day + 3))
    #expect(try await accrue(2) == 1)
    #expect(try await accrue(2) == 0)
    #expect(try await sum() == LedgerAccrual(grown: 4_000_000, throughDay: day + 3))
    // The month ended a day before the last one that grew.
    #expect(try await book(1, through: 2) == 1)
    #expect(try await app.account(one)?.actual == 1003)
    #expect(try await app.ledger.accruedInterest(of: one) == 1)
    #expect(try await book(2, through: 3) == 1)
    let whole = LedgerAccrual(grown: 4_000_000, throughDay: day + 3, booked: 4, throughMonth: 2)
    #expect(try await sum() == whole)
    #expect(try await app.prove().isEmpty)
    // Without their row they are added up anew.
    try await app.database.write { _ = try $0.execute("DELETE FROM ledger_growth") }
    #expect(try await app.ledger.accruedInterest(of: one) == 0)
    #expect(try await book(3, through: 3) == 0)
    #expect(try await accrue(4) == 1)
    #expect(try await sum() == LedgerAccrual(grown: 5_000_000, throughDay: day + 4))
    #expect(try await book(3, through: 4) == 1)
    #expect(
      try await sum() == LedgerAccrual(grown: 5_000_000, throughDay: day + 4, booked: 5, throughMonth: 3))
    #expect(try await app.account(one)?.actual == 1005)
    #expect(try await app.prove().isEmpty)
  }

  @Test("of the day after the last one nothing is read back", arguments: Engine.available)
  func consecutive(engine: Engine) async throws {
    let app = try await Self.app(engine, rate: 365_000)
    let one = try await app.open("one", funds: 1000, product: Self.product)
    let day = Ledger.day(of: app.clock.now)
    app.clock.advance(by: .days(6))
    let counted = CountingDatabase(app.database)
    let ledger = Ledger(
      database: counted, world: app.clock.world, seal: app.seal, recorder: LedgerTestApp.Recorder(told: { _, _ in }))
    func statements(_ offset: Int64) async throws -> Int {
      let before = counted.statements
      let done = try await ledger.accrue(day: day + offset, tenant: LedgerTestApp.tenant, product: Self.product)
      #expect(done == 1)
      return counted.statements - before
    }
    // It makes the row of the sums.
    _ = try await statements(0)
    let (next, later) = (try await statements(1), try await statements(3))
    #expect(next == later - 1)
    _ = try await statements(2)
    let sum = try await app.database.read { try LedgerStore($0).sums(of: [one])[one] }
    #expect(sum == LedgerAccrual(grown: 4_000_000, throughDay: day + 3))
    #expect(try await app.prove().isEmpty)
  }

  @Test("a fee whose key means something else is not charged, and told as no fault", arguments: Engine.available)
  func feeKeyReused(engine: Engine) async throws {
    let app = try await Self.app(engine, rate: 0, fee: 5)
    let one = try await app.open("one", funds: 100, product: Self.product)
    _ = try await app.ledger.transfer(app.order("fee one 1", from: LedgerTestApp.cash, to: one, 7))
    let day = Ledger.day(of: app.clock.now)
    app.clock.advance(by: .days(2))
    let task = DayEndTask.fee(month: 1, lastDay: day, to: LedgerTestApp.cash)
    #expect(try await app.ledger.end(task, tenant: LedgerTestApp.tenant, product: Self.product) == DayEndRun())
    #expect(try await app.account(one)?.actual == 107)
  }

  @Test("turnover that is more than 64 bits hold is in the statement", arguments: Engine.available)
  func turnover(engine: Engine) async throws {
    let app = try await LedgerTestApp(engine)
    let (one, large) = (try await app.open("one"), Int64.max / 2)
    for round in 0..<3 {
      _ = try await app.ledger.transfer(app.order("in \(round)", from: LedgerTestApp.cash, to: one, large))
      _ = try await app.ledger.transfer(app.order("out \(round)", from: one, to: LedgerTestApp.cash, large))
    }
    let day = Ledger.day(of: app.clock.now)
    let statement = try #require(
      try await app.ledger.statement(
        of: one, tenant: LedgerTestApp.tenant, from: Ledger.start(ofDay: day), to: Ledger.start(ofDay: day + 1)))
    #expect(statement.credits == 3 * Int128(large))
    #expect(statement.debits == -3 * Int128(large))
    #expect(statement.opening == 0 && statement.closing == 0)
    #expect(Money.decimal(statement.credits, "CAD") == "138350580552821637.09")
    #expect(Money.decimal(-5, "CAD") == "-0.05" && Money(.min, "JPY").decimal == "-9223372036854775808")
  }

  @Test("growth is computed in 128 bits and kept where 64 hold it")
  func growth() {
    // 64 bits did not hold the product, and do hold the growth.
    #expect(Ledger.growth(of: 1_000_000_000_000_000, 1_000_000) == 2_739_726_027_397_260_273)
    #expect(Ledger.growth(of: .max, 1) == 25_269_512_429_739_111)
    #expect(Ledger.growth(of: .max, 1_000_000) == nil)
  }
}
