// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import GatehouseWire
import Kit
import Ledger
import Storage
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

@Suite("Finaptic: what a bank's own systems book")
struct PostingTests {
  private struct View: Decodable {
    let status: String
    let transaction_id: String
    let lifecycle_id: String
    let declined: String?
  }

  /// A client with the scope `post`.
  private struct PostingClient {
    let app: CardTestApp
    let basic: String

    init(_ app: CardTestApp, tenant: Int = CardTestApp.tenant) async throws {
      let issued = try await app.accounts.app.addFinapticClient(.post, "core", tenant: tenant, by: "operator")
      self.app = app
      basic = "Basic " + Data("\(issued.client.id):\(issued.secret)".utf8).base64EncodedString()
    }

    func call(
      _ path: String, _ body: some Encodable, once: String? = UUID().uuidString.lowercased(),
      as credentials: String? = nil
    ) async throws -> CardTestApp.Answer {
      var headers = ["Authorization": credentials ?? basic]
      if let once { headers["Idempotency-Key"] = once }
      return try await app.accounts.call(
        .post, "\(FinapticServerDialect.base)/postings\(path)", try WireJSON.encode(body), headers: headers)
    }

    func view(_ path: String, _ body: some Encodable, once: String? = UUID().uuidString.lowercased()) async throws
      -> View
    {
      let answer = try await call(path, body, once: once)
      try #require(answer.status == 200, "\(answer.status) \(answer.json)")
      return try JSONDecoder().decode(View.self, from: answer.body)
    }
  }

  private struct Posting: Encodable {
    var purpose = "DEPOSIT"
    var account_id: String
    var amount: FinapticAPI.Amount
    var reason = "CUSTOMER_PAYMENT"
    var reference: String?

    init(_ purpose: String, _ amount: String, on account: BankAccount.ID, reference: String? = nil) {
      (self.purpose, account_id, self.reference) = (purpose, account.rawValue, reference)
      self.amount = .init(amount: amount, currency: "CAD")
    }
  }

  private struct Hold: Encodable {
    let account_id: String
    let amount: FinapticAPI.Amount
    var reason = "FRAUD"
  }

  private static let reason = ["reason": "BANK_ERROR"]

