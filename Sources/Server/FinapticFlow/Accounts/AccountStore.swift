import Kit
import Ledger
import Storage

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
