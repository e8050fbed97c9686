// SPDX-License-Identifier: Apache-2.0

/// Which way a list runs through time.
public enum TransactionOrder: String, CaseIterable, Codable, Hashable, Sendable {
  case orderUnspecified = "ORDER_UNSPECIFIED"
  /// Newest first.
  case descending = "DESCENDING"
  /// Oldest first.
  case ascending = "ASCENDING"

  /// A word that this version does not know becomes `orderUnspecified`.
  public init(from decoder: any Decoder) throws {
    self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .orderUnspecified
  }
}

/// Whether a transaction is done.
public enum TransactionState: String, CaseIterable, Codable, Hashable, Sendable {
  case transactionStateUnspecified = "TRANSACTION_STATE_UNSPECIFIED"
  case posted = "POSTED"
  case pending = "PENDING"
  case unknown = "UNKNOWN"
  case cancelled = "CANCELLED"

  /// A word that this version does not know becomes `transactionStateUnspecified`.
  public init(from decoder: any Decoder) throws {
    self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .transactionStateUnspecified
  }
}

/// What a transaction is.
public enum TransactionType: String, CaseIterable, Codable, Hashable, Sendable {
  case transactionTypeUnspecified = "TRANSACTION_TYPE_UNSPECIFIED"
  case authorized = "AUTHORIZED"
  /// Money left the account: the amount is negative.
  case debit = "DEBIT"
  case refund = "REFUND"
  case declined = "DECLINED"
  case chargeback = "CHARGEBACK"
  /// Money came onto the account.
  case credit = "CREDIT"
  case productNotDefined = "PRODUCT_NOT_DEFINED"

  /// A word that this version does not know becomes `transactionTypeUnspecified`.
  public init(from decoder: any Decoder) throws {
    self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .transactionTypeUnspecified
  }
}
