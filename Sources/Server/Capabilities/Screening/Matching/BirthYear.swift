// SPDX-License-Identifier: Apache-2.0

import DocumentCore

/// In which year all dates of an entry lie, in a byte, and about when they lie, in two, so that most entries whose
/// dates cannot agree with a subject's are passed over before anything of them is read.
enum BirthYear {
  /// No date, or dates about then or of several years.
  static let unknown: UInt8 = 0
  static let all = 0...Int(UInt8.max)
  private static let before = 1850

  static func code(of dates: [BirthDate]) -> UInt8 {
    guard let year = dates.first?.first.year, year > before, year - before <= UInt8.max,
      dates.allSatisfy({ $0.first.year == year && $0.last.year == year && !$0.isApproximate })
    else { return unknown }
    return UInt8(year - before)
  }

  private static let yearsOfPeriod = 5

  /// A bit for each five years in which one of the dates may lie; those eighty years apart have the same. Nought
  /// without a date.
  static func periods(of dates: [BirthDate]) -> UInt16 {
    dates.reduce(0) { known, date in
      let slack = date.isApproximate ? BirthDate.approximateYears : 0
      return known | periods(date.first.year - slack...date.last.year + slack)
    }
  }

  private static func periods(_ years: ClosedRange<Int>) -> UInt16 {
    let (first, last) = (max(0, years.lowerBound) / yearsOfPeriod, max(0, years.upperBound) / yearsOfPeriod)
    guard last - first < UInt16.bitWidth else { return .max }
    return (first...last).reduce(0) { $0 | 1 << UInt16($1 % UInt16.bitWidth) }
  }

  /// The same of `BirthYear`s, and of some years before and after them.
  static func periods(around years: ClosedRange<Int>, by more: Int) -> UInt16 {
    periods(years.lowerBound + before - more...years.upperBound + before + more)
  }

  /// Those of dates that agree with another as far as both are known.
  static func agreeing(with date: BirthDate) -> ClosedRange<Int> {
    let slack = date.isApproximate ? BirthDate.approximateYears : 0
    return date.first.year - slack - before...date.last.year + slack - before
  }
}
