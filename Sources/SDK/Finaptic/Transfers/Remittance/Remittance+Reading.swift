// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire
internal import Foundation

// Senders leave lists out that have nothing in them, so reading takes a missing one for an empty one.

extension KeyedDecodingContainer {
  fileprivate func list<Element: Decodable>(_ key: Key) throws -> [Element] {
    try decodeIfPresent([Element].self, forKey: key) ?? []
  }
}

extension StructuredRemittance {
  /// Reads the document; a missing list is empty.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      referredDocumentInformation: try container.list(.referredDocumentInformation),
      referredDocumentAmount: try container.decodeIfPresent(
        ReferredDocumentAmount.self, forKey: .referredDocumentAmount),
      creditorReferenceInformation: try container.decodeIfPresent(
        CreditorReferenceInformation.self, forKey: .creditorReferenceInformation),
      invoicer: try container.decodeIfPresent(RemittanceParty.self, forKey: .invoicer),
      invoicee: try container.decodeIfPresent(RemittanceParty.self, forKey: .invoicee),
      additionalRemittanceInformation: try container.list(.additionalRemittanceInformation))
  }
}

extension ReferredDocumentAmount {
  /// Reads the amounts; a missing list is empty.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      duePayableAmount: try container.decodeIfPresent(Amount.self, forKey: .duePayableAmount),
      adjustmentAmountAndReason: try container.list(.adjustmentAmountAndReason),
      remittedAmount: try container.decodeIfPresent(Amount.self, forKey: .remittedAmount))
  }
}

extension RemittancePostalAddress {
  /// Reads the address; a missing list is empty.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func text(_ key: CodingKeys) throws -> String? { try container.decodeIfPresent(String.self, forKey: key) }
    self.init(
      addressType: try container.decodeIfPresent(CodeOrProprietary<AddressType2Code>.self, forKey: .addressType),
      department: try text(.department), subDepartment: try text(.subDepartment), streetName: try text(.streetName),
      buildingNumber: try text(.buildingNumber), postCode: try text(.postCode), townName: try text(.townName),
      countrySubDivision: try text(.countrySubDivision), country: try text(.country),
      addressLine: try container.list(.addressLine))
  }
}

extension OrganisationIdentification {
  /// Reads the numbers; a missing list is empty.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(other: try container.list(.other))
  }
}

extension Remittance {
  /// What cannot be read of the documents is left out; the transfer stands without it (finaptic §8.7).
  init(_ wire: FinapticAPI.Remittance) {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let documents = wire.structured.flatMap {
      try? decoder.decode([StructuredRemittance].self, from: Data($0.utf8))
    }
    self.init(
      unstructured: wire.unstructured.map { UnstructuredRemittance(data: $0.data) }, structured: documents ?? [])
  }
}
