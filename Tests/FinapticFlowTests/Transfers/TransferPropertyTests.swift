// SPDX-License-Identifier: Apache-2.0

import Ledger
import Foundation
import FinapticWire
import Kit
import TestSupport
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

@Suite("Finaptic: thousands of transfers at once")
struct TransferPropertyTests {
  /// Calls of each of eight customers; more are asked for by the environment.
  private static let count = ProcessInfo.processInfo.environment["GATEHOUSE_TRANSFERS"].flatMap { Int($0) } ?? 40

  private struct Done: Sendable {
    var moved: [(from: String, to: String, amount: Int64)] = []
    var declined = 0
    var keys = 0
  }

  @Test("repeated under their keys and side by side, each is done once, and the books agree with the answers")
  func concurrent() async throws {
    try await AccountTestApp.run { app in
      var customers: [MoneyCustomer] = []
      for number in 0..<8 {
        customers.append(try await app.customer("c\(number)@finaptic.com", accounts: 3, funds: 20_00))
      }
      // All of them use one account, and so meet there.
      let shared = customers[0].account
      for customer in customers.dropFirst() { try await app.share(shared, with: customer) }
      let all = customers
      let done = try await withThrowingTaskGroup(of: Done.self) { group in
        for (number, customer) in all.enumerated() {
          group.addTask { try await Self.play(app, customer, shared, seed: UInt64(number + 1)) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      var model = Dictionary(uniqueKeysWithValues: all.flatMap(\.accounts).map { ($0, Int64(20_00)) })
      for (from, to, amount) in done.flatMap(\.moved) {
        model[from, default: 0] -= amount
        model[to, default: 0] += amount
      }
      for (account, balance) in model {
        #expect(try await app.balance(account) == balance)
        #expect(balance >= 0)
      }
      let found = try await app.database.read { try LedgerStore($0).verify() }
      #expect(found.faults.isEmpty)
      #expect(done.contains { $0.declined > 0 } && done.allSatisfy { !$0.moved.isEmpty })
      #expect(found.declined == done.reduce(0) { $0 + $1.declined })
      #expect(found.transfers == model.count + done.reduce(0) { $0 + $1.moved.count })
    }
  }

  private static func play(
    _ app: AccountTestApp, _ customer: MoneyCustomer, _ shared: String, seed: UInt64
  ) async throws -> Done {
    var (randomness, done) = (SeededGenerator(seed: seed), Done())
    let accounts = Array(Set(customer.accounts + [shared])).sorted()
    for _ in 0..<count {
      let from = accounts[Int.random(in: 0..<accounts.count, using: &randomness)]
      let to = accounts.filter { $0 != from }.randomElement(using: &randomness) ?? shared
      let (cents, key) = (Int64.random(in: 1...15_00, using: &randomness), UUID().uuidString)
      let amount = Money(cents, "CAD").decimal
      // As after a lost answer, or by an impatient finger: the same call, two or three times, at once.
      let times = Int.random(in: 0..<3, using: &randomness) == 0 ? Int.random(in: 2...3, using: &randomness) : 1
      let answers = try await withThrowingTaskGroup(of: FinapticAPI.InitiateTransferResponse.self) { group in
        for _ in 0..<times {
          group.addTask { try await app.transfer(amount, from: from, to: to, as: customer, once: key).view() }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(Set(answers).count == 1)
      if answers[0].details.status == "COMPLETED" { done.moved.append((from, to, cents)) } else { done.declined += 1 }
    }
    return done
  }
}
