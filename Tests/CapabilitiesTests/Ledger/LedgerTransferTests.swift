// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Ledger

@Suite("Ledger: money goes from one account to another")
struct LedgerTransferTests {
  @Test("a transfer has two entries that share it, each with the balance after it", arguments: Engine.available)
  func entries(engine: Engine) async throws {
    let app = try await LedgerTestApp(engine)
    let (one, other) = (try await app.open("one", funds: 1000), try await app.open("other"))
    let transfer = try #require(try await app.ledger.transfer(app.order("k", from: one, to: other, 300)).done)
    #expect(transfer.lifecycle == transfer.id.rawValue && transfer.sequences == .init(debit: 2, credit: 1))
    let debit = try #require(try await app.ledger.entries(of: one, .init()).first)
    let credit = try #require(try await app.ledger.entries(of: other, .init()).first)
    #expect(debit.amount == -300 && debit.balance == 700 && debit.sequence == 2)
    #expect(credit.amount == 300 && credit.balance == 300 && credit.sequence == 1)
    #expect(debit.transfer == transfer && credit.transfer == transfer)
    #expect(try await app.account(one)?.actualBalance == Money(700, "CAD"))
    #expect(try await app.database.read { try LedgerStore($0).transfer(transfer.id) } == transfer)
    #expect(try await app.verify().faults.isEmpty)
  }

