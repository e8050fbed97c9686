// SPDX-License-Identifier: Apache-2.0

import DocumentCore

extension BirthDate {
  /// How well two dates agree, best first.
  package enum Agreement: Int, Comparable, Sendable, Codable, CaseIterable {
    /// The same day.
    case exact
    /// Day and month are swapped.
    case swapped
    /// One day, one month or one year apart.
    case offByOne
    /// One digit is another one, or two neighbouring digits of the year are swapped.
    case digit
    /// Day and year agree or month and year do; the third is another one.
    case part
    /// As far as both are known: a year, a month, a span or about then.
    case partial
    /// Years apart by up to two, where nothing closer can be said.
    case close
    case conflict

    package static func < (one: Agreement, other: Agreement) -> Bool { one.rawValue < other.rawValue }
  }

  /// By how much a date that is only about then may be off.
  static let approximateYears = 2

  /// The years that it may be of.
  var years: ClosedRange<Int> {
    let slack = isApproximate ? Self.approximateYears : 0
    return first.year - slack...last.year + slack
  }

  private var day: CalendarDate? { first == last ? first : nil }

  package func agreement(with other: BirthDate) -> Agreement {
    if let mine = day, let theirs = other.day {
      if mine == theirs { return isApproximate || other.isApproximate ? .partial : .exact }
      if let slip = Self.slip(mine, theirs) { return slip }
    }
    let slack = isApproximate || other.isApproximate ? Self.approximateYears : 0
    let gap = max(first.year - other.last.year, other.first.year - last.year) - slack
    // Two whole days of the same year that are no slip apart are two different days.
    let isPartial = day == nil || other.day == nil
    if isPartial || slack > 0 {
      if max(first, other.first) <= min(last, other.last) || (slack > 0 && gap <= 0) { return .partial }
    }
    return gap <= Self.approximateYears ? .close : .conflict
  }

  private static func slip(_ one: CalendarDate, _ other: CalendarDate) -> Agreement? {
    if one.year == other.year, one.month == other.day, one.day == other.month { return .swapped }
    if abs(one.dayNumber - other.dayNumber) == 1 { return .offByOne }
    let same = (one.year == other.year, one.month == other.month, one.day == other.day)
    switch same {
    case (true, false, true): return abs(one.month - other.month) == 1 ? .offByOne : .part
    case (true, true, false): return isDigit(one.day, other.day) ? .digit : .part
    case (false, true, true):
      if abs(one.year - other.year) == 1 { return .offByOne }
      return isDigit(one.year, other.year) ? .digit : nil
    default: return nil
    }
  }

  /// Whether two numbers of equal length differ in one digit, or in the order of two neighbouring ones.
  private static func isDigit(_ one: Int, _ other: Int) -> Bool {
    let (a, b) = (digits(one), digits(other))
    let apart = a.indices.filter { a[$0] != b[$0] }
    if apart.count == 1 { return true }
    return apart.count == 2 && apart[1] == apart[0] + 1 && a[apart[0]] == b[apart[1]] && a[apart[1]] == b[apart[0]]
  }

  private static func digits(_ number: Int) -> [Int] {
    [number / 1000 % 10, number / 100 % 10, number / 10 % 10, number % 10]
  }
}
