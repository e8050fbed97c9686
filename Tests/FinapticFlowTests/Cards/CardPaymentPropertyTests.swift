// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import TestSupport
import Testing

@testable import FinapticFlow

@Suite("Finaptic: random payments by card, side by side")
struct CardPaymentPropertyTests {
  /// What a purchase should have come to, by arithmetic that a child can follow.
  private struct Bill: Sendable {
    let account: BankAccount.ID
    /// Taken from the account for good, and held back on it.
    var taken: Int64 = 0
    var held: Int64 = 0
  }

  private static var count: Int {
    ProcessInfo.processInfo.environment["GATEHOUSE_PROPERTY_COUNT"].flatMap(Int.init) ?? 12
  }

  @Test("books and a model agree after purchases, confirmations, cancellations and refunds of many at once")
  func random() async throws {
    try await CardTestApp.run { app in
      let owner = try await app.customer("ada")
      var products: [CardTestApp.Product] = []
      for _ in 0..<3 { products.append(try await app.open(for: owner, cents: 500_00)) }
      let made = products
      let bills = try await withThrowingTaskGroup(of: [Bill].self) { group in
        for client in 0..<6 {
          group.addTask { try await Self.shop(app, made, seed: UInt64(client + 1)) }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      for product in products {
        let own = bills.filter { $0.account == product.account }
        let actual = own.reduce(500_00) { $0 - $1.taken }
        #expect(
          try await app.balance(of: product.account) == [actual, own.reduce(actual) { $0 - $1.held }])
      }
      #expect(bills.contains { $0.taken > 0 } && bills.contains { $0.held > 0 })
    }
  }

  /// One customer's day: what they buy and what becomes of it.
  private static func shop(_ app: CardTestApp, _ products: [CardTestApp.Product], seed: UInt64) async throws -> [Bill] {
    var (randomness, bills) = (SeededGenerator(seed: seed), [Bill]())
    for _ in 0..<count {
      let product = products[Int.random(in: 0..<products.count, using: &randomness)]
      let cents = Int64.random(in: 1...60_00, using: &randomness)
      let isFinal = Bool.random(using: &randomness)
      let payment = try await app.pay(cents, by: product.card, isFinal ? "purchase" : "authorizePurchase")
      guard payment.responseCode == "00" else {
        #expect(payment.responseCode == "51")
        continue
      }
      var bill = Bill(account: product.account, taken: isFinal ? cents : 0, held: isFinal ? 0 : cents)
      if !isFinal {
        switch Int.random(in: 0..<4, using: &randomness) {
        case 0: break
        case 1:
          #expect(try await app.step("cancelPurchase", payment).status == 200)
          bill.held = 0
        default:
          let part = Int64.random(in: 1...cents, using: &randomness)
          // Two at once, as after a lost answer without a key: one of them counts.
          async let one = app.step("confirmPurchase", payment, cents: part)
          async let other = app.step("confirmPurchase", payment, cents: part)
          #expect(try await [one.status, other.status].sorted() == [200, 400])
          (bill.held, bill.taken) = (0, part)
        }
      }
      if bill.taken > 1, Bool.random(using: &randomness) {
        let part = Int64.random(in: 1...bill.taken, using: &randomness)
        let kind = Bool.random(using: &randomness) ? "refund" : "chargeback"
        #expect(try await app.step(kind, payment, cents: part).status == 200)
        bill.taken -= part
      }
      bills.append(bill)
    }
    return bills
  }
}
