// SPDX-License-Identifier: Apache-2.0

/// Accounts and their ledger (finaptic §3.8).
public protocol CoreTransactionClient: AnyObject, Sendable {
  /// Accounts that the customer owns or may use.
  func listAccounts(request: ListAccountsRequest, completion: @escaping FinapticCompletion<ListAccountsResponse>)
  /// An account.
  func getAccount(request: GetAccountRequest, completion: @escaping FinapticCompletion<Account>)
  /// Who may use an account.
  func listAuthorizedUsers(
    request: ListAuthorizedUsersRequest, completion: @escaping FinapticCompletion<ListAuthorizedUsersResponse>)
  /// Who owns an account.
  func listOwners(request: ListOwnersRequest, completion: @escaping FinapticCompletion<ListOwnersResponse>)
  /// The ledger of an account, newest first. A page may be short, or empty, and not the last.
  func listTransactions(
    request: ListTransactionsRequest, completion: @escaping FinapticCompletion<ListTransactionsResponse>)
}
