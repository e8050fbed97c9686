// SPDX-License-Identifier: Apache-2.0

/// The JSON form of results: the members of the vectors file under `expected`.
extension MRZ.Fields: Encodable {
  private enum Key: String, CodingKey {
    case documentCode = "document_code"
    case issuingState = "issuing_state"
    case surname
    case givenNames = "given_names"
    case documentNumber = "document_number"
    case nationality
    case birthDateRaw = "birth_date_raw"
    case birthDate = "birth_date"
    case sex
    case expiryDateRaw = "expiry_date_raw"
    case expiryDate = "expiry_date"
    case optionalData1 = "optional_data_1"
    case optionalData2 = "optional_data_2"
  }

  /// Empty fields are written as null; fields that the format does not have are left out.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(documentCode, forKey: .documentCode)
    try container.encode(issuingState, forKey: .issuingState)
    try container.encode(surname, forKey: .surname)
    try container.encode(givenNames, forKey: .givenNames)
    try container.encode(documentNumber, forKey: .documentNumber)
    try container.encode(birthDateRaw, forKey: .birthDateRaw)
    try container.encode(birthDate, forKey: .birthDate)
    try container.encode(sexText, forKey: .sex)
    guard format != .frenchID1988 else { return }
    try container.encode(nationality, forKey: .nationality)
    try container.encode(expiryDateRaw, forKey: .expiryDateRaw)
    try container.encode(expiryDate, forKey: .expiryDate)
    try container.encode(optionalData1, forKey: .optionalData1)
    try container.encode(optionalData2, forKey: .optionalData2)
  }
}

extension MRZ.CheckDigits: Encodable {
  private enum Key: String, CodingKey {
    case documentNumber = "document_number"
    case birthDate = "birth_date"
    case expiryDate = "expiry_date"
    case optionalData = "optional_data"
    case composite
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(documentNumber, forKey: .documentNumber)
    try container.encode(birthDate, forKey: .birthDate)
    try container.encodeIfPresent(expiryDate, forKey: .expiryDate)
    try container.encodeIfPresent(optionalData, forKey: .optionalData)
    try container.encodeIfPresent(composite, forKey: .composite)
  }
}

/// One result, the format beside the members of `expected`; without fields, `fields` and `check_digits` are left out.
extension MRZ.Result: Encodable {
  enum Key: String, CodingKey {
    case format, valid, errors, warnings, fields
    case checkDigits = "check_digits"
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(format, forKey: .format)
    try encodeFindings(into: &container)
  }

  func encodeFindings(into container: inout KeyedEncodingContainer<Key>) throws {
    try container.encode(valid, forKey: .valid)
    try container.encode(errors, forKey: .errors)
    try container.encode(warnings, forKey: .warnings)
    try container.encodeIfPresent(fields, forKey: .fields)
    try container.encodeIfPresent(checkDigits, forKey: .checkDigits)
  }
}