  @Test("the same key is the same transfer, and another order under it is refused", arguments: Engine.available)
  func idempotent(engine: Engine) async throws {
    let app = try await LedgerTestApp(engine)
    let (one, other) = (try await app.open("one", funds: 1000), try await app.open("other"))
    let order = app.order("k", from: one, to: other, 300)
    let first = try await app.ledger.transfer(order)
    app.clock.advance(by: .hours(1))
    #expect(try await app.ledger.transfer(order) == first)
    let inTransaction = try await app.database.write { try app.ledger.transfer(order, in: $0) }
    #expect(inTransaction == first)
    for changed in [
      app.order("k", from: one, to: other, 301), app.order("k", from: other, to: one, 300),
      app.order("k", from: one, to: LedgerTestApp.cash, 300),
    ] { #expect(try await app.ledger.transfer(changed).refusal == .keyReused) }
    #expect(try await app.account(one)?.actual == 700)
  }

  @Test("who asks at once under one key moves money once", arguments: Engine.available)
  func race(engine: Engine) async throws {
    let app = try await LedgerTestApp(engine)
    let second = Ledger(database: try app.made.reopened(), world: app.clock.world)
    let (one, other) = (try await app.open("one", funds: 1000), try await app.open("other"))
    let order = app.order("k", from: one, to: other, 300)
    let answers = try await withThrowingTaskGroup(of: LedgerAnswer<LedgerTransfer>.self) { group in
      for number in 0..<40 {
        group.addTask { try await (number.isMultiple(of: 2) ? app.ledger : second).transfer(order) }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(answers.count == 1 && answers.first?.done != nil)
    #expect(try await app.account(other)?.actual == 300)
    try second.database.close()
  }

  @Test("short of funds it is declined by value, kept, and declined for ever", arguments: Engine.available)
  func shortOfFunds(engine: Engine) async throws {
    let app = try await LedgerTestApp(engine)
    let (one, other) = (try await app.open("one", funds: 299), try await app.open("other"))
    let order = app.order("k", from: one, to: other, 300)
    #expect(try await app.ledger.transfer(order).decline == .insufficientFunds)
    #expect(try await app.account(one)?.sequence == 1)
    _ = try await app.ledger.transfer(app.order("more", from: LedgerTestApp.cash, to: one, 1))
    #expect(try await app.ledger.transfer(order).decline == .insufficientFunds)
    #expect(try await app.ledger.transfer(app.order("again", from: one, to: other, 300)).done != nil)
    let declined = try await app.database.read { try LedgerStore($0).declined(of: one, limit: 10) }
    #expect(declined.map(\.order) == [order])
    #expect(try await app.verify().faults.isEmpty)
  }

  @Test("an inactive account neither gives nor takes, until it is active for good", arguments: Engine.available)
  func inactive(engine: Engine) async throws {
    let app = try await LedgerTestApp(engine)
    let (one, late) = (try await app.open("one", funds: 500), try await app.open("late", isActive: false))
    #expect(try await app.ledger.transfer(app.order("a", from: one, to: late, 1)).decline == .accountInactive)
    #expect(try await app.ledger.transfer(app.order("b", from: late, to: one, 1)).decline == .accountInactive)
    #expect(try await app.ledger.hold(app.hold("c", on: late, 1)).decline == .accountInactive)
    let active = try await app.database.write { tx in
      [
        try app.ledger.activate(late, tenant: LedgerTestApp.tenant, in: tx),
        try app.ledger.activate(late, tenant: LedgerTestApp.tenant, in: tx),
      ]
    }
    #expect(active.map(\.state) == [.active, .active])
    #expect(try await app.ledger.transfer(app.order("d", from: one, to: late, 1)).done != nil)
  }

  @Test("an overdraft goes as far as the product says", arguments: Engine.available)
  func overdraft(engine: Engine) async throws {
    let app = try await LedgerTestApp(engine)
    try await app.database.write { tx in
      try app.ledger.put(
        LedgerProduct(
          tenant: LedgerTestApp.tenant, code: "credit", kind: .customer, currency: "CAD", availableMin: -500), in: tx)
    }
    let one = try await app.open("one", product: "credit")
    #expect(try await app.ledger.transfer(app.order("a", from: one, to: LedgerTestApp.cash, 500)).done != nil)
    #expect(
      try await app.ledger.transfer(app.order("b", from: one, to: LedgerTestApp.cash, 1)).decline
        == .insufficientFunds)
    #expect(try await app.verify().faults.isEmpty)
  }

  @Test("what the books could not keep is refused, and leaves nothing", arguments: Engine.available)
  func refused(engine: Engine) async throws {
    let app = try await LedgerTestApp(engine)
    try await app.database.write { tx in
      for (tenant, code, currency) in [("acme", "dollars", "USD"), ("other", "cash", "CAD")] {
        try app.ledger.put(
          LedgerProduct(tenant: tenant, code: code, kind: .house, currency: currency, availableMin: nil), in: tx)
        _ = try app.ledger.open(
          .init(id: .init(rawValue: "\(tenant) \(code)"), tenant: tenant, product: code, name: ""), in: tx)
      }
    }
    let one = try await app.open("one", funds: 100)
    let (cash, nobody) = (LedgerTestApp.cash, LedgerAccount.ID(rawValue: "nobody"))
    let (dollars, foreign) = (LedgerAccount.ID(rawValue: "acme dollars"), LedgerAccount.ID(rawValue: "other cash"))
    for (order, refusal) in [
      (app.order("a", from: one, to: cash, 0), LedgerRefusal.amountNotPositive),
      (app.order("b", from: one, to: cash, -1), .amountNotPositive),
      (app.order("c", from: one, to: one, 1), .sameAccount),
      (app.order("d", from: one, to: nobody, 1), .unknownAccount),
      (app.order("e", from: nobody, to: one, 1), .unknownAccount),
      (app.order("f", from: one, to: foreign, 1), .unknownAccount),
      (app.order("g", from: foreign, to: one, 1, tenant: "other"), .unknownAccount),
      (app.order("h", from: one, to: cash, 1, currency: "USD"), .currencyDiffers),
      (app.order("i", from: dollars, to: one, 1), .currencyDiffers),
      (app.order("", from: one, to: cash, 1), .textTooLong),
      (app.order("\0", from: one, to: cash, 1), .textTooLong),
      (app.order(String(repeating: "k", count: 201), from: one, to: cash, 1), .textTooLong),
      (app.order("j", from: one, to: .init(rawValue: "\0"), 1), .unknownAccount),
    ] {
      #expect(try await app.ledger.transfer(order).refusal == refusal, "\(order.key)")
    }
    let found = try await app.verify()
    #expect(found.faults.isEmpty && found.transfers == 1 && found.declined == 0)
  }

  @Test("a balance stays within its type", arguments: Engine.available)
  func range(engine: Engine) async throws {
    let app = try await LedgerTestApp(engine)
    let (one, other) = (try await app.open("one", funds: .max), try await app.open("other", funds: 0))
    #expect(
      try await app.ledger.transfer(app.order("a", from: LedgerTestApp.cash, to: one, 1)).refusal
        == .outOfRange)
    #expect(
      try await app.ledger.transfer(app.order("b", from: LedgerTestApp.cash, to: other, 2)).refusal
        == .outOfRange)
    #expect(try await app.ledger.transfer(app.order("c", from: one, to: other, .max)).done != nil)
    #expect(try await app.account(other)?.actual == .max)
  }

