// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Days as apps make them: instants that fall into a day of the Gregorian calendar in the device's zone (finaptic
/// §10.3). Through UTC births would shift by a day.
struct CivilDays {
  private let calendar: Calendar

  init(in zone: TimeZone) {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    self.calendar = calendar
  }

  /// `YYYY-MM-DD`. A year that has not four digits is written as it is, for the server to refuse.
  func text(_ date: Date) -> String {
    let parts = calendar.dateComponents([.era, .year, .month, .day], from: date)
    let year = parts.era == 1 ? parts.year ?? 0 : -(parts.year ?? 0)
    func padded(_ number: Int, to width: Int) -> String {
      let digits = String(abs(number))
      return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return "\(padded(year, to: 4))-\(padded(parts.month ?? 0, to: 2))-\(padded(parts.day ?? 0, to: 2))"
  }
}
