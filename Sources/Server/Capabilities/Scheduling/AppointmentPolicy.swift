// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Kit

/// What an institution sets about calls with its agents (rubix-onboarding §6.13).
package struct AppointmentPolicy: Sendable {
  /// Length of a slot, and distance of the starts, which are whole quarters of an hour in UTC. Two slots are therefore
  /// either the same or disjoint, which is what makes one unique index enough against double booking.
  package static let grid = Duration.minutes(15)

  /// The institution's clock.
  package let localTime: LocalTime
  /// Opening hours.
  package let workingWeek: WorkingWeek
  /// Days without calls, by the institution's calendar.
  package let holidays: Set<CalendarDate>
  /// A slot that begins sooner than this can no longer be booked.
  package let leadTime: Duration
  /// A slot that begins later than this cannot be booked yet.
  package let horizon: Duration
  /// How often one appointment may be moved.
  package let reschedulesMax: Int
  /// How long before its start a call can be joined.
  package let joinWindow: Duration
  /// How long after its end a call that never began counts as missed.
  package let missedAfter: Duration
  /// How long after its start a call for help that was not ended counts as ended.
  package let helpMax: Duration
  /// Whether a call begins only on our pages, when both browsers are connected, and a verdict only follows such a call.
  package let verdictNeedsCall: Bool

  package init(
    localTime: LocalTime, workingWeek: WorkingWeek, holidays: Set<CalendarDate> = [],
    leadTime: Duration = .minutes(30), horizon: Duration = .days(14), reschedulesMax: Int = 3,
    joinWindow: Duration = .minutes(5), missedAfter: Duration = .minutes(15), helpMax: Duration = .hours(4),
    verdictNeedsCall: Bool = false
  ) {
    self.localTime = localTime
    self.workingWeek = workingWeek
    self.holidays = holidays
    self.leadTime = leadTime
    self.horizon = horizon
    self.reschedulesMax = reschedulesMax
    self.joinWindow = joinWindow
    self.missedAfter = missedAfter
    self.helpMax = helpMax
    self.verdictNeedsCall = verdictNeedsCall
  }

  /// When the institution is open on a day; nil on a holiday and a closed day.
  package func hours(on day: CalendarDate) -> WorkingWeek.Hours? {
    holidays.contains(day) ? nil : workingWeek.hours(onISOWeekday: day.isoWeekday)
  }
}
