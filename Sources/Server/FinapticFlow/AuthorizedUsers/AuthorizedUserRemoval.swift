import FinapticWire
import Kit
import Ledger
import Storage

/// Takes an authorized user off an account (finaptic §3.2, §8.10): by an owner who stepped up.
struct AuthorizedUserRemoval: Sendable {
  let parts: FinapticDependencies

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
    guard try parts.ledger.removeAuthorized(user, from: owned.id, in: tx) else {
      throw Problem.finaptic(.notFound, "The customer is not an authorized user of the account.")
    }
    try parts.cardCommands.lockAll(of: user, on: owned.id, by: caller.actor, in: tx)
    try parts.note(
      "account.authorizedUserRemoved", "account-\(account)", by: caller.actor, ["authorized": user], in: tx)
    try parts.tell(.authorizedUserRemoved, on: account, of: caller.tenant.id, about: user, in: tx)
    return .init(authorizedUsers: try LedgerStore(tx).parties(.authorized, on: owned.id))
  }
}
