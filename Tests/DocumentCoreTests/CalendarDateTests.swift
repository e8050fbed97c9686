// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Testing

@Suite("Dates: the calendar")
struct CalendarDateTests {
  @Test("days that exist", arguments: ["2000-02-29", "2024-02-29", "1970-01-01", "9999-12-31", "0001-01-01"])
  func existing(text: String) throws {
    let date = try #require(CalendarDate(text))
    #expect(date.isoText == text)
    #expect(CalendarDate(dayNumber: date.dayNumber) == date)
    let json = try JSONEncoder().encode([date])
    #expect(String(decoding: json, as: UTF8.self) == "[\"\(text)\"]")
    #expect(try JSONDecoder().decode([CalendarDate].self, from: json) == [date])
  }

  @Test(
    "days that do not",
    arguments: [
      "1900-02-29", "2023-02-29", "2023-04-31", "2023-13-01", "2023-00-10", "2023-01-00", "0000-01-01", "2023-1-1",
      "2023-01-011", "20230101", "", "2023/01/01", "+023-01-01", "２０２３-01-01",
    ])
  func missing(text: String) {
    #expect(CalendarDate(text) == nil)
    #expect(throws: (any Error).self) {
      try JSONDecoder().decode([CalendarDate].self, from: Data("[\"\(text)\"]".utf8))
    }
  }

  @Test("every day from 1890 to 2110 follows the one before, in order and in the week")
  func consecutive() throws {
    var date = try #require(CalendarDate("1890-01-01"))
    let end = try #require(CalendarDate("2110-01-01"))
    var weekday = date.isoWeekday
    while date < end {
      let next = try #require(date.adding(days: 1))
      try #require(date < next && date.days(until: next) == 1 && next.isoWeekday == weekday % 7 + 1)
      (date, weekday) = (next, next.isoWeekday)
    }
    #expect(CalendarDate("2026-11-21")?.isoWeekday == 6)
    #expect(CalendarDate("1970-01-01")?.dayNumber == 0)
  }

  @Test(
    "ages",
    arguments: [
      ("2000-01-02", "2018-01-01", 17), ("2000-01-02", "2018-01-02", 18), ("2000-02-29", "2018-02-28", 17),
      ("2000-02-29", "2018-03-01", 18), ("2020-01-01", "2019-01-01", -1),
    ])
  func ages(birth: String, day: String, age: Int) throws {
    #expect(try #require(CalendarDate(birth)).age(on: #require(CalendarDate(day))) == age)
  }

  @Test("years are added to the end of February with care, and the calendar has ends")
  func arithmetic() throws {
    let leap = try #require(CalendarDate("2024-02-29"))
    #expect(leap.adding(years: 1) == CalendarDate("2025-02-28"))
    #expect(leap.adding(years: 4) == CalendarDate("2028-02-29"))
    #expect(leap.adding(years: 9000) == nil)
    #expect(leap.adding(days: .max) == nil)
    #expect(CalendarDate(dayNumber: .min) == nil)
    #expect(CalendarDate("9999-12-31")?.adding(days: 1) == nil)
    #expect(CalendarDate("0001-01-01")?.adding(days: -1) == nil)
  }

  @Test("a partial date knows its period")
  func partial() {
    #expect(PartialDate(year: 2024, month: 2)?.latest == CalendarDate("2024-02-29"))
    #expect(PartialDate(year: 2024)?.earliest == CalendarDate("2024-01-01"))
    #expect(PartialDate(year: 2024, month: 13) == nil)
    #expect(PartialDate(year: nil, month: 1) == nil)
    #expect(PartialDate(year: 2024, month: nil, day: 1) == nil)
    #expect(PartialDate.unknown.latest == nil)
  }
}
