import Kit
import Storage

/// What only owners of an account may do (finaptic §8.3).
struct AccountOwnership {
  let tx: any SQLTransaction
  let caller: FinapticCustomer

  init(_ tx: any SQLTransaction, _ caller: FinapticCustomer) { (self.tx, self.caller) = (tx, caller) }

  /// - Returns: nil when the caller does not own it, or it is not there: no difference is told.
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
