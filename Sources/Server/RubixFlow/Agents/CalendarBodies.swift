// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import GatehouseWire
import Kit
import RubixWire
import Scheduling

// What agents' programs send about calendars, and what they get. Members are in snake case and read strictly.

/// Why an agent books, moves or calls off a call. Codes, so that no personal data gets into the audit log.
package enum CallChangeReason: String, Sendable, CaseIterable {
  case customerRequest = "customer_request"
  case agentAbsent = "agent_absent"
  case technical, other

  /// - Throws: `Problem` validation-failed for an unknown word.
  package init(word: String?) throws {
    guard let reason = word.flatMap(Self.init(rawValue:)) else {
      throw Problem.validation([
        .init("/why", "unknown-value", Self.allCases.map(\.rawValue).joined(separator: ", ") + ".")
      ])
    }
    self = reason
  }
}

/// Body of `POST /agents/calls`.
struct AgentBookingRequest: Decodable, Sendable {
  let customerID: String
  let callTime: WireInstant
  let reason: AppointmentReason
  let agentID: String?
  let why: String

  enum CodingKeys: String, CodingKey {
    case reason, why
    case customerID = "customer_id"
    case callTime = "call_time"
    case agentID = "agent_id"
  }
}

/// Body of `POST /agents/calls/{id}/cancel`; it may be left out.
struct AgentCancelRequest: Decodable, Sendable {
  let why: String?
}

/// Body of `POST /customers/{id}/retake`.
struct AgentRetakeRequest: Decodable, Sendable {
  let retake: [DocumentType]
  /// For the customer.
  let words: String
}

/// Body of `POST /agents/leaves`.
struct AgentLeaveRequest: Decodable, Sendable {
  let agentID: String?
  let from: String
  let until: String

  enum CodingKeys: String, CodingKey {
    case from, until
    case agentID = "agent_id"
  }
}

struct AgentLeaveView: Codable, Sendable {
  let id: String
  let agentID: String
  let from: WireInstant
  let until: WireInstant
  /// Calls that stay booked in it.
  let calls: Int?

  init(_ leave: AgentLeave, calls: Int? = nil) {
    (id, agentID, self.calls) = (leave.id.rawValue, leave.agentID, calls)
    (from, until) = (leave.time.lowerBound.wire, leave.time.upperBound.wire)
  }

  enum CodingKeys: String, CodingKey {
    case id, from, until, calls
    case agentID = "agent_id"
  }
}

struct AgentLeaveList: Codable, Sendable {
  let leaves: [AgentLeaveView]
}

/// Hours of a day, as in `08:00`; `24:00` closes at its end.
struct AgentHoursBody: Codable, Sendable, Equatable {
  let opens: String
  let closes: String

  init(_ hours: WorkingWeek.Hours) {
    (opens, closes) = (WorkingWeek.Hours.text(hours.opens), WorkingWeek.Hours.text(hours.closes))
  }

  /// - Throws: `Problem` validation-failed.
  func hours(at pointer: String) throws -> WorkingWeek.Hours {
    guard let hours = WorkingWeek.Hours(opens, closes) else {
      throw Problem.validation([
        .init(pointer, "invalid", "Hours go from a time to a later one, as from 08:00 to 16:30.")
      ])
    }
    return hours
  }
}

/// Body of `PUT /agents/hours`. A day that is absent has no calls; without any, the agent takes calls whenever the
/// institution is open.
struct AgentWeekRequest: Decodable, Sendable {
  let agentID: String?
  let monday, tuesday, wednesday, thursday, friday, saturday, sunday: AgentHoursBody?

  /// By ISO 8601 day of the week.
  /// - Throws: `Problem` validation-failed.
  func week() throws -> [Int: WorkingWeek.Hours] {
    let days = [
      ("monday", monday), ("tuesday", tuesday), ("wednesday", wednesday), ("thursday", thursday),
      ("friday", friday), ("saturday", saturday), ("sunday", sunday),
    ]
    var week: [Int: WorkingWeek.Hours] = [:]
    for (index, (name, hours)) in days.enumerated() { week[index + 1] = try hours?.hours(at: "/\(name)") }
    return week
  }

  enum CodingKeys: String, CodingKey {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday
    case agentID = "agent_id"
  }
}

/// Body of `PUT /agents/hours/{date}`. Without hours there are no calls on the day.
struct AgentDayRequest: Decodable, Sendable {
  let agentID: String?
  let hours: AgentHoursBody?

  enum CodingKeys: String, CodingKey {
    case hours
    case agentID = "agent_id"
  }
}

/// An agent's week.
struct AgentWeekView: Codable, Sendable {
  struct Day: Codable, Sendable {
    let date: String
    /// Absent where no call can be.
    let hours: AgentHoursBody?
    let calls: [AppointmentView]
    /// Starts that can be booked.
    let free: [WireInstant]
  }

  let agentID: String
  let timeZone: String
  let days: [Day]
  let leaves: [AgentLeaveView]

  init(_ row: AgentWeek.Row, by clock: LocalTime) {
    (agentID, timeZone) = (row.agentID, clock.identifier)
    leaves = row.leaves.map { AgentLeaveView($0) }
    days = row.days.map { day in
      Day(
        date: day.date.isoText, hours: day.hours.map(AgentHoursBody.init),
        calls: day.calls.map { $0.call.view(joinWindow: Dossier.joinWindow) }, free: day.free.map(\.wire))
    }
  }

  enum CodingKeys: String, CodingKey {
    case days, leaves
    case agentID = "agent_id"
    case timeZone = "time_zone"
  }
}
