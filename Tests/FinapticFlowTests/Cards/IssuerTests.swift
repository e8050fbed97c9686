// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import GatehouseWire
import Kit
import Ledger
import Storage
import TestSupport
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

@Suite("Finaptic: what a card issuer tells")
struct IssuerTests {
  typealias Outcome = IssuerBodies.Outcome

  /// The processor of an issuer, with one customer's card.
  struct Issuer: Sendable {
    let app: CardTestApp
    let person: CardTestApp.Person
    let product: CardTestApp.Product
    let card: String
    let basic: String

    init(_ app: CardTestApp, cents: Int64 = 100_00) async throws {
      self.app = app
      person = try await app.customer("kim")
      product = try await app.open(for: person, cents: cents)
      let issued = try await app.accounts.app.addFinapticClient(.issue, "x", tenant: CardTestApp.tenant, by: "operator")
      basic = "Basic " + Data("\(issued.client.id):\(issued.secret)".utf8).base64EncodedString()
      let id = PaymentCard.ID(rawValue: product.card)
      let found = try await app.database.read { [app] in
        try CardStore($0, vault: app.dependencies.core.vault).find(id)
      }
      card = try #require(found?.reference)
    }

    func send(
      _ path: String, _ message: String, _ authorization: String? = nil, _ amount: String? = nil,
      _ more: [String: any Sendable] = [:], as credentials: String? = nil
    ) async throws -> CardTestApp.Answer {
      var body: [String: Any] = ["message_id": message]
      body["authorization_id"] = authorization
      body["amount"] = amount.map { ["amount": $0, "currency": "CAD"] }
      if ["authorizations", "clearings", "refunds"].contains(path) {
        body["card_reference"] = card
        body["merchant"] = ["name": "CAFE", "category_code": "5814"]
      }
      for (member, value) in more { body[member] = value }
      return try await app.accounts.call(
        .post, "\(IssuerRoutes.path)/\(path)", try JSONSerialization.data(withJSONObject: body),
        headers: ["Authorization": credentials ?? basic])
    }

    func told(
      _ path: String, _ message: String, _ authorization: String? = nil, _ amount: String? = nil,
      _ more: [String: any Sendable] = [:]
    ) async throws -> Outcome {
      let answer = try await send(path, message, authorization, amount, more)
      try #require(answer.status == 200, "\(path): \(answer.status) \(answer.json)")
      return try JSONDecoder().decode(Outcome.self, from: answer.body)
    }

    func balance() async throws -> [Int64] { try await app.balance(of: product.account) }

    /// What the bank paid and did not get, less what it got and did not pay.
    func suspense() async throws -> Int64 {
      let id = CardSuspense.ledger(CardTestApp.tenant)
      return try await app.database.read { try LedgerStore($0).account(id)?.actual } ?? 0
    }

    func seen(_ outcome: Outcome) async throws -> [String] {
      let id = CardPayment.ID(rawValue: outcome.payment_id ?? "")
      let payment = try await app.database.write { [app] in
        try CardPaymentStore($0, vault: app.dependencies.core.vault).take(id)
      }
      return try await app.transactions(of: product.account, lifecycle: try #require(payment).lifecycle)
    }
  }

  static func run(
    cents: Int64 = 100_00, _ play: @escaping @Sendable (Issuer) async throws -> Void
  ) async throws {
    try await CardTestApp.run { app in
      try await play(Issuer(app, cents: cents))
      let found = try await app.database.read { tx in
        var found = try LedgerStore(tx).verify()
        try BankTransactionStore.verify(in: tx, into: &found)
        return found
      }
      #expect(found.faults.isEmpty)
    }
  }

