// SPDX-License-Identifier: Apache-2.0

import GatehouseWire
import RubixWire

/// Who the customer is by the documents that were matched: what the forms are compared with.
package struct VerifiedIdentity: Hashable, Sendable {
  /// As the document has it, in MRZ letters or those of the visual zone; empty for a person with given names only.
  package var familyName: String
  /// All given names; empty for a person with one name only.
  package var givenNames: String
  /// True when the names come from an MRZ that was too short for them (ICAO 9303-3 §4.6).
  package var namesMayBeTruncated: Bool
  /// As the documents have it.
  package var dateOfBirth: WireDate
  /// ISO 3166-1 alpha-3, as on the documents.
  package var nationalities: [String]
  /// The processed documents of the application.
  package var documents: [Document]

  /// Creates the value from its members.
  package init(
    familyName: String, givenNames: String, namesMayBeTruncated: Bool = false, dateOfBirth: WireDate,
    nationalities: [String] = [], documents: [Document] = []
  ) {
    self.familyName = familyName
    self.givenNames = givenNames
    self.namesMayBeTruncated = namesMayBeTruncated
    self.dateOfBirth = dateOfBirth
    self.nationalities = nationalities
    self.documents = documents
  }

  /// A document that was read.
  package struct Document: Hashable, Sendable {
    /// The id of the document in the application.
    package var id: String
    /// What kind of document it is.
    package var type: DocumentType
    /// ISO 3166-1 alpha-3 of the issuing state; nil when it was not read.
    package var issuingState: String?

    /// Creates the value from its members.
    package init(id: String, type: DocumentType, issuingState: String?) {
      self.id = id
      self.type = type
      self.issuingState = issuingState
    }
  }
}
