// SPDX-License-Identifier: Apache-2.0

import Identity
import Ledger
import Foundation
import GatehouseWire
import FinapticWire
import HTTP
import Kit
import Storage
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

/// A bank with customers, accounts and cards, on the product's own router; how a person becomes a customer is another
/// suite's.
struct CardTestApp: Sendable {
  typealias Answer = AccountTestApp.Answer

  let accounts: AccountTestApp
  /// Of the card network that tests play.
  let network: String

  var dependencies: FinapticDependencies { accounts.service.dependencies }
  var database: any SQLDatabase { accounts.database }
  static var tenant: Int { AccountTestApp.tenant }

  static func run(_ play: @escaping @Sendable (CardTestApp) async throws -> Void) async throws {
    try await AccountTestApp.run { app in
      let issued = try await app.app.addFinapticClient(.sandbox, "network", tenant: tenant, by: "operator")
      let basic = "Basic " + Data("\(issued.client.id):\(issued.secret)".utf8).base64EncodedString()
      try await play(CardTestApp(accounts: app, network: basic))
      // Whatever happened, the books are right.
      let found = try await app.database.read { try LedgerStore($0).verify() }
      #expect(found.faults.isEmpty)
    }
  }

  // MARK: People

  struct Person: Sendable {
    let user: FinapticUser.ID
    let customer: String
    let email: String
    let username: String?
  }

  /// A customer of the tenant.
  func customer(_ name: String, username: String? = nil, tenant: Int = tenant) async throws -> Person {
    let world = dependencies.core.world
    let person = Person(
      user: .init(rawValue: world.randomUUID()), customer: world.randomUUID(), email: "\(name)@example.ca",
      username: username)
    let user = FinapticUser(
      id: person.user, tenant: tenant, profile: .init(email: person.email, username: username), emailVerifiedAt: nil,
      customer: nil, blockedAt: nil, createdAt: world.now())
    var profile = ClientProfile()
    profile.personal = .init(firstName: name.capitalized, lastName: "Tremblay", dateOfBirth: "1990-05-17")
    profile.addresses = [OnboardingApplicant.Person().address]
    try await database.write { [dependencies, profile] tx in
      let store = FinapticUserStore(tx, vault: dependencies.core.vault)
      try store.insert(user, passwordHash: "none")
      _ = try store.setCustomer(person.customer, of: person.user)
      try ClientProfileStore(tx, vault: dependencies.core.vault).put(
        profile, person.customer, user: person.user, tenant: tenant, at: world.now())
    }
    return person
  }

  /// An access token of a new session.
  func token(_ person: Person, scope: FinapticScope? = nil, tenant: Int = tenant) async throws -> String {
    let dependencies = dependencies
    let (family, _) = try await database.write {
      try dependencies.sessions.open(
        subject: person.user.rawValue, tenant: "finaptic-\(tenant)", device: "test", in: $0)
    }
    let grant = AccessGrant(
      roles: [FinapticRole.customer.rawValue], customer: person.customer, scope: scope?.rawValue ?? "")
    return try await dependencies.sessions.accessToken(for: family, showing: grant).token
  }

  // MARK: Products

  struct Product: Sendable {
    let account: BankAccount.ID
    let card: String
  }

  /// What a bundle with a card opens, with money in it.
  func open(for person: Person, cents: Int64 = 100_00) async throws -> Product {
    let dependencies = dependencies
    let ids = [dependencies.core.world.randomUUID(), dependencies.core.world.randomUUID()]
    try await dependencies.core.database.write(retrying: .outdated) { tx in
      let profile = try ClientProfileStore(tx, vault: dependencies.core.vault).find(person.customer) ?? ClientProfile()
      try dependencies.opening.open(
        .init(
          application: .init(rawValue: "none"), tenant: Self.tenant, customer: person.customer, profile: profile,
          products: [.account, .prepaidCard], ids: ids), in: tx)
    }
    let product = Product(account: .init(rawValue: ids[0]), card: ids[1])
    if cents > 0 { try await deposit(cents, on: product.account) }
    return product
  }

