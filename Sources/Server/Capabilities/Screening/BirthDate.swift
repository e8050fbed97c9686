// SPDX-License-Identifier: Apache-2.0

import DocumentCore

/// A date of birth as far as it is known: a day, a month, a year, or a span of them, perhaps only about then.
package struct BirthDate: Sendable, Hashable, Codable {
  /// The earliest day that it can be.
  package let first: CalendarDate
  /// The latest day that it can be; `first` when the day is known.
  package let last: CalendarDate
  /// `circa`: the truth may lie up to two years off.
  package let isApproximate: Bool

  /// A date that is known to the day.
  package init(_ date: CalendarDate) { self.init(checkedFirst: date, last: date, isApproximate: false) }

  /// - Returns: nil when nothing is known.
  package init?(_ date: PartialDate) {
    guard let first = date.earliest, let last = date.latest else { return nil }
    self.init(checkedFirst: first, last: last, isApproximate: false)
  }

  /// Reads the forms that sanctions lists use: `1971-03-04` and `1971-3-4`, `1971-03`, `1971`, `4 Mar 1971`,
  /// `Mar 1971`, two of them parted by `/` or `to`, `between` one `and` the other, `1960-1963`, and `circa` before any.
  /// - Returns: nil for anything else.
  package init?(_ text: String) {
    // Of a list's dates most are whole days: the rest of this takes twenty times as long.
    if let parts = Self.wholeDay(text.utf8) {
      guard let day = PartialDate(year: parts.year, month: parts.month, day: parts.day) else { return nil }
      self.init(day)
      return
    }
    let lower = text.lowercased()
    let spaced = lower.utf8.contains(UInt8(ascii: ",")) ? lower.replacing(",", with: " ") : lower
    var words = spaced.split(separator: " ")
    let hedges: Set<Substring> = ["circa", "c.", "ca.", "ca", "approximately", "approx.", "approx", "about", "around"]
    let isApproximate = words.contains { hedges.contains($0) }
    words.removeAll { hedges.contains($0) }
    // `between 1958 and 1963` is `1958 to 1963`.
    if words.first == "between", let and = words.firstIndex(of: "and") {
      words[and] = "to"
      words.removeFirst()
    }
    let ends = Self.ends(words.joined(separator: " ")).map(Self.part)
    guard (1...2).contains(ends.count), let first = ends[0]?.earliest, let last = ends[ends.count - 1]?.latest,
      first <= last
    else { return nil }
    self.init(checkedFirst: first, last: last, isApproximate: isApproximate)
  }

  /// From the earliest day of one date to the latest of another.
  /// - Returns: nil when nothing is known of one of them, or the first is the later one.
  package init?(from start: PartialDate, to end: PartialDate, isApproximate: Bool) {
    guard let first = start.earliest, let last = end.latest, first <= last else { return nil }
    self.init(checkedFirst: first, last: last, isApproximate: isApproximate)
  }

  /// How closely a date is known.
  package enum Precision: Sendable, Hashable, CaseIterable {
    case day
    case month
    case year
    /// Between two days that are neither those of one month nor of one year.
    case span
  }

  /// How closely it is known; `isApproximate` beside it.
  package var precision: Precision {
    if first == last { return .day }
    if covers(PartialDate(year: first.year, month: first.month)) { return .month }
    return covers(PartialDate(year: first.year)) ? .year : .span
  }

  private func covers(_ period: PartialDate?) -> Bool { first == period?.earliest && last == period?.latest }

  /// - Parameter first: no later than `last`.
  init(checkedFirst first: CalendarDate, last: CalendarDate, isApproximate: Bool) {
    self.first = first
    self.last = last
    self.isApproximate = isApproximate
  }

  /// The parts of `1971-03-04`; nil for any other form.
  private static func wholeDay(_ text: String.UTF8View) -> (year: Int, month: Int, day: Int)? {
    guard text.count == 10 else { return nil }
    var (parts, part) = ([0, 0, 0], 0)
    for (place, byte) in text.enumerated() {
      if place == 4 || place == 7 {
        guard byte == UInt8(ascii: "-") else { return nil }
        part += 1
      } else {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        parts[part] = parts[part] * 10 + Int(byte - UInt8(ascii: "0"))
      }
    }
    return (parts[0], parts[1], parts[2])
  }

  private static func ends(_ text: String) -> [Substring] {
    let slashed = text.utf8.contains(UInt8(ascii: "t")) ? text.replacing(" to ", with: "/") : text
    let ends = slashed.split(separator: "/", omittingEmptySubsequences: false)
    let years = text.split(separator: "-")
    return years.count == 2 && years.allSatisfy({ $0.utf8.count == 4 && number($0) != nil }) ? years : ends
  }

  /// Written by hand, not as a pattern: a list has tens of thousands of dates.
  private static func part(_ text: Substring) -> PartialDate? {
    let words = text.split(separator: " ")
    guard let last = words.last, words.count <= 3 else { return nil }
    if words.count == 1 {
      let parts = last.split(separator: "-", omittingEmptySubsequences: false)
      guard zip(parts, [4...4, 1...2, 1...2]).allSatisfy({ $1.contains($0.utf8.count) }), parts.count <= 3 else {
        return nil
      }
      let numbers = parts.compactMap(number)
      guard numbers.count == parts.count else { return nil }
      return PartialDate(
        year: numbers[0], month: numbers.count > 1 ? numbers[1] : nil, day: numbers.count > 2 ? numbers[2] : nil)
    }
    guard last.utf8.count == 4, let year = number(last),
      let month = months.firstIndex(of: String(words[words.count - 2].prefix(3)))
    else { return nil }
    guard words.count == 3 else { return PartialDate(year: year, month: month + 1) }
    return number(words[0]).flatMap { PartialDate(year: year, month: month + 1, day: $0) }
  }

  private static func number(_ digits: Substring) -> Int? {
    digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(digits) : nil
  }

  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
}
