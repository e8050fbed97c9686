// SPDX-License-Identifier: Apache-2.0

/// The document by kind, number and date.
public struct ReferredDocumentInformation: Hashable, Codable, Sendable {
  public var type: TypeWrapper<DocumentType6Code>?
  public var number: String?
  /// `YYYY-MM-DD`.
  public var relatedDate: String?

  /// Creates the value from its members.
  public init(type: TypeWrapper<DocumentType6Code>? = nil, number: String? = nil, relatedDate: String? = nil) {
    (self.type, self.number, self.relatedDate) = (type, number, relatedDate)
  }
}

/// What was due and what is paid.
public struct ReferredDocumentAmount: Hashable, Codable, Sendable {
  public var duePayableAmount: Amount?
  public var adjustmentAmountAndReason: [AdjustmentAmountAndReason]
  public var remittedAmount: Amount?

  /// Creates the value from its members.
  public init(
    duePayableAmount: Amount? = nil, adjustmentAmountAndReason: [AdjustmentAmountAndReason] = [],
    remittedAmount: Amount? = nil
  ) {
    self.duePayableAmount = duePayableAmount
    self.adjustmentAmountAndReason = adjustmentAmountAndReason
    self.remittedAmount = remittedAmount
  }

  enum CodingKeys: String, CodingKey {
    case duePayableAmount, adjustmentAmountAndReason, remittedAmount
  }
}

/// A correction of what was due.
public struct AdjustmentAmountAndReason: Hashable, Codable, Sendable {
  public var amount: Amount
  public var creditDebitIndicator: CreditDebitIndicator?
  /// Why the amount was adjusted.
  public var reason: String?
  public var additionalInformation: String?

  /// Creates the value from its members.
  public init(
    amount: Amount, creditDebitIndicator: CreditDebitIndicator? = nil, reason: String? = nil,
    additionalInformation: String? = nil
  ) {
    (self.amount, self.creditDebitIndicator, self.reason) = (amount, creditDebitIndicator, reason)
    self.additionalInformation = additionalInformation
  }
}

/// What the payee calls the payment.
public struct CreditorReferenceInformation: Hashable, Codable, Sendable {
  public var type: TypeWrapper<DocumentType3Code>?
  public var reference: String?

  /// Creates the value from its members.
  public init(type: TypeWrapper<DocumentType3Code>? = nil, reference: String? = nil) {
    (self.type, self.reference) = (type, reference)
  }
}
