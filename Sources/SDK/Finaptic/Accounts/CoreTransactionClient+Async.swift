// SPDX-License-Identifier: Apache-2.0

extension CoreTransactionClient {
  /// Accounts that the customer owns or may use.
  public func listAccounts(request: ListAccountsRequest) async throws(FinapticError) -> ListAccountsResponse {
    try await withCheckedContinuation { done in listAccounts(request: request) { done.resume(returning: $0) } }.get()
  }

  /// An account.
  public func getAccount(request: GetAccountRequest) async throws(FinapticError) -> Account {
    try await withCheckedContinuation { done in getAccount(request: request) { done.resume(returning: $0) } }.get()
  }

  /// Who may use an account.
  public func listAuthorizedUsers(
    request: ListAuthorizedUsersRequest
  ) async throws(FinapticError) -> ListAuthorizedUsersResponse {
    try await withCheckedContinuation { done in listAuthorizedUsers(request: request) { done.resume(returning: $0) } }
      .get()
  }

  /// Who owns an account.
  public func listOwners(request: ListOwnersRequest) async throws(FinapticError) -> ListOwnersResponse {
    try await withCheckedContinuation { done in listOwners(request: request) { done.resume(returning: $0) } }.get()
  }

  /// The ledger of an account, newest first. A page may be short, or empty, and not the last.
  public func listTransactions(
    request: ListTransactionsRequest
  ) async throws(FinapticError) -> ListTransactionsResponse {
    try await withCheckedContinuation { done in listTransactions(request: request) { done.resume(returning: $0) } }
      .get()
  }
}
