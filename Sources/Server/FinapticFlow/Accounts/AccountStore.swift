// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Ledger
import Storage

/// A customers' account: its books are the ledger's, its people are customers of the tenant (finaptic §8.3).
package struct BankAccount: Sendable, Hashable {
  package typealias ID = LedgerAccount.ID

  package let account: LedgerAccount
  package let tenant: Int
  /// Ids of customers, at least one.
  package let owners: [String]
  /// Ids of customers, who see and use it as owners do, but may not invite others.
  package let authorizedUsers: [String]

  package var id: ID { account.id }
  /// Code of its product, as in `current_account.v39`.
  package var product: String { account.product }
  /// Whether it can process transactions; once it can, it always can.
  package var isActive: Bool { account.state == .active }
  /// Whether money may come in.
  package var receives: Bool { isActive && account.stop != .closed }
  /// Whether money may leave it and come in.
  package var books: Bool { isActive && account.stop == nil }
  /// All customers who may see it.
  package var customers: [String] { owners + authorizedUsers }

  package func isOwned(by customer: String) -> Bool { owners.contains(customer) }
}

extension BankAccount {
  /// Which part of the bank keeps accounts, in the words of the wire.
  package static let domain = "core-banking"

  /// How the ledger names a tenant of this flow.
  package static func ledgerTenant(_ tenant: Int) -> String { FinapticTenantName(tenant).description }
}

/// Customers' accounts with their people: what the ledger keeps of them, by tenant.
package struct AccountStore {
  let tx: any SQLTransaction
  private var ledger: LedgerStore { LedgerStore(tx) }

  package init(_ tx: any SQLTransaction) { self.tx = tx }

  /// - Returns: nil when it is not there, another tenant's, or the bank's own.
  package func find(_ id: BankAccount.ID, tenant: Int) throws -> BankAccount? {
    guard let account = try ledger.account(id), account.kind == .customer,
      account.tenant == BankAccount.ledgerTenant(tenant)
    else { return nil }
    return BankAccount(
      account: account, tenant: tenant, owners: try ledger.parties(.owner, on: id),
      authorizedUsers: try ledger.parties(.authorized, on: id))
  }

  /// What a customer is on an account; nil when nothing, or when there is no such account.
  package func role(of customer: String, on id: BankAccount.ID) throws -> LedgerRole? {
    try ledger.role(of: customer, on: id)
  }

  /// Accounts that a customer owns or may use, by id, after a given one.
  package func all(
    of customer: String, tenant: Int, after: BankAccount.ID? = nil, limit: Int
  ) throws -> [BankAccount] {
    let accounts = try ledger.accounts(of: customer, after: after, limit: limit).map(\.account)
      .filter { $0.tenant == BankAccount.ledgerTenant(tenant) }
    let parties = try ledger.parties(on: accounts.map(\.id))
    return accounts.map { account in
      let own = parties[account.id] ?? []
      return BankAccount(
        account: account, tenant: tenant, owners: own.filter { $0.role == .owner }.map(\.party),
        authorizedUsers: own.filter { $0.role == .authorized }.map(\.party))
    }
  }
}

/// Who may see an account: its owners and authorized users. For all other customers it does not exist, so that
/// they do not learn which ids are accounts (finaptic §10.9).
package struct AccountAccess {
  let tx: any SQLTransaction
  let tenant: Int
  let customer: String

  package init(_ tx: any SQLTransaction, tenant: Int, customer: String) {
    (self.tx, self.tenant, self.customer) = (tx, tenant, customer)
  }

  /// - Returns: nil when there is no such account or the customer has nothing to do with it.
  package func find(_ id: BankAccount.ID) throws -> BankAccount? {
    let store = AccountStore(tx)
    guard try store.role(of: customer, on: id) != nil else { return nil }
    return try store.find(id, tenant: tenant)
  }

  /// - Parameters:
  ///   - name: as the caller sent it.
  ///   - field: the member that it came in.
  /// - Throws: `Problem` invalid argument for what is no id; not found.
  package func account(_ name: String?, field: String = "/accountId") throws -> BankAccount {
    guard let account = try find(try Self.id(name, field: field)) else { throw Problem.notFound }
    return account
  }

  /// As the id of an account is written: a UUID, in lower case.
  /// - Throws: `Problem` invalid argument.
  package static func id(_ name: String?, field: String = "/accountId") throws -> BankAccount.ID {
    .init(rawValue: try uuid(name, field: field))
  }

  /// - Throws: `Problem` invalid argument.
  package static func uuid(_ name: String?, field: String) throws -> String {
    guard let name = name?.trimmingCharacters(in: .whitespacesAndNewlines), !name.isEmpty else {
      throw Problem.finapticFields([.init(field, "required", "An id is required.")])
    }
    guard let id = name.canonicalUUID else {
      throw Problem.finapticFields([.init(field, "malformed", "This is not a UUID.")])
    }
    return id
  }
}
