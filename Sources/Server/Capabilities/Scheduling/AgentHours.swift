// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Kit

/// When an agent takes calls, beside the opening hours of the institution, which hold for everybody.
package struct AgentHours: Sendable, Hashable {
  /// Hours of one day; nil is no call on that day.
  package typealias Day = WorkingWeek.Hours?

  /// Every week; nil is whenever the institution is open.
  package var week: WorkingWeek?
  /// Single days that take the place of the week's.
  package var days: [CalendarDate: Day]

  package init(week: WorkingWeek? = nil, days: [CalendarDate: Day] = [:]) { (self.week, self.days) = (week, days) }

  /// Nil where the agent takes no calls on that day.
  package func hours(on day: CalendarDate) -> WorkingWeek.Hours? {
    if let single = days[day] { return single }
    return week.map { $0.hours(onISOWeekday: day.isoWeekday) } ?? .fullDay
  }

  /// The parts of the time in which the agent takes no calls, a day after the other.
  /// - Parameter clock: that of the institution, by which hours are meant.
  package func away(within time: Range<Instant>, by clock: LocalTime) -> [Range<Instant>] {
    guard week != nil || !days.isEmpty, let first = clock.date(at: time.lowerBound),
      let last = clock.date(at: time.upperBound)
    else { return [] }
    return (first.dayNumber...last.dayNumber).compactMap(CalendarDate.init(dayNumber:)).flatMap { day in
      let begin = clock.instant(day, minutes: 0, reading: .first)
      let end = day.adding(days: 1).map { clock.instant($0, minutes: 0, reading: .first) } ?? time.upperBound
      guard let hours = hours(on: day) else { return [begin..<max(begin, end)] }
      let opens = clock.instant(day, minutes: hours.opens, reading: .first)
      let closes = clock.instant(day, minutes: hours.closes, reading: .last)
      return [begin..<max(begin, opens), closes..<max(closes, end)].filter { !$0.isEmpty }
    }
  }
}
