// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What to ask `getTransferDetails` for.
public struct GetTransferDetailsRequest: Hashable, Codable, Sendable {
  /// Empty where the transfer is asked for by `idempotencyKey`.
  public var transactionId: String
  /// The key that the app gave to `initiateTransfer`. ⊕
  public var idempotencyKey: UUID?

  /// Asks for the transfer by the id of any of its steps.
  public init(transactionId: String) {
    self.transactionId = transactionId
  }

  /// Asks what became of a transfer whose answer was lost. `transInvalidTransaction` says that nothing was booked
  /// under the key until now.
  public init(idempotencyKey: UUID) {
    (transactionId, self.idempotencyKey) = ("", idempotencyKey)
  }
}

/// What to ask `initiateTransfer` for.
public struct InitiateTransferRequest: Hashable, Codable, Sendable {
  public var sourceAccountId: String
  public var destinationAccountId: String
  public var fundTransfer: Amount
  /// The app's own name for this transfer. The same key with the same members is the same transfer for ever, so that
  /// a call whose outcome is unknown can be repeated, also after a restart of the app. Nil: a key for this call
  /// alone. ⊕
  public var idempotencyKey: UUID?

  /// Creates the value from its members.
  public init(
    sourceAccountId: String, destinationAccountId: String, fundTransfer: Amount, idempotencyKey: UUID? = nil
  ) {
    self.idempotencyKey = idempotencyKey
    self.sourceAccountId = sourceAccountId
    self.destinationAccountId = destinationAccountId
    self.fundTransfer = fundTransfer
  }
}

/// What `initiateTransfer` answers.
public struct InitiateTransferResponse: Hashable, Codable, Sendable {
  public var details: TransferTransactionDetails
  /// Why it was declined; empty when completed.
  public var reason: String

  /// Creates the value from its members.
  public init(details: TransferTransactionDetails, reason: String) {
    (self.details, self.reason) = (details, reason)
  }
}

/// An account and the system that keeps it.
public struct AccountIdentification: Hashable, Codable, Sendable {
  public var id: String
  /// `core-banking` or `core-card`.
  public var sourceDomain: String

  /// Creates the value from its members.
  public init(id: String, sourceDomain: String) {
    (self.id, self.sourceDomain) = (id, sourceDomain)
  }
}

/// What to ask `listTargetAccounts` for.
public struct ListTargetAccountsRequest: Hashable, Codable, Sendable {
  public var transferType: TransferType
  /// 1 or more.
  public var pageSize: Int
  /// Nil for the first page.
  public var pageToken: String?

  /// Creates the value from its members.
  public init(transferType: TransferType, pageSize: Int, pageToken: String? = nil) {
    (self.transferType, self.pageSize, self.pageToken) = (transferType, pageSize, pageToken)
  }
}

/// What `listTargetAccounts` answers.
public struct ListTargetAccountsResponse: Hashable, Codable, Sendable {
  public var accounts: [AccountIdentification]
  /// Nil at the end.
  public var nextPageToken: String?

  /// Creates the value from its members.
  public init(accounts: [AccountIdentification], nextPageToken: String? = nil) {
    (self.accounts, self.nextPageToken) = (accounts, nextPageToken)
  }
}
