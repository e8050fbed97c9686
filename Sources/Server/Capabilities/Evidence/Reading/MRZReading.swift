// SPDX-License-Identifier: Apache-2.0

import DocumentCore

/// A machine-readable zone as read from an image: lines, what they say, and how sure that is.
package struct MRZReading: Equatable, Sendable {
  /// Who read it.
  package enum Source: String, Codable, Sendable {
    /// Cut by the fixed pitch and compared with the shapes of OCR-B.
    case pitch
    case tesseract
    /// A barcode decoder.
    case zxing
    /// Sent by the app.
    case client
  }

  /// A character that was changed after it was read.
  package struct Correction: Codable, Equatable, Sendable {
    package var line: Int
    package var position: Int
    package var from: String
    package var to: String
  }

  package let lines: [String]
  /// The day that two-digit years were resolved against.
  package let referenceDate: CalendarDate
  package let result: MRZ.Result
  package let corrections: [Correction]
  /// Positions, as line × 100 + column, whose character was hardly better than its best rival.
  package let doubtful: [Int]
  /// Of the doubtful characters that are no padding: what was taken, and what fitted nearly as well. Empty where the
  /// second reader read the zone, which tells no rivals.
  package private(set) var alternatives: [Correction]
  /// 0…1.
  package let confidence: Double
  /// In pixels of the page.
  package let region: Region
  package let source: Source

  package init(
    lines: [String], referenceDate: CalendarDate, corrections: [Correction] = [], doubtful: [Int] = [],
    alternatives: [Correction] = [], confidence: Double, region: Region, source: Source
  ) {
    self.lines = lines
    self.referenceDate = referenceDate
    self.corrections = corrections
    self.doubtful = doubtful
    self.alternatives = alternatives
    self.confidence = confidence
    self.region = region
    self.source = source
    result = MRZ.parse(lines: lines, referenceDate: referenceDate)
    if let format = result.format {
      let shown = alternatives.filter { !isPadding(line: $0.line, position: $0.position, of: format) }
      self.alternatives = shown
    }
  }

  package var fields: MRZ.Fields? { result.fields }

  /// Whether these are the lines of a passport without their ends: 36 characters are the length of a TD2, whose code is
  /// never P (9303-6 §4.2.2), and fillers at the end are easily not seen.
  var isCutPassport: Bool { result.format == .td2 && lines.first?.first == "P" }

  /// Every check digit holds, and no line is cut.
  var isWhole: Bool { result.allCheckDigitsHold && !isCutPassport }

  /// Whether its check digits show that it is a zone: two of them hold, each over something. A digit holds by chance in
  /// one of ten cases, one of four in every third, and over fillers always.
  var isShownByDigits: Bool {
    guard let digits = result.checkDigits, let fields else { return false }
    let hasNumber = fields.documentNumber != nil
    let hasBirthDate = fields.partialBirthDate != nil && fields.birthDateRaw.contains(where: \.isNumber)
    let holding = [
      hasNumber && digits.documentNumber.ok, hasBirthDate && digits.birthDate.ok,
      fields.expiryDate != nil && digits.expiryDate?.ok == true,
      fields.optionalData1 != nil && digits.optionalData?.ok == true, hasNumber && digits.composite?.ok == true,
    ]
    return holding.filter(\.self).count > 1
  }

  /// A visa (9303-7) is no identity document.
  var isVisa: Bool { result.format == .mrva || result.format == .mrvb }

  /// Fields with a character that was hardly better than its best rival, or that was changed after it was read.
  ///
  /// Not in doubt are a filler between fillers, which is padding whatever else it might be; a weak composite digit, but
  /// one that was changed is, for some digit always satisfies; and a date with one weak character whose check digit
  /// holds, for that digit tells any two digits apart (9303-3 §4.9).
  package var doubtfulFields: Set<MRZ.FieldName> {
    guard let format = result.format else { return [] }
    var weak: [MRZ.FieldName: Int] = [:]
    for place in doubtful where !isPadding(line: place / 100, position: place % 100, of: format) {
      if let field = format.fieldName(line: place / 100, position: place % 100) { weak[field, default: 0] += 1 }
    }
    var fields = Set(weak.keys)
    if weak[.birthDate] == 1, result.checkDigits?.birthDate.ok == true { fields.remove(.birthDate) }
    if weak[.expiryDate] == 1, result.checkDigits?.expiryDate?.ok == true { fields.remove(.expiryDate) }
    fields.remove(.composite)
    for correction in corrections {
      if let field = format.fieldName(line: correction.line, position: correction.position) { fields.insert(field) }
    }
    return fields
  }

  private func isPadding(line: Int, position: Int, of format: MRZ.Format) -> Bool {
    guard lines.indices.contains(line) else { return false }
    let characters = Array(lines[line].utf8), filler = UInt8(ascii: "<")
    let field = format.fieldName(line: line, position: position)
    guard field == .name || field == .optionalData else { return false }
    return (position - 1...position + 1).allSatisfy { place in
      !characters.indices.contains(place) || format.fieldName(line: line, position: place) != field
        || characters[place] == filler
    }
  }
}

extension MRZReading: Codable {
  private enum Key: String, CodingKey {
    case lines
    case referenceDate = "reference_date"
    case corrections, doubtful, alternatives, confidence, region, source
  }

  /// The members of `MRZ.Result` stand beside those of the reading (rubix-onboarding §6.8 `mrz`).
  package func encode(to encoder: any Encoder) throws {
    try result.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(lines, forKey: .lines)
    try container.encode(referenceDate, forKey: .referenceDate)
    try container.encode(corrections, forKey: .corrections)
    try container.encode(doubtful, forKey: .doubtful)
    try container.encode(alternatives, forKey: .alternatives)
    try container.encode(confidence, forKey: .confidence)
    try container.encode(region, forKey: .region)
    try container.encode(source, forKey: .source)
  }

  /// Parses the lines again, against the same day.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      lines: try container.decode([String].self, forKey: .lines),
      referenceDate: try container.decode(CalendarDate.self, forKey: .referenceDate),
      corrections: try container.decode([Correction].self, forKey: .corrections),
      doubtful: try container.decode([Int].self, forKey: .doubtful),
      // Readings from before this release have none.
      alternatives: try container.decodeIfPresent([Correction].self, forKey: .alternatives) ?? [],
      confidence: try container.decode(Double.self, forKey: .confidence),
      region: try container.decode(Region.self, forKey: .region),
      source: try container.decode(Source.self, forKey: .source))
  }
}
