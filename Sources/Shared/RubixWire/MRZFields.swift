// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// The fields of a machine readable zone (ICAO Doc 9303). Dates may be partly unknown, hence text.
public struct MRZFields: Codable, Sendable, Equatable {
  /// Such as `P` or `ID`.
  public var documentCode: String
  /// Three-letter code as printed.
  public var issuingState: String
  /// Primary identifier.
  public var surname: String
  /// Secondary identifier.
  public var givenNames: String
  /// Without trailing fillers.
  public var documentNumber: String
  /// Three-letter code as printed.
  public var nationality: String
  /// `YYYY-MM-DD`; nil when not a date.
  @ExplicitNull public var birthDate: String?
  /// `F`, `M` or `unspecified`.
  public var sex: String
  /// `YYYY-MM-DD`; nil when not a date.
  @ExplicitNull public var expiryDate: String?
  /// Nil when empty.
  @ExplicitNull public var optionalData1: String?
  /// Nil when empty.
  @ExplicitNull public var optionalData2: String?

  /// Creates the value from its members.
  public init(
    documentCode: String,
    issuingState: String,
    surname: String,
    givenNames: String,
    documentNumber: String,
    nationality: String,
    birthDate: String? = nil,
    sex: String,
    expiryDate: String? = nil,
    optionalData1: String? = nil,
    optionalData2: String? = nil
  ) {
    self.documentCode = documentCode
    self.issuingState = issuingState
    self.surname = surname
    self.givenNames = givenNames
    self.documentNumber = documentNumber
    self.nationality = nationality
    self.birthDate = birthDate
    self.sex = sex
    self.expiryDate = expiryDate
    self.optionalData1 = optionalData1
    self.optionalData2 = optionalData2
  }

  enum CodingKeys: String, CodingKey {
    case documentCode = "document_code"
    case issuingState = "issuing_state"
    case surname
    case givenNames = "given_names"
    case documentNumber = "document_number"
    case nationality
    case birthDate = "birth_date"
    case sex
    case expiryDate = "expiry_date"
    case optionalData1 = "optional_data_1"
    case optionalData2 = "optional_data_2"
  }
}

/// One check digit: the printed one against the computed one.
public struct MRZCheckDigit: Codable, Sendable, Equatable {
  /// Character in the zone.
  public var present: String
  /// Digit that it should be.
  public var computed: String
  /// Whether it is accepted.
  public var ok: Bool

  /// Creates the value from its members.
  public init(present: String, computed: String, ok: Bool) {
    self.present = present
    self.computed = computed
    self.ok = ok
  }
}
