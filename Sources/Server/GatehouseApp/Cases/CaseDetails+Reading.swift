// SPDX-License-Identifier: Apache-2.0
import Console
import Evidence

// What evidence read and measured, as the case pages of every flow show it.

extension CaseDetails.Picture {
  /// Shows what was read of the picture: its fields, where they stand, and the checks of it by itself.
  /// - Parameters: of the picture, in pixels; nil where that is not known, so that nothing can be marked.
  mutating func show(_ reading: DocumentReading, width: Int?, height: Int?) {
    if let width, let height { size = (width, height) }
    marks = Self.marks(of: reading)
    fields = Self.fields(of: reading)
    checks += reading.checks.map { .init($0.code.rawValue, $0.result.rawValue, reasons: $0.fields) }
  }

  /// Where fields were read. A page that was not outlined shows none.
  private static func marks(of reading: DocumentReading) -> [CaseDetails.Mark] {
    func mark(_ field: String, _ region: Region) -> CaseDetails.Mark? {
      reading.page.place(of: region).map { .init(field, $0.map { (x: $0.x, y: $0.y) }) }
    }
    var marks: [CaseDetails.Mark?] = VisualZone.Field.allCases.map { field in
      reading.visualZone?.values[field].flatMap { mark(field.rawValue, $0.region) }
    }
    if let mrz = reading.mrz, mrz.source != .client { marks.append(mark("mrz", mrz.region)) }
    if let portrait = reading.portrait { marks.append(mark("portrait", portrait.region)) }
    return marks.compactMap(\.self)
  }

  /// Each field by the zone or the barcode, and by print. A field has a mark where a check compared it.
  private static func fields(of reading: DocumentReading) -> [CaseDetails.Field] {
    let (zone, licence, print) = (reading.mrz?.fields, reading.barcode?.licence, reading.visualZone)
    func agreement(_ field: String) -> CaseDetails.Field.Agreement? {
      switch reading.comparison(of: field) {
      case .pass: .same
      case .fail: .different
      case .review, .inconclusive: .unclear
      case nil: nil
      }
    }
    let rows: [(name: String, compared: String, machine: String?, printed: String?)] = [
      ("surname", "name", zone?.surname ?? licence?.name.family, print?[.surname]),
      ("given_names", "name", zone?.givenNames ?? reading.barcode?.givenNames, print?[.givenNames]),
      ("document_number", "document_number", zone?.documentNumber ?? licence?.number, print?[.documentNumber]),
      (
        "birth_date", "birth_date", zone?.birthDate?.isoText ?? zone?.birthDateRaw ?? licence?.birthDate?.isoText,
        print?[.birthDate]
      ),
      (
        "expiry_date", "expiry_date", zone?.expiryDate?.isoText ?? zone?.expiryDateRaw ?? licence?.expiryDate?.isoText,
        print?[.expiryDate]
      ),
      ("issue_date", "issue_date", licence?.issueDate?.isoText, print?[.issueDate]),
      ("sex", "sex", zone?.sexText ?? licence?.sex?.rawValue, print?[.sex]),
      ("nationality", "nationality", zone?.nationality, print?[.nationality]),
      ("issuing_state", "issuing_state", zone?.issuingState, nil),
      ("personal_number", "personal_number", zone?.optionalData1, print?[.personalNumber]),
      ("address", "address", nil, print?[.address]), ("categories", "categories", nil, print?[.categories]),
      ("mrz", "mrz", reading.mrz?.lines.joined(separator: "\n"), nil),
      ("alternatives", "alternatives", reading.mrz.flatMap(alternatives), nil),
    ]
    return rows.filter { $0.machine != nil || $0.printed != nil }.map {
      .init($0.name, machine: $0.machine, printed: $0.printed, agreement($0.compared))
    }
  }

  /// `2:9 8 / B`: line, place, the character that was taken and the one that fitted nearly as well.
  private static func alternatives(_ zone: Evidence.MRZReading) -> String? {
    let shownMax = 20
    let texts = zone.alternatives.prefix(shownMax).map { "\($0.line + 1):\($0.position + 1) \($0.from) / \($0.to)" }
    return texts.isEmpty ? nil : texts.joined(separator: "\n")
  }
}

extension CaseDetails.Check {
  init(_ rule: VerificationOutcome.Rule) {
    self.init(
      rule.code.rawValue, rule.result.rawValue, score: rule.score, threshold: rule.threshold, reasons: rule.reasons)
  }
}

extension Phrase {
  /// - Parameter name: of the document that it was cut out of.
  static func portrait(of name: String) -> Phrase {
    Phrase("picture_portrait_of", ["name": Phrase("picture_" + name.lowercased(), otherwise: name).text])
  }
}
