// SPDX-License-Identifier: Apache-2.0

extension FinapticAPI {
  /// A page of what was spent and received, either way through time.
  public struct GetTransactionsRequest: Codable, Sendable, Hashable {
    public var accountId: String?
    public var pageSize: Int?
    public var pageToken: String?
    /// `DESCENDING` or `ASCENDING`.
    public var sortOrder: String?

    /// Creates the value from its members.
    public init(accountId: String? = nil, pageSize: Int? = nil, pageToken: String? = nil, sortOrder: String? = nil) {
      (self.accountId, self.pageSize, self.pageToken) = (accountId, pageSize, pageToken)
      self.sortOrder = sortOrder
    }

    enum CodingKeys: String, CodingKey {
      case accountId = "account_id"
      case pageSize = "page_size"
      case pageToken = "page_token"
      case sortOrder = "sort_order"
    }
  }

  /// See `GetTransactionsRequest`.
  public struct TransactionsResponse: Codable, Sendable, Hashable {
    public var previousPageToken: String?
    public var transactions: [Transaction]
    public var nextPageToken: String?
    public var sortOrder: String

    /// Creates the value from its members.
    public init(
      previousPageToken: String? = nil, transactions: [Transaction], nextPageToken: String? = nil, sortOrder: String
    ) {
      (self.previousPageToken, self.transactions, self.nextPageToken) = (previousPageToken, transactions, nextPageToken)
      self.sortOrder = sortOrder
    }

    enum CodingKeys: String, CodingKey {
      case transactions
      case previousPageToken = "previous_page_token"
      case nextPageToken = "next_page_token"
      case sortOrder = "sort_order"
    }
  }

  /// What `getTransaction` answers.
  public struct TransactionResponse: Codable, Sendable, Hashable {
    public var transaction: Transaction

    /// Creates the value from its members.
    public init(transaction: Transaction) {
      self.transaction = transaction
    }
  }

  /// An entry of the ledger with what the customer knows it by (finaptic §8.6).
  public struct Transaction: Codable, Sendable, Hashable {
    public var transactionId: String
    public var lifecycleTransactionId: String
    public var amount: Amount
    /// Merchant and place, or the other party.
    public var transactorName: String
    /// Right after this entry.
    public var balance: Balance
    /// `POSTED`, `PENDING`, `UNKNOWN` or `CANCELLED`.
    public var transactionState: String
    /// `AUTHORIZED`, `DEBIT`, `REFUND`, `DECLINED`, `CHARGEBACK`, `CREDIT` or `PRODUCT_NOT_DEFINED`.
    public var transactionType: String
    public var accountId: String
    /// In the customer's language; empty for transfers.
    public var category: String
    public var transactionTime: Instant
    public var accountDomain: String
    public var initiatingDomain: String

    /// Creates the value from its members.
    public init(
      transactionId: String, lifecycleTransactionId: String, amount: Amount, transactorName: String, balance: Balance,
      transactionState: String, transactionType: String, accountId: String, category: String, transactionTime: Instant,
      accountDomain: String, initiatingDomain: String
    ) {
      (self.transactionId, self.lifecycleTransactionId, self.amount) = (transactionId, lifecycleTransactionId, amount)
      (self.transactorName, self.balance, self.transactionState) = (transactorName, balance, transactionState)
      (self.transactionType, self.accountId, self.category) = (transactionType, accountId, category)
      self.transactionTime = transactionTime
      self.accountDomain = accountDomain
      self.initiatingDomain = initiatingDomain
    }

    enum CodingKeys: String, CodingKey {
      case amount, balance, category
      case transactionId = "transaction_id"
      case lifecycleTransactionId = "lifecycle_transaction_id"
      case transactorName = "transactor_name"
      case transactionState = "transaction_state"
      case transactionType = "transaction_type"
      case accountId = "account_id"
      case transactionTime = "transaction_time"
      case accountDomain = "account_domain"
      case initiatingDomain = "initiating_domain"
    }
  }
}
