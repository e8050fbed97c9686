// SPDX-License-Identifier: Apache-2.0

/// What became of a transfer.
public enum TransferStatus: String, CaseIterable, Codable, Hashable, Sendable {
  case unspecified = "TRANSFER_STATUS_UNSPECIFIED"
  /// Nothing was moved.
  case declined = "DECLINED"
  case completed = "COMPLETED"
  case pending = "PENDING"

  /// A word that this version does not know becomes `unspecified`.
  public init(from decoder: any Decoder) throws {
    self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unspecified
  }
}

/// Which side of a transfer the customer is on.
public enum CustomerRole: String, CaseIterable, Codable, Hashable, Sendable {
  case unspecified = "CUSTOMER_ROLE_UNSPECIFIED"
  case recipient = "RECIPIENT"
  case initiator = "INITIATOR"

  /// A word that this version does not know becomes `unspecified`.
  public init(from decoder: any Decoder) throws {
    self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unspecified
  }
}

/// How the money travels.
public enum TransferType: String, CaseIterable, Codable, Hashable, Sendable {
  case unspecified = "TRANSFER_TYPE_UNSPECIFIED"
  case internalAccountToAccount = "INTERNAL_ACCOUNT_TO_ACCOUNT"
  case interacAutodeposit = "INTERAC_AUTODEPOSIT"
  case interacRegularPayment = "INTERAC_REGULAR_PAYMENT"

  /// A word that this version does not know becomes `unspecified`.
  public init(from decoder: any Decoder) throws {
    self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unspecified
  }
}
