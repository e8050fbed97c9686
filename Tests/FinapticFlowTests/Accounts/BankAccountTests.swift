// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import FinapticWire
import HTTPTypes
import Kit
import Storage
import TestSupport
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

@Suite("Finaptic: what a bank's own systems do with accounts")
struct BankAccountTests {
  private struct View: Decodable {
    let account_id: String
    let account_type: String
    let name: String
    let status: String
    let owners: [String]
    let authorized_users: [String]
  }

  /// A bank's system with its credentials.
  private struct BankClient {
    let app: CardTestApp
    let basic: String

    init(_ app: CardTestApp, tenant: Int = CardTestApp.tenant) async throws {
      let issued = try await app.accounts.app.addFinapticClient(.bank, "core", tenant: tenant, by: "operator")
      self.app = app
      basic = "Basic " + Data("\(issued.client.id):\(issued.secret)".utf8).base64EncodedString()
    }

    func call(
      _ path: String, _ body: [String: String]? = nil, as credentials: String? = nil, once: String? = nil
    ) async throws -> CardTestApp.Answer {
      var headers = ["Authorization": credentials ?? basic]
      if let once { headers["Idempotency-Key"] = once }
      let method: HTTPRequest.Method = body == nil ? .get : .post
      let place = path == "cards" ? "/cards" : "/accounts\(path)"
      return try await app.accounts.call(
        method, "\(FinapticServerDialect.base)\(place)", try body.map { try WireJSON.encode($0) } ?? Data(),
        headers: headers)
    }

    func view(_ path: String, _ body: [String: String]? = nil, once: String? = nil) async throws -> View {
      let answer = try await call(path, body, once: once)
      try #require((200...201).contains(answer.status), "\(answer.status) \(answer.json)")
      return try JSONDecoder().decode(View.self, from: answer.body)
    }

    /// Status and code of a problem document.
    func refusal(
      _ path: String, _ body: [String: String]? = nil, as credentials: String? = nil
    ) async throws -> String {
      struct Document: Decodable { let code: String }
      let answer = try await call(path, body, as: credentials)
      return "\(answer.status) \((try? JSONDecoder().decode(Document.self, from: answer.body))?.code ?? "")"
    }
  }

  private static let (active, inactive) = ("ACCOUNT_STATUS_ACTIVE", "ACCOUNT_STATUS_INACTIVE")
  private static let kind = "current_account.v39"

  @Test("a name in the ledger is read back as its tenant, and no other spelling of the number is")
  func ledgerNames() {
    for tenant in [1, 7, 30_000] {
      #expect(FinapticTenantName(BankAccount.ledgerTenant(tenant))?.tenant == tenant)
    }
    let spellings = ["", "+7", "07", "7x", "0", "-7"].map { "finaptic-\($0)" }
    for name in spellings + ["rubix-7", "7", ""] {
      #expect(FinapticTenantName(name) == nil, "\(name)")
    }
  }

