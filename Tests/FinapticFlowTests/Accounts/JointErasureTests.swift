// SPDX-License-Identifier: Apache-2.0

import Delivery
import Dispatch
import Foundation
import Ledger
import Storage
import TestSupport
import Testing

@testable import FinapticFlow
@testable import Kit

@Suite("Finaptic: what goes with an owner of a joint account, and what with the last one")
struct JointErasureTests {
  /// A joint account with one note, and its owners.
  private static func joint(
    _ app: CardTestApp
  ) async throws -> (account: BankAccount.ID, owners: [CardTestApp.Person], sealed: Data) {
    let owners = [try await app.customer("ada"), try await app.customer("bob")]
    let (account, ledger) = (try await app.open(for: owners[0]).account, app.dependencies.ledger)
    let isAdded = try await app.database.write {
      try ledger.add(
        owners[1].customer, as: .owner, to: account, tenant: BankAccount.ledgerTenant(CardTestApp.tenant), in: $0)
    }
    #expect(isAdded)
    let order = TransferOrder(
      .deposit, tenant: CardTestApp.tenant, key: "wages",
      debit: InternalAccounts.account(.cash, tenant: CardTestApp.tenant), credit: account, amount: Money(10_00, "CAD"))
    let note = try BankTransaction.Particulars(counterparty: "Employer Inc").note
    guard case .done = try await ledger.transfer(order, note: note) else { throw Problem.unexpected }
    let notes = try await Self.notes(app)
    #expect(notes.count == 1)
    return (account, owners, try #require(notes.first))
  }

  private static func notes(_ app: CardTestApp) async throws -> [Data] {
    try await app.database.read { tx in
      try tx.query("SELECT content FROM finaptic_transaction_note").map { try $0.get("content", as: Data.self) }
    }
  }

  private static func hasKey(_ account: BankAccount.ID, _ app: CardTestApp) async throws -> Bool {
    try await app.database.read { [vault = app.dependencies.core.vault] in
      try vault.hasSubjectKey(of: account.rawValue, in: $0)
    }
  }

  private static func erase(_ person: CardTestApp.Person, _ app: CardTestApp) async throws -> FinapticErasure.Outcome {
    try await app.empty(person)
    return try await app.dependencies.erasure.erase(
      person.customer, tenant: CardTestApp.tenant, reason: .ended, by: "test", despiteDuty: true)
  }

  @Test("they stay while another owner is there, and the last one to go takes them along", arguments: [0, 1])
  func last(first: Int) async throws {
    try await CardTestApp.run { app in
      let (account, owners, sealed) = try await Self.joint(app)
      #expect(Vault.subjectKeyID(of: sealed) != nil)
      #expect(try await Self.erase(owners[first], app).accounts == 0)
      #expect(try await Self.notes(app) == [sealed])
      #expect(try await Self.hasKey(account, app))
      #expect(try await Self.erase(owners[1 - first], app).accounts == 1)
      #expect(try await Self.notes(app) == [])
      #expect(try await !Self.hasKey(account, app))
    }
  }

  @Test("they go as well when both owners are erased at the same time")
  func together() async throws {
    try await CardTestApp.run { app in
      let (account, owners, _) = try await Self.joint(app)
      async let one = Self.erase(owners[0], app)
      async let other = Self.erase(owners[1], app)
      let counts = try await [one.accounts, other.accounts]
      #expect(counts.sorted() == [0, 1])
      #expect(try await Self.notes(app) == [])
      #expect(try await !Self.hasKey(account, app))
    }
  }

  @Test("a tenant is told of a transaction for the owner who stays, and not for one who was erased since it was read")
  func told() async throws {
    try await CardTestApp.run { app in
      let (account, owners, _) = try await Self.joint(app)
      let (events, webhooks) = try await Self.events(on: account, owners, app)
      _ = try await Self.erase(owners[0], app)
      try await Self.audience(webhooks, app.database, app).tell(events)
      #expect(try await Self.told(app) == [owners[1].customer])
    }
  }

  @Test("the same where the erasure commits while the transaction goes on that tells of it", .timeLimit(.minutes(5)))
  func toldMeanwhile() async throws {
    try await CardTestApp.run { app in
      let (account, owners, _) = try await Self.joint(app)
      let (events, webhooks) = try await Self.events(on: account, owners, app)
      try await app.empty(owners[0])
      let (begun, erased) = (Notifier(), DispatchSemaphore(value: 0))
      let database = StandingDatabase(app.database, after: "SELECT id FROM finaptic_user") {
        begun.notify()
        // SQLite has one who writes at a time: there the erasure waits for this transaction.
        if Engine.current == .postgres { erased.wait() }
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          defer { erased.signal() }
          await begun.wait()
          _ = try await app.dependencies.erasure.erase(
            owners[0].customer, tenant: CardTestApp.tenant, reason: .ended, by: "test", despiteDuty: true)
        }
        group.addTask {
          defer { begun.notify() }
          try await Self.audience(webhooks, database, app).tell(events)
        }
        try await group.waitForAll()
      }
      #expect(try await Self.told(app) == [owners[1].customer])
    }
  }

  /// What is told of one transaction on an account, for each owner, and an endpoint that hears it.
  private static func events(
    on account: BankAccount.ID, _ owners: [CardTestApp.Person], _ app: CardTestApp
  ) async throws -> ([TransactionCreatedEvent], Webhooks) {
    let core = app.dependencies.core
    let webhooks = Webhooks(
      database: app.database, vault: core.vault, world: core.world, http: PeerHTTP { _ in .init(status: 200) })
    _ = try await webhooks.add(
      "https://bank.example/events", tenant: FinapticTenant.webhooks(CardTestApp.tenant), by: "test")
    let legs = try await app.database.read { tx -> [BankTransaction] in
      let row = try #require(try tx.first("SELECT id FROM finaptic_transaction_note"))
      return try BankTransactionStore(tx, vault: core.vault).legs(of: row.get("id"), tenant: CardTestApp.tenant)
    }
    let transaction = try #require(legs.first { $0.account == account })
    return (
      owners.map { TransactionCreatedEvent(transaction, customer: $0.customer, vault: core.vault) }, webhooks
    )
  }

  private static func audience(
    _ webhooks: Webhooks, _ database: any SQLDatabase, _ app: CardTestApp
  ) -> TransactionAudience {
    let core = app.dependencies.core
    return .outside(database: database, vault: core.vault, world: core.world, webhooks: webhooks)
  }

  /// The customers for whom the tenant is told of a transaction.
  private static func told(_ app: CardTestApp) async throws -> Set<String> {
    try await app.database.read { tx in
      Set(
        try tx.query("SELECT subject_id FROM webhook_message WHERE type = 'TransactionCreated'")
          .map { try $0.get("subject_id", as: String.self) })
    }
  }

  @Test("a person who may only use an account takes none of its notes along")
  func authorized() async throws {
    try await CardTestApp.run { app in
      let (ada, eve) = (try await app.customer("ada"), try await app.customer("eve"))
      let account = try await app.open(for: ada).account
      try await app.authorize(eve, on: account)
      #expect(try await Self.erase(eve, app).accounts == 0)
      #expect(try await Self.erase(ada, app).accounts == 1)
    }
  }
}
