// SPDX-License-Identifier: Apache-2.0

extension CalendarDate {
  /// Days since 1970-01-01, negative before it.
  public var dayNumber: Int {
    // Years begin in March here, so that the leap day is the last day of a year.
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The day so many days after 1970-01-01; nil outside the years 1–9999.
  public init?(dayNumber: Int) {
    guard (-800_000...3_000_000).contains(dayNumber) else { return nil }
    let days = dayNumber + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    self.init(year: year, month: month, day: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  /// The day so many days later (or earlier, when negative); nil outside the years 1–9999.
  public func adding(days: Int) -> CalendarDate? {
    guard (-4_000_000...4_000_000).contains(days) else { return nil }
    return CalendarDate(dayNumber: dayNumber + days)
  }

  /// The same day so many years later; 29 February becomes 28 February in a common year.
  public func adding(years: Int) -> CalendarDate? {
    guard (-9999...9999).contains(years) else { return nil }
    let target = year + years
    return CalendarDate(year: target, month: month, day: min(day, Self.dayCount(month: month, year: target)))
  }

  /// How many days lie between this day and the other; negative when the other is earlier.
  public func days(until other: CalendarDate) -> Int {
    other.dayNumber - dayNumber
  }

  /// ISO 8601 day of the week, Monday = 1 … Sunday = 7.
  public var isoWeekday: Int {
    ((dayNumber + 3) % 7 + 7) % 7 + 1
  }

  /// Whole years that a person born on this day has completed on the other; negative before birth.
  ///
  /// A person born on 29 February completes a year on 1 March of a common year.
  public func age(on date: CalendarDate) -> Int {
    let years = date.year - year
    return (date.month, date.day) < (month, day) ? years - 1 : years
  }
}