  @Test("opened inactive, once for a key; let book; shared; and its people see it by their apps")
  func whole() async throws {
    try await CardTestApp.run { app in
      let bank = try await BankClient(app)
      let (ada, bob, kim) = (
        try await app.customer("ada"), try await app.customer("bob"), try await app.customer("kim")
      )
      let (asked, key) = (["customer_id": ada.customer, "account_type": Self.kind], UUID().uuidString.lowercased())
      let made = try await bank.view("", asked, once: key)
      #expect(made.status == Self.inactive && made.owners == [ada.customer] && made.authorized_users.isEmpty)
      #expect(made.account_type == Self.kind && made.name == "Current account")
      #expect(try await bank.view("", asked, once: key).account_id == made.account_id)
      let path = "/\(made.account_id)"
      #expect(try await bank.view("\(path)/status", ["status": Self.inactive]).status == Self.inactive)
      for _ in 0..<2 { #expect(try await bank.view("\(path)/status", ["status": Self.active]).status == Self.active) }
      #expect(try await bank.refusal("\(path)/status", ["status": Self.inactive]) == "409 account-active")
      #expect(try await bank.view("\(path)/owners", ["customer_id": bob.customer]).owners.contains(bob.customer))
      let shared = try await bank.view("\(path)/authorized-users", ["customer_id": kim.customer])
      #expect(shared.authorized_users == [kim.customer])
      #expect(try await bank.view(path).owners.sorted() == [ada.customer, bob.customer].sorted())
      try await app.deposit(5_00, on: .init(rawValue: made.account_id))
      for person in [ada, bob, kim] {
        let seen = try await app.call(
          .getAccount, FinapticAPI.AccountRequest(accountId: made.account_id), as: person
        ).view(FinapticAPI.Account.self)
        #expect(seen.balance.actual.amount == "5.00")
      }
      #expect(
        try await app.accounts.story(chain: "account-\(made.account_id)") == [
          "finaptic.account.opened", "finaptic.account.activated", "finaptic.account.ownerAdded",
          "finaptic.account.authorizedUserAdded",
        ])
    }
  }

  @Test("frozen, let pay again, closed with what is on it paid out; a user is taken off: each with a reason")
  func stopped() async throws {
    try await CardTestApp.run { app in
      let bank = try await BankClient(app)
      let (ada, kim) = (try await app.customer("ada"), try await app.customer("kim"))
      let (product, other) = (try await app.open(for: ada, cents: 100_00), try await app.open(for: ada, cents: 0))
      let (path, frozen, closed) = ("/\(product.account)", "ACCOUNT_STATUS_FROZEN", "ACCOUNT_STATUS_CLOSED")
      #expect(try await bank.refusal("\(path)/status", ["status": frozen]).hasPrefix("4"))
      #expect(try await bank.refusal("\(path)/status", ["status": frozen, "reason": "WHIM"]).hasPrefix("4"))
      let asked = ["status": frozen, "reason": "FRAUD_SUSPECTED"]
      for _ in 0..<2 { #expect(try await bank.view("\(path)/status", asked).status == frozen) }
      #expect(try await app.pay(10_00, by: product.card).responseCode == CardResponseCode.notPermitted.rawValue)
      #expect(try await bank.view("\(path)/status", ["status": Self.active]).status == Self.active)
      #expect(try await app.pay(10_00, by: product.card).responseCode == CardResponseCode.approved.rawValue)
      var closing = ["status": closed, "reason": "CUSTOMER_REQUEST"]
      #expect(try await bank.refusal("\(path)/status", closing) == "409 account-has-balance")
      closing["payout_account_id"] = product.account.rawValue
      #expect(try await bank.refusal("\(path)/status", closing).hasPrefix("4"))
      closing["payout_account_id"] = other.account.rawValue
      #expect(try await bank.view("\(path)/status", closing).status == closed)
      #expect(try await app.balance(of: product.account) == [0, 0])
      #expect(try await app.balance(of: other.account) == [90_00, 90_00])
      #expect(try await bank.refusal("\(path)/status", ["status": Self.active]) == "409 account-closed")
      #expect(try await app.pay(1, by: product.card).responseCode == CardResponseCode.notPermitted.rawValue)
      try await app.authorize(kim, on: other.account)
      let removal = ["customer_id": kim.customer, "reason": "LEGAL_ORDER"]
      #expect(try await bank.view("/\(other.account)/removals", removal).authorized_users.isEmpty)
      #expect(try await bank.refusal("/\(other.account)/removals", removal).hasPrefix("404"))
      #expect(
        try await app.accounts.story(chain: "account-\(product.account)").suffix(3) == [
          "finaptic.account.frozen", "finaptic.account.unfrozen", "finaptic.account.closed",
        ])
    }
  }

