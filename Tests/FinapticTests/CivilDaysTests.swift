// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Finaptic

@Suite("Finaptic: days of the device's calendar")
struct CivilDaysTests {
  @Test(
    "a day stays the day that the app made, in every zone",
    arguments: ["Pacific/Kiritimati", "Pacific/Niue", "America/Toronto", "UTC", "Asia/Kathmandu"])
  func zones(name: String) throws {
    let zone = try #require(TimeZone(identifier: name))
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    for (year, month, day) in [(2000, 3, 6), (1900, 1, 1), (1999, 12, 31), (2024, 2, 29), (1582, 10, 4)] {
      let date = try #require(calendar.date(from: DateComponents(year: year, month: month, day: day)))
      let text = CivilDays(in: zone).text(date)
      #expect(text.split(separator: "-").compactMap { Int($0) } == [year, month, day], "\(text)")
    }
  }

  @Test("a year that has not four digits is written as it is")
  func farYears() throws {
    let zone = try #require(TimeZone(identifier: "UTC"))
    #expect(CivilDays(in: zone).text(Date(timeIntervalSince1970: 253_402_300_800)) == "10000-01-01")
  }
}
