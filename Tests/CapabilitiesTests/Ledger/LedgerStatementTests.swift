// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage
import TestSupport
import Testing

@testable import Ledger

@Suite("Ledger: statements, interest, fees")
struct LedgerStatementTests {
  @Test("the statement of a day is the same whenever it is asked for, once it is final", arguments: Engine.available)
  func days(engine: Engine) async throws {
    let app = try await LedgerTestApp(engine)
    let one = try await app.open("one", funds: 1000)
    let first = Ledger.day(of: app.clock.now)
    for day in 1...3 {
      app.clock.advance(by: .days(1))
      _ = try await app.ledger.transfer(app.order("in \(day)", from: LedgerTestApp.cash, to: one, 50))
      _ = try await app.ledger.transfer(app.order("out \(day)", from: one, to: LedgerTestApp.cash, Int64(day)))
    }
    func statement(_ day: Int64) async throws -> LedgerStatement {
      try #require(
        try await app.ledger.statement(
          of: one, tenant: "acme", from: Ledger.start(ofDay: day), to: Ledger.start(ofDay: day + 1)))
    }
    let second = try await statement(first + 2)
    #expect(second.opening == 1049 && second.closing == 1097 && second.debits == -2 && second.credits == 50)
    #expect(second.numbers == 4..<6 && second.isFinal)
    #expect(try await statement(first + 3).isFinal == false)
    #expect(try await statement(first - 1).numbers.isEmpty)
    #expect(try await statement(first - 1).closing == 0)
    #expect(try await statement(first + 9).opening == 1144)
    app.clock.advance(by: .days(30))
    _ = try await app.ledger.transfer(app.order("late", from: LedgerTestApp.cash, to: one, 7))
    let again = try await statement(first + 2)
    #expect(
      again.opening == second.opening && again.closing == second.closing && again.numbers == second.numbers
        && again.debits == second.debits && again.credits == second.credits)
    #expect(
      try await app.ledger.statement(
        of: one, tenant: "other", from: Ledger.start(ofDay: 0), to: Ledger.start(ofDay: 1)) == nil)
    await #expect(throws: Problem.self) {
      _ = try await app.ledger.statement(
        of: one, tenant: "acme", from: Ledger.start(ofDay: 1), to: Ledger.start(ofDay: 0))
    }
  }

  @Test("a clock that goes back does not put an entry before another", arguments: Engine.available)
  func clockBack(engine: Engine) async throws {
    let app = try await LedgerTestApp(engine)
    let one = try await app.open("one", funds: 1000)
    app.clock.advance(by: .hours(1))
    let late = try #require(try await app.ledger.transfer(app.order("a", from: one, to: LedgerTestApp.cash, 1)).done)
    app.clock.advance(by: .hours(-1))
    let next = try #require(try await app.ledger.transfer(app.order("b", from: one, to: LedgerTestApp.cash, 1)).done)
    #expect(next.at == late.at.next)
    #expect(try await app.verify().faults.isEmpty)
  }

  @Test("interest grows by the day, is booked by the month, and each counts once", arguments: Engine.available)
  func interest(engine: Engine) async throws {
    let app = try await LedgerTestApp(engine)
    try await app.database.write { tx in
      try app.ledger.put(
        LedgerProduct(
          tenant: "acme", code: "savings", kind: .customer, currency: "CAD", yearlyInterestMillionths: 36_500,
          monthlyFee: 3), in: tx)
    }
    let one = try await app.open("one", funds: 100_005, product: "savings")
    let empty = try await app.open("empty", product: "savings")
    let day = Ledger.day(of: app.clock.now)
    // Not before the day is over.
    await #expect(throws: Problem.self) {
      _ = try await app.ledger.accrue(day: day, tenant: "acme", product: "savings")
    }
    app.clock.advance(by: .days(40))
    for offset in Int64(0)..<30 {
      #expect(try await app.ledger.accrue(day: day + offset, tenant: "acme", product: "savings") == 1)
      #expect(try await app.ledger.accrue(day: day + offset, tenant: "acme", product: "savings") == 0)
    }
    // 100005 × 3.65 % ÷ 365 = 10.0005 a day; 30 days are 300.015.
    #expect(try await app.ledger.accruedInterest(of: one) == 300)
    #expect(try await app.ledger.accruedInterest(of: empty) == 0)
    for _ in 0..<2 {
      _ = try await app.ledger.bookInterest(
        month: 683, lastDay: day + 29, tenant: "acme", product: "savings", from: LedgerTestApp.cash)
    }
    #expect(try await app.account(one)?.actual == 100_305)
    #expect(try await app.ledger.accruedInterest(of: one) == 0)
    for _ in 0..<2 {
      _ = try await app.ledger.bookFees(
        month: 683, lastDay: day + 29, tenant: "acme", product: "savings", to: LedgerTestApp.cash)
    }
    #expect(try await app.account(one)?.actual == 100_302)
    #expect(try await app.database.read { try LedgerStore($0).declined(of: empty, limit: 5) }.count == 1)
    // Opened after the month that is booked late.
    let late = try await app.open("late", funds: 1000, product: "savings")
    let paid = try await app.ledger.bookFees(
      month: 684, lastDay: day + 39, tenant: "acme", product: "savings", to: LedgerTestApp.cash)
    #expect(paid == 1)
    #expect(try await app.account(late)?.actual == 1000)
    #expect(try await app.account(one)?.actual == 100_299)
    #expect(try await app.verify().faults.isEmpty)
  }

  @Test("a changed rate or fee counts from its day on; what is older keeps its own", arguments: Engine.available)
  func terms(engine: Engine) async throws {
    let app = try await LedgerTestApp(engine)
    @Sendable func put(_ rate: Int64, _ fee: Int64) async throws {
      try await app.database.write { tx in
        try app.ledger.put(
          LedgerProduct(
            tenant: "acme", code: "savings", kind: .customer, currency: "CAD", yearlyInterestMillionths: rate,
            monthlyFee: fee), in: tx)
      }
    }
    try await put(36_500, 3)
    let one = try await app.open("one", funds: 100_000, product: "savings")
    let day = Ledger.day(of: app.clock.now)
    app.clock.advance(by: .days(10))
    try await put(73_000, 5)
    try await put(73_000, 5)
    app.clock.advance(by: .days(10))
    for offset in Int64(9)...10 {
      #expect(try await app.ledger.accrue(day: day + offset, tenant: "acme", product: "savings") == 1)
    }
    // 10 of the day before, 20 of the day itself.
    #expect(try await app.ledger.accruedInterest(of: one) == 30)
    for (month, last) in [(Int64(1), day + 9), (2, day + 10)] {
      let paid = try await app.ledger.bookFees(
        month: month, lastDay: last, tenant: "acme", product: "savings", to: LedgerTestApp.cash)
      #expect(paid == 1)
    }
    #expect(try await app.account(one)?.actual == 99_992)
  }

  @Test("a month that is booked twice leaves the others alone", arguments: Engine.available)
  func monthTwice(engine: Engine) async throws {
    let app = try await LedgerTestApp(engine)
    try await app.database.write { tx in
      try app.ledger.put(
        LedgerProduct(
          tenant: "acme", code: "savings", kind: .customer, currency: "CAD", yearlyInterestMillionths: 36_500), in: tx)
    }
    for name in ["one", "two"] { try await app.open(name, funds: 100_000, product: "savings") }
    let day = Ledger.day(of: app.clock.now)
    app.clock.advance(by: .days(20))
    func book() async throws -> Int {
      try await app.ledger.bookInterest(
        month: 1, lastDay: day + 9, tenant: "acme", product: "savings", from: LedgerTestApp.cash)
    }
    for offset in Int64(0)..<3 {
      _ = try await app.ledger.accrue(day: day + offset, tenant: "acme", product: "savings")
    }
    #expect(try await book() == 2)
    // As much again: the same order under the same key.
    for offset in Int64(3)..<6 {
      _ = try await app.ledger.accrue(day: day + offset, tenant: "acme", product: "savings")
    }
    #expect(try await book() == 0)
    #expect(try await app.ledger.accruedInterest(of: .init(rawValue: "two")) == 30)
    #expect(try await app.verify().faults.isEmpty)
  }

  @Test("growth fits or is refused")
  func growth() {
    #expect(Ledger.growth(of: 100_000, 36_500) == 10_000_000)
    #expect(Ledger.growth(of: -1, 36_500) == 0)
    #expect(Ledger.growth(of: .max, 36_500) == nil)
    #expect(Ledger.day(of: Instant(milliseconds: -1)) == -1 && Ledger.day(of: Instant(milliseconds: 86_400_000)) == 1)
  }

  @Test("an account is opened once, and as its product says", arguments: Engine.available)
  func opening(engine: Engine) async throws {
    let app = try await LedgerTestApp(engine)
    @Sendable func open(
      _ id: String, product: String = "current", owners: [String] = ["me"], name: String = "", tenant: String = "acme"
    ) async throws -> LedgerAccount {
      try await app.database.write { tx in
        try app.ledger.open(
          .init(id: .init(rawValue: id), tenant: tenant, product: product, name: name, owners: owners), in: tx)
      }
    }
    let first = try await open("one")
    #expect(first.state == .inactive && first.currency == "CAD" && first.availableMin == 0)
    #expect(try await open("one") == first)
    for wrong in 0..<7 {
      await #expect(throws: Problem.self, "\(wrong)") {
        _ =
          switch wrong {
          case 0: try await open("one", owners: ["somebody"])
          case 1: try await open("two", product: "none")
          case 2: try await open("two", owners: [])
          case 3: try await open("house", product: "cash", owners: ["me"])
          case 4: try await open("two", name: "line\nbreak")
          case 5: try await open("", owners: ["me"])
          default: try await open("two", tenant: "other")
          }
      }
    }
    #expect(try await app.ledger.account(first.id, tenant: "other") == nil)
    #expect(try await app.ledger.account(.init(rawValue: "two"), tenant: "acme") == nil)
    #expect(try await app.verify().faults.isEmpty)
  }
}
