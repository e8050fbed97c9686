// SPDX-License-Identifier: Apache-2.0

/// Whether an account can process transactions.
public enum AccountStatus: String, CaseIterable, Codable, Hashable, Sendable {
  case unspecified = "ACCOUNT_STATUS_UNSPECIFIED"
  case inactive = "ACCOUNT_STATUS_INACTIVE"
  case active = "ACCOUNT_STATUS_ACTIVE"

  /// A word that this version does not know becomes `unspecified`.
  public init(from decoder: any Decoder) throws {
    self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unspecified
  }
}

/// The kind of an account.
public enum AccountType: String, CaseIterable, Codable, Hashable, Sendable {
  case unspecified = "ACCOUNT_TYPE_UNSPECIFIED"
  case deposit = "ACCOUNT_TYPE_DEPOSIT"

  /// A word that this version does not know becomes `unspecified`.
  public init(from decoder: any Decoder) throws {
    self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unspecified
  }
}

/// Status and interest of an account.
public struct AccountDetails: Hashable, Codable, Sendable {
  public var accountId: String
  public var status: AccountStatus
  /// Gathered daily, paid monthly.
  public var accruedInterest: Amount
  public var accountType: AccountType

  /// Creates the value from its members.
  public init(accountId: String, status: AccountStatus, accruedInterest: Amount, accountType: AccountType) {
    (self.accountId, self.status, self.accruedInterest) = (accountId, status, accruedInterest)
    self.accountType = accountType
  }
}

/// What to ask `getAccountDetails` for.
public struct GetAccountDetailsRequest: Hashable, Codable, Sendable {
  public var accountId: String

  /// Creates the value from its members.
  public init(accountId: String) {
    self.accountId = accountId
  }
}
