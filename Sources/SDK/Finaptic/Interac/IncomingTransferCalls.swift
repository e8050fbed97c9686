// SPDX-License-Identifier: Apache-2.0

/// What to ask `authenticateIncomingTransfer` for.
public struct AuthenticateIncomingTransferRequest: Hashable, Codable, Sendable {
  public var interacPaymentNumber: String
  /// As typed; what leaves the device is its digest.
  public var securityAnswer: String

  /// Creates the value from its members.
  public init(interacPaymentNumber: String, securityAnswer: String) {
    (self.interacPaymentNumber, self.securityAnswer) = (interacPaymentNumber, securityAnswer)
  }
}

/// What `authenticateIncomingTransfer` answers.
public struct AuthenticateIncomingTransferResponse: Hashable, Codable, Sendable {
  public var interacPaymentNumber: String
  public var success: Bool
  public var retryAllowed: Bool

  /// Creates the value from its members.
  public init(interacPaymentNumber: String, success: Bool, retryAllowed: Bool) {
    (self.interacPaymentNumber, self.success, self.retryAllowed) = (interacPaymentNumber, success, retryAllowed)
  }
}

/// What to ask `completeIncomingTransfer` for.
public struct CompleteIncomingTransferRequest: Hashable, Codable, Sendable {
  public var interacPaymentNumber: String
  public var targetAccountId: String
  public var recipientMemo: String?

  /// Creates the value from its members.
  public init(interacPaymentNumber: String, targetAccountId: String, recipientMemo: String? = nil) {
    self.interacPaymentNumber = interacPaymentNumber
    self.targetAccountId = targetAccountId
    self.recipientMemo = recipientMemo
  }
}

/// What `completeIncomingTransfer` answers.
public struct CompleteIncomingTransferResponse: Hashable, Codable, Sendable {
  public var interacPaymentNumber: String
  public var transactionId: String
  public var lifecycleTransactionId: String

  /// Creates the value from its members.
  public init(interacPaymentNumber: String, transactionId: String, lifecycleTransactionId: String) {
    self.interacPaymentNumber = interacPaymentNumber
    self.transactionId = transactionId
    self.lifecycleTransactionId = lifecycleTransactionId
  }
}

/// What to ask `declineIncomingTransfer` for.
public struct DeclineIncomingTransferRequest: Hashable, Codable, Sendable {
  public var interacPaymentNumber: String
  public var recipientMemo: String?

  /// Creates the value from its members.
  public init(interacPaymentNumber: String, recipientMemo: String? = nil) {
    (self.interacPaymentNumber, self.recipientMemo) = (interacPaymentNumber, recipientMemo)
  }
}

/// What `declineIncomingTransfer` answers.
public struct DeclineIncomingTransferResponse: Hashable, Codable, Sendable {
  public var interacPaymentNumber: String

  /// Creates the value from its members.
  public init(interacPaymentNumber: String) {
    self.interacPaymentNumber = interacPaymentNumber
  }
}
