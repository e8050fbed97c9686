import DocumentCore

/// Dates as documents print them: `14 MAR 1990`, `14.03.1990`, `1990-03-14`, `14 MAR/MARS 1990`, and `03/14/1990` where
/// the template says that the month comes first.
package enum PrintedDate {
  /// Which of day and month comes first where both are numbers. A year of four digits that comes first is always one.
  package enum Order: String, Codable, Sendable, CaseIterable {
    case dayFirst = "day-first"
    case monthFirst = "month-first"
  }

  private static let months: [String: Int] = [
    "JAN": 1, "FEB": 2, "FEV": 2, "MAR": 3, "APR": 4, "AVR": 4, "MAY": 5, "MAI": 5, "JUN": 6, "JUIN": 6, "JUL": 7,
    "JUIL": 7, "AUG": 8, "AOU": 8, "SEP": 9, "OCT": 10, "OKT": 10, "NOV": 11, "DEC": 12, "DEZ": 12,
  ]

  /// - Returns: nil unless the whole text is one date of the calendar.
  static func parse(_ text: String, _ order: Order = .dayFirst) -> CalendarDate? {
    let upper = text.uppercased()
    let words = upper.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    let named = words.lazy.compactMap { word in month(named: word).map { (word, $0) } }.first
    if let (word, month) = named, let at = words.firstIndex(of: word) {
      guard at > 0, let day = number(words[at - 1]), let year = words[(at + 1)...].lazy.compactMap(number).last
      else { return nil }
      return date(year: year, month: month, day: day)
    }
    var parts = words.compactMap(number)
    // "14.031990": a lost separator leaves digits that still have one reading.
    let digits = words.joined()
    if parts.count != 3, words.allSatisfy({ number($0) != nil }), digits.count == 8 {
      let plain = Array(digits.map(Self.digit).compactMap(\.self))
      guard plain.count == 8 else { return nil }
      func value(_ range: Range<Int>) -> Int { plain[range].reduce(0) { $0 * 10 + $1 } }
      parts = [value(0..<2), value(2..<4), value(4..<8)]
    }
    guard parts.count == 3, words.count <= 4 else { return nil }
    if parts[0] > 31 { return date(year: parts[0], month: parts[1], day: parts[2]) }
    return order == .monthFirst
      ? date(year: parts[2], month: parts[0], day: parts[1]) : date(year: parts[2], month: parts[1], day: parts[0])
  }

  private static func date(year: Int, month: Int, day: Int) -> CalendarDate? {
    guard (1900...2150).contains(year) else { return nil }
    return CalendarDate(year: year, month: month, day: day)
  }

  private static func month(named word: String) -> Int? {
    if let exact = months[word] { return exact }
    let letters = String(
      word.map { ["0": "O", "1": "I", "5": "S", "8": "B", "4": "A", "6": "G"][$0] ?? $0 })
    guard letters.contains(where: \.isLetter), letters.count >= 3, letters.count <= 9 else { return nil }
    return months[String(letters.prefix(4))] ?? months[String(letters.prefix(3))]
  }

  private static func number(_ word: String) -> Int? {
    let digits = word.map(digit)
    guard !digits.isEmpty, digits.count <= 8, digits.allSatisfy({ $0 != nil }) else { return nil }
    return digits.reduce(0) { $0 * 10 + ($1 ?? 0) }
  }

  /// A digit, or the letter that an OCR engine reads for it.
  private static func digit(_ character: Character) -> Int? {
    if let value = character.wholeNumberValue, character.isASCII { return value }
    return ["O": 0, "Q": 0, "D": 0, "I": 1, "L": 1, "Z": 2, "S": 5, "G": 6, "B": 8][character]
  }
}
