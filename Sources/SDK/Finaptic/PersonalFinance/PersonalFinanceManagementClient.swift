// SPDX-License-Identifier: Apache-2.0

/// What was spent and received (finaptic §3.8).
public protocol PersonalFinanceManagementClient: AnyObject, Sendable {
  /// Transactions of an account, either way through time.
  func getTransactions(
    request: GetTransactionsRequest, completion: @escaping FinapticCompletion<GetTransactionsResponse>)
  /// A transaction.
  func getTransaction(request: GetTransactionRequest, completion: @escaping FinapticCompletion<GetTransactionResponse>)
}
