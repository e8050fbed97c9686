// SPDX-License-Identifier: Apache-2.0

extension FinapticAPI {
  /// What the calls take that need nothing but the account.
  public struct AccountRequest: Codable, Sendable, Hashable {
    public var accountId: String?

    /// Creates the value from its members.
    public init(accountId: String? = nil) {
      self.accountId = accountId
    }

    enum CodingKeys: String, CodingKey {
      case accountId = "account_id"
    }
  }

  /// A page of a list that belongs to the caller.
  public struct PageRequest: Codable, Sendable, Hashable {
    public var pageSize: Int?
    /// Absent or empty for the first page.
    public var pageToken: String?

    /// Creates the value from its members.
    public init(pageSize: Int? = nil, pageToken: String? = nil) {
      (self.pageSize, self.pageToken) = (pageSize, pageToken)
    }

    enum CodingKeys: String, CodingKey {
      case pageSize = "page_size"
      case pageToken = "page_token"
    }
  }

  /// An amount of money.
  public struct Amount: Codable, Sendable, Hashable {
    /// Decimal digits, `-` in front when negative, no exponent.
    public var amount: String
    /// ISO 4217.
    public var currency: String

    /// Creates the value from its members.
    public init(amount: String, currency: String) {
      (self.amount, self.currency) = (amount, currency)
    }
  }

  /// What was booked, and what can be spent.
  public struct Balance: Codable, Sendable, Hashable {
    public var actual: Amount
    public var available: Amount

    /// Creates the value from its members.
    public init(actual: Amount, available: Amount) {
      (self.actual, self.available) = (actual, available)
    }
  }

  /// An account that the caller may see.
  public struct Account: Codable, Sendable, Hashable {
    public var id: String
    public var balance: Balance
    public var name: String
    public var sourceDomain: String
    /// Customers' ids.
    public var owners: [String]
    /// Customers' ids.
    public var authorizedUsers: [String]
    /// By which other banks name it; nil where the institution has no numbers here. Not in the specification.
    public var number: AccountNumber?

    /// Creates the value from its members.
    public init(
      id: String, balance: Balance, name: String, sourceDomain: String, owners: [String], authorizedUsers: [String],
      number: AccountNumber? = nil
    ) {
      (self.id, self.balance, self.name) = (id, balance, name)
      (self.sourceDomain, self.owners, self.authorizedUsers) = (sourceDomain, owners, authorizedUsers)
      self.number = number
    }

    enum CodingKeys: String, CodingKey {
      case id, balance, name, owners, number
      case sourceDomain = "source_domain"
      case authorizedUsers = "authorized_users"
    }
  }

  /// The number of an account, as other banks and people name it: an IBAN, or in Canada institution, transit and
  /// account.
  public struct AccountNumber: Codable, Sendable, Hashable {
    /// ISO 3166-1, two letters.
    public var country: String
    /// The institution's number or bank code.
    public var institution: String
    /// Its transit or branch; nil where the country has none.
    public var transit: String?
    /// The account there.
    public var number: String
    /// ISO 13616, without spaces; nil where the country has none.
    public var iban: String?

    /// Creates the value from its members.
    public init(country: String, institution: String, transit: String?, number: String, iban: String?) {
      (self.country, self.institution, self.transit) = (country, institution, transit)
      (self.number, self.iban) = (number, iban)
    }
  }

  /// A page of accounts.
  public struct AccountsResponse: Codable, Sendable, Hashable {
    public var accounts: [Account]
    public var nextPageToken: String?

    /// Creates the value from its members.
    public init(accounts: [Account], nextPageToken: String? = nil) {
      (self.accounts, self.nextPageToken) = (accounts, nextPageToken)
    }

    enum CodingKeys: String, CodingKey {
      case accounts
      case nextPageToken = "next_page_token"
    }
  }

  /// Who owns the account.
  public struct OwnersResponse: Codable, Sendable, Hashable {
    public var owners: [String]

    /// Creates the value from its members.
    public init(owners: [String]) {
      self.owners = owners
    }
  }

  /// What `getAccountDetails` answers.
  public struct AccountDetails: Codable, Sendable, Hashable {
    public var accountId: String
    /// `ACCOUNT_STATUS_INACTIVE` or `ACCOUNT_STATUS_ACTIVE`.
    public var status: String
    public var accruedInterest: Amount
    /// `ACCOUNT_TYPE_DEPOSIT`.
    public var accountType: String

    /// Creates the value from its members.
    public init(accountId: String, status: String, accruedInterest: Amount, accountType: String) {
      (self.accountId, self.status, self.accruedInterest) = (accountId, status, accruedInterest)
      self.accountType = accountType
    }

    enum CodingKeys: String, CodingKey {
      case status
      case accountId = "account_id"
      case accruedInterest = "accrued_interest"
      case accountType = "account_type"
    }
  }

  /// A page of the ledger.
  public struct ListTransactionsRequest: Codable, Sendable, Hashable {
    public var accountId: String?
    /// An instant, itself included.
    public var from: String?
    /// An instant, itself excluded.
    public var to: String?
    public var pageSize: Int?
    public var pageToken: String?

    /// Creates the value from its members.
    public init(
      accountId: String? = nil, from: String? = nil, to: String? = nil, pageSize: Int? = nil, pageToken: String? = nil
    ) {
      (self.accountId, self.from, self.to) = (accountId, from, to)
      (self.pageSize, self.pageToken) = (pageSize, pageToken)
    }

    enum CodingKeys: String, CodingKey {
      case from, to
      case accountId = "account_id"
      case pageSize = "page_size"
      case pageToken = "page_token"
    }
  }

  /// One entry of the ledger.
  public struct AccountTransaction: Codable, Sendable, Hashable {
    public var transactionId: String
    public var lifecycleTransactionId: String
    public var accountId: String
    public var transactionTime: Instant
    /// Negative when money leaves the account.
    public var amount: Amount
    /// Right after this entry.
    public var balance: Balance
    public var accountDomain: String
    public var initiatingDomain: String

    /// Creates the value from its members.
    public init(
      transactionId: String, lifecycleTransactionId: String, accountId: String, transactionTime: Instant,
      amount: Amount, balance: Balance, accountDomain: String, initiatingDomain: String
    ) {
      self.transactionId = transactionId
      self.lifecycleTransactionId = lifecycleTransactionId
      self.accountId = accountId
      (self.transactionTime, self.amount, self.balance) = (transactionTime, amount, balance)
      (self.accountDomain, self.initiatingDomain) = (accountDomain, initiatingDomain)
    }

    enum CodingKeys: String, CodingKey {
      case amount, balance
      case transactionId = "transaction_id"
      case lifecycleTransactionId = "lifecycle_transaction_id"
      case accountId = "account_id"
      case transactionTime = "transaction_time"
      case accountDomain = "account_domain"
      case initiatingDomain = "initiating_domain"
    }
  }

  /// Newest first.
  public struct AccountTransactionsResponse: Codable, Sendable, Hashable {
    public var transactions: [AccountTransaction]
    public var nextPageToken: String?

    /// Creates the value from its members.
    public init(transactions: [AccountTransaction], nextPageToken: String? = nil) {
      (self.transactions, self.nextPageToken) = (transactions, nextPageToken)
    }

    enum CodingKeys: String, CodingKey {
      case transactions
      case nextPageToken = "next_page_token"
    }
  }
}
