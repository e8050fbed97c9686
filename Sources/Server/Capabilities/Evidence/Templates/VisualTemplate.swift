// SPDX-License-Identifier: Apache-2.0

/// How one kind of document lays out its visual zone: by words that say what follows. A template is data, a JSON file
/// that `TemplateFile` reads.
package struct VisualTemplate: Codable, Equatable, Sendable {
  /// Where a value stands, seen from its caption.
  package enum Place: String, Codable, Sendable, CaseIterable {
    case below, right
    /// On the right, or below where nothing on the right can be a value.
    case rightOrBelow = "right-or-below"
  }

  package struct Rule: Codable, Equatable, Sendable {
    package var field: VisualZone.Field
    /// Captions, each as its words; the first that is on the page counts. A word that ends in a full stop is a field
    /// number, as in ISO/IEC 18013-1 and in AAMVA's card design standard.
    package var captions: [[String]]
    package var place: Place
  }

  /// Unlike any other template's.
  package var name: String
  package var kind: DocumentKind
  /// Three-letter codes of Doc 9303-3 §5 of the states whose documents look like this; empty for any.
  package var issuingStates: [String]
  /// ISO 639-1 codes of the captions' languages.
  package var languages: [String]
  /// How dates without the name of a month are printed.
  package var dates: PrintedDate.Order
  /// Words of the title; each alternative must match word by word.
  package var anchors: [[String]]
  package var rules: [Rule]
  /// Whether fields also stand in the order of ISO/IEC 18013-1 in one column (`LicenceColumn`).
  package var hasNumberedColumn: Bool
  /// Whether the document's number may stand without a caption, as on many cards beside the title.
  package var hasBareNumber: Bool
  /// The code that documents of this layout carry; nil where none is read.
  package var qr: QRTemplate?

  /// Fields without which the page is looked at twice, of those that the template knows.
  var required: [VisualZone.Field] {
    let known = Set(rules.map(\.field))
    return [.surname, .givenNames, .documentNumber, .birthDate, .expiryDate].filter(known.contains)
  }
}
