// SPDX-License-Identifier: Apache-2.0

import DocumentCore

/// The ways in which specimens write a date.
extension CalendarDate {
  private static let months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]

  /// `14 MAR 1990` (Doc 9303-3 §3.7.2).
  var passportStyle: String { "\(pad(day, 2)) \(Self.months[month - 1]) \(pad(year, 4))" }
  /// `14.03.1990`
  var dotted: String { "\(pad(day, 2)).\(pad(month, 2)).\(pad(year, 4))" }
  /// `MMDDCCYY`, as in a barcode of the USA.
  var barcodeStyle: String { "\(pad(month, 2))\(pad(day, 2))\(pad(year, 4))" }

  /// The same day so many years, then days, on; itself at the ends of the calendar, where no document was ever issued.
  func later(years: Int = 0, days: Int = 0) -> CalendarDate {
    adding(years: years)?.adding(days: days) ?? self
  }
}

/// A number with leading zeros.
func pad(_ number: Int, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
