// SPDX-License-Identifier: Apache-2.0

extension PersonalFinanceManagementClient {
  /// Transactions of an account, either way through time.
  public func getTransactions(request: GetTransactionsRequest) async throws(FinapticError) -> GetTransactionsResponse {
    try await withCheckedContinuation { done in getTransactions(request: request) { done.resume(returning: $0) } }.get()
  }

  /// A transaction.
  public func getTransaction(request: GetTransactionRequest) async throws(FinapticError) -> GetTransactionResponse {
    try await withCheckedContinuation { done in getTransaction(request: request) { done.resume(returning: $0) } }.get()
  }
}