  @Test("an account that is closed pays out to an account of an owner only, and alone within the limit of postings")
  func payout() async throws {
    try await CardTestApp.run { app in
      let bank = try await BankClient(app)
      let (ada, bob) = (try await app.customer("ada"), try await app.customer("bob"))
      let product = try await app.open(for: ada, cents: 100_00)
      let (other, own) = (try await app.open(for: bob, cents: 0), try await app.open(for: ada, cents: 0))
      let path = "/\(product.account)/status"
      var closing = ["status": "ACCOUNT_STATUS_CLOSED", "reason": "CUSTOMER_REQUEST"]
      closing["payout_account_id"] = other.account.rawValue
      #expect(try await bank.refusal(path, closing) == "403 payout-to-other")
      let frozen = ["status": "ACCOUNT_STATUS_FROZEN", "reason": "FRAUD_SUSPECTED"]
      _ = try await bank.view(path, frozen)
      #expect(try await bank.refusal(path, closing) == "403 payout-to-other")
      // Who may use an account does not own it.
      try await app.authorize(bob, on: product.account)
      #expect(try await bank.refusal(path, closing) == "403 payout-to-other")
      closing["payout_account_id"] = own.account.rawValue
      try await app.dependencies.fourEyes.setAmount(99_99, of: CardTestApp.tenant, by: "test")
      // More than one person moves takes a second one, and a key to call again with.
      #expect(try await bank.refusal(path, closing) == "400 missing-header")
      #expect(try await bank.call(path, closing, once: UUID().uuidString.lowercased()).status == 202)
      #expect(try await bank.view("/\(product.account)").status == "ACCOUNT_STATUS_FROZEN")
      #expect(try await app.balance(of: product.account) == [100_00, 100_00])
      try await app.dependencies.fourEyes.setAmount(100_00, of: CardTestApp.tenant, by: "test")
      #expect(try await bank.view(path, closing).status == "ACCOUNT_STATUS_CLOSED")
      #expect(try await app.balance(of: own.account) == [100_00, 100_00])
      #expect(try await app.balance(of: other.account) == [0, 0])
    }
  }

  @Test("a bank's system makes a card once for a key, for who is on an account that books")
  func card() async throws {
    try await CardTestApp.run { app in
      struct Made: Decodable {
        let card_id: String
        let state: String
      }
      let bank = try await BankClient(app)
      let (ada, bob) = (try await app.customer("ada"), try await app.customer("bob"))
      let account = try await app.open(for: ada, cents: 100_00).account
      var order = ["customer_id": ada.customer, "account_id": account.rawValue, "card_type": "CARD_TYPE_PREPAID"]
      let key = UUID().uuidString.lowercased()
      let first = try await bank.call("cards", order, once: key)
      #expect(first.status == 201)
      let made = try JSONDecoder().decode(Made.self, from: first.body)
      #expect(made.state == "CARD_STATE_ACTIVE")
      let again = try await bank.call("cards", order, once: key)
      #expect(try JSONDecoder().decode(Made.self, from: again.body).card_id == made.card_id)
      #expect(try await app.pay(1_00, by: made.card_id).responseCode == CardResponseCode.approved.rawValue)
      order["card_type"] = "CARD_TYPE_GOLD"
      #expect(try await bank.refusal("cards", order) == "422 validation-failed")
      order["card_type"] = "CARD_TYPE_CREDIT"
      order["customer_id"] = bob.customer
      #expect(try await bank.refusal("cards", order) == "422 validation-failed")
      try await app.authorize(bob, on: account)
      #expect(try await bank.call("cards", order).status == 201)
      _ = try await bank.view("/\(account)/status", ["status": "ACCOUNT_STATUS_FROZEN", "reason": "LEGAL_ORDER"])
      #expect(try await bank.refusal("cards", order) == "409 account-not-active")
    }
  }

