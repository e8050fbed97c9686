// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage
import TestSupport
import Testing

@testable import Ledger

/// What an account must be, by arithmetic that a child can follow.
private struct Model {
  var actual: [LedgerAccount.ID: Int64]
  var held: [LedgerAccount.ID: Int64] = [:]

  mutating func move(_ order: TransferOrder) {
    actual[order.debit, default: 0] -= order.amount.minorUnits
    actual[order.credit, default: 0] += order.amount.minorUnits
  }

  func available(_ id: LedgerAccount.ID) -> Int64 { actual[id, default: 0] - held[id, default: 0] }
}

@Suite("Ledger: thousands of random operations")
struct LedgerPropertyTests {
  private static let accounts = (0..<12).map { LedgerAccount.ID(rawValue: "account-\($0)") }
  private static let funds: Int64 = 500

  private static func app(_ engine: Engine, workers: Int? = nil) async throws -> LedgerTestApp {
    let app = try await LedgerTestApp(engine, workers: workers)
    for id in accounts { try await app.open(id.rawValue, funds: funds) }
    return app
  }

  private static var model: Model {
    var model = Model(actual: Dictionary(uniqueKeysWithValues: accounts.map { ($0, funds) }))
    model.actual[LedgerTestApp.cash] = -funds * Int64(accounts.count)
    return model
  }

  private func expectAgreement(_ app: LedgerTestApp, _ model: Model) async throws {
    let found = try await app.verify()
    #expect(found.faults.isEmpty)
    for id in Self.accounts + [LedgerTestApp.cash] {
      let account = try #require(try await app.account(id))
      #expect(account.actual == model.actual[id, default: 0] && account.held == model.held[id, default: 0], "\(id)")
      #expect(id == LedgerTestApp.cash || account.availableBalance.minorUnits >= 0)
    }
  }

  @Test("one after the other, every answer is what the model says", arguments: Engine.available, [UInt64(1), 2, 3])
  func sequential(engine: Engine, seed: UInt64) async throws {
    let app = try await Self.app(engine)
    var (randomness, model) = (SeededGenerator(seed: seed), Self.model)
    var holds: [LedgerHold] = []
    var orders: [(TransferOrder, Bool)] = []
    for number in 0..<700 {
      let (from, to) = (
        Self.accounts.randomElement(using: &randomness)!, Self.accounts.randomElement(using: &randomness)!
      )
      let amount = Int64.random(in: 1...200, using: &randomness)
      switch Int.random(in: 0..<10, using: &randomness) {
      case 0...4:
        let order = app.order("t \(number)", from: from, to: to, amount)
        let answer = try await app.ledger.transfer(order)
        guard from != to else {
          #expect(answer.refusal == .sameAccount)
          continue
        }
        let fits = model.available(from) >= amount
        #expect(fits ? answer.done != nil : answer.decline == .insufficientFunds)
        if fits { model.move(order) }
        orders.append((order, fits))
      case 5, 6:
        let answer = try await app.ledger.hold(app.hold("h \(number)", on: from, amount))
        let fits = model.available(from) >= amount
        #expect(fits ? answer.done != nil : answer.decline == .insufficientFunds)
        if let hold = answer.done {
          model.held[from, default: 0] += amount
          holds.append(hold)
        }
      case 7 where !holds.isEmpty:
        let hold = holds.remove(at: Int.random(in: 0..<holds.count, using: &randomness))
        let part = Int64.random(in: 1...hold.order.amount.minorUnits, using: &randomness)
        let answer = try await app.ledger.settle(
          .init(tenant: LedgerTestApp.tenant, key: "s \(number)", kind: "debit", hold: hold.id, minorUnits: part))
        model.held[hold.order.account, default: 0] -= hold.order.amount.minorUnits
        model.move(try #require(answer.done).order)
      case 8 where !holds.isEmpty:
        let hold = holds.remove(at: Int.random(in: 0..<holds.count, using: &randomness))
        #expect(try await app.ledger.release(hold.id, tenant: LedgerTestApp.tenant).done != nil)
        model.held[hold.order.account, default: 0] -= hold.order.amount.minorUnits
      default:
        guard let (order, fits) = orders.randomElement(using: &randomness) else { continue }
        let answer = try await app.ledger.transfer(order)
        #expect(fits ? answer.done != nil : answer.decline == .insufficientFunds)
      }
    }
    try await expectAgreement(app, model)
  }

  /// What one client did.
  private struct Done: Sendable {
    var transfers: [TransferOrder] = []
    var held: [LedgerHold] = []
    var released: [LedgerHold] = []
    var declined = 0
  }

  @Test("side by side, what was answered is what the books hold", arguments: Engine.available, [1, 3])
  func concurrent(engine: Engine, workers: Int) async throws {
    let app = try await Self.app(engine, workers: workers)
    // As a second node has it.
    let second = Ledger(database: try app.made.reopened(), world: app.clock.world, workers: workers)
    let all = try await withThrowingTaskGroup(of: Done.self) { group in
      for client in 0..<32 {
        group.addTask { try await Self.play(client, app, client.isMultiple(of: 2) ? app.ledger : second) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    var model = Self.model
    for done in all {
      for order in done.transfers { model.move(order) }
      for hold in done.held { model.held[hold.order.account, default: 0] += hold.order.amount.minorUnits }
      for hold in done.released { model.held[hold.order.account, default: 0] -= hold.order.amount.minorUnits }
    }
    try await expectAgreement(app, model)
    let found = try await app.verify()
    #expect(found.transfers == all.reduce(Self.accounts.count) { $0 + $1.transfers.count })
    // Who comes late may find nothing left to move.
    #expect(all.contains { $0.declined > 0 } && all.contains { !$0.transfers.isEmpty })
    try second.database.close()
  }

  private static func play(_ client: Int, _ app: LedgerTestApp, _ ledger: Ledger) async throws -> Done {
    var (randomness, done) = (SeededGenerator(seed: UInt64(100 + client)), Done())
    for number in 0..<100 {
      let from = Int.random(in: 0..<accounts.count, using: &randomness)
      let to = (from + Int.random(in: 1..<accounts.count, using: &randomness)) % accounts.count
      let amount = Int64.random(in: 1...150, using: &randomness)
      if Int.random(in: 0..<4, using: &randomness) > 0 {
        let order = app.order("t \(client) \(number)", from: accounts[from], to: accounts[to], amount)
        // Some ask twice, as after a lost answer; the books must not notice.
        let asked = Int.random(in: 0..<8, using: &randomness) == 0 ? 2 : 1
        var answers: [LedgerAnswer<LedgerTransfer>] = []
        for _ in 0..<asked { answers.append(try await ledger.transfer(order)) }
        #expect(Set(answers).count == 1)
        if answers[0].done != nil { done.transfers.append(order) } else { done.declined += 1 }
      } else {
        guard let hold = try await ledger.hold(app.hold("h \(client) \(number)", on: accounts[from], amount)).done
        else { continue }
        done.held.append(hold)
        switch Int.random(in: 0..<3, using: &randomness) {
        case 0:
          let settled = try await ledger.settle(
            .init(tenant: LedgerTestApp.tenant, key: "s \(client) \(number)", kind: "debit", hold: hold.id))
          done.transfers.append(try #require(settled.done).order)
          done.released.append(hold)
        case 1:
          #expect(try await ledger.release(hold.id, tenant: LedgerTestApp.tenant).done != nil)
          done.released.append(hold)
        default: break
        }
      }
    }
    return done
  }
}
