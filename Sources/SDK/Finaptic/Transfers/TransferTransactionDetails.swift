// SPDX-License-Identifier: Apache-2.0

/// The latest state of a transfer.
public struct TransferTransactionDetails: Hashable, Codable, Sendable {
  public var transactionId: String
  public var lifecycleTransactionId: String
  public var status: TransferStatus
  public var customerRole: CustomerRole
  public var transferType: TransferType
  public var counterparty: Counterparty?
  /// What the clearing system calls it.
  public var clearingSystemRefNumber: String
  public var remittance: Remittance?

  /// Creates the value from its members.
  public init(
    transactionId: String, lifecycleTransactionId: String, status: TransferStatus, customerRole: CustomerRole,
    transferType: TransferType, counterparty: Counterparty? = nil, clearingSystemRefNumber: String,
    remittance: Remittance? = nil
  ) {
    (self.transactionId, self.lifecycleTransactionId, self.status) = (transactionId, lifecycleTransactionId, status)
    (self.customerRole, self.transferType, self.counterparty) = (customerRole, transferType, counterparty)
    (self.clearingSystemRefNumber, self.remittance) = (clearingSystemRefNumber, remittance)
  }
}

/// The other side of a transfer.
public struct Counterparty: Hashable, Codable, Sendable {
  public var legalName: String

  /// Creates the value from its members.
  public init(legalName: String) {
    self.legalName = legalName
  }
}
