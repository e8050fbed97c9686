// SPDX-License-Identifier: Apache-2.0

import Ledger
import Foundation
import Kit
import Storage
import TestSupport
import Testing

@testable import FinapticFlow

@Suite("Finaptic: thousands of random bookings")
struct BankPropertyTests {
  /// Of each of the clients; more by the environment.
  private static let orders = ProcessInfo.processInfo.environment["GATEHOUSE_BOOKINGS"].flatMap(Int.init) ?? 60
  private static let clients = 32
  private static let funds: Int64 = 600

  /// What was answered, as arithmetic.
  private struct Model: Sendable {
    var actual: [LedgerAccount.ID: Int64] = [:]
    var held: [LedgerAccount.ID: Int64] = [:]
    var booked = 0
    var declined = 0

    mutating func move(_ amount: Int64, from debit: LedgerAccount.ID, to credit: LedgerAccount.ID) {
      actual[debit, default: 0] -= amount
      actual[credit, default: 0] += amount
      booked += 1
    }

    mutating func add(_ other: Model) {
      actual.merge(other.actual) { $0 + $1 }
      held.merge(other.held) { $0 + $1 }
      (booked, declined) = (booked + other.booked, declined + other.declined)
    }
  }

  @Test(
    "side by side on two nodes: the books are right, the model agrees, customers see what was booked",
    arguments: Engine.available)
  func concurrent(engine: Engine) async throws {
    try await BankingTestApp.run(engine) { bank in
      let owner = try await bank.customer()
      var accounts: [BankAccount.ID] = []
      for _ in 0..<10 { accounts.append(try await bank.open(owner, funds: Self.funds)) }
      let recorder = BankTransactionRecorder(
        vault: bank.dependencies.core.vault, outbox: Outbox(world: bank.clock.world))
      let second = Ledger(
        database: try bank.made.reopened(), world: bank.clock.world, recorder: recorder)
      let all = accounts
      let model = try await withThrowingTaskGroup(of: Model.self) { group in
        for client in 0..<Self.clients {
          let ledger = client.isMultiple(of: 2) ? bank.ledger : second
          group.addTask { try await Self.play(client, bank, ledger, all) }
        }
        return try await group.reduce(into: Model()) { $0.add($1) }
      }
      #expect(model.declined > 0 && model.booked > Self.clients)
      #expect(try await bank.verify().faults == [])
      for id in accounts {
        let account = try #require(
          try await bank.dependencies.ledger.account(id, tenant: BankAccount.ledgerTenant(BankingTestApp.tenant)))
        #expect(account.actual == Self.funds + model.actual[id, default: 0], "\(id)")
        #expect(account.held == model.held[id, default: 0], "\(id)")
        try await expectSeen(bank, account)
      }
      try second.database.close()
    }
  }

  /// Each entry has its transaction, with the same balance, at the same time; and none is left over.
  private func expectSeen(_ bank: BankingTestApp, _ account: LedgerAccount) async throws {
    var page = Ledger.EntryPage()
    var entries: [LedgerEntry] = []
    while true {
      let more = try await bank.dependencies.ledger.entries(of: account.id, page)
      entries += more
      guard more.count == page.limit, let last = more.last else { break }
      page.after = last.sequence
    }
    let count = entries.count
    let seen = try await bank.database.read {
      try BankTransactionStore($0, vault: bank.dependencies.core.vault).entries(
        of: account.id, from: LedgerTime(microseconds: .min), to: LedgerTime(microseconds: .max), limit: count + 1)
    }
    #expect(
      seen.map { [$0.entry ?? 0, $0.amount.minorUnits, $0.actual, $0.at.microseconds] }
        == entries.map { [$0.sequence, $0.amount, $0.balance, $0.transfer.at.microseconds] })
    let pending = try await bank.database.read {
      try $0.first(
        """
        SELECT COALESCE(SUM(amount), 0) AS n FROM finaptic_transaction
        WHERE account_id = \(account.id) AND state = 'PENDING' AND settled_by IS NULL
        """)?.get("n", as: Int64.self)
    }
    #expect(pending == -account.held)
  }

  private static func play(
    _ client: Int, _ bank: BankingTestApp, _ ledger: Ledger, _ accounts: [BankAccount.ID]
  ) async throws -> Model {
    var (randomness, model) = (SeededGenerator(seed: UInt64(client + 1)), Model())
    for number in 0..<orders {
      let from = Int.random(in: 0..<accounts.count, using: &randomness)
      let to = (from + Int.random(in: 1..<accounts.count, using: &randomness)) % accounts.count
      let (one, other) = (accounts[from], accounts[to])
      let amount = Int64.random(in: 1...200, using: &randomness)
      func order(_ kind: BankTransaction.Kind, _ debit: LedgerAccount.ID, _ credit: LedgerAccount.ID) -> TransferOrder {
        TransferOrder(
          kind, tenant: BankingTestApp.tenant, key: "\(client) \(number)", debit: debit, credit: credit,
          amount: Money(amount, "CAD"))
      }
      switch Int.random(in: 0..<6, using: &randomness) {
      case 0, 1, 2:
        let wanted = order(.transfer, one, other)
        let answer = try await ledger.transfer(wanted)
        if Int.random(in: 0..<8, using: &randomness) == 0 { #expect(try await ledger.transfer(wanted) == answer) }
        if answer.done != nil { model.move(amount, from: one, to: other) } else { model.declined += 1 }
      case 3:
        let wanted = order(.refund, BankingTestApp.cards, one)
        #expect(try await ledger.transfer(wanted, note: try BankingTestApp.bakery.note).done != nil)
        model.move(amount, from: BankingTestApp.cards, to: one)
      default:
        let wanted = order(.purchase, one, BankingTestApp.cards)
        guard let hold = try await ledger.hold(HoldOrder(wanted), note: try BankingTestApp.bakery.note).done else {
          model.declined += 1
          continue
        }
        switch Int.random(in: 0..<3, using: &randomness) {
        case 0:
          let part = Int64.random(in: 1...amount, using: &randomness)
          let settled = try await ledger.settle(
            SettlementOrder(
              tenant: wanted.tenant, key: "s \(client) \(number)", kind: wanted.kind, hold: hold.id, minorUnits: part))
          #expect(settled.done != nil)
          model.move(part, from: one, to: BankingTestApp.cards)
        case 1: #expect(try await ledger.release(hold.id, tenant: wanted.tenant).done != nil)
        default: model.held[one, default: 0] += amount
        }
      }
    }
    return model
  }
}
