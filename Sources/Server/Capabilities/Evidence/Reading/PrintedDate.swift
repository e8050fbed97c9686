// SPDX-License-Identifier: Apache-2.0

import DocumentCore

/// Dates as documents print them: `14 MAR 1990`, `14.03.1990`, `1990-03-14`, `14 MAR/MARS 1990`, `14 NİS/APR 1990`, and
/// `03/14/1990` where the template says that the month comes first.
package enum PrintedDate {
  /// Which of day and month comes first where both are numbers. A year of four digits that comes first is always one.
  package enum Order: String, Codable, Sendable, CaseIterable {
    case dayFirst = "day-first"
    case monthFirst = "month-first"
  }

  /// - Returns: nil unless the whole text is one date of the calendar. A letter that is read for a digit counts as it.
  static func parse(_ text: String, _ order: Order = .dayFirst) -> CalendarDate? {
    Reader(takesStandIns: true).parse(text, order)
  }

  /// Whether a text is a date as it stands: no letter stands for a digit and no digit for a letter, nothing but the
  /// usual separators is between its parts, and day and month have two digits, as Doc 9303-3
  /// and ISO/IEC 18013-1 print them, so that no digit is missing.
  static func isPlain(_ text: String, _ order: Order = .dayFirst) -> Bool {
    guard text.allSatisfy({ $0.isLetter || $0.isNumber || separators.contains($0) }),
      text.split(whereSeparator: { !$0.isLetter && !$0.isNumber }).allSatisfy({ $0.count > 1 }),
      let date = Reader(takesStandIns: false).parse(text, order)
    else { return false }
    return date == parse(text, order)
  }

  /// A date with the name of its month of which the last two digits of the year are printed, as Doc 9303-3 allows:
  /// `14 MAR /MARS 90`. Which century is meant the text does not tell.
  /// - Returns: nil for any other text.
  static func short(_ text: String) -> Short? { Reader(takesStandIns: false).short(text) }

  struct Short: Equatable {
    let yearOfCentury: Int
    let month: Int
    let day: Int

    /// - Returns: nil when the calendar has no such date in that century.
    func date(inCenturyOf year: Int) -> CalendarDate? {
      CalendarDate(year: year / 100 * 100 + yearOfCentury, month: month, day: day)
    }
  }

  private static let separators = Set(" ./-")
}

/// Reads dates, with or without characters that stand for others.
private struct Reader {
  let takesStandIns: Bool

  func parse(_ text: String, _ order: PrintedDate.Order) -> CalendarDate? {
    let words = words(of: withStrokes(text))
    if words.contains(where: { month(named: $0) != nil }) {
      // Two dates side by side, as of issue and of expiry, which share their month: neither is meant.
      guard let named = named(words), words[named.end...].filter(isLongNumber).count <= 1,
        let year = words[named.end...].lazy.compactMap(number).last
      else { return nil }
      return date(year: year, month: named.month, day: named.day)
    }
    var parts = words.compactMap(number)
    // "14.031990": a lost separator leaves digits that still have one reading.
    let digits = words.joined()
    if parts.count != 3, words.allSatisfy({ number($0) != nil }), digits.count == 8 {
      let plain = digits.compactMap(digit)
      guard plain.count == 8 else { return nil }
      func value(_ range: Range<Int>) -> Int { plain[range].reduce(0) { $0 * 10 + $1 } }
      parts = [value(0..<2), value(2..<4), value(4..<8)]
    }
    guard parts.count == 3, words.count <= 4 else { return nil }
    if parts[0] > 31 { return date(year: parts[0], month: parts[1], day: parts[2]) }
    return order == .monthFirst
      ? date(year: parts[2], month: parts[0], day: parts[1]) : date(year: parts[2], month: parts[1], day: parts[0])
  }

  /// `2411211981` and `24108/2033`: a stroke between numbers is read as a 1. All else is digits: `2011-12-24`
  /// has none of it.
  private func withStrokes(_ text: String) -> String {
    var bytes = Array(text.utf8)
    let (one, stroke, length) = (UInt8(ascii: "1"), UInt8(ascii: "/"), 10)
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard takesStandIns, bytes.count == length, bytes[2] == one || bytes[5] == one,
      [2, 5].allSatisfy({ bytes[$0] == one || bytes[$0] == stroke }),
      [0, 1, 3, 4, 6, 7, 8, 9].allSatisfy({ digits.contains(bytes[$0]) })
    else { return text }
    (bytes[2], bytes[5]) = (stroke, stroke)
    return String(decoding: bytes, as: UTF8.self)
  }