  @Test("held and cleared once each, whatever is repeated, and people see it pending and then booked")
  func whole() async throws {
    try await Self.run { issuer in
      let held = try await issuer.told("authorizations", "m1", "a1", "40.00")
      #expect(held.response_code == "00" && held.amount?.amount == "40.00")
      #expect(try await issuer.told("authorizations", "m1", "a1", "40.00") == held)
      #expect(try await issuer.send("authorizations", "m1", "a1", "40.01").json.contains("message-reused"))
      #expect(try await issuer.send("authorizations", "m2", "a1", "40.00").json.contains("authorization-exists"))
      #expect(try await issuer.balance() == [100_00, 60_00])
      #expect(try await issuer.seen(held) == ["AUTHORIZED PENDING -4000 10000 6000"])
      let more = try await issuer.told("increments", "m3", "a1", "20.00")
      #expect(more.amount?.amount == "60.00" && more.payment_id == held.payment_id)
      #expect(try await issuer.told("increments", "m4", "a1", "40.01").response_code == "51")
      #expect(try await issuer.balance() == [100_00, 40_00])
      #expect(try await issuer.told("reversals", "m5", "a1", "5.00").amount?.amount == "55.00")
      #expect(try await issuer.send("increments", "m5", "a1", "5.00").json.contains("message-reused"))
      let cleared = try await issuer.told("clearings", "m6", "a1", "50.00")
      #expect(cleared.suspended == nil && cleared.transaction_id != nil)
      #expect(try await issuer.told("clearings", "m6", "a1", "50.00") == cleared)
      #expect(try await issuer.balance() == [50_00, 50_00])
      #expect(
        try await issuer.seen(held) == ["AUTHORIZED PENDING -5500 10000 4500", "DEBIT POSTED -5000 5000 5000"])
      #expect(try await issuer.told("refunds", "m7", "a1", "20.00").suspended == nil)
      #expect(try await issuer.balance() == [70_00, 70_00])
      #expect(try await issuer.send("reversals", "m8", "a1").json.contains("payment-out-of-order"))
      #expect(try await issuer.suspense() == 0)
    }
  }

