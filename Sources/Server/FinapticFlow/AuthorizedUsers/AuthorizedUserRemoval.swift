// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Kit
import Ledger
import Storage

/// Takes an authorized user off an account (finaptic §3.2, §8.10): by an owner who stepped up.
struct AuthorizedUserRemoval: Sendable {
  let core: CoreDependencies
  let ledger: Ledger
  let cards: CardCommands
  let bankEvents: BankEventPublisher

  /// Their cards on the account are locked in the same transaction.
  /// - Throws: `Problem` permission denied, naming the scope or unless the caller owns the account; invalid argument; not
  ///   found when they are not authorized.
  func remove(
    _ asked: FinapticAPI.RemoveAuthorizedUserRequest, by caller: FinapticCustomer, in tx: any SQLTransaction
  ) throws -> FinapticAPI.AuthorizedUsersResponse {
    try caller.signedIn.require(.removeAuthorizedUser)
    var check = InputCheck()
    let account = check.id(asked.accountId, "accountId")
    let user = check.id(asked.authorizedUser, "authorizedUser")
    try check.end()
    guard let account, let user else { throw Problem.unexpected }
    let owned = try AccountOwnership(tx, caller).require(account)
    guard try remove(user, from: owned.id, of: caller.tenant.id, by: caller.actor, in: tx) else {
      throw Problem.finaptic(.notFound, "The customer is not an authorized user of the account.")
    }
    return .init(authorizedUsers: try LedgerStore(tx).parties(.authorized, on: owned.id))
  }

  /// Also for the bank, which asks no owner.
  /// - Returns: false when they are not authorized.
  func remove(
    _ user: String, from account: BankAccount.ID, of tenant: Int, by actor: String, _ facts: [String: String] = [:],
    in tx: any SQLTransaction
  ) throws -> Bool {
    guard try ledger.removeAuthorized(user, from: account, in: tx) else { return false }
    try cards.lockAll(of: user, on: account, by: actor, in: tx)
    try core.note(
      "account.authorizedUserRemoved", "account-\(account)", by: actor,
      facts.merging(["authorized": user]) { $1 }, in: tx)
    try bankEvents.tell(
      .authorizedUserRemoved, on: account.rawValue, of: tenant, about: user, world: core.world, in: tx)
    return true
  }
}

/// What only owners of an account may do (finaptic §8.3).
struct AccountOwnership {
  let tx: any SQLTransaction
  let caller: FinapticCustomer

  init(_ tx: any SQLTransaction, _ caller: FinapticCustomer) { (self.tx, self.caller) = (tx, caller) }

  /// - Returns: nil when the caller does not own it, or it does not exist, without a difference.
  func find(_ account: String) throws -> BankAccount? {
    let found = try AccountAccess(tx, tenant: caller.tenant.id, customer: caller.customer).find(
      .init(rawValue: account))
    return found.flatMap { $0.isOwned(by: caller.customer) ? $0 : nil }
  }

  /// - Throws: `Problem` permission denied.
  @discardableResult
  func require(_ account: String) throws -> BankAccount {
    guard let found = try find(account) else {
      throw Problem.finaptic(.permissionDenied, "Only an owner of the account may do this.")
    }
    return found
  }
}