  @Test("refused: what there is not, whose it is not, who may not, and what is there already")
  func refused() async throws {
    try await CardTestApp.run { app in
      let bank = try await BankClient(app)
      let other = try await BankClient(app, tenant: AccountTestApp.otherTenant)
      let (ada, bob) = (try await app.customer("ada"), try await app.customer("bob"))
      let stranger = try await app.customer("eve", tenant: AccountTestApp.otherTenant)
      let made = try await bank.view("", ["customer_id": ada.customer, "account_type": Self.kind])
      let path = "/\(made.account_id)"
      for body in [
        ["customer_id": stranger.customer, "account_type": Self.kind],
        ["customer_id": "nobody", "account_type": Self.kind],
        ["customer_id": ada.customer, "account_type": "gold"],
        ["customer_id": ada.customer, "account_type": InternalAccounts.Kind.cash.product],
        ["customer_id": ada.customer, "account_type": Self.kind, "name": String(repeating: "x", count: 101)],
      ] { #expect(try await bank.refusal("", body) == "422 validation-failed") }
      #expect(try await bank.refusal("\(path)/status", ["status": "CLOSED"]) == "422 validation-failed")
      for call in ["owners", "authorized-users"] {
        #expect(try await bank.refusal("\(path)/\(call)", ["customer_id": ada.customer]) == "409 already-party")
        #expect(
          try await bank.refusal("\(path)/\(call)", ["customer_id": stranger.customer]) == "422 validation-failed")
        // Another tenant's account is not there, whatever is asked of it.
        #expect(try await other.refusal("\(path)/\(call)", ["customer_id": stranger.customer]) == "404 not-found")
      }
      #expect(try await other.refusal(path) == "404 not-found")
      #expect(try await bank.refusal("/none") == "404 not-found")
      #expect(try await bank.refusal("/\(app.dependencies.core.world.randomUUID())") == "404 not-found")
      #expect(
        try await bank.refusal("", ["customer_id": ada.customer, "account_type": Self.kind], as: app.network)
          == "403 forbidden")
      #expect(try await bank.call(path, as: "Basic bm86Ym9keQ==").status == 401)
      for number in 0..<9 {
        let person = try await app.customer("owner\(number)")
        _ = try await bank.view("\(path)/owners", ["customer_id": person.customer])
      }
      #expect(try await bank.refusal("\(path)/owners", ["customer_id": bob.customer]) == "409 too-many-owners")
      #expect(try await bank.view(path).owners.count == 10)
    }
  }

  @Test(
    "a customer who gets an account while they are erased is erased with it",
    .enabled(if: Engine.current == .postgres, "SQLite has one writer at a time"))
  func erasedMeanwhile() async throws {
    try await CardTestApp.run { app in
      let ada = try await app.customer("ada")
      let (bank, id) = (
        app.dependencies.bankAccounts, BankAccount.ID(rawValue: app.dependencies.core.world.randomUUID())
      )
      let (opened, ended) = (Notifier(), Counter())
      @Sendable func erase() async throws -> FinapticErasure.Outcome {
        await opened.wait()
        defer { _ = ended.next() }
        return try await app.accounts.service.dependencies.erasure.erase(
          ada.customer, tenant: CardTestApp.tenant, reason: .ended, by: "test", despiteDuty: true)
      }
      async let erasure = erase()
      try await app.database.write(.readCommitted) { tx in
        guard let tenant = try TenantStore(tx).find(CardTestApp.tenant) else { throw Problem.unexpected }
        _ = try bank.open(
          .init(customer_id: ada.customer, account_type: Self.kind, name: nil), id: id, of: tenant, by: "test", in: tx)
        let own: Int = try tx.first("SELECT pg_backend_pid() AS pid")?.get("pid") ?? 0
        opened.notify()
        // Until the erasure, which has read what there is, waits for this transaction, or did not and is done.
        while ended.count == 0 {
          let waiting = try tx.query(
            "SELECT pid FROM pg_locks WHERE NOT granted AND \(own) = ANY(pg_blocking_pids(pid))")
          if !waiting.isEmpty { break }
        }
      }
      #expect(try await erasure.accounts == 1)
      let asked = ["customer_id": ada.customer, "account_type": Self.kind]
      #expect(try await BankClient(app).refusal("", asked) == "422 validation-failed")
    }
  }
}
