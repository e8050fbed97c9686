// SPDX-License-Identifier: Apache-2.0

import FinapticFlow
import Identity
import Kit
import Ledger
import Storage

/// A customer with accounts, opened without an application: for measuring, and for samples.
package struct BankFixture: Sendable {
  private static let batch = 500

  let dependencies: FinapticDependencies

  package init(dependencies: FinapticDependencies) { self.dependencies = dependencies }

  /// - Parameters:
  ///   - funds: of each account, in cents.
  ///   - email: of the user, which no other one of the tenant has.
  /// - Returns: an access token and the id of the customer, and the ids of the accounts.
  package func fill(
    _ count: Int, funds: Int64, tenant: Int, email: String = "bench@bank.example"
  ) async throws -> (token: String, customer: String, accounts: [String]) {
    let (dependencies, world) = (dependencies, dependencies.core.world)
    let user = FinapticUser(
      id: .init(world), tenant: tenant, profile: .init(email: email, username: nil),
      emailVerifiedAt: nil, customer: nil, blockedAt: nil, createdAt: world.now())
    let customer = world.randomUUID()
    let family = try await dependencies.core.database.write(retrying: .outdated) { tx in
      try InternalAccounts(dependencies.ledger).prepare(tenant, in: tx)
      let users = FinapticUserStore(tx, vault: dependencies.core.vault)
      try users.insert(user, passwordHash: "")
      _ = try users.setCustomer(customer, of: user.id)
      try ClientProfileStore(tx, vault: dependencies.core.vault).put(
        ClientProfile(), customer, user: user.id, tenant: tenant, at: world.now())
      return try dependencies.sessions.open(
        subject: user.id.rawValue, tenant: BankAccount.ledgerTenant(tenant), device: "bench", in: tx
      ).0
    }
    let accounts = (0..<count).map { _ in world.randomUUID() }
    for start in stride(from: 0, to: count, by: Self.batch) {
      let some = Array(accounts[start..<min(start + Self.batch, count)])
      try await dependencies.core.database.write(retrying: .outdated) { tx in
        for id in some { try open(.init(rawValue: id), of: customer, funds: funds, tenant: tenant, in: tx) }
      }
    }
    let grant = AccessGrant(roles: [FinapticRole.customer.rawValue], customer: customer)
    return (try await dependencies.sessions.accessToken(for: family, showing: grant).token, customer, accounts)
  }

  /// Opens an account without money, whose owner has no user.
  func openForStranger(tenant: Int) async throws {
    let world = dependencies.core.world
    let (id, owner) = (BankAccount.ID(rawValue: world.randomUUID()), world.randomUUID())
    try await dependencies.core.database.write(retrying: .outdated) { [dependencies] tx in
      try InternalAccounts(dependencies.ledger).prepare(tenant, in: tx)
      try activate(id, of: owner, tenant: tenant, in: tx)
    }
  }

  private func activate(
    _ id: BankAccount.ID, of customer: String, tenant: Int, in tx: any SQLTransaction
  ) throws {
    let (ledger, name) = (dependencies.ledger, BankAccount.ledgerTenant(tenant))
    let product = AccountProduct.current
    _ = try ledger.open(
      .init(id: id, tenant: name, product: product.code, name: product.name, owners: [customer]), in: tx)
    _ = try ledger.activate(id, tenant: name, in: tx)
  }

  private func open(
    _ id: BankAccount.ID, of customer: String, funds: Int64, tenant: Int, in tx: any SQLTransaction
  ) throws {
    try activate(id, of: customer, tenant: tenant, in: tx)
    let order = TransferOrder(
      .deposit, tenant: tenant, key: "bench \(id)", debit: InternalAccounts.account(.cash, tenant: tenant), credit: id,
      amount: Money(funds, InternalAccounts.currency))
    guard case .done = try dependencies.ledger.transfer(order, in: tx) else { throw Problem.unexpected }
  }
}