  func short(_ text: String) -> PrintedDate.Short? {
    let words = words(of: text)
    // A stroke before the month's other name may be read as a letter: `12 AUG IAOÛT 90`.
    guard let named = named(words), let year = words.last, year.count == 2, let number = number(year),
      named.end <= words.count - 1, words[named.end..<(words.count - 1)].allSatisfy({ $0.allSatisfy(\.isLetter) }),
      words.count - named.end <= 2
    else { return nil }
    return PrintedDate.Short(yearOfCentury: number, month: named.month, day: named.day)
  }

  private func words(of text: String) -> [String] {
    text.uppercased().split { !$0.isLetter && !$0.isNumber }.map(String.init).flatMap(apart)
  }

  /// Day and month where the month has a name, and where the name ends. The name may stand there in two languages, of
  /// which one is not known here; two that are known say the same month, or the text is no date.
  private func named(_ words: [String]) -> (day: Int, month: Int, end: Int)? {
    let names = words.indices.compactMap { at in month(named: words[at]).map { (at: at, month: $0) } }
    guard let first = names.first, let last = names.last, first.at > 0, names.allSatisfy({ $0.month == first.month }),
      !words[first.at...last.at].contains(where: isLongNumber)
    else { return nil }
    let before = words[first.at - 1]
    let isOther = first.at > 1 && (3...4).contains(before.count) && before.allSatisfy(\.isLetter)
    guard let day = number(isOther ? words[first.at - 2] : before) else { return nil }
    return (day, first.month, last.at + 1)
  }

  /// A day or a year; a single digit may be what was seen of a stroke.
  private func isLongNumber(_ word: String) -> Bool {
    word.count > 1 && word.contains { $0.isASCII && $0.isNumber } && number(word) != nil
  }

  /// Day, month and year where no space was seen between them: `31JAN`, `JAN1990`, `31JAN1990`.
  private func apart(_ word: String) -> [String] {
    let day = word.prefix { $0.isASCII && $0.isNumber }, rest = word.dropFirst(day.count)
    let name = rest.prefix(while: \.isLetter), year = rest.dropFirst(name.count)
    let isYear = year.count == 4 && year.allSatisfy { $0.isASCII && $0.isNumber }
    guard takesStandIns, day.count <= 2, year.isEmpty || isYear, day.count + year.count > 0,
      Self.months[Label.normal(String(name))] != nil
    else { return [word] }
    return [day, name, year].filter { !$0.isEmpty }.map(String.init)
  }

  private func date(year: Int, month: Int, day: Int) -> CalendarDate? {
    guard (1900...2150).contains(year) else { return nil }
    return CalendarDate(year: year, month: month, day: day)
  }

  private func month(named name: String) -> Int? {
    // DÉC and FÉV, MÄR.
    let word = Label.normal(name)
    if let exact = Self.months[word] { return exact }
    let letters =
      takesStandIns
      ? String(word.map { ["0": "O", "1": "I", "5": "S", "8": "B", "4": "A", "6": "G"][$0] ?? $0 }) : word
    // 460 would be AGO otherwise.
    guard word.contains(where: \.isLetter), letters.count >= 3, letters.count <= 9 else { return nil }
    return Self.months[String(letters.prefix(4))] ?? Self.months[String(letters.prefix(3))]
  }

  private func number(_ word: String) -> Int? {
    let digits = word.map(digit)
    guard !digits.isEmpty, digits.count <= 8, digits.allSatisfy({ $0 != nil }) else { return nil }
    return digits.reduce(0) { $0 * 10 + ($1 ?? 0) }
  }

  /// A digit, or the letter that an OCR engine reads for it.
  private func digit(_ character: Character) -> Int? {
    if let value = character.wholeNumberValue, character.isASCII { return value }
    return !takesStandIns ? nil : ["O": 0, "Q": 0, "D": 0, "I": 1, "L": 1, "Z": 2, "S": 5, "G": 6, "B": 8][character]
  }

  /// How the names of months begin in Danish, Dutch, English, French, German, Hungarian, Icelandic, Italian, Norwegian,
  /// Portuguese, Spanish and Swedish, without marks. Slavic names are left out: LIS is October in Croatian and November
  /// in Polish.
  private static let months: [String: Int] = [
    "JAN": 1, "ENE": 1, "GEN": 1, "FEB": 2, "FEV": 2, "MAR": 3, "MAA": 3, "MRT": 3, "MRZ": 3, "APR": 4, "AVR": 4,
    "ABR": 4, "MAY": 5, "MAI": 5, "MAG": 5, "MAJ": 5, "MEI": 5, "JUN": 6, "JUIN": 6, "GIU": 6, "JUL": 7, "JUIL": 7,
    "LUG": 7, "AUG": 8, "AOU": 8, "AGO": 8, "AGU": 8, "SEP": 9, "SET": 9, "SZE": 9, "OCT": 10, "OKT": 10, "OTT": 10,
    "OUT": 10, "NOV": 11, "DEC": 12, "DEZ": 12, "DES": 12, "DIC": 12,
  ]
}
