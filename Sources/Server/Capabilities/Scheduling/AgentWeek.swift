// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Kit

/// A week in the calendar of agents: when they take calls, what is booked, and what is free.
package struct AgentWeek: Sendable {
  /// Whether the reader's own calendar is asked for or everybody's.
  package enum Part: Sendable, Hashable {
    case own, everybody
    /// By the staff member's id.
    case member(String)

    /// `own`, `everybody`, or the member's id.
    package var text: String {
      switch self {
      case .own: "own"
      case .everybody: "everybody"
      case .member(let id): id
      }
    }
  }

  package struct Call: Sendable {
    package let call: Appointment
    /// Of the customer; nil where the reader is not told.
    package let name: String?

    package init(_ call: Appointment, name: String?) { (self.call, self.name) = (call, name) }
  }

  package struct Day: Sendable {
    package let date: CalendarDate
    /// By the institution's hours and the agent's; nil where no call can be.
    package let hours: WorkingWeek.Hours?
    /// Whether the agent set this day apart from the week.
    package let isSingle: Bool
    /// In the order of time, called off ones left out.
    package let calls: [Call]
    /// Starts that can be booked with the agent.
    package let free: [Instant]

    package init(
      _ date: CalendarDate, hours: WorkingWeek.Hours?, isSingle: Bool, calls: [Call], free: [Instant]
    ) {
      (self.date, self.hours, self.isSingle, self.calls, self.free) = (date, hours, isSingle, calls, free)
    }
  }

  package struct Row: Sendable {
    /// The staff member's id.
    package let agentID: String
    package let name: String
    package let week: WorkingWeek?
    /// Seven.
    package let days: [Day]
    /// Leaves that touch the week, in the order of time.
    package let leaves: [AgentLeave]

    package init(_ agentID: String, name: String, week: WorkingWeek?, days: [Day], leaves: [AgentLeave]) {
      (self.agentID, self.name, self.week, self.days, self.leaves) = (agentID, name, week, days, leaves)
    }
  }

  /// Monday first.
  package let days: [CalendarDate]
  /// Whether it is one agent's, and not everybody's.
  package let isOfOne: Bool
  package let rows: [Row]
  /// By which days and hours are meant.
  package let clock: LocalTime

  package init(_ days: [CalendarDate], _ rows: [Row], isOfOne: Bool, clock: LocalTime) {
    (self.days, self.rows, self.isOfOne, self.clock) = (days, rows, isOfOne, clock)
  }

  /// The seven days, Monday first, in which a day lies; empty at the end of the calendar.
  package static func days(around day: CalendarDate) -> [CalendarDate] {
    let days = (0..<7).compactMap { day.adding(days: $0 + 1 - day.isoWeekday) }
    return days.count == 7 ? days : []
  }
}

/// What can be booked for a customer on a day.
package struct CallOffer: Sendable {
  /// The customer, in the flow's own ids.
  package let customer: String
  /// Of the customer; nil while it is not known.
  package let name: String?
  package let day: CalendarDate
  package let starts: [Instant]
  /// The call that another booking moves; nil without one.
  package let booked: Appointment?
  /// Everybody who takes calls, by the ids of the staff.
  package let agents: [(id: String, name: String)]
  package let clock: LocalTime

  package init(
    customer: String, name: String?, day: CalendarDate, starts: [Instant], booked: Appointment?,
    agents: [(id: String, name: String)], clock: LocalTime
  ) {
    (self.customer, self.name, self.day, self.starts) = (customer, name, day, starts)
    (self.booked, self.agents, self.clock) = (booked, agents, clock)
  }
}
