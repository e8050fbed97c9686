// SPDX-License-Identifier: Apache-2.0

/// What the QR code (ISO/IEC 18004) of a kind of document says, for codes of plain text that parts into fields. Codes
/// that are signed or packed are other formats, which a template does not describe.
package struct QRTemplate: Codable, Equatable, Sendable {
  /// Where the value of a field stands: the number of its part, from 1, or the key before it and `=` or `:`.
  package enum Place: Codable, Equatable, Sendable {
    case part(Int)
    case key(String)
  }

  package struct Rule: Codable, Equatable, Sendable {
    package var field: VisualZone.Field
    package var place: Place
  }

  /// What stands between the parts.
  package var separator: String
  package var rules: [Rule]

  static let partMax = 64

  /// The values that a payload gives, as print is written: dates as `YYYY-MM-DD`, names in capital letters.
  /// - Parameter dates: the order of day and month; eight digits that are a date with the year first are one.
  func values(of payload: String, dates: PrintedDate.Order) -> [VisualZone.Field: String] {
    let parts = payload.split(separator: separator, maxSplits: Self.partMax, omittingEmptySubsequences: false)
      .map(Self.trimmed)
    var values: [VisualZone.Field: String] = [:]
    for rule in rules {
      let text: String? =
        switch rule.place {
        case .part(let number): parts.indices.contains(number - 1) ? parts[number - 1] : nil
        case .key(let key): parts.lazy.compactMap { Self.value(behind: key, in: $0) }.first
        }
      guard let text, !text.isEmpty else { continue }
      values[rule.field] = rule.field.isDate ? Self.date(text, dates) : Self.plain(text, rule.field)
    }
    return values
  }

  private static func value(behind key: String, in part: String) -> String? {
    guard part.hasPrefix(key), let mark = part.dropFirst(key.count).first, "=:".contains(mark) else { return nil }
    return trimmed(part.dropFirst(key.count + 1))
  }

  /// Print is read with its specks left out. A code has none: what holds more than a value is another form of one, such
  /// as `NAME<<GIVEN`, or an address of the web, and would differ from print with certainty.
  private static func plain(_ text: String, _ field: VisualZone.Field) -> String? {
    let words = text.split(separator: " ").map(String.init)
    return FieldText.isPlain(field, words) ? FieldText.reading(field, words) : nil
  }

  private static func date(_ text: String, _ order: PrintedDate.Order) -> String? {
    if text.count == 8, text.allSatisfy({ $0.isASCII && $0.isNumber }) {
      let (year, month, day) = (text.prefix(4), text.dropFirst(4).prefix(2), text.suffix(2))
      if let date = PrintedDate.parse("\(year)-\(month)-\(day)", order) { return date.isoText }
    }
    return PrintedDate.parse(text, order)?.isoText
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    let isBlank = { (character: Character) in character.isWhitespace || character.isNewline }
    return String(text.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }
}
