// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Ledger
import Storage

/// The keys of accounts, under which the notes of their transactions are sealed.
///
/// A note is of both sides of a transfer, and of all owners of a side. An erasure deletes the notes of accounts without
/// another owner, so it destroys the keys of these accounts; those of joint accounts stay until the last owner goes.
struct AccountKeyStore {
  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, vault: Vault) { (self.tx, self.vault) = (tx, vault) }

  /// Of the customers' accounts that the events are about. Made where they are missing: only events whose note is to be
  /// sealed belong here.
  func all(of events: [LedgerEvent]) throws -> [BankAccount.ID: SubjectKey] {
    let accounts = events.flatMap(\.customerAccounts)
    return try keys(of: Dictionary(accounts.map { ($0.id, $0.tenant) }, uniquingKeysWith: { first, _ in first }))
  }

  func key(of account: BankAccount.ID, tenant: Int) throws -> SubjectKey? { try keys(of: [account: tenant])[account] }

  /// Of accounts with their tenants. Makes those that are missing, except of an account whose owners were all erased.
  func keys(of accounts: [BankAccount.ID: Int]) throws -> [BankAccount.ID: SubjectKey] {
    guard vault.subjectKeys != nil, !accounts.isEmpty else { return [:] }
    let ids = accounts.keys.sorted { $0.rawValue < $1.rawValue }
    let there = try vault.subjectKeys(of: ids.map(\.rawValue), in: tx)
    var keys: [BankAccount.ID: SubjectKey] = [:]
    for id in ids {
      if let key = there[id.rawValue] {
        keys[id] = key
      } else if let tenant = accounts[id], let owner = try owner(of: id) {
        // An erasure of the owner that runs at the same time does not see this key yet.
        try vault.holdSubjectKey(of: KeySubject(owner), in: tx)
        keys[id] = try vault.subjectKey(of: KeySubject(id, ofTenant: tenant), in: tx)
      }
    }
    return keys
  }

  /// A user who owns an account and was not erased.
  func owner(of account: BankAccount.ID) throws -> FinapticUser.ID? {
    try tx.first(
      """
      SELECT u.id FROM ledger_party p JOIN finaptic_user u ON u.customer_id = p.party
      WHERE p.account_id = \(account) AND p.role = 'owner' AND length(u.sealed_profile) > 0 ORDER BY u.id LIMIT 1
      """)?.get("id")
  }
}

extension LedgerEvent {
  /// The customers' accounts that it is about, by tenant.
  var customerAccounts: [(id: BankAccount.ID, tenant: Int)] {
    let (name, balances): (String, [Balance]) =
      switch action {
      case .transfer(let transfer): (transfer.order.tenant, [debit, credit])
      case .hold(let hold): (hold.order.tenant, [debit])
      case .release: ("", [])
      }
    guard let tenant = FinapticTenantName(name)?.tenant else { return [] }
    return balances.filter { $0.kind == .customer }.map { ($0.id, tenant) }
  }
}
