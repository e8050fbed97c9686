// SPDX-License-Identifier: Apache-2.0

import DocumentCore

/// A date of birth in eight bytes, of which an index holds a million.
struct PackedBirthDate: Sendable {
  /// Below nought when it is only about then.
  private let first: Int32
  private let last: Int32

  init(_ date: BirthDate) {
    let first = Self.key(date.first)
    self.first = date.isApproximate ? ~first : first
    last = Self.key(date.last)
  }

  private var isApproximate: Bool { first < 0 }
  private var firstDay: Int32 { isApproximate ? ~first : first }

  var firstYear: Int { Self.year(firstDay) }

  /// The years that it may be of.
  var years: ClosedRange<Int> {
    let slack = isApproximate ? BirthDate.approximateYears : 0
    return firstYear - slack...Self.year(last) + slack
  }

  /// Whether it is less than a day.
  var isVague: Bool { isApproximate || first != last }

  /// The key of the day when it is one, be it only about then.
  var day: Int32? { firstDay == last ? last : nil }

  private var unpacked: BirthDate {
    BirthDate(checkedFirst: Self.date(firstDay), last: Self.date(last), isApproximate: isApproximate)
  }

  /// How well it agrees with another date. Of most that do not, years, months and days tell it.
  func agreement(with date: BirthDate) -> BirthDate.Agreement {
    if first == last, date.first == date.last, !date.isApproximate {
      let apart = abs(firstYear - date.first.year)
      // A slip leaves the day of the year as it is, or the year; the turn of a year is one year apart.
      let isOtherDay = first & Self.withoutYear != Self.key(date.first) & Self.withoutYear
      if apart > 1, isOtherDay { return apart <= BirthDate.approximateYears ? .close : .conflict }
    }
    return unpacked.agreement(with: date)
  }

  private static let withoutYear: Int32 = 1 << 9 - 1

  /// A number of a day, in the order of the days.
  static func key(_ date: CalendarDate) -> Int32 { key(date.year, date.month, date.day) }

  static func key(_ year: Int, _ month: Int, _ day: Int) -> Int32 { Int32(year << 9 | month << 5 | day) }

  private static func year(_ key: Int32) -> Int { Int(key >> 9) }

  private static func date(_ key: Int32) -> CalendarDate {
    guard let date = CalendarDate(year: year(key), month: Int(key >> 5) & 15, day: Int(key) & 31) else {
      preconditionFailure("a packed date was made of days that exist")
    }
    return date
  }
}
