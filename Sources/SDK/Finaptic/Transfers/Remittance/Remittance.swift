// SPDX-License-Identifier: Apache-2.0

/// What the sender says the money is for (finaptic §8.7).
public struct Remittance: Hashable, Codable, Sendable {
  public var unstructured: UnstructuredRemittance?
  public var structured: [StructuredRemittance]

  /// Creates the value from its members.
  public init(unstructured: UnstructuredRemittance? = nil, structured: [StructuredRemittance] = []) {
    (self.unstructured, self.structured) = (unstructured, structured)
  }
}

/// Free text.
public struct UnstructuredRemittance: Hashable, Codable, Sendable {
  public var data: String

  /// Creates the value from its members.
  public init(data: String) {
    self.data = data
  }
}

/// One document that the money is for.
public struct StructuredRemittance: Hashable, Codable, Sendable {
  public var referredDocumentInformation: [ReferredDocumentInformation]
  public var referredDocumentAmount: ReferredDocumentAmount?
  public var creditorReferenceInformation: CreditorReferenceInformation?
  public var invoicer: RemittanceParty?
  public var invoicee: RemittanceParty?
  public var additionalRemittanceInformation: [String]

  /// Creates the value from its members.
  public init(
    referredDocumentInformation: [ReferredDocumentInformation] = [],
    referredDocumentAmount: ReferredDocumentAmount? = nil,
    creditorReferenceInformation: CreditorReferenceInformation? = nil, invoicer: RemittanceParty? = nil,
    invoicee: RemittanceParty? = nil, additionalRemittanceInformation: [String] = []
  ) {
    self.referredDocumentInformation = referredDocumentInformation
    self.referredDocumentAmount = referredDocumentAmount
    self.creditorReferenceInformation = creditorReferenceInformation
    self.invoicer = invoicer
    self.invoicee = invoicee
    self.additionalRemittanceInformation = additionalRemittanceInformation
  }

  enum CodingKeys: String, CodingKey {
    case referredDocumentInformation, referredDocumentAmount, creditorReferenceInformation
    case invoicer, invoicee, additionalRemittanceInformation
  }
}