  @Test("keys and names of any text come back as they were", arguments: Engine.available)
  func texts(engine: Engine) async throws {
    let app = try await LedgerTestApp(engine)
    let one = try await app.open("one", funds: 100)
    for key in ["\"", "\\", "a\"b\\c", "\u{1}\n\t\u{1f}", "é 日本 👩‍👩‍👧", "'; --", "{\"a\":[1]}", "\u{7f}\u{2028}"] {
      let order = app.order(key, from: one, to: LedgerTestApp.cash, 1)
      let first = try #require(try await app.ledger.transfer(order).done)
      #expect(try await app.ledger.transfer(order).done == first)
      #expect(try await app.database.read { try LedgerStore($0).transfer(first.id) }?.order.key == key)
    }
  }

  @Test("what is written with a transfer is there when it is, or neither is", arguments: Engine.available)
  func together(engine: Engine) async throws {
    struct Stop: Error {}
    let heard = Mutex<[String]>([])
    let app = try await LedgerTestApp(engine) { events, _ in
      heard.withLock { $0 += events.map(\.action.key) }
      if events.contains(where: { $0.action.key == "bad" }) { throw Stop() }
    }
    let one = try await app.open("one", funds: 100)
    await #expect(throws: Stop.self) {
      _ = try await app.ledger.transfer(app.order("bad", from: one, to: LedgerTestApp.cash, 1))
    }
    #expect(
      try await app.ledger.transfer(app.order("good", from: one, to: LedgerTestApp.cash, 2)).done != nil)
    #expect(try await app.account(one)?.actual == 98)
    #expect(heard.withLock { $0 }.contains("good"))
  }

  @Test("a neighbour whose transfer fails by an error fails alone", arguments: Engine.available)
  func neighbours(engine: Engine) async throws {
    struct Stop: Error {}
    let app = try await LedgerTestApp(engine) { events, _ in
      if events.contains(where: { $0.action.key.hasPrefix("bad") }) { throw Stop() }
    }
    let one = try await app.open("one", funds: 1000)
    let done = await withTaskGroup(of: (Bool, Bool).self) { group in
      for number in 0..<64 {
        let isBad = number.isMultiple(of: 8)
        group.addTask {
          let order = app.order("\(isBad ? "bad" : "good") \(number)", from: one, to: LedgerTestApp.cash, 1)
          return (isBad, (try? await app.ledger.transfer(order).done) != nil)
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(done.count == 64 && done.allSatisfy { $0.0 != $0.1 })
    #expect(try await app.account(one)?.actual == 1000 - 56)
    #expect(try await app.verify().faults.isEmpty)
  }
}

extension LedgerEvent.Action {
  /// Of the order that it came of.
  fileprivate var key: String {
    switch self {
    case .transfer(let transfer): transfer.order.key
    case .hold(let hold), .release(let hold): hold.order.key
    }
  }
}
