// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// Fields printed for people (rubix-onboarding §6.8). What was not read is `null`.
public struct VisualZone: Codable, Sendable, Equatable {
  /// Family name.
  @ExplicitNull public var surname: String?
  /// Given names.
  @ExplicitNull public var givenNames: String?
  /// Number of the document.
  @ExplicitNull public var documentNumber: String?
  /// Date of birth.
  @ExplicitNull public var birthDate: WireDate?
  /// Valid until.
  @ExplicitNull public var expiryDate: WireDate?
  /// Left out when not printed or not read.
  public var issueDate: WireDate?
  /// Left out when not printed or not read.
  public var nationality: String?
  /// Left out when not printed or not read.
  public var sex: String?
  /// Left out when not printed or not read.
  public var personalNumber: String?
  /// Left out when not printed or not read.
  public var issuingState: String?

  /// Creates the value from its members.
  public init(
    surname: String? = nil,
    givenNames: String? = nil,
    documentNumber: String? = nil,
    birthDate: WireDate? = nil,
    expiryDate: WireDate? = nil,
    issueDate: WireDate? = nil,
    nationality: String? = nil,
    sex: String? = nil,
    personalNumber: String? = nil,
    issuingState: String? = nil
  ) {
    self.surname = surname
    self.givenNames = givenNames
    self.documentNumber = documentNumber
    self.birthDate = birthDate
    self.expiryDate = expiryDate
    self.issueDate = issueDate
    self.nationality = nationality
    self.sex = sex
    self.personalNumber = personalNumber
    self.issuingState = issuingState
  }

  enum CodingKeys: String, CodingKey {
    case surname
    case givenNames = "given_names"
    case documentNumber = "document_number"
    case birthDate = "birth_date"
    case expiryDate = "expiry_date"
    case issueDate = "issue_date"
    case nationality
    case sex
    case personalNumber = "personal_number"
    case issuingState = "issuing_state"
  }
}

/// A PDF417 of an AAMVA driving licence as read (rubix-onboarding §6.8).
public struct BarcodeReading: Codable, Sendable, Equatable {
  /// Symbology.
  public var format: String
  /// AAMVA version; left out when unknown.
  public var version: Int?
  /// Issuer identification number; left out when unknown.
  public var issuer: String?
  /// By AAMVA element id, such as `DCS`.
  public var fields: [String: String]
  /// Who read it; left out for the server itself.
  public var source: ReadingSource?

  /// Creates the value from its members.
  public init(
    format: String = "PDF417",
    version: Int? = nil,
    issuer: String? = nil,
    fields: [String: String],
    source: ReadingSource? = nil
  ) {
    self.format = format
    self.version = version
    self.issuer = issuer
    self.fields = fields
    self.source = source
  }
}
