// SPDX-License-Identifier: Apache-2.0

import Delivery
import Identity
import Ledger
import Foundation
import GatehouseWire
import FinapticWire
import HTTP
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kit
import Storage
import TestSupport
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

/// A bank with customers who have accounts, on the product's own router; the clock stands still.
final class BankingTestApp: Sendable {
  static let (tenant, otherTenant) = (7, 8)

  struct Customer: Sendable {
    let id: String
    let user: FinapticUser.ID
    let tenant: Int
    let token: String
  }

  let made: TestDatabase
  let clock: TestWorld
  let app: App
  private let client: any TestClientProtocol
  private let keys: [Int: String]

  var dependencies: FinapticDependencies { app.finaptic.dependencies }
  var database: any SQLDatabase { app.database }
  var ledger: Ledger { dependencies.ledger }

  private init(
    _ made: TestDatabase, _ clock: TestWorld, _ app: App, _ client: any TestClientProtocol, _ keys: [Int: String]
  ) { (self.made, self.clock, self.app, self.client, self.keys) = (made, clock, app, client, keys) }

  static func run(
    _ engine: Engine = .current, _ play: @escaping @Sendable (BankingTestApp) async throws -> Void
  ) async throws {
    let (clock, folder, log) = (TestWorld(), try TestFolder(), LogRecorder())
    let made = try await TestDatabase.make(engine, Schema.migrations)
    var settings = Settings()
    settings.dataFolder = folder.file("data")
    settings[FinapticSettings.self].publicURL = "https://bank.example"
    settings[FinapticSettings.self].limitFactor = 1000
    let app = try await App.open(
      settings, database: made.database, world: clock.world, logger: log.logger,
      passwordCost: PasswordCost(memory: 8, passes: 1))
    let tenants = app.finaptic.dependencies.tenants
    var keys: [Int: String] = [:]
    for id in [tenant, otherTenant] {
      try await tenants.add(id, name: "Bank \(id)", kind: .sandbox, by: "test")
      keys[id] = try await tenants.issueKey("app", tenant: id, by: "test").key.id.rawValue
    }
    try await Application(router: app.router(), logger: log.logger).test(.router) { [keys] client in
      try await play(BankingTestApp(made, clock, app, client, keys))
    }
    #expect(log.records.filter { "\($0)".contains("Lovelace") || "\($0)".contains("Bakery") }.isEmpty)
  }

  // MARK: People and accounts

  func customer(
    _ first: String = "Ada", _ last: String = "Lovelace", language: String? = nil, tenant: Int = tenant
  ) async throws -> Customer {
    let (id, user) = (clock.world.randomUUID(), FinapticUser.ID(rawValue: clock.world.randomUUID()))
    let (dependencies, now) = (dependencies, clock.now)
    let known = FinapticUser(
      id: user, tenant: tenant, profile: .init(email: "\(user)@example.ca", username: nil), emailVerifiedAt: nil,
      customer: nil, blockedAt: nil, createdAt: now)
    let family = try await database.write { tx in
      let store = FinapticUserStore(tx, vault: dependencies.core.vault)
      try store.insert(known, passwordHash: "none")
      _ = try store.setCustomer(id, of: user)
      var profile = ClientProfile()
      profile.personal = .init(firstName: first, lastName: last, dateOfBirth: "1990-01-01")
      if let language { profile.preferences = .init(preference: "COMMUNICATION_PREFERENCES_EMAIL", language: language) }
      try ClientProfileStore(tx, vault: dependencies.core.vault).put(profile, id, user: user, tenant: tenant, at: now)
      return try dependencies.sessions.open(
        subject: user.rawValue, tenant: "finaptic-\(tenant)", device: "test", in: tx
      ).0
    }
    return Customer(id: id, user: user, tenant: tenant, token: try await token(of: id, family))
  }

  private func token(of customer: String, _ family: SessionFamily) async throws -> String {
    try await dependencies.sessions.accessToken(
      for: family, showing: AccessGrant(roles: [FinapticRole.customer.rawValue], customer: customer)
    ).token
  }

  /// The same customer, signed in again: access tokens end after a quarter of an hour.
  func again(_ customer: Customer) async throws -> Customer {
    let dependencies = dependencies
    let family = try await database.write {
      try dependencies.sessions.open(
        subject: customer.user.rawValue, tenant: "finaptic-\(customer.tenant)", device: "test", in: $0
      ).0
    }
    return Customer(
      id: customer.id, user: customer.user, tenant: customer.tenant, token: try await token(of: customer.id, family))
  }

