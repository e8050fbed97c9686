// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Where an incoming transfer stands.
public enum IncomingTransferStatus: String, CaseIterable, Codable, Hashable, Sendable {
  case unspecified = "INCOMING_TRANSFER_STATUS_UNSPECIFIED"
  case available = "AVAILABLE"
  case authorized = "AUTHORIZED"
  case accepted = "ACCEPTED"
  case canceled = "CANCELED"

  /// A word that this version does not know becomes `unspecified`.
  public init(from decoder: any Decoder) throws {
    self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unspecified
  }
}

/// Money that waits to be taken.
public struct IncomingTransferDetails: Hashable, Codable, Sendable {
  public var interacPaymentNumber: String
  public var transferStatus: IncomingTransferStatus
  public var transferAmount: Amount
  public var expiryDate: Date
  public var initiatorName: String
  public var authenticationRequired: Bool
  public var securityQuestion: String?
  public var senderMemo: String?

  /// Creates the value from its members.
  public init(
    interacPaymentNumber: String, transferStatus: IncomingTransferStatus, transferAmount: Amount, expiryDate: Date,
    initiatorName: String, authenticationRequired: Bool, securityQuestion: String? = nil, senderMemo: String? = nil
  ) {
    self.interacPaymentNumber = interacPaymentNumber
    self.transferStatus = transferStatus
    self.transferAmount = transferAmount
    self.expiryDate = expiryDate
    self.initiatorName = initiatorName
    self.authenticationRequired = authenticationRequired
    (self.securityQuestion, self.senderMemo) = (securityQuestion, senderMemo)
  }
}

/// What to ask `getIncomingTransferDetails` for.
public struct GetIncomingTransferDetailsRequest: Hashable, Codable, Sendable {
  public var interacPaymentNumber: String

  /// Creates the value from its members.
  public init(interacPaymentNumber: String) {
    self.interacPaymentNumber = interacPaymentNumber
  }
}

/// What `getIncomingTransferDetails` answers.
public struct GetIncomingTransferDetailsResponse: Hashable, Codable, Sendable {
  public var transferDetails: IncomingTransferDetails

  /// Creates the value from its members.
  public init(transferDetails: IncomingTransferDetails) {
    self.transferDetails = transferDetails
  }
}
