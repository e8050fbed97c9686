// SPDX-License-Identifier: Apache-2.0

import Identity
import Kit

@testable import FinapticFlow
@testable import GatehouseApp

/// A customer with accounts, put there without an application, who is signed in.
struct FinapticTestCustomer: Sendable {
  let customer: String
  let token: String
  let accounts: [String]

  static func make(in app: App, tenant: Int, accounts count: Int) async throws -> FinapticTestCustomer {
    let parts = app.finaptic.dependencies
    let (customer, user) = (parts.core.world.randomUUID(), FinapticUser.ID(parts.core.world))
    let accounts = (0..<count).map { _ in parts.core.world.randomUUID() }
    let known = FinapticUser(
      id: user, tenant: tenant, profile: .init(email: "\(user)@example.ca", username: nil), emailVerifiedAt: nil,
      customer: nil, blockedAt: nil, createdAt: parts.core.world.now())
    let family = try await app.database.write { tx in
      let users = FinapticUserStore(tx, vault: parts.core.vault)
      try users.insert(known, passwordHash: "none")
      _ = try users.setCustomer(customer, of: user)
      try ClientProfileStore(tx, vault: parts.core.vault)
        .put(ClientProfile(), customer, user: user, tenant: tenant, at: parts.core.world.now())
      for account in accounts {
        let name = BankAccount.ledgerTenant(tenant)
        _ = try parts.ledger.open(
          .init(
            id: .init(rawValue: account), tenant: name, product: AccountProduct.current.code, name: "Account",
            owners: [customer]), in: tx)
        _ = try parts.ledger.activate(.init(rawValue: account), tenant: name, in: tx)
      }
      return try parts.sessions.open(subject: user.rawValue, tenant: "finaptic-\(tenant)", device: "test", in: tx).0
    }
    let token = try await parts.sessions.accessToken(
      for: family, showing: AccessGrant(roles: [FinapticRole.customer.rawValue], customer: customer)
    ).token
    return FinapticTestCustomer(customer: customer, token: token, accounts: accounts)
  }
}
