// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire

extension GetTransactionsRequest {
  var wire: FinapticAPI.GetTransactionsRequest {
    FinapticAPI.GetTransactionsRequest(
      accountId: accountId, pageSize: pageSize, pageToken: pageToken, sortOrder: sortOrder.rawValue)
  }
}

extension Transaction {
  init(_ wire: FinapticAPI.Transaction) throws(FinapticError) {
    self.init(
      transactionId: wire.transactionId, lifecycleTransactionId: wire.lifecycleTransactionId,
      amount: try Amount(wire.amount), transactorName: wire.transactorName, balance: try Balance(wire.balance),
      transactionState: TransactionState(rawValue: wire.transactionState) ?? .transactionStateUnspecified,
      transactionType: TransactionType(rawValue: wire.transactionType) ?? .transactionTypeUnspecified,
      accountId: wire.accountId, category: wire.category, transactionTime: wire.transactionTime.date,
      accountDomain: wire.accountDomain, initiatingDomain: wire.initiatingDomain)
  }
}
