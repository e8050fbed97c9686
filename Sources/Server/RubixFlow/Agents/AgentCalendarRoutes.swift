// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import HTTP
import Hummingbird
import Identity
import Kit
import RubixWire
import Scheduling

/// `/agents/calendar`, `/agents/leaves…`, `/agents/hours…`, and `POST /agents/calls`: when agents take calls, and what
/// they book for customers.
struct AgentCalendarRoutes: Sendable {
  let calendar: AgentCalendar
  let schedule: AgentScheduleCommands

  func add(to group: RouterGroup<AgentContext>) {
    group.get("agents/calendar", use: week)
    group.post("agents/calls", use: book)
    group.get("agents/leaves", use: leaves)
    group.post("agents/leaves", use: addLeave)
    group.delete("agents/leaves/{id}") { _, context -> HTTPResponse.Status in
      try await schedule.removeLeave(try Request.identifier(context.parameters.get("id")), by: context.agent)
      return .noContent
    }
    group.put("agents/hours", use: setWeek)
    group.put("agents/hours/{date}", use: setDay)
    group.delete("agents/hours/{date}") { request, context -> HTTPResponse.Status in
      try await schedule.setDay(
        nil, on: Self.date(context), of: Self.member(QueryValues(request).text("agent_id")), by: context.agent)
      return .noContent
    }
  }

  @Sendable
  private func week(_ request: Request, _ context: AgentContext) async throws -> Response {
    let query = QueryValues(request)
    let member = try Self.member(query.text("agent_id"))
    let week = try await calendar.week(
      around: query.date("date"), of: member.map { .member($0.rawValue) } ?? .own, by: context.agent)
    guard let row = week.rows.first else { throw Problem.notFound }
    return try Response.json(AgentWeekView(row, by: week.clock))
  }

  @Sendable
  private func book(_ request: Request, _ context: AgentContext) async throws -> Response {
    let body = try await Self.body(request).decode(as: AgentBookingRequest.self)
    let why = try CallChangeReason(word: body.why)
    guard let reason = Appointment.Reason(rawValue: body.reason.rawValue) else {
      throw Problem.validation([.init("/reason", "unknown-value", "verification or help.")])
    }
    let customer: Application.ID = try Request.identifier(body.customerID)
    let booking = AgentCalendar.Booking(
      customerID: customer.rawValue, callTime: Instant(body.callTime), reason: reason,
      agentID: try Self.member(body.agentID)?.rawValue, why: why)
    let (call, isNew) = try await calendar.book(booking, by: context.agent)
    var response = try Response.json(call.view(joinWindow: Dossier.joinWindow))
    response.status = isNew ? .created : .ok
    return response
  }

  @Sendable
  private func leaves(_ request: Request, _ context: AgentContext) async throws -> Response {
    let leaves = try await schedule.leaves(of: Self.member(QueryValues(request).text("agent_id")), by: context.agent)
    return try Response.json(AgentLeaveList(leaves: leaves.map { AgentLeaveView($0) }))
  }

  @Sendable
  private func addLeave(_ request: Request, _ context: AgentContext) async throws -> Response {
    let body = try await Self.body(request).decode(as: AgentLeaveRequest.self)
    let (leave, calls) = try await schedule.addLeave(
      from: body.from, until: body.until, of: Self.member(body.agentID), by: context.agent)
    var response = try Response.json(AgentLeaveView(leave, calls: calls))
    response.status = .created
    return response
  }

  @Sendable
  private func setWeek(_ request: Request, _ context: AgentContext) async throws -> HTTPResponse.Status {
    let body = try await Self.body(request).decode(as: AgentWeekRequest.self)
    try await schedule.setWeek(body.week(), of: Self.member(body.agentID), by: context.agent)
    return .noContent
  }

  @Sendable
  private func setDay(_ request: Request, _ context: AgentContext) async throws -> HTTPResponse.Status {
    let body = try await Self.body(request).decode(as: AgentDayRequest.self)
    try await schedule.setDay(
      .some(body.hours?.hours(at: "/hours")), on: Self.date(context), of: Self.member(body.agentID), by: context.agent)
    return .noContent
  }

  private static func body(_ request: Request) async throws -> RequestContent {
    try await RequestContent(request, limit: BodyBudget.smallMax)
  }

  /// - Throws: `Problem` not-found for what is no id.
  private static func member(_ text: String?) throws -> StaffMember.ID? { try text.map { try Request.identifier($0) } }

  /// - Throws: `Problem` not-found for what is no day.
  private static func date(_ context: AgentContext) throws -> CalendarDate {
    guard let date = context.parameters.get("date").flatMap({ CalendarDate($0[...]) }) else { throw Problem.notFound }
    return date
  }
}
