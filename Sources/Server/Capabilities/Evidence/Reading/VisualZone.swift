// SPDX-License-Identifier: Apache-2.0

import DocumentCore

/// What is printed for people: each field with its confidence and the place it was read from.
package struct VisualZone: Codable, Equatable, Sendable {
  /// A field's name on the wire.
  package enum Field: String, Codable, Hashable, Sendable, CaseIterable {
    case surname
    case givenNames = "given_names"
    case documentNumber = "document_number"
    case birthDate = "birth_date"
    case expiryDate = "expiry_date"
    case issueDate = "issue_date"
    case sex, nationality
    case personalNumber = "personal_number"
    case address, categories

    var isDate: Bool { self == .birthDate || self == .expiryDate || self == .issueDate }
  }

  package struct Value: Codable, Equatable, Sendable {
    /// Dates as `YYYY-MM-DD`, sex as `M`, `F` or `X`, everything else as printed.
    package var text: String
    /// 0…1.
    package var confidence: Double
    /// In pixels of the page.
    package var region: Region

    package init(text: String, confidence: Double, region: Region) {
      self.text = text
      self.confidence = confidence
      self.region = region
    }

    enum CodingKeys: String, CodingKey {
      case text = "value"
      case confidence, region
    }
  }

  package var values: [Field: Value]

  package init(values: [Field: Value] = [:]) { self.values = values }

  package subscript(_ field: Field) -> String? { values[field]?.text }

  package func date(_ field: Field) -> CalendarDate? { values[field].flatMap { CalendarDate($0.text) } }

  /// Without dates of birth and of issue that are after a day. Such a date is that of expiry, which stood under the
  /// caption of the other because that one's own was hidden; where there is no other, it is taken for it with doubt.
  func withoutFutureDates(after today: CalendarDate) -> VisualZone {
    var zone = self
    for field in [Field.birthDate, .issueDate] {
      guard var value = zone.values[field], value.text > today.isoText else { continue }
      zone.values[field] = nil
      value.confidence = min(value.confidence, Certainty.wornCaptionMost)
      zone.values[.expiryDate] = zone.values[.expiryDate] ?? value
    }
    return zone
  }

  /// The texts alone, by wire name (rubix-onboarding §6.8 `visual_zone`).
  package var texts: [String: String] {
    Dictionary(uniqueKeysWithValues: values.map { ($0.key.rawValue, $0.value.text) })
  }

  package init(from decoder: any Decoder) throws {
    let read = try decoder.singleValueContainer().decode([String: Value].self)
    values = [:]
    for (name, value) in read {
      if let field = Field(rawValue: name) { values[field] = value }
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Dictionary(uniqueKeysWithValues: values.map { ($0.key.rawValue, $0.value) }))
  }
}
