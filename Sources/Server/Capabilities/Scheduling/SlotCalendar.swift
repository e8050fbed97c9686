// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Kit

/// Computes the slots of an institution from its working week, holidays, roster and bookings (rubix-onboarding §6.13).
/// Pure: everything it needs is passed in.
package struct SlotCalendar: Sendable {
  /// A quarter of an hour in which calls still fit.
  package struct Slot: Sendable, Hashable {
    /// On the grid.
    package let start: Instant
    /// Agents who suit the preference and have no call then.
    package let capacityLeft: Int

    /// When the next slot begins.
    package var end: Instant { start + AppointmentPolicy.grid }
    /// Start and length, `2026-11-22T08:00:00Z/PT15M`.
    package var id: String { "\(start.rfc3339)/PT15M" }
  }

  /// How a wished start stands to the calendar.
  package enum Availability: Sendable, Hashable {
    case open
    /// Past, or within the lead time.
    case tooSoon
    case beyondHorizon
    /// Not on the grid, or the institution is closed then.
    case closed
  }

  /// An agent's call that takes its place.
  package struct BookedCall: Sendable, Hashable {
    /// Whose place is taken.
    package let agentID: String
    /// Which slot.
    package let start: Instant

    package init(agentID: String, start: Instant) {
      self.agentID = agentID
      self.start = start
    }
  }

  /// Days that one question may span.
  package static let daysMax = 62

  /// What the institution set.
  package let policy: AppointmentPolicy

  package init(_ policy: AppointmentPolicy) { self.policy = policy }

  /// The slots with a free place that start on the days, first to last inclusive, by the institution's calendar.
  package func slots(
    from first: CalendarDate, through last: CalendarDate, now: Instant, roster: AgentRoster,
    suiting preference: AgentPreference, booked: [BookedCall]
  ) -> [Slot] {
    let taken = Set(booked)
    return bookableDays(from: first, through: last, now: now).flatMap(starts(on:)).compactMap { start in
      guard bounds(now).contains(start) else { return nil }
      let free = freeAgents(at: start, roster: roster, suiting: preference, taken: taken).count
      return free > 0 ? Slot(start: start, capacityLeft: free) : nil
    }
  }

  /// The starts on the days that can be booked with each agent, by the agents' ids.
  package func free(
    from first: CalendarDate, through last: CalendarDate, now: Instant, roster: AgentRoster, booked: [BookedCall]
  ) -> [String: [Instant]] {
    let (taken, bounds) = (Set(booked), bounds(now))
    return bookableDays(from: first, through: last, now: now).flatMap(starts(on:)).filter(bounds.contains)
      .reduce(into: [:]) { free, start in
        for agent in freeAgents(at: start, roster: roster, suiting: .anyone, taken: taken) {
          free[agent.id, default: []].append(start)
        }
      }
  }

  /// The agents on duty at that start who suit the preference and have no call then.
  package func freeAgents(
    at start: Instant, roster: AgentRoster, suiting preference: AgentPreference, taken: Set<BookedCall>
  ) -> [AgentRoster.Agent] {
    roster.onDuty(start..<(start + AppointmentPolicy.grid), suiting: preference)
      .filter { !taken.contains(BookedCall(agentID: $0.id, start: start)) }
  }

  /// Whether a call can be booked at that start, places aside.
  package func availability(of start: Instant, now: Instant) -> Availability {
    let bounds = bounds(now)
    if start < bounds.lowerBound { return .tooSoon }
    if start > bounds.upperBound { return .beyondHorizon }
    guard let day = policy.localTime.date(at: start) else { return .closed }
    return starts(on: day).contains(start) ? .open : .closed
  }

  /// Between which starts can be booked, both included; the lead time wins over a horizon that is shorter.
  private func bounds(_ now: Instant) -> ClosedRange<Instant> {
    (now + policy.leadTime)...max(now + policy.leadTime, now + policy.horizon)
  }

  /// Every start of a slot on the day; none on a holiday or a closed day. A slot fits wholly into the opening hours.
  func starts(on day: CalendarDate) -> [Instant] {
    guard let hours = policy.hours(on: day) else { return [] }
    let opens = policy.localTime.instant(day, minutes: hours.opens, reading: .first).milliseconds
    let closes = policy.localTime.instant(day, minutes: hours.closes, reading: .last).milliseconds
    let grid = AppointmentPolicy.grid.milliseconds
    let first = opens + (grid - opens % grid) % grid
    return stride(from: first, through: closes - grid, by: Int64.Stride(grid)).map(Instant.init(milliseconds:))
  }

  /// The asked days, cut to those in which anything can be booked.
  private func bookableDays(from first: CalendarDate, through last: CalendarDate, now: Instant) -> [CalendarDate] {
    guard let today = policy.localTime.date(at: now),
      let end = policy.localTime.date(at: now + policy.horizon)
    else { return [] }
    let (first, last) = (max(first, today), min(last, end))
    guard first <= last else { return [] }
    return (first.dayNumber...last.dayNumber).prefix(Self.daysMax).compactMap(CalendarDate.init(dayNumber:))
  }
}
