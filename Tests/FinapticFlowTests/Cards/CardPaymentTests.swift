// SPDX-License-Identifier: Apache-2.0

import Foundation
import FinapticWire
import Kit
import Testing

@testable import FinapticFlow

@Suite("Finaptic: payments by card, as a network has them")
struct CardPaymentTests {
  @Test("a purchase in one step: approved, or declined for want of money, and both are seen")
  func purchase() async throws {
    try await CardTestApp.run { app in
      let owner = try await app.customer("ada")
      let product = try await app.open(for: owner, cents: 100_00)
      let paid = try await app.pay(60_00, by: product.card)
      #expect(paid.responseCode == "00" && paid.transactionId == paid.lifecycleTransactionId)
      let declined = try await app.pay(40_01, by: product.card)
      #expect(declined.responseCode == "51")
      #expect(try await app.balance(of: product.account) == [40_00, 40_00])
      #expect(
        try await app.transactions(of: product.account, lifecycle: paid.lifecycleTransactionId) == [
          "DEBIT POSTED -6000 4000 4000"
        ])
      #expect(
        try await app.transactions(of: product.account, lifecycle: declined.lifecycleTransactionId) == [
          "DECLINED POSTED -4001 4000 4000"
        ])
      // Nothing comes back of what was never paid.
      #expect(try await app.step("refund", declined).code == "FAILED_PRECONDITION")
      #expect(try await app.step("confirmPurchase", paid).code == "FAILED_PRECONDITION")
    }
  }

  @Test("authorized, then confirmed for less: what was held is given back, the rest goes")
  func twoSteps() async throws {
    try await CardTestApp.run { app in
      let product = try await app.open(for: app.customer("ada"), cents: 200_00)
      let held = try await app.pay(150_00, by: product.card, "authorizePurchase")
      #expect(held.responseCode == "00")
      #expect(try await app.balance(of: product.account) == [200_00, 50_00])
      #expect(try await app.pay(50_01, by: product.card, "authorizePurchase").responseCode == "51")
      #expect(try await app.step("confirmPurchase", held, cents: 150_01).code == "INVALID_ARGUMENT")
      let confirmed = try await app.step("confirmPurchase", held, cents: 42_50).view(CardPaymentBodies.Outcome.self)
      #expect(confirmed.lifecycleTransactionId == held.lifecycleTransactionId)
      #expect(confirmed.transactionId != held.transactionId && confirmed.id == held.id)
      #expect(try await app.balance(of: product.account) == [157_50, 157_50])
      #expect(
        try await app.transactions(of: product.account, lifecycle: held.lifecycleTransactionId) == [
          "AUTHORIZED PENDING -15000 20000 5000", "DEBIT POSTED -4250 15750 15750",
        ])
      #expect(try await app.step("cancelPurchase", held).code == "FAILED_PRECONDITION")
    }
  }

  @Test("cancelled, or not confirmed in a week: everything is given back, once")
  func givenBack() async throws {
    try await CardTestApp.run { app in
      let product = try await app.open(for: app.customer("ada"))
      let (first, second) = (
        try await app.pay(30_00, by: product.card, "authorizePurchase"),
        try await app.pay(20_00, by: product.card, "authorizePurchase")
      )
      #expect(try await app.step("cancelPurchase", first).view(CardPaymentBodies.Outcome.self).responseCode == "00")
      #expect(try await app.step("cancelPurchase", first).code == "FAILED_PRECONDITION")
      #expect(try await app.balance(of: product.account) == [100_00, 80_00])
      app.accounts.clock.advance(by: .days(7))
      try await app.accounts.service.sweep()
      try await app.accounts.service.sweep()
      #expect(try await app.balance(of: product.account) == [100_00, 100_00])
      #expect(try await app.step("confirmPurchase", second).code == "FAILED_PRECONDITION")
      for payment in [first, second] {
        let seen = try await app.transactions(of: product.account, lifecycle: payment.lifecycleTransactionId)
        #expect(seen.count == 1 && seen[0].hasPrefix("AUTHORIZED CANCELLED"))
      }
    }
  }

  @Test("refunds in parts until nothing is left, a chargeback of the rest, and never more than was paid")
  func comingBack() async throws {
    try await CardTestApp.run { app in
      let product = try await app.open(for: app.customer("ada"))
      let (first, second) = (try await app.pay(50_00, by: product.card), try await app.pay(50_00, by: product.card))
      #expect(try await app.step("refund", first, cents: 20_00).status == 200)
      #expect(try await app.step("refund", first, cents: 30_01).code == "INVALID_ARGUMENT")
      #expect(try await app.step("refund", first).status == 200)
      #expect(try await app.step("refund", first).code == "FAILED_PRECONDITION")
      #expect(try await app.step("refund", second, cents: 5_00).status == 200)
      // By its lifecycle, as the published refund has it.
      let disputed = try await app.network(
        "chargeback",
        CardPaymentBodies.Step(lifecycleTransactionId: second.lifecycleTransactionId, cardId: product.card))
      #expect(disputed.status == 200)
      #expect(try await app.step("chargeback", second).code == "FAILED_PRECONDITION")
      #expect(try await app.balance(of: product.account) == [100_00, 100_00])
      #expect(
        try await app.transactions(of: product.account, lifecycle: first.lifecycleTransactionId) == [
          "DEBIT POSTED -5000 5000 5000", "REFUND POSTED 2000 2000 2000", "REFUND POSTED 3000 5000 5000",
        ])
      #expect(
        try await app.transactions(of: product.account, lifecycle: second.lifecycleTransactionId) == [
          "DEBIT POSTED -5000 0 0", "REFUND POSTED 500 5500 5500", "CHARGEBACK POSTED 4500 10000 10000",
        ])
    }
  }

  @Test("what comes back to an account that is closed is refused with a word, every time, and nothing is booked")
  func closed() async throws {
    try await CardTestApp.run { app in
      let ada = try await app.customer("ada")
      let product = try await app.open(for: ada, cents: 50_00)
      let payment = try await app.pay(50_00, by: product.card)
      _ = try await app.dependencies.bankStops.setStatus(
        BankAccount.Status.closed, of: product.account.rawValue, tenant: CardTestApp.tenant,
        reason: "CUSTOMER_REQUEST", payout: nil, by: "test")
      for step in ["refund", "refund", "chargeback"] {
        #expect(try await app.step(step, payment).code == "FAILED_PRECONDITION")
      }
      #expect(try await app.balance(of: product.account) == [0, 0])
    }
  }

  @Test("a card that is locked, expired, or of a person removed from the account is declined, and that is seen")
  func restricted() async throws {
    try await CardTestApp.run { app in
      let (owner, guest) = (try await app.customer("ada"), try await app.customer("bob"))
      let product = try await app.open(for: owner)
      _ = try await app.call(
        .lockCard, FinapticAPI.CardRequest(cardId: product.card), as: owner
      ).view(FinapticAPI.CardResponse.self)
      // Twice in one millisecond: each has a time of its own.
      let refused = [try await app.pay(10_00, by: product.card), try await app.pay(10_00, by: product.card)]
      #expect(refused.map(\.responseCode) == ["62", "62"])
      #expect(
        try await app.transactions(of: product.account, lifecycle: refused[1].lifecycleTransactionId) == [
          "DECLINED POSTED -1000 10000 10000"
        ])
      #expect(try await app.balance(of: product.account) == [100_00, 100_00])
      try await app.authorize(guest, on: product.account)
      let card = try await app.call(
        .createAuthorizedUserCard,
        FinapticAPI.CreateAuthorizedUserCardRequest(
          card: .init(cardType: "CARD_TYPE_PREPAID", accountId: product.account.rawValue),
          authorizedUserId: guest.customer), as: owner
      ).view(FinapticAPI.CardResponse.self).card.id
      #expect(try await app.pay(10_00, by: card).responseCode == "00")
      _ = try await app.database.write { [dependencies = app.dependencies] in
        try dependencies.ledger.removeAuthorized(guest.customer, from: product.account, in: $0)
      }
      #expect(try await app.pay(10_00, by: card).responseCode == "62")
      let other = try await app.open(for: owner)
      app.accounts.clock.advance(by: .days(4 * 366))
      #expect(try await app.pay(10_00, by: other.card).responseCode == "54")
    }
  }

  @Test("the same key is the same payment, and a body that says too little is told all that it lacks")
  func repeated() async throws {
    try await CardTestApp.run { app in
      let product = try await app.open(for: app.customer("ada"))
      let key = app.dependencies.core.world.randomUUID()
      let first = try await app.pay(10_00, by: product.card, once: key)
      #expect(try await app.pay(10_00, by: product.card, once: key) == first)
      #expect(try await app.balance(of: product.account) == [90_00, 90_00])
      let empty = try await app.network("purchase", CardPaymentBodies.Purchase(payment: nil))
      #expect(
        empty.error?.details?.fieldViolations?.map(\.field) == [
          "payment.cardId", "payment.amount", "payment.cardAcceptorName",
        ])
      for (amount, currency) in [("0", "CAD"), ("-1", "CAD"), ("1.001", "CAD"), ("1", "USD"), ("1e3", "CAD")] {
        let body = CardPaymentBodies.Purchase(
          payment: .init(
            cardId: product.card, amount: .init(amount: amount, currency: currency), cardAcceptorName: "SHOP",
            merchantCategoryCode: "12a"))
        let fields = try await app.network("purchase", body).error?.details?.fieldViolations?.map(\.field)
        #expect(fields == ["payment.amount", "payment.merchantCategoryCode"])
      }
      let unknown = CardPaymentBodies.Step(id: app.dependencies.core.world.randomUUID())
      for step in ["confirmPurchase", "cancelPurchase", "refund", "chargeback"] {
        #expect(try await app.network(step, unknown).code == "NOT_FOUND")
        #expect(try await app.network(step, CardPaymentBodies.Step()).code == "INVALID_ARGUMENT")
        let mismatched = CardPaymentBodies.Step(id: first.id, cardId: app.dependencies.core.world.randomUUID())
        #expect(try await app.network(step, mismatched).code == "NOT_FOUND")
      }
      let bytes = try await app.accounts.made.bytesOnDisk()
      #expect(bytes.range(of: Data("CAFE MONTREAL".utf8)) == nil)
    }
  }

  @Test("a purchase of more than any books can write is declined for want of money, and leaves nothing")
  func beyond() async throws {
    try await CardTestApp.run { app in
      let owner = try await app.customer("ada")
      let product = try await app.open(for: owner, cents: 100_00)
      func body(_ amount: String, _ currency: String = "CAD") -> CardPaymentBodies.Purchase {
        .init(
          payment: .init(
            cardId: product.card, amount: .init(amount: amount, currency: currency), cardAcceptorName: "SHOP",
            merchantCategoryCode: nil))
      }
      for amount in ["9999999999999999.99", "10000000000000000", "1" + String(repeating: "0", count: 40)] {
        for step in ["purchase", "authorizePurchase"] {
          let answer = try await app.network(step, body(amount)).view(CardPaymentBodies.Outcome.self)
          #expect(answer.responseCode == "51", "\(step) \(amount)")
        }
      }
      let key = app.dependencies.core.world.randomUUID()
      let first = try await app.network("purchase", body("10000000000000000"), once: key)
        .view(CardPaymentBodies.Outcome.self)
      let again = try await app.network("purchase", body("10000000000000000"), once: key)
        .view(CardPaymentBodies.Outcome.self)
      #expect(first == again)
      #expect(try await app.step("confirmPurchase", first).code == "NOT_FOUND")
      for (amount, currency) in [("10000000000000000.001", "CAD"), ("1e16", "CAD"), ("10000000000000000", "USD")] {
        #expect(try await app.network("purchase", body(amount, currency)).code == "INVALID_ARGUMENT")
      }
      _ = try await app.call(
        .lockCard, FinapticAPI.CardRequest(cardId: product.card), as: owner
      ).view(FinapticAPI.CardResponse.self)
      let locked = try await app.network("purchase", body("10000000000000000")).view(CardPaymentBodies.Outcome.self)
      #expect(locked.responseCode == "62")
      #expect(try await app.balance(of: product.account) == [100_00, 100_00])
    }
  }

  @Test("each of a customer's payments is news for the account's people")
  func events() async throws {
    try await CardTestApp.run { app in
      let customer = try await app.customer("ada")
      let product = try await app.open(for: customer)
      try await app.accounts.settle()
      try await app.dependencies.giveDevice(to: customer.customer, of: CardTestApp.tenant)
      func owed() async throws -> Int {
        try await app.database.read {
          try $0.query("SELECT id FROM outbox WHERE topic = 'finaptic.transactions'").count
        }
      }
      _ = try await app.pay(10_00, by: product.card)
      _ = try await app.pay(1000_00, by: product.card)
      #expect(try await owed() == 2)
    }
  }
}