  func deposit(_ cents: Int64, on account: BankAccount.ID) async throws {
    let answer = try await dependencies.ledger.transfer(
      TransferOrder(
        .deposit, tenant: Self.tenant, key: "deposit \(dependencies.core.world.uuid())",
        debit: InternalAccounts.account(.cash, tenant: Self.tenant), credit: account, amount: Money(cents, "CAD")))
    guard case .done = answer else { throw Problem.unexpected }
  }

  /// Takes everything off the accounts that a customer owns, also what is held, so that the customer can be erased.
  func empty(_ person: Person) async throws {
    let (ledger, name) = (dependencies.ledger, BankAccount.ledgerTenant(Self.tenant))
    let cash = InternalAccounts.account(.cash, tenant: Self.tenant)
    try await database.write(retrying: .outdated) { tx in
      for account in try AccountStore(tx).all(of: person.customer, tenant: Self.tenant, limit: 100) {
        for row in try tx.query("SELECT id FROM ledger_hold WHERE account_id = \(account.id) AND state = 'open'") {
          _ = try ledger.release(try row.get("id"), tenant: name, in: tx)
        }
        guard account.account.actual > 0 else { continue }
        _ = try ledger.transfer(
          TransferOrder(
            .withdrawal, tenant: Self.tenant, key: "empty \(account.id)", debit: account.id, credit: cash,
            amount: account.account.actualBalance), in: tx)
      }
      _ = try tx.execute(
        "UPDATE finaptic_incoming_transfer SET expires_at = 0 WHERE customer_id = \(person.customer)")
    }
  }

  /// Makes a customer an authorized user, as a confirmed invitation does.
  func authorize(_ person: Person, on account: BankAccount.ID) async throws {
    let dependencies = dependencies
    _ = try await database.write {
      try dependencies.ledger.add(
        person.customer, as: .authorized, to: account, tenant: BankAccount.ledgerTenant(Self.tenant), in: $0)
    }
  }

  /// Actual and available balance, in cents.
  func balance(of account: BankAccount.ID) async throws -> [Int64] {
    let found = try await database.read { try LedgerStore($0).account(account) }
    let account = try #require(found)
    return [account.actual, account.actual - account.held]
  }

  /// What customers see of an account, the oldest first: kind, state, cents and balance after it.
  func transactions(of account: BankAccount.ID, lifecycle: String) async throws -> [String] {
    let rows = try await database.read { [dependencies] in
      try BankTransactionStore($0, vault: dependencies.core.vault).all(
        lifecycle: lifecycle, tenant: Self.tenant, limit: 50)
    }
    return rows.filter { $0.account == account }.map {
      "\($0.category.rawValue) \($0.state.rawValue) \($0.amount.minorUnits) \($0.actual) \($0.available)"
    }
  }

  // MARK: Calls

  func call(
    _ method: FinapticMethod, _ body: some Encodable, as person: Person? = nil, scope: FinapticScope? = nil,
    once: String? = nil
  ) async throws -> Answer {
    var headers = ["X-Client-Key": accounts.key]
    if let person { headers["Authorization"] = "Bearer \(try await token(person, scope: scope))" }
    if let once { headers["Idempotency-Key"] = once }
    return try await accounts.call(.post, method.path, try WireJSON.encode(body), headers: headers)
  }

  /// A call of the card network.
  func network(_ step: String, _ body: some Encodable, once: String? = nil) async throws -> Answer {
    var headers = ["Authorization": network]
    if let once { headers["Idempotency-Key"] = once }
    return try await accounts.call(
      .post, "\(SandboxRoutes.base)/cardPayments/\(step)", try WireJSON.encode(body), headers: headers)
  }

  func pay(
    _ cents: Int64, by card: String, _ step: String = "purchase", once: String? = nil
  ) async throws -> CardPaymentBodies.Outcome {
    try await network(
      step,
      CardPaymentBodies.Purchase(
        payment: .init(
          cardId: card, amount: .init(amount: Money(cents, "CAD").decimal, currency: "CAD"),
          cardAcceptorName: "CAFE MONTREAL QC", merchantCategoryCode: "5814")), once: once
    ).view()
  }

  func step(_ step: String, _ payment: CardPaymentBodies.Outcome, cents: Int64? = nil) async throws -> Answer {
    try await network(
      step,
      CardPaymentBodies.Step(
        id: payment.id, amount: cents.map { .init(amount: Money($0, "CAD").decimal, currency: "CAD") }))
  }
}