  @Test("money comes in and goes out, is corrected and reversed, each once for its key")
  func whole() async throws {
    try await CardTestApp.run { app in
      let client = try await PostingClient(app)
      let ada = try await app.customer("ada")
      let account = try await app.open(for: ada, cents: 0).account
      let key = UUID().uuidString.lowercased()
      let deposit = Posting("DEPOSIT", "100.00", on: account, reference: "WIRE 4711")
      let made = try await client.view("", deposit, once: key)
      #expect(made.status == "BOOKED")
      #expect(try await client.view("", deposit, once: key).transaction_id == made.transaction_id)
      #expect(try await client.call("", Posting("DEPOSIT", "100.01", on: account), once: key).status == 409)
      #expect(try await app.balance(of: account) == [100_00, 100_00])
      #expect(try await client.view("", Posting("WITHDRAWAL", "30.00", on: account)).status == "BOOKED")
      let short = try await client.view("", Posting("FEE_CHARGE", "70.01", on: account))
      #expect(short.status == "DECLINED" && short.declined == "insufficient_funds")
      #expect(try await client.view("", Posting("INTEREST_CREDIT", "0.55", on: account)).status == "BOOKED")
      #expect(try await app.balance(of: account) == [70_55, 70_55])
      for _ in 0..<2 {
        let back = try await client.view("/\(made.transaction_id)/reversal", Self.reason, once: key)
        #expect(back.status == "DECLINED" && back.declined == "insufficient_funds")
      }
      // What is booked is booked once for ever, under whatever key.
      let fee = try await client.view("", Posting("FEE_CHARGE", "5.00", on: account))
      for _ in 0..<2 {
        let back = try await client.view("/\(fee.transaction_id)/reversal", Self.reason)
        #expect(back.status == "BOOKED" && back.lifecycle_id == fee.lifecycle_id)
        #expect(try await client.call("/\(back.transaction_id)/reversal", Self.reason).status == 409)
      }
      #expect(try await app.balance(of: account) == [70_55, 70_55])
      #expect(
        try await app.transactions(of: account, lifecycle: fee.lifecycle_id) == [
          "DEBIT POSTED -500 6555 6555", "CREDIT POSTED 500 7055 7055",
        ])
      let story = try await app.accounts.story(chain: "account-\(account)").filter { $0.contains("posting") }
      // A repetition is no line.
      #expect(story.count(where: { $0 == "finaptic.posting.booked" }) == 5)
      #expect(story.count(where: { $0 == "finaptic.posting.reversed" }) == 2)
    }
  }

  @Test("a reversal that was declined is booked under another key when there is money, and once")
  func reversedLater() async throws {
    try await CardTestApp.run { app in
      let client = try await PostingClient(app)
      let account = try await app.open(for: app.customer("ada"), cents: 0).account
      let made = try await client.view("", Posting("DEPOSIT", "100.00", on: account))
      _ = try await client.view("", Posting("WITHDRAWAL", "30.00", on: account))
      let (path, key) = ("/\(made.transaction_id)/reversal", UUID().uuidString.lowercased())
      #expect(try await client.view(path, Self.reason, once: key).status == "DECLINED")
      _ = try await client.view("", Posting("DEPOSIT", "40.00", on: account))
      // The same call has the same answer.
      #expect(try await client.view(path, Self.reason, once: key).status == "DECLINED")
      let back = try await client.view(path, Self.reason)
      #expect(back.status == "BOOKED" && back.lifecycle_id == made.lifecycle_id)
      for once in [key, UUID().uuidString.lowercased()] {
        let again = try await client.view(path, Self.reason, once: once)
        #expect(again.status == "BOOKED" && again.transaction_id == back.transaction_id)
      }
      #expect(try await app.balance(of: account) == [10_00, 10_00])
    }
  }

  @Test("money is held and released, and holds of others are not there")
  func holding() async throws {
    try await CardTestApp.run { app in
      let client = try await PostingClient(app)
      let ada = try await app.customer("ada")
      let product = try await app.open(for: ada)
      let hold = Hold(account_id: product.account.rawValue, amount: .init(amount: "40.00", currency: "CAD"))
      let held = try await client.view("/holds", hold)
      #expect(held.status == "HELD")
      #expect(try await app.balance(of: product.account) == [100_00, 60_00])
      for _ in 0..<2 {
        #expect(try await client.view("/holds/\(held.transaction_id)/release", Self.reason).status == "RELEASED")
      }
      #expect(try await app.balance(of: product.account) == [100_00, 100_00])
      let payment = try await app.pay(1_00, by: product.card, "authorizePurchase")
      #expect(try await client.call("/holds/\(payment.transactionId)/release", Self.reason).status == 404)
    }
  }

  @Test("refused: without a key or a reason, by another scope, on another tenant's account")
  func refused() async throws {
    try await CardTestApp.run { app in
      let client = try await PostingClient(app)
      let other = try await PostingClient(app, tenant: AccountTestApp.otherTenant)
      let ada = try await app.customer("ada")
      let account = try await app.open(for: ada).account
      let posting = Posting("DEPOSIT", "1.00", on: account)
      #expect(try await client.call("", posting, once: nil).status == 400)
      var wrong = posting
      wrong.reason = "WHIM"
      #expect(try await client.call("", wrong).status == 422)
      wrong = posting
      wrong.purpose = "GIFT"
      #expect(try await client.call("", wrong).status == 422)
      for amount in ["0.00", "-1.00", "1.001", "x"] {
        #expect(try await client.call("", Posting("DEPOSIT", amount, on: account)).status == 422)
      }
      #expect(try await client.call("", Posting("DEPOSIT", "10000.01", on: account)).status == 202)
      try await app.dependencies.fourEyes.setAmount(50, of: CardTestApp.tenant, by: "test")
      #expect(try await client.call("", posting).status == 202)
      #expect(try await client.view("", Posting("DEPOSIT", "0.50", on: account)).status == "BOOKED")
      #expect(try await other.call("", posting).status == 422)
      let issued = try await app.accounts.app.addFinapticClient(
        .bank, "core", tenant: CardTestApp.tenant, by: "operator")
      let basic = "Basic " + Data("\(issued.client.id):\(issued.secret)".utf8).base64EncodedString()
      #expect(try await client.call("", posting, as: basic).status == 403)
      #expect(try await client.call("/none/reversal", Self.reason).status == 404)
      #expect(try await app.balance(of: account) == [100_50, 100_50])
    }
  }

  private struct Batch: Encodable {
    struct Order: Encodable {
      let key: String
      let account_id: String
      let amount: FinapticAPI.Amount
      var reference: String?
    }

    var purpose = "DEPOSIT"
    var reason = "CUSTOMER_PAYMENT"
    let orders: [Order]

    init(_ orders: [(key: String, account: String, amount: String)], purpose: String = "DEPOSIT") {
      self.purpose = purpose
      self.orders = orders.map {
        Order(
          key: $0.key, account_id: $0.account, amount: .init(amount: $0.amount, currency: "CAD"), reference: "PAY 7")
      }
    }
  }

  private struct Results: Decodable {
    struct Result: Decodable, Equatable {
      let key: String
      let status: String
      let transaction_id: String?
      let declined: String?
      let problem: String?
    }

    let results: [Result]
  }

  @Test("many orders of one call have a key and an answer each, and none stops another")
  func many() async throws {
    try await CardTestApp.run { app in
      let client = try await PostingClient(app)
      let ada = try await app.customer("ada")
      let one = try await app.open(for: ada, cents: 0).account
      let other = try await app.open(for: ada, cents: 0).account
      let keys = (0..<6).map { _ in UUID().uuidString.lowercased() }
      let orders = [
        (keys[0], one.rawValue, "10.00"), (keys[1], other.rawValue, "0.50"),
        (keys[2], UUID().uuidString, "1.00"), (keys[3], one.rawValue, "10000.01"), ("7", one.rawValue, "1.00"),
        (keys[0], one.rawValue, "10.00"), (keys[0], one.rawValue, "9.00"), (keys[4], one.rawValue, "-1"),
      ].map { (key: $0.0, account: $0.1, amount: $0.2) }
      func send(_ batch: Batch) async throws -> [Results.Result] {
        let answer = try await client.call("/batch", batch, once: nil)
        try #require(answer.status == 200, "\(answer.status) \(answer.json)")
        return try JSONDecoder().decode(Results.self, from: answer.body).results
      }
      let first = try await send(Batch(orders))
      #expect(first.map(\.key) == orders.map(\.key))
      #expect(
        first.map { $0.problem ?? $0.status } == [
          "BOOKED", "BOOKED", "unknown-account", "second-person-needed", "validation-failed", "BOOKED",
          "idempotency-conflict", "validation-failed",
        ])
      #expect(first[5] == first[0])
      // Again, and one of them by itself: what was booked is answered and not booked again.
      #expect(try await send(Batch(orders)) == first)
      let alone = try await client.view(
        "", Posting("DEPOSIT", "10.00", on: one, reference: "PAY 7"), once: keys[0])
      #expect(alone.transaction_id == first[0].transaction_id)
      let taken = try await send(Batch([(keys[5], other.rawValue, "0.51")], purpose: "WITHDRAWAL"))
      #expect(taken.map(\.declined) == ["insufficient_funds"])
      // What all together move takes a second person as one posting of it does, and the same call books them once.
      try await app.dependencies.fourEyes.setAmount(1_99, of: CardTestApp.tenant, by: "operator")
      let parts = (0..<2).map { _ in (key: UUID().uuidString, account: other.rawValue, amount: "1.00") }
      let (large, changed) = (Batch(parts), Batch([parts[0], (parts[1].key, other.rawValue, "1.50")]))
      func ask(_ batch: Batch) async throws -> String {
        struct Waiting: Decodable { let approval_id: String }
        let answer = try await client.call("/batch", batch, once: nil)
        #expect(answer.status == 202)
        return try JSONDecoder().decode(Waiting.self, from: answer.body).approval_id
      }
      let checker = try await app.accounts.app.addFinapticClient(
        .approve, "control", tenant: CardTestApp.tenant, by: "operator")
      // What was refused is asked for anew by the same call, and what was agreed to is this call alone.
      var asked: [String] = []
      for isAgreed in [false, true] {
        let approval = try await ask(large)
        #expect(try await ask(large) == approval)
        _ = try await app.dependencies.bankApprovals.decide(approval, agreeing: isAgreed, by: checker.client)
        asked.append(approval)
      }
      asked.append(try await ask(changed))
      #expect(Set(asked).count == 3)
      #expect(try await app.balance(of: other) == [50, 50])
      let agreed = try await send(large)
      #expect(agreed.map(\.status) == ["BOOKED", "BOOKED"])
      #expect(try await send(large) == agreed)
      #expect(try await app.balance(of: other) == [250, 250])
      // The day's limit is asked of the sum: what is more books nothing.
      try await app.dependencies.fourEyes.setLimit(
        PostingLimit(posting: nil, day: 150), of: "clients", tenant: CardTestApp.tenant, by: "operator")
      let more = (0..<2).map { _ in (key: UUID().uuidString, account: one.rawValue, amount: "1.00") }
      #expect(try await client.call("/batch", Batch(more), once: nil).status == 403)
      #expect(try await send(Batch([orders[0]])) == [first[0]])
      for bad in [Batch([]), Batch(orders, purpose: "GIFT")] {
        #expect(try await client.call("/batch", bad, once: nil).status == 422)
      }
      let found = try await app.accounts.app.database.read { tx in
        (
          try LedgerStore(tx).account(one)?.actual, try LedgerStore(tx).account(other)?.actual,
          try tx.query("SELECT facts FROM audit_line WHERE action = 'finaptic.posting.batch'").map {
            try $0.get("facts", as: String.self)
          }
        )
      }
      #expect(found.0 == 1000 && found.1 == 250)
      // One line for the first call, one for what was declined, one for what was agreed to.
      #expect(found.2.count == 3 && found.2.contains { $0.contains(first[1].transaction_id ?? "-") })
    }
  }
}
