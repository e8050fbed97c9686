// SPDX-License-Identifier: Apache-2.0

import Ledger
import Foundation
import GatehouseWire
import FinapticWire
import Kit
import Storage
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

/// A customer with accounts, who is signed in.
struct MoneyCustomer: Sendable {
  let id: String
  let email: String
  let token: String
  let accounts: [String]

  var account: String { accounts[0] }
}

/// Customers and their money, put there without an application: how one becomes a customer is another suite's.
extension AccountTestApp {
  var dependencies: FinapticDependencies { service.dependencies }

  func customer(
    _ email: String, name: String = "Ada", accounts count: Int = 1, funds: Int64 = 0
  ) async throws -> MoneyCustomer {
    #expect(try await signUp(email, username: nil).status == 200)
    let (user, id) = (try await user(email), dependencies.core.world.randomUUID())
    let accounts = (0..<count).map { _ in dependencies.core.world.randomUUID() }
    var profile = ClientProfile()
    profile.personal = .init(firstName: name, lastName: "Byron")
    try await database.write { [dependencies, profile] tx in
      #expect(try FinapticUserStore(tx, vault: dependencies.core.vault).setCustomer(id, of: user.id))
      try ClientProfileStore(tx, vault: dependencies.core.vault)
        .put(profile, id, user: user.id, tenant: Self.tenant, at: dependencies.core.world.now())
      for account in accounts {
        try Self.open(account, of: id, funds: funds, dependencies, in: tx)
      }
    }
    let signedIn: FinapticAPI.AuthState = try await signIn(email).view()
    return MoneyCustomer(id: id, email: email, token: signedIn.accessToken, accounts: accounts)
  }

  static func open(
    _ account: String, of customer: String, funds: Int64 = 0, isActive: Bool = true,
    _ dependencies: FinapticDependencies,
    in tx: any SQLTransaction
  ) throws {
    let tenant = BankAccount.ledgerTenant(tenant)
    _ = try dependencies.ledger.open(
      .init(
        id: .init(rawValue: account), tenant: tenant, product: AccountProduct.current.code, name: "Account",
        owners: [customer]), in: tx)
    guard isActive else { return }
    _ = try dependencies.ledger.activate(.init(rawValue: account), tenant: tenant, in: tx)
    guard funds > 0 else { return }
    let order = TransferOrder(
      .deposit, tenant: Self.tenant, key: "funds \(account)",
      debit: InternalAccounts.account(.cash, tenant: Self.tenant),
      credit: .init(rawValue: account), amount: Money(funds, "CAD"))
    guard case .done = try dependencies.ledger.transfer(order, in: tx) else { throw Problem.unexpected }
  }

  /// Lets a customer use an account of another customer.
  func share(_ account: String, with customer: MoneyCustomer) async throws {
    try await database.write { [dependencies] tx in
      _ = try dependencies.ledger.add(
        customer.id, as: .authorized, to: .init(rawValue: account), tenant: BankAccount.ledgerTenant(Self.tenant),
        in: tx)
    }
  }

  func balance(_ account: String) async throws -> Int64? {
    try await dependencies.ledger.account(.init(rawValue: account), tenant: BankAccount.ledgerTenant(Self.tenant))?
      .actual
  }

  // MARK: Calls

  func call(
    _ method: FinapticMethod, _ body: some Encodable, as customer: MoneyCustomer?, once: String? = nil
  ) async throws -> Answer {
    var headers = ["X-Client-Key": key]
    if let customer { headers["Authorization"] = "Bearer \(customer.token)" }
    if let once { headers["Idempotency-Key"] = once }
    return try await call(.post, method.path, try WireJSON.encode(body), headers: headers)
  }

  func transfer(
    _ amount: String, from source: String, to destination: String, as customer: MoneyCustomer,
    currency: String = "CAD", once: String? = nil
  ) async throws -> Answer {
    try await call(
      .initiateTransfer,
      FinapticAPI.InitiateTransferRequest(
        sourceAccountId: source, destinationAccountId: destination,
        fundTransfer: .init(amount: amount, currency: currency)), as: customer, once: once)
  }

  /// The world around the sandbox.
  func simulation() async throws -> MoneySimulation {
    try service.dependencies.simulation(of: try await service.dependencies.tenants.find(Self.tenant), by: "test")
  }

  /// Sends a customer money by Interac.
  func send(
    _ amount: String = "25.00", to email: String, _ change: (inout SimulationBodies.Transfer) -> Void = { _ in }
  ) async throws -> SimulationBodies.Sent {
    let simulation = try await simulation()
    var body = SimulationBodies.Transfer(amount: .init(amount: amount, currency: "CAD"), senderName: "Grace Hopper")
    body.aliasEmail = email
    change(&body)
    let (new, asked) = (simulation.new(), body)
    return try await database.write { try simulation.send(asked, new, in: $0) }
  }
}
