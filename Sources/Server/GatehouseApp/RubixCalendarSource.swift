// SPDX-License-Identifier: Apache-2.0

import Console
import DocumentCore
import Identity
import Kit
import RubixFlow
import Scheduling

/// The calendar of Rubix's agents on the pages of the console. The rules are those of the calls of agents' own
/// programs.
struct RubixCalendarSource: CalendarSource {
  let rubix: RubixService
  let staff: Staff

  func week(around day: CalendarDate?, of part: AgentWeek.Part, for agent: CallAgent) async throws -> AgentWeek {
    try await rubix.agentCalendar(staff: staff).week(around: day, of: part, by: known(agent))
  }

  func addLeave(
    from: String, until: String, of member: StaffMember.ID?, by agent: CallAgent
  ) async throws -> Int {
    try await rubix.agentSchedule(staff: staff).addLeave(from: from, until: until, of: member, by: known(agent)).calls
  }

  func removeLeave(_ id: AgentLeave.ID, by agent: CallAgent) async throws {
    try await rubix.agentSchedule(staff: staff).removeLeave(id, by: known(agent))
  }

  func setWeek(_ week: [Int: WorkingWeek.Hours], of member: StaffMember.ID?, by agent: CallAgent) async throws {
    try await rubix.agentSchedule(staff: staff).setWeek(week, of: member, by: known(agent))
  }

  func setDay(
    _ hours: AgentHours.Day?, on day: CalendarDate, of member: StaffMember.ID?, by agent: CallAgent
  ) async throws {
    try await rubix.agentSchedule(staff: staff).setDay(hours, on: day, of: member, by: known(agent))
  }

  func offer(
    to customer: String, _ reason: Appointment.Reason, on day: CalendarDate?, by agent: CallAgent
  ) async throws -> CallOffer {
    try await rubix.agentCalendar(staff: staff).offer(to: customer, reason, on: day, by: known(agent))
  }

  func book(_ booking: CallBooking, by agent: CallAgent) async throws -> Appointment {
    let request = AgentCalendar.Booking(
      customerID: booking.customer, callTime: booking.start, reason: booking.reason, agentID: booking.agent,
      why: try CallChangeReason(word: booking.why))
    return try await rubix.agentCalendar(staff: staff).book(request, by: known(agent)).call
  }

  private func known(_ agent: CallAgent) throws -> Agent { try rubix.agent(agent.member, session: agent.session) }
}
