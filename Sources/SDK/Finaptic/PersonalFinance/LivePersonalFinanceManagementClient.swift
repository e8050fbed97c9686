// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire

/// What was spent and received, over the wire.
final class LivePersonalFinanceManagementClient: PersonalFinanceManagementClient {
  private let calls: FinapticCalls

  init(calls: FinapticCalls) { self.calls = calls }

  func getTransactions(
    request: GetTransactionsRequest, completion: @escaping FinapticCompletion<GetTransactionsResponse>
  ) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticAPI.TransactionsResponse = try await calls.send(.getTransactions, request.wire)
      return GetTransactionsResponse(
        previousPageToken: answer.previousPageToken.orEnd,
        transactions: try answer.transactions.all { (entry) throws(FinapticError) in try Transaction(entry) },
        nextPageToken: answer.nextPageToken.orEnd,
        sortOrder: TransactionOrder(rawValue: answer.sortOrder) ?? .orderUnspecified)
    }
  }

  func getTransaction(
    request: GetTransactionRequest, completion: @escaping FinapticCompletion<GetTransactionResponse>
  ) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticAPI.TransactionResponse = try await calls.send(
        .getTransaction, FinapticAPI.TransactionRequest(transactionId: request.transactionId))
      return GetTransactionResponse(transaction: try Transaction(answer.transaction))
    }
  }
}
