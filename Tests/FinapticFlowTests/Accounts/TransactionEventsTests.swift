// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Delivery
@testable import FinapticFlow
@testable import GatehouseApp

@Suite("Finaptic: events of transactions")
struct TransactionEventsTests {
  @Test("each customer on the account is told once of each transaction, under an id that stays")
  func told() async throws {
    try await BankingTestApp.run { bank in
      let (owner, other) = (try await bank.customer(), try await bank.customer("Bob", "Cratchit"))
      let (one, two) = (try await bank.open(owner, authorized: other), try await bank.open(owner))
      try await bank.dependencies.giveDevice(to: owner.id, of: BankingTestApp.tenant)
      try await bank.database.write { _ = try $0.execute("DELETE FROM outbox") }
      let deposit = try await bank.deposit(1000, to: one)
      let transfer = try #require(
        try await bank.ledger.transfer(bank.order(.transfer, 400, from: one, to: two)).done)
      let owed = try await bank.database.read {
        try $0.query("SELECT id, payload, subject FROM outbox WHERE topic = \(TransactionEvents.topic) ORDER BY id")
          .map { (try $0.get("subject", as: String.self), try $0.get("payload", as: String.self)) }
      }
      #expect(Set(owed.map(\.0)) == [deposit.id.rawValue, transfer.id.rawValue])
      let heard = Mutex<[TransactionCreatedEvent]>([])
      let effect = TransactionEvents(
        core: bank.dependencies.core, audience: TransactionAudience { events in heard.withLock { $0 += events } })
      for _ in 0..<2 {
        for (subject, payload) in owed {
          try await effect.perform(
            OutboxItem(
              id: .init(bank.clock.world), topic: TransactionEvents.topic, subject: subject, payload: payload,
              attempts: 0, enqueuedAt: bank.clock.now, origin: nil))
        }
      }
      let events = heard.withLock { $0 }
      // Two on the first account hear of both, one on the second of the transfer.
      #expect(events.count == 10 && Set(events.map(\.id)).count == 5)
      #expect(events.allSatisfy { UUID(uuidString: $0.id) != nil })
      #expect(Set(events.filter { $0.transaction.account == one }.map(\.customer)) == [owner.id, other.id])
      #expect(Set(events.filter { $0.transaction.account == two }.map(\.customer)) == [owner.id])
      await #expect(throws: TransactionEvents.Unreadable.self) {
        try await effect.perform(
          OutboxItem(
            id: .init(bank.clock.world), topic: TransactionEvents.topic, subject: "x", payload: "x", attempts: 0,
            enqueuedAt: bank.clock.now, origin: nil))
      }
      try await bank.database.write { _ = try $0.execute("DELETE FROM finaptic_push_channel") }
      try await bank.settle()
      #expect(try await bank.database.read { try $0.first("SELECT id FROM outbox") } == nil)
    }
  }

  @Test("no event is owed where no one listens, and one for each account with a device", arguments: Engine.available)
  func unheard(engine: Engine) async throws {
    try await BankingTestApp.run(engine) { bank in
      let (owner, other) = (try await bank.customer(), try await bank.customer("Bob", "Cratchit"))
      let (one, two) = (try await bank.open(owner, funds: 1000), try await bank.open(owner, authorized: other))
      func owed() async throws -> [String] {
        try await bank.database.write { _ = try $0.execute("DELETE FROM outbox") }
        _ = try #require(try await bank.ledger.transfer(bank.order(.transfer, 1, from: one, to: two)).done)
        return try await bank.database.read {
          try $0.query("SELECT payload FROM outbox WHERE topic = \(TransactionEvents.topic)")
            .map { try $0.get("payload") }
        }
      }
      #expect(try await owed() == [])
      // The device of one who is on the second account only.
      try await bank.dependencies.giveDevice(to: other.id, of: BankingTestApp.tenant)
      let payloads = try await owed()
      #expect(payloads.count == 1 && payloads[0].hasSuffix(" \(two)") && !payloads[0].contains(","))
      try await bank.dependencies.giveDevice(to: owner.id, of: BankingTestApp.tenant)
      #expect(try await owed().first?.split(separator: ",").count == 2)
    }
  }

  @Test("an endpoint hears of every account of its tenant, while it takes transactions", arguments: Engine.available)
  func endpoints(engine: Engine) async throws {
    try await BankingTestApp.run(engine) { bank in
      let owner = try await bank.customer()
      let (one, two) = (try await bank.open(owner, funds: 1000), try await bank.open(owner))
      // Of the same name, at another bank.
      try await bank.dependencies.giveDevice(to: owner.id, of: BankingTestApp.otherTenant)
      func owed() async throws -> [Int] {
        try await bank.database.write { _ = try $0.execute("DELETE FROM outbox") }
        _ = try #require(try await bank.ledger.transfer(bank.order(.transfer, 1, from: one, to: two)).done)
        return try await bank.database.read {
          try $0.query("SELECT payload FROM outbox WHERE topic = \(TransactionEvents.topic)")
            .map { try $0.get("payload", as: String.self).split(separator: ",").count }
        }
      }
      func add(_ events: [String], tenant: Int) async throws {
        _ = try await bank.app.webhooks.add(
          "https://bank.example/hooks", tenant: FinapticTenant.webhooks(tenant), events: events, by: "test")
      }
      let others = ["CardUpdated", "LaterTransactionCreated", "TransactionCreated.later"]
      try await add(others, tenant: BankingTestApp.tenant)
      try await add(["TransactionCreated"], tenant: BankingTestApp.otherTenant)
      #expect(try await owed() == [])
      for events in [["CardUpdated", "TransactionCreated"], []] {
        try await add(events, tenant: BankingTestApp.tenant)
        #expect(try await owed() == [2], "\(events)")
        try await bank.database.write {
          _ = try $0.execute("UPDATE webhook_endpoint SET disabled_at = \(bank.clock.now)")
        }
        #expect(try await owed() == [])
      }
    }
  }
}
