// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// One entry of the ledger. The name `Transaction` belongs to personal finance.
public struct AccountTransaction: Hashable, Codable, Sendable {
  public var transactionId: String
  public var lifecycleTransactionId: String
  public var accountId: String
  public var transactionTime: Date
  /// Negative when money leaves the account.
  public var amount: Amount
  /// Right after this entry.
  public var balance: Balance
  public var accountDomain: String
  public var initiatingDomain: String

  /// Creates the value from its members.
  public init(
    transactionId: String, lifecycleTransactionId: String, accountId: String, transactionTime: Date, amount: Amount,
    balance: Balance, accountDomain: String, initiatingDomain: String
  ) {
    self.transactionId = transactionId
    self.lifecycleTransactionId = lifecycleTransactionId
    self.accountId = accountId
    (self.transactionTime, self.amount, self.balance) = (transactionTime, amount, balance)
    (self.accountDomain, self.initiatingDomain) = (accountDomain, initiatingDomain)
  }
}

/// What to ask `listTransactions` for.
public struct ListTransactionsRequest: Hashable, Codable, Sendable {
  public var accountId: String
  /// Itself included.
  public var from: Date?
  /// Itself excluded.
  public var to: Date?
  /// 1 or more.
  public var pageSize: Int
  /// Nil for the first page.
  public var pageToken: String?

  /// Creates the value from its members.
  public init(accountId: String, from: Date? = nil, to: Date? = nil, pageSize: Int, pageToken: String? = nil) {
    (self.accountId, self.from, self.to) = (accountId, from, to)
    (self.pageSize, self.pageToken) = (pageSize, pageToken)
  }
}

/// What `listTransactions` answers.
public struct ListTransactionsResponse: Hashable, Codable, Sendable {
  public var transactions: [AccountTransaction]
  /// Nil at the end.
  public var nextPageToken: String?

  /// Creates the value from its members.
  public init(transactions: [AccountTransaction], nextPageToken: String? = nil) {
    (self.transactions, self.nextPageToken) = (transactions, nextPageToken)
  }
}
