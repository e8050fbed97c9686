// SPDX-License-Identifier: Apache-2.0

import DocumentCore

/// In which year all dates of an entry lie, in a byte, so that most entries whose dates cannot agree with a subject's
/// are passed over before anything of them is read.
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

  /// Those of dates that agree with another as far as both are known.
  static func agreeing(with date: BirthDate) -> ClosedRange<Int> {
    let slack = date.isApproximate ? BirthDate.approximateYears : 0
    return date.first.year - slack - before...date.last.year + slack - before
  }
}
