// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// An entry of the ledger with what the customer knows it by.
public struct Transaction: Hashable, Codable, Sendable {
  public var transactionId: String
  public var lifecycleTransactionId: String
  public var amount: Amount
  /// Merchant and place, or the other party.
  public var transactorName: String
  /// Right after this transaction.
  public var balance: Balance
  public var transactionState: TransactionState
  public var transactionType: TransactionType
  public var accountId: String
  /// In the customer's language; empty for transfers.
  public var category: String
  public var transactionTime: Date
  public var accountDomain: String
  public var initiatingDomain: String

  /// Creates the value from its members.
  public init(
    transactionId: String, lifecycleTransactionId: String, amount: Amount, transactorName: String, balance: Balance,
    transactionState: TransactionState, transactionType: TransactionType, accountId: String, category: String,
    transactionTime: Date, accountDomain: String, initiatingDomain: String
  ) {
    (self.transactionId, self.lifecycleTransactionId, self.amount) = (transactionId, lifecycleTransactionId, amount)
    (self.transactorName, self.balance, self.transactionState) = (transactorName, balance, transactionState)
    (self.transactionType, self.accountId, self.category) = (transactionType, accountId, category)
    self.transactionTime = transactionTime
    self.accountDomain = accountDomain
    self.initiatingDomain = initiatingDomain
  }
}

/// What to ask `getTransactions` for.
public struct GetTransactionsRequest: Hashable, Codable, Sendable {
  public var accountId: String
  /// 1 or more.
  public var pageSize: Int
  /// Nil for the first page.
  public var pageToken: String?
  public var sortOrder: TransactionOrder

  /// Creates the value from its members.
  public init(accountId: String, pageSize: Int, pageToken: String? = nil, sortOrder: TransactionOrder) {
    (self.accountId, self.pageSize, self.pageToken) = (accountId, pageSize, pageToken)
    self.sortOrder = sortOrder
  }
}

/// What `getTransactions` answers.
public struct GetTransactionsResponse: Hashable, Codable, Sendable {
  /// Nil at the beginning.
  public var previousPageToken: String?
  public var transactions: [Transaction]
  /// Nil at the end.
  public var nextPageToken: String?
  public var sortOrder: TransactionOrder

  /// Creates the value from its members.
  public init(
    previousPageToken: String? = nil, transactions: [Transaction], nextPageToken: String? = nil,
    sortOrder: TransactionOrder
  ) {
    (self.previousPageToken, self.transactions, self.nextPageToken) = (previousPageToken, transactions, nextPageToken)
    self.sortOrder = sortOrder
  }
}

/// What to ask `getTransaction` for.
public struct GetTransactionRequest: Hashable, Codable, Sendable {
  public var transactionId: String

  /// Creates the value from its members.
  public init(transactionId: String) {
    self.transactionId = transactionId
  }
}

/// What `getTransaction` answers.
public struct GetTransactionResponse: Hashable, Codable, Sendable {
  public var transaction: Transaction

  /// Creates the value from its members.
  public init(transaction: Transaction) {
    self.transaction = transaction
  }
}
