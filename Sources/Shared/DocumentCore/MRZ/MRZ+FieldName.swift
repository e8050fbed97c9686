// SPDX-License-Identifier: Apache-2.0

extension MRZ {
  /// What a character of a zone belongs to, by the field's wire name. A check digit belongs to its field.
  public enum FieldName: String, Hashable, Sendable, Codable, CaseIterable {
    case documentCode = "document_code"
    case issuingState = "issuing_state"
    case name
    case documentNumber = "document_number"
    case nationality
    case birthDate = "birth_date"
    case sex
    case expiryDate = "expiry_date"
    case optionalData = "optional_data"
    case composite
  }
}

extension MRZ.Format {
  /// The field at a place; lines and positions count from 0.
  /// - Returns: nil outside of the format.
  public func fieldName(line: Int, position: Int) -> MRZ.FieldName? {
    let layout = layout
    let spans: [(MRZSpan?, MRZ.FieldName)] = [
      (layout.documentCode, .documentCode), (layout.issuingState, .issuingState), (layout.name, .name),
      (layout.givenNames, .name), (layout.number, .documentNumber), (layout.numberDigit, .documentNumber),
      (layout.nationality, .nationality), (layout.birthDate, .birthDate), (layout.birthDigit, .birthDate),
      (layout.sex, .sex), (layout.expiryDate, .expiryDate), (layout.expiryDigit, .expiryDate),
      (layout.compositeDigit, .composite), (layout.optionalData1, .optionalData),
      (layout.optionalData2, .optionalData), (layout.optionalDigit, .optionalData),
      (layout.issuingOffice, .optionalData),
    ]
    return spans.first { span, _ in span.map { $0.line == line && $0.range.contains(position) } ?? false }?.1
  }
}
