// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Evidence

/// The fields of a machine-readable zone by where they stand (Doc 9303-4 to -6), without fillers around them: a
/// comparison that gives no reader the benefit of an interpretation.
enum ZoneFields {
  /// The names that the report uses. A check digit covers the first three.
  static let names = ["number", "birth_date", "expiry_date", "name", "nationality", "sex"]

  /// Stands among the certain fields where the reader vouches for every character of the zone.
  static let whole = "zone"

  /// - Returns: nothing when the lines have no shape of a document.
  static func of(_ lines: [String]) -> [String: String] {
    let lines = lines.map { Array($0) }
    func text(_ line: Int, _ range: Range<Int>) -> String {
      var part = lines[line][range]
      while part.last == "<" { part.removeLast() }
      return String(part)
    }
    let lengths = lines.map(\.count)
    if lengths == [30, 30, 30] {
      return [
        "number": text(0, 5..<14), "birth_date": text(1, 0..<6), "sex": text(1, 7..<8), "expiry_date": text(1, 8..<14),
        "nationality": text(1, 15..<18), "name": text(2, 0..<30),
      ]
    }
    guard lengths == [44, 44] || lengths == [36, 36] else { return [:] }
    return [
      "name": text(0, 5..<lengths[0]), "number": text(1, 0..<9), "nationality": text(1, 10..<13),
      "birth_date": text(1, 13..<19), "sex": text(1, 20..<21), "expiry_date": text(1, 21..<27),
    ]
  }

  /// Fields that our reader vouches for: in which no character is in doubt, and whose check digit holds.
  static func certain(_ reading: MRZReading) -> [String] {
    let doubtful = reading.doubtfulFields, digits = reading.result.checkDigits
    let fields: [(String, MRZ.FieldName, Bool)] = [
      ("number", .documentNumber, digits?.documentNumber.ok ?? false),
      ("birth_date", .birthDate, digits?.birthDate.ok ?? false),
      ("expiry_date", .expiryDate, digits?.expiryDate?.ok ?? false),
      ("name", .name, reading.result.allCheckDigitsHold),
      ("nationality", .nationality, reading.result.allCheckDigitsHold),
      ("sex", .sex, reading.result.allCheckDigitsHold),
    ]
    let certain = fields.filter { $0.2 && !doubtful.contains($0.1) }.map(\.0)
    // A zone is vouched for as a whole only where nothing of it is in doubt, optional data and code included.
    return doubtful.isEmpty ? certain + [whole] : certain
  }
}
