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
    guard try ledger.removeAuthorized(user, from: owned.id, in: tx) else {
      throw Problem.finaptic(.notFound, "The customer is not an authorized user of the account.")
    }
    try cards.lockAll(of: user, on: owned.id, by: caller.actor, in: tx)
    try core.note(
      "account.authorizedUserRemoved", "account-\(account)", by: caller.actor, ["authorized": user], in: tx)
    try bankEvents.tell(
      .authorizedUserRemoved, on: account, of: caller.tenant.id, about: user, world: core.world, in: tx)
    return .init(authorizedUsers: try LedgerStore(tx).parties(.authorized, on: owned.id))
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
