// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Identity
import Kit
import Scheduling

/// What the pages of the calendar show and change. The rules are those of the system that the calls belong to.
package protocol CalendarSource: Sendable {
  /// The week in which a day lies. The look is audited.
  /// - Parameter day: nil for today.
  /// - Throws: `Problem` forbidden, not-found.
  func week(around day: CalendarDate?, of part: AgentWeek.Part, for agent: CallAgent) async throws -> AgentWeek

  /// - Parameters:
  ///   - from: the first day, as in `2026-12-24`.
  ///   - until: the last one.
  ///   - member: nil for one's own.
  /// - Returns: how many calls are booked in the leave; they stay.
  /// - Throws: `Problem` validation-failed, forbidden, not-found.
  func addLeave(
    from: String, until: String, of member: StaffMember.ID?, by agent: CallAgent
  ) async throws -> Int

  /// - Throws: `Problem` forbidden, not-found.
  func removeLeave(_ id: AgentLeave.ID, by agent: CallAgent) async throws

  /// - Parameter week: by ISO 8601 day of the week; empty is whenever the institution is open.
  /// - Throws: `Problem` forbidden, not-found.
  func setWeek(_ week: [Int: WorkingWeek.Hours], of member: StaffMember.ID?, by agent: CallAgent) async throws

  /// - Parameter hours: nil has the day be as the week says.
  /// - Throws: `Problem` validation-failed, forbidden, not-found.
  func setDay(
    _ hours: AgentHours.Day?, on day: CalendarDate, of member: StaffMember.ID?, by agent: CallAgent
  ) async throws

  /// What can be booked for a customer on a day. The look is audited.
  /// - Parameter day: nil for today.
  /// - Throws: `Problem` forbidden, not-found.
  func offer(
    to customer: String, _ reason: Appointment.Reason, on day: CalendarDate?, by agent: CallAgent
  ) async throws -> CallOffer

  /// Books a call for a customer, or moves the one that is booked for the same reason; the customer is told.
  /// - Throws: `Problem`, such as slot-taken.
  func book(_ booking: CallBooking, by agent: CallAgent) async throws -> Appointment
}

/// What an agent books.
package struct CallBooking: Sendable {
  /// The customer, in the ids of the system that the calls belong to.
  package let customer: String
  package let start: Instant
  package let reason: Appointment.Reason
  /// With whom; nil is any agent who is free.
  package let agent: String?
  /// A code of `CallAgent.changeReasons`.
  package let why: String
}

extension CallAgent {
  /// Codes of why a call is booked, moved or called off; the catalogue has their words behind `why_`.
  package static let changeReasons = ["customer_request", "agent_absent", "technical", "other"]
}
