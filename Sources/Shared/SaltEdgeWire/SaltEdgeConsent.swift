// SPDX-License-Identifier: Apache-2.0

extension SaltEdge {
  /// A permission that the customer gave to a third party, as it reads once decrypted, in both versions (§4.9).
  public struct Consent: Codable, Sendable, Equatable {
    /// The entity around it names it too; clients prefer that one.
    public var id: String?
    /// Whose it is.
    public var userID: String?
    /// `aisp`, `pisp_future` or `pisp_recurring`.
    public var kind: String
    /// Who may.
    public var thirdParty: String
    /// Of which accounts.
    public var accounts: [Account]
    /// What may be seen of them.
    public var shared: Shared?
    /// RFC 3339 in UTC.
    public var createdAt: String
    /// RFC 3339 in UTC.
    public var expiresAt: String

    /// Creates the value from its members.
    public init(
      id: String? = nil, userID: String? = nil, kind: String, thirdParty: String, accounts: [Account],
      shared: Shared? = nil, createdAt: String, expiresAt: String
    ) {
      self.id = id
      self.userID = userID
      self.kind = kind
      self.thirdParty = thirdParty
      self.accounts = accounts
      self.shared = shared
      self.createdAt = createdAt
      self.expiresAt = expiresAt
    }

    enum CodingKeys: String, CodingKey {
      case id
      case userID = "user_id"
      case kind = "consent_type"
      case thirdParty = "tpp_name"
      case accounts
      case shared = "shared_data"
      case createdAt = "created_at"
      case expiresAt = "expires_at"
    }
  }

  /// An account that a consent is about.
  public struct Account: Codable, Sendable, Equatable {
    /// For people.
    public var name: String
    /// National number.
    public var number: String?
    /// Of the branch.
    public var sortCode: String?
    /// ISO 13616.
    public var iban: String?

    /// Creates the value from its members.
    public init(name: String, number: String? = nil, sortCode: String? = nil, iban: String? = nil) {
      self.name = name
      self.number = number
      self.sortCode = sortCode
      self.iban = iban
    }

    enum CodingKeys: String, CodingKey {
      case name
      case number = "account_number"
      case sortCode = "sort_code"
      case iban
    }
  }

  /// What a third party may see of an account.
  public struct Shared: Codable, Sendable, Equatable {
    /// Its balance.
    public var balance: Bool?
    /// What was paid.
    public var transactions: Bool?

    /// Creates the value from its members.
    public init(balance: Bool? = nil, transactions: Bool? = nil) {
      self.balance = balance
      self.transactions = transactions
    }
  }
}