  func open(
    _ owner: Customer, funds: Int64 = 0, authorized: Customer? = nil, isActive: Bool = true
  ) async throws -> BankAccount.ID {
    let id = BankAccount.ID(rawValue: clock.world.randomUUID())
    let (ledger, name) = (ledger, BankAccount.ledgerTenant(owner.tenant))
    try await database.write { tx in
      _ = try ledger.open(
        .init(id: id, tenant: name, product: AccountProduct.current.code, name: "Current account", owners: [owner.id]),
        in: tx)
      if isActive { _ = try ledger.activate(id, tenant: name, in: tx) }
      if let authorized { _ = try ledger.add(authorized.id, as: .authorized, to: id, tenant: name, in: tx) }
    }
    if funds > 0 { try await deposit(funds, to: id, tenant: owner.tenant) }
    return id
  }

  @discardableResult
  func deposit(_ amount: Int64, to account: BankAccount.ID, tenant: Int = tenant) async throws -> LedgerTransfer {
    let order = TransferOrder(
      .deposit, tenant: tenant, key: clock.world.uuid(), debit: InternalAccounts.account(.cash, tenant: tenant),
      credit: account, amount: Money(amount, "CAD"))
    return try #require(try await ledger.transfer(order).done)
  }

  func order(
    _ kind: BankTransaction.Kind, _ amount: Int64, from debit: LedgerAccount.ID, to credit: LedgerAccount.ID,
    lifecycle: String? = nil
  ) -> TransferOrder {
    TransferOrder(
      kind, tenant: Self.tenant, key: clock.world.uuid(), debit: debit, credit: credit, amount: Money(amount, "CAD"),
      lifecycle: lifecycle)
  }

  static let cards = InternalAccounts.account(.cards, tenant: tenant)
  static let bakery = BankTransaction.Particulars(
    merchant: .init(name: "Bakery", place: "Toronto ON", categoryCode: "5462"))

  // MARK: Calls

  struct Answer: Sendable {
    let status: Int
    let body: Data

    var error: FinapticAPI.ErrorBody? { try? WireJSON.decode(FinapticAPI.ErrorBody.self, from: body) }
    /// Status and most specific code.
    var refusal: String { "\(status) \(error?.details?.errorCode ?? "")" }

    func view<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
      try #require(status == 200, "\(status) \(String(decoding: body, as: UTF8.self))")
      return try WireJSON.decode(type, from: body)
    }
  }

  func call(
    _ method: FinapticMethod, _ body: some Encodable, by customer: Customer?, idempotency: String? = nil
  ) async throws -> Answer {
    var headers: HTTPFields = [.contentType: "application/json"]
    headers[try #require(HTTPField.Name("X-Client-Key"))] = keys[customer?.tenant ?? Self.tenant]
    if let customer { headers[.authorization] = "Bearer \(customer.token)" }
    if let idempotency { headers[try #require(HTTPField.Name("Idempotency-Key"))] = idempotency }
    let answer = try await client.execute(
      uri: method.path, method: .post, headers: headers, body: ByteBuffer(bytes: try WireJSON.encode(body)))
    return Answer(status: answer.status.code, body: Data(answer.body.readableBytesView))
  }

  func verify() async throws -> LedgerVerification { try await database.read { try LedgerStore($0).verify() } }

  /// Performs whatever is owed by now.
  func settle() async throws {
    let worker = app.worker
    while try await worker.runDue() > 0 {}
  }
}

extension FinapticDependencies {
  /// Gives a customer a device that is to be told of their transactions.
  func giveDevice(to customer: String, of tenant: Int) async throws {
    let core = core
    let channel = PushChannel(
      id: .init(core.world), tenant: tenant, customer: customer, platform: .google,
      registration: "token of \(customer)")
    try await core.database.write {
      try PushChannelStore($0, vault: core.vault).put(channel, device: customer, at: core.world.now())
    }
  }
}

extension LedgerAnswer {
  var done: Done? { if case .done(let done) = self { done } else { nil } }
  var declined: Done? { if case .declined(let done, _) = self { done } else { nil } }
}