  @Test("answers of ISO 8583, each of its own cause, and only clients of issuers are heard")
  func declined() async throws {
    try await Self.run { issuer in
      let (app, stops) = (issuer.app, issuer.app.dependencies.bankStops)
      try await app.dependencies.cardPolicy.set(
        .init(paymentMax: 90_00, dayMax: 95_00), of: CardTestApp.tenant, by: "test")
      #expect(try await issuer.told("authorizations", "m1", "a1", "90.01").response_code == "61")
      #expect(try await issuer.told("authorizations", "m2", "a2", "90.00").response_code == "00")
      #expect(try await issuer.told("authorizations", "m3", "a3", "5.01").response_code == "61")
      try await app.dependencies.cardPolicy.set(
        .init(paymentMax: .some(nil), dayMax: .some(nil)), of: CardTestApp.tenant, by: "test")
      #expect(try await issuer.told("authorizations", "m4", "a4", "10.01").response_code == "51")
      let part = try await issuer.told("authorizations", "m5", "a5", "30.00", ["partial_allowed": true])
      #expect(part.response_code == "10" && part.amount?.amount == "10.00")
      #expect(try await issuer.balance() == [100_00, 0])
      #expect(
        try await issuer.told("authorizations", "m6", "a6", "1.00", ["partial_allowed": true]).response_code == "51")
      for authorization in ["a2", "a5"] {
        _ = try await issuer.told("expiries", "end-\(authorization)", authorization)
      }
      #expect(try await issuer.balance() == [100_00, 100_00])
      #expect(
        try await issuer.told("authorizations", "m9", "a9", "1.00", ["card_reference": "other"]).response_code == "14")
      #expect(try await issuer.told("reversals", "m10", "early").response_code == "00")
      #expect(try await issuer.told("authorizations", "m11", "early", "1.00").response_code == "05")
      for (reason, code) in [("CARD_LOST", "41"), ("CARD_STOLEN", "43"), ("COMPLIANCE", "62")] {
        try await stops.setBlocked(true, card: issuer.product.card, tenant: CardTestApp.tenant, reason: reason, by: "t")
        #expect(try await issuer.told("authorizations", reason, reason, "1.00").response_code == code)
        try await stops.setBlocked(false, card: issuer.product.card, tenant: CardTestApp.tenant, reason: nil, by: "t")
      }
      try await stops.setStatus(
        "ACCOUNT_STATUS_FROZEN", of: issuer.product.account.rawValue, tenant: CardTestApp.tenant,
        reason: "COMPLIANCE", payout: nil, by: "test")
      #expect(try await issuer.told("authorizations", "m12", "a12", "1.00").response_code == "57")
      // What is booked on a frozen account is paid by the bank, and a person decides.
      let forced = try await issuer.told("clearings", "m13", nil, "3.00")
      #expect(forced.suspended?.amount == "3.00" && forced.transaction_id == nil)
      try await stops.setStatus(
        "ACCOUNT_STATUS_ACTIVE", of: issuer.product.account.rawValue, tenant: CardTestApp.tenant, reason: nil,
        payout: nil, by: "test")
      app.accounts.clock.advance(by: .days(1300))
      #expect(try await issuer.told("authorizations", "m14", "a14", "1.00").response_code == "54")
      #expect(try await issuer.send("authorizations", "m15", "a15", "1.00", as: app.network).status == 403)
      for amount in ["0.00", "-1.00", "1.001", "x"] {
        #expect(try await issuer.send("authorizations", "m16", "a16", amount).status == 422)
      }
      #expect(try await issuer.send("authorizations", "", "a16", "1.00").status == 422)
      for name in ["CAFE\u{202e}EFAC", "CA\u{200b}FE", String(repeating: "e\u{301}", count: 99)] {
        let merchant = ["name": name]
        #expect(
          try await issuer.send("authorizations", "m16", "a16", "1.00", ["merchant": merchant]).status == 422,
          "\(name)")
      }
      #expect(try await issuer.send("clearings", "m17", nil, "1.00", ["card_reference": "other"]).status == 422)
      #expect(try await issuer.balance() == [100_00, 100_00])
    }
  }

  @Test("a merchant takes more than is held: by policy from the account, and else from the bank, until it is resolved")
  func moreThanHeld() async throws {
    try await Self.run { issuer in
      try await issuer.app.dependencies.cardPolicy.set(.init(overPercent: 20), of: CardTestApp.tenant, by: "test")
      let tip = try await issuer.told("authorizations", "m1", "a1", "50.00")
      #expect(try await issuer.told("clearings", "m2", "a1", "60.00").suspended == nil)
      #expect(
        try await issuer.seen(tip) == ["AUTHORIZED PENDING -6000 10000 4000", "DEBIT POSTED -6000 4000 4000"])
      _ = try await issuer.told("authorizations", "m3", "a3", "10.00")
      let over = try await issuer.told("clearings", "m4", "a3", "13.00")
      #expect(over.suspended?.amount == "3.00")
      #expect(try await issuer.balance() == [30_00, 30_00])
      // No authorization: from the account while it lasts, else from the bank.
      #expect(try await issuer.told("clearings", "m5", "a5", "30.00").suspended == nil)
      #expect(try await issuer.told("clearings", "m6", "a6", "7.00").suspended?.amount == "7.00")
      #expect(try await issuer.balance() == [0, 0])
      #expect(try await issuer.suspense() == -10_00)
      // What comes back goes first to where the bank paid.
      #expect(try await issuer.told("refunds", "m7", "a6", "5.00").suspended == nil)
      #expect(try await issuer.suspense() == -5_00)
      let desk = issuer.app.dependencies.cardSuspense
      let waiting = try await desk.waiting(of: CardTestApp.tenant)
      #expect(waiting.map(\.amount).sorted() == [2_00, 3_00])
      await #expect(throws: Problem.self) {
        _ = try await desk.resolve(waiting[0].id, of: CardTestApp.tenant, by: "test")
      }
      try await issuer.app.deposit(20_00, on: issuer.product.account)
      for item in waiting {
        #expect(try await desk.resolve(item.id, of: CardTestApp.tenant, by: "test") == nil)
        await #expect(throws: Problem.self) {
          _ = try await desk.resolve(item.id, of: CardTestApp.tenant, by: "test")
        }
      }
      #expect(try await desk.waiting(of: CardTestApp.tenant).isEmpty)
      #expect(try await issuer.suspense() == 0)
      #expect(try await issuer.balance() == [15_00, 15_00])
      // More comes back than was paid, and of nothing that is known.
      #expect(try await issuer.told("refunds", "m8", "a3", "13.01").suspended?.amount == "13.01")
      #expect(try await issuer.told("refunds", "m9", nil, "1.00").suspended == nil)
      #expect(try await issuer.balance() == [16_00, 16_00])
    }
  }

  @Test("no number of clearings takes more from an account than was held and allowed, and none is lost")
  func clearedAgain() async throws {
    try await Self.run { issuer in
      _ = try await issuer.told("authorizations", "m1", "a1", "20.00")
      #expect(try await issuer.told("clearings", "m2", "a1", "15.00").suspended == nil)
      #expect(try await issuer.told("clearings", "m3", "a1", "5.00").suspended == nil)
      #expect(try await issuer.told("clearings", "m4", "a1", "30.00").suspended?.amount == "30.00")
      #expect(try await issuer.balance() == [80_00, 80_00])
      #expect(try await issuer.suspense() == -30_00)
      // What comes after all of it came back waits for a person, too.
      _ = try await issuer.told("authorizations", "m5", "a5", "10.00")
      _ = try await issuer.told("clearings", "m6", "a5", "10.00")
      _ = try await issuer.told("refunds", "m7", "a5", "10.00")
      #expect(try await issuer.told("clearings", "m8", "a5", "4.00").suspended?.amount == "4.00")
      #expect(try await issuer.balance() == [80_00, 80_00])
      #expect(try await issuer.suspense() == -34_00)
    }
  }

  @Test("a dispute moves money once to the customer and once back, with and without credit for the time being")
  func disputes() async throws {
    try await Self.run { issuer in
      let disputes = issuer.app.dependencies.cardDisputes
      func dispute(_ id: String, _ steps: [String], credit: Bool, cents: String = "20.00") async throws -> [String?] {
        _ = try await issuer.told("clearings", "\(id)-c", id, cents)
        var states = [
          try await issuer.told(
            "chargebacks", "\(id)-o", id, nil, ["dispute_id": id, "reason_code": "10.4"]
          ).dispute
        ]
        let open = try await disputes.waiting(of: CardTestApp.tenant).first { $0.reference == id }
        if credit {
          let asked = try await disputes.credit(try #require(open).id, of: CardTestApp.tenant, by: "test")
          #expect(asked == nil)
          await #expect(throws: Problem.self) {
            _ = try await disputes.credit(try #require(open).id, of: CardTestApp.tenant, by: "test")
          }
        }
        for step in steps {
          for _ in 0..<2 {
            let told = try await issuer.told(
              "chargebacks/steps", "\(id)-\(step)", nil, nil, ["dispute_id": id, "event": step])
            if states.last != told.dispute { states.append(told.dispute) }
          }
        }
        let again = try await issuer.send(
          "chargebacks/steps", "\(id)-again", nil, nil, ["dispute_id": id, "event": "WON"])
        #expect(again.json.contains("dispute-out-of-order"))
        return states
      }
      #expect(try await dispute("won", ["WON"], credit: false) == ["OPENED", "WON"])
      #expect(try await issuer.balance() == [100_00, 100_00])
      let kept = try await dispute("kept", ["REPRESENTED", "WON"], credit: true)
      #expect(kept == ["OPENED", "CREDITED_REPRESENTED", "WON"])
      #expect(try await issuer.balance() == [100_00, 100_00])
      #expect(try await dispute("lost", ["REPRESENTED", "LOST"], credit: false) == ["OPENED", "REPRESENTED", "LOST"])
      #expect(try await issuer.balance() == [80_00, 80_00])
      #expect(try await dispute("back", ["LOST"], credit: true) == ["OPENED", "LOST"])
      #expect(try await issuer.balance() == [60_00, 60_00])
      #expect(try await issuer.suspense() == 0)
      // Disputed once, and what was taken back can be refunded still.
      #expect(try await issuer.told("refunds", "late", "back", "20.00").suspended == nil)
      #expect(try await issuer.balance() == [80_00, 80_00])
    }
  }

  @Test("messages side by side, each twice and in any order: the account and a model agree", arguments: 1...2)
  func random(seed: UInt64) async throws {
    try await Self.run(cents: 500_00) { issuer in
      let taken = try await withThrowingTaskGroup(of: Int64.self) { group in
        for client in 0..<4 {
          group.addTask {
            var (randomness, taken) = (SeededGenerator(seed: seed * 100 + UInt64(client)), Int64(0))
            for number in 0..<6 {
              let (name, cents) = ("\(client)-\(number)", Int64.random(in: 1...10_00, using: &randomness))
              let amount = Money(cents, "CAD").decimal
              async let one = issuer.told("authorizations", "h\(name)", name, amount)
              async let other = issuer.told("authorizations", "h\(name)", name, amount)
              #expect(try await one == other)
              if Bool.random(using: &randomness) {
                _ = try await issuer.told("reversals", "r\(name)", name)
              } else {
                let part = Int64.random(in: 1...cents, using: &randomness)
                async let first = issuer.told("clearings", "c\(name)", name, Money(part, "CAD").decimal)
                async let second = issuer.told("clearings", "c\(name)", name, Money(part, "CAD").decimal)
                #expect(try await first == second)
                taken += part
              }
            }
            return taken
          }
        }
        return try await group.reduce(0, +)
      }
      #expect(try await issuer.balance() == [500_00 - taken, 500_00 - taken])
    }
  }
}
