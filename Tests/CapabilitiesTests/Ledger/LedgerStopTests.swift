// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage
import TestSupport
import Testing

@testable import Ledger

@Suite("Ledger: what is stopped moves nothing, from the commit on that stops it")
struct LedgerStopTests {
  private static let tenant = LedgerTestApp.tenant

  @Test("nothing leaves a frozen account but what was held before, and money comes in", arguments: Engine.available)
  func frozen(engine: Engine) async throws {
    let app = try await LedgerTestApp(engine)
    let one = try await app.open("one", funds: 1000)
    let (held, kept) = (
      try #require(try await app.ledger.hold(app.hold("held", on: one, 100)).done),
      try #require(try await app.ledger.hold(app.hold("kept", on: one, 50)).done)
    )
    let account = try await app.database.write { try app.ledger.freeze(one, tenant: Self.tenant, in: $0) }
    #expect(account.stop == .frozen)
    let out = try await app.ledger.transfer(app.order("out", from: one, to: LedgerTestApp.cash, 1))
    #expect(out.decline == .accountFrozen)
    #expect(try await app.ledger.hold(app.hold("more", on: one, 1)).decline == .accountFrozen)
    #expect(try await app.ledger.transfer(app.order("in", from: LedgerTestApp.cash, to: one, 5)).done != nil)
    let settled = try await app.ledger.settle(.init(tenant: Self.tenant, key: "s", kind: "debit", hold: held.id))
    #expect(settled.done != nil)
    #expect(try await app.ledger.release(kept.id, tenant: Self.tenant).done != nil)
    _ = try await app.database.write { try app.ledger.unfreeze(one, tenant: Self.tenant, in: $0) }
    // What was declined stays so under its key; another one is booked.
    let same = try await app.ledger.transfer(app.order("out", from: one, to: LedgerTestApp.cash, 1))
    #expect(same.decline == .accountFrozen)
    #expect(try await app.ledger.transfer(app.order("out 2", from: one, to: LedgerTestApp.cash, 1)).done != nil)
    #expect(try await app.account(one)?.actual == 904)
    #expect(try await app.verify().faults.isEmpty)
    #expect(try await app.prove().isEmpty)
  }

  @Test("an account is closed when it is empty, for good, in both directions", arguments: Engine.available)
  func closed(engine: Engine) async throws {
    let app = try await LedgerTestApp(engine)
    let one = try await app.open("one", funds: 10)
    let hold = try #require(try await app.ledger.hold(app.hold("h", on: one, 5)).done)
    func close() async throws -> LedgerAccount {
      try await app.database.write { try app.ledger.close(one, tenant: Self.tenant, in: $0) }
    }
    await #expect(throws: Problem.self) { try await close() }
    _ = try await app.ledger.release(hold.id, tenant: Self.tenant)
    await #expect(throws: Problem.self) { try await close() }
    _ = try await app.ledger.transfer(app.order("out", from: one, to: LedgerTestApp.cash, 10))
    #expect(try await close().stop == .closed)
    #expect(try await close().stop == .closed)
    let coming = try await app.ledger.transfer(app.order("in", from: LedgerTestApp.cash, to: one, 5))
    #expect(coming.decline == .accountClosed)
    await #expect(throws: Problem.self) {
      try await app.database.write { try app.ledger.unfreeze(one, tenant: Self.tenant, in: $0) }
    }
    await #expect(throws: Problem.notFound) {
      try await app.database.write { try app.ledger.freeze(one, tenant: "other", in: $0) }
    }
    #expect(try await app.verify().faults.isEmpty)
  }

  @Test("a party that is stopped moves nothing, also on an account that is opened later", arguments: Engine.available)
  func party(engine: Engine) async throws {
    let app = try await LedgerTestApp(engine)
    let (one, other) = (
      try await app.open("one", funds: 100, owner: "ada"), try await app.open("other", funds: 100, owner: "ada")
    )
    func move(_ key: String) async throws -> LedgerAnswer<LedgerTransfer> {
      try await app.ledger.transfer(app.order(key, from: one, to: other, 1), by: "ada")
    }
    #expect(try await move("a").done != nil)
    let count = try await app.database.write {
      try app.ledger.setStopped(true, party: "ada", tenant: Self.tenant, in: $0)
    }
    #expect(count == 2)
    #expect(try await move("b").refusal == .notParty)
    // Also where each order has its own statement.
    for number in 0..<3 { #expect(try await move("c \(number)").refusal == .notParty) }
    // Others move money to the accounts.
    #expect(try await app.ledger.transfer(app.order("in", from: LedgerTestApp.cash, to: one, 1)).done != nil)
    let late = try await app.open("late", owner: "ada")
    let mayUse = try await app.database.read { try LedgerStore($0).mayUse("ada", late) }
    #expect(!mayUse)
    try await app.database.write { try app.ledger.setStopped(false, party: "ada", tenant: Self.tenant, in: $0) }
    // What was refused was not kept: the same key is booked now.
    #expect(try await move("b").done != nil)
    #expect(try await app.database.read { try LedgerStore($0).mayUse("ada", late) })
  }

  @Test("transfers race a stop: none is booked after the commit that stops", arguments: Engine.available)
  func race(engine: Engine) async throws {
    let app = try await LedgerTestApp(engine)
    let (one, other) = (
      try await app.open("one", funds: 1000, owner: "ada"), try await app.open("other", owner: "ada")
    )
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        group.addTask {
          _ = try await app.ledger.transfer(app.order("t \(number)", from: one, to: other, 1), by: "ada")
        }
      }
      group.addTask {
        try await app.database.write(.readCommitted) {
          _ = try app.ledger.setStopped(true, party: "ada", tenant: Self.tenant, in: $0)
        }
        let after = try await app.account(one)?.actual
        for number in 0..<10 {
          let late = try await app.ledger.transfer(app.order("late \(number)", from: one, to: other, 1), by: "ada")
          #expect(late.refusal == .notParty)
        }
        #expect(try await app.account(one)?.actual == after)
      }
      try await group.waitForAll()
    }
    #expect(try await app.verify().faults.isEmpty)
  }
}
