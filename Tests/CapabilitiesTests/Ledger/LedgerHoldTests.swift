// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage
import TestSupport
import Testing

@testable import Ledger

@Suite("Ledger: money that is held")
struct LedgerHoldTests {
  @Test("a hold keeps money back and a settlement moves it, wholly or in part", arguments: Engine.available)
  func settle(engine: Engine) async throws {
    let app = try await LedgerTestApp(engine)
    let one = try await app.open("one", funds: 1000)
    let hold = try #require(try await app.ledger.hold(app.hold("h", on: one, 600)).done)
    let held = try #require(try await app.account(one))
    #expect(held.actual == 1000 && held.availableBalance == Money(400, "CAD") && held.sequence == 1)
    #expect(
      try await app.ledger.transfer(app.order("t", from: one, to: LedgerTestApp.cash, 401)).decline
        == .insufficientFunds)
    let order = SettlementOrder(tenant: "acme", key: "s", kind: "debit", hold: hold.id, minorUnits: 250)
    let transfer = try #require(try await app.ledger.settle(order).done)
    #expect(transfer.lifecycle == hold.id.rawValue && transfer.order.hold == hold.id)
    #expect(try await app.ledger.settle(order).done == transfer)
    let after = try #require(try await app.account(one))
    #expect(after.actual == 750 && after.held == 0)
    #expect(try await app.database.read { try LedgerStore($0).hold(hold.id) }?.state == .settled)
    #expect(
      try await app.database.read { try LedgerStore($0).transfers(lifecycle: hold.id.rawValue, limit: 5) } == [
        transfer
      ])
    #expect(try await app.verify().faults.isEmpty)
  }

  @Test("a hold ends once, and no more than it held is settled", arguments: Engine.available)
  func refused(engine: Engine) async throws {
    let app = try await LedgerTestApp(engine)
    let one = try await app.open("one", funds: 1000)
    let order = app.hold("h", on: one, 600)
    let hold = try #require(try await app.ledger.hold(order).done)
    #expect(try await app.ledger.hold(order).done == hold)
    #expect(try await app.ledger.hold(app.hold("h", on: one, 599)).refusal == .keyReused)
    #expect(try await app.ledger.hold(app.hold("more", on: one, 401)).decline == .insufficientFunds)
    func settle(_ key: String, _ amount: Int64? = nil, tenant: String = "acme") async throws -> LedgerRefusal? {
      try await app.ledger.settle(
        .init(tenant: tenant, key: key, kind: "debit", hold: hold.id, minorUnits: amount)
      ).refusal
    }
    #expect(try await settle("a", 601) == .exceedsHold)
    #expect(try await settle("b", 0) == .amountNotPositive)
    #expect(try await settle("c", tenant: "other") == .unknownHold)
    #expect(try await settle("") == .textTooLong)
    #expect(try await app.ledger.release(hold.id, tenant: "other").refusal == .unknownHold)
    #expect(try await app.ledger.release(.init(rawValue: "none"), tenant: "acme").refusal == .unknownHold)
    let released = try #require(try await app.ledger.release(hold.id, tenant: "acme").done)
    #expect(released.state == .released)
    #expect(try await app.ledger.release(hold.id, tenant: "acme").done == released)
    #expect(try await settle("d") == .holdEnded)
    #expect(try await app.account(one)?.held == 0)
    #expect(try await app.verify().faults.isEmpty)
  }

  @Test("of many who settle or release at once, one does", arguments: Engine.available)
  func race(engine: Engine) async throws {
    let app = try await LedgerTestApp(engine)
    let one = try await app.open("one", funds: 1000)
    for round in 0..<5 {
      let hold = try #require(try await app.ledger.hold(app.hold("h \(round)", on: one, 100)).done)
      let ended = try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<10 {
          group.addTask {
            try await app.ledger.settle(
              .init(tenant: "acme", key: "s \(round) \(number)", kind: "debit", hold: hold.id)
            ).done != nil
          }
        }
        group.addTask { try await app.ledger.release(hold.id, tenant: "acme").done != nil }
        return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(ended == 1)
    }
    #expect(try await app.verify().faults.isEmpty)
  }

  @Test("one settlement that is asked for on two nodes at once is one, and all hear of it", arguments: Engine.available)
  func sameKey(engine: Engine) async throws {
    let app = try await LedgerTestApp(engine)
    let other = Ledger(database: app.database, world: app.clock.world)
    let one = try await app.open("one", funds: 1000)
    for round in 0..<5 {
      let hold = try #require(try await app.ledger.hold(app.hold("h \(round)", on: one, 100)).done)
      let order = SettlementOrder(tenant: "acme", key: "s \(round)", kind: "debit", hold: hold.id)
      let answers = try await withThrowingTaskGroup(of: LedgerTransfer?.self) { group in
        for number in 0..<40 {
          group.addTask { try await (number % 2 == 0 ? app.ledger : other).settle(order).done }
        }
        return try await group.reduce(into: Set<LedgerTransfer?>()) { $0.insert($1) }
      }
      #expect(answers.count == 1 && answers.first != LedgerTransfer??.some(nil))
    }
    #expect(try await app.account(one)?.actual == 500)
    #expect(try await app.verify().faults.isEmpty)
  }

  @Test("holds end by themselves when their time is over, not before", arguments: Engine.available)
  func expiry(engine: Engine) async throws {
    let app = try await LedgerTestApp(engine)
    let one = try await app.open("one", funds: 1000)
    _ = try await app.ledger.hold(app.hold("a", on: one, 100, until: app.clock.now + .days(7)))
    _ = try await app.ledger.hold(app.hold("b", on: one, 200))
    #expect(try await app.ledger.sweepHolds() == 0)
    app.clock.advance(by: .days(7))
    #expect(try await app.ledger.sweepHolds() == 1)
    #expect(try await app.account(one)?.held == 200)
    let holds = try await app.database.read { try LedgerStore($0).holds(of: one, limit: 10) }
    #expect(Set(holds.map(\.state)) == [.released, .open])
    #expect(try await app.verify().faults.isEmpty)
  }
}
