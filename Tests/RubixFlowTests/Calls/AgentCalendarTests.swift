// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Identity
import Kit
import RubixWire
import Scheduling
import TestSupport
import Testing

@testable import RubixFlow

@Suite("Rubix: the calendar of agents")
struct AgentCalendarTests {
  private func booking(
    _ slot: Int, _ customer: Customer, reason: Appointment.Reason = .verification, agent: Agent? = nil
  ) -> AgentCalendar.Booking {
    .init(
      customerID: customer.id.rawValue, callTime: Instant(AgentTestApp.slot(slot)), reason: reason,
      agentID: agent?.member.id.rawValue, why: .customerRequest)
  }

  @Test("an agent books and moves a call for a customer, who is told and can still move it three times")
  func booked() async throws {
    let app = try await AgentTestApp()
    let (agent, calendar) = (try await app.agent(), app.rubix.agentCalendar(staff: app.staff))
    let other = try await app.agent("second@bank.example")
    let customer = try await app.customer(at: .awaitingAppointment)
    let first = try await calendar.book(booking(20, customer, agent: other), by: agent)
    #expect(first.isNew && first.call.agentID == other.member.id.rawValue)
    #expect(try await app.application(of: customer).phase == .awaitingCall)
    #expect(try await app.effects().filter { $0 == "rubix.remindOfCall" }.count == 2, "at once, and an hour before")
    let again = try await calendar.book(booking(20, customer), by: agent)
    #expect(!again.isNew && again.call.id == first.call.id)
    // Another agent at the same hour is not what is booked.
    await #expect {
      _ = try await calendar.book(booking(20, customer, agent: agent), by: agent)
    } throws: { ($0 as? Problem)?.code == "call-unchanged" }
    for slot in 21...25 {
      let moved = try await calendar.book(booking(slot, customer), by: agent)
      #expect(moved.isNew && moved.call.agentID == other.member.id.rawValue && moved.call.reschedules == 0)
    }
    for slot in 1...3 {
      let wish = AppointmentRequest(callTime: AgentTestApp.slot(slot))
      #expect(try await app.calls.book(app.request(customer, wish)).status == 201)
    }
    let help = try await calendar.book(booking(30, customer, reason: .help), by: agent)
    #expect(help.isNew && help.call.reason == .help)
    let lines = try await app.core.database.read { try AuditStore($0).lines(of: customer.id.rawValue) }
    let booked = lines.filter { $0.action == "application.appointmentBooked" && $0.actor == agent.actor }
    #expect(booked.count == 6 && booked.allSatisfy { $0.facts["why"] == "customer_request" })
  }

  @Test("what cannot be booked is refused: a step that is not there, an end, a stranger, one's own case, no permission")
  func refused() async throws {
    let app = try await AgentTestApp()
    let (agent, calendar) = (try await app.agent(), app.rubix.agentCalendar(staff: app.staff))
    let reader = try await app.agent("reader@bank.example", may: [.readCustomers])
    let far = try await app.agent("far@bank.example", tenant: "other")
    let customer = try await app.customer(at: .awaitingAppointment)
    let early = try await app.customer(at: .submittingForms, email: "early@example.com")
    let done = try await app.customer(at: .completed, email: "done@example.com")
    let own = try await app.customer(at: .awaitingAppointment, email: "agent@bank.example")
    let trials: [(AgentCalendar.Booking, Agent, String)] = [
      (booking(0, early), agent, "step-out-of-order"), (booking(0, done, reason: .help), agent, "application-closed"),
      (booking(0, customer), far, "not-found"), (booking(0, customer), reader, "forbidden"),
      (booking(0, own), agent, "forbidden"), (booking(0, customer, agent: reader), agent, "not-found"),
      (booking(-110, customer), agent, "slot-expired"),
    ]
    for (booking, agent, code) in trials {
      #expect(try await problem { try await calendar.book(booking, by: agent) }?.code == code)
    }
    #expect(throws: Problem.self) { try CallChangeReason(word: "because") }
    #expect(try await app.effects().isEmpty)
  }

  @Test("hours and leaves take places away from one's own week; only who manages staff sees and changes others'")
  func duty() async throws {
    let app = try await AgentTestApp()
    let (agent, other) = (try await app.agent(), try await app.agent("second@bank.example"))
    let lead = try await app.agent("lead@bank.example", may: [.manageStaff])
    let (calendar, plan) = (app.rubix.agentCalendar(staff: app.staff), app.rubix.agentSchedule(staff: app.staff))
    let customer = try await app.customer(at: .awaitingAppointment)
    _ = try await calendar.book(booking(0, customer, agent: agent), by: agent)
    let (monday, id) = (try #require(CalendarDate("2026-11-23")), agent.member.id)
    let hours = try #require(WorkingWeek.Hours("08:00", "09:00"))
    try await plan.setWeek([1: hours], of: nil, by: agent)
    try await plan.setDay(.some(nil), on: monday, of: id, by: lead)
    // 22 November is a Sunday: the week has no hours on it, and the call stays.
    var week = try await calendar.week(around: CalendarDate("2026-11-22"), of: .own, by: agent)
    #expect(week.days.first?.isoText == "2026-11-16" && week.rows[0].days[6].calls.count == 1)
    #expect(week.rows[0].days[6].hours == nil && week.rows[0].days[6].free.isEmpty)
    #expect(week.rows[0].days[6].calls[0].name != nil)
    week = try await calendar.week(around: monday, of: .everybody, by: lead)
    let row = try #require(week.rows.first { $0.agentID == id.rawValue })
    #expect(week.rows.count == 2 && row.days[0].isSingle && row.days[0].hours == nil)
    let all = try await calendar.week(around: CalendarDate("2026-11-22"), of: .everybody, by: lead)
    #expect(all.rows.flatMap(\.days).flatMap(\.calls).map(\.name) == [nil])
    try await plan.setDay(nil, on: monday, of: nil, by: agent)
    week = try await calendar.week(around: monday, of: .member(id.rawValue), by: lead)
    #expect(week.rows[0].days[0].free.count == 4 && week.rows[0].days[1].free.isEmpty)
    let leave = try await plan.addLeave(from: "2026-11-22", until: "2026-11-23", of: nil, by: agent)
    #expect(leave.calls == 1)
    #expect(try await plan.addLeave(from: "2026-11-22", until: "2026-11-23", of: id, by: lead).leave == leave.leave)
    week = try await calendar.week(around: monday, of: .own, by: agent)
    #expect(week.rows[0].leaves == [leave.leave] && week.rows[0].days[0].free.isEmpty)

    let far = try await app.agent("far@bank.example", may: [.attendVideo, .manageStaff], tenant: "other")
    for (stranger, code) in [(other, "forbidden"), (far, "not-found")] {
      for refusal in [
        try await problem { try await plan.removeLeave(leave.leave.id, by: stranger) },
        try await problem { try await plan.setWeek([:], of: id, by: stranger) },
        try await problem { try await plan.leaves(of: id, by: stranger) },
        try await problem { try await calendar.week(around: nil, of: .member(id.rawValue), by: stranger) },
      ] { #expect(refusal?.code == code) }
    }
    #expect(try await problem { try await calendar.week(around: nil, of: .everybody, by: agent) }?.code == "forbidden")
    #expect(try await problem { try await plan.setDay(nil, on: monday, of: nil, by: lead) }?.code == "forbidden")
    let past = try #require(CalendarDate("2026-11-20"))
    #expect(try await problem { try await plan.setDay(nil, on: past, of: nil, by: agent) }?.code == "validation-failed")
    // One that could not be listed is not entered.
    let tooFar = try await problem {
      try await plan.addLeave(from: "2028-01-01", until: "2028-01-02", of: nil, by: agent)
    }
    #expect(tooFar?.code == "validation-failed")
    let own = AgentLeaveStore.unfinishedMax - 1
    try await app.core.database.write { [core = app.core] tx in
      for _ in 0..<own {
        try AgentLeaveStore(tx).insert(.init(id: .init(core.world), agentID: id.rawValue, time: leave.leave.time))
      }
    }
    let full = try await problem {
      try await plan.addLeave(from: "2026-12-01", until: "2026-12-01", of: nil, by: agent)
    }
    #expect(full?.fields.map(\.code) == ["too-many"])
    try await app.core.database.write { tx in
      for extra in try AgentLeaveStore(tx).overlapping(leave.leave.time, of: id.rawValue) where extra != leave.leave {
        try AgentLeaveStore(tx).delete(extra.id)
      }
    }
    try await plan.removeLeave(leave.leave.id, by: agent)
    #expect(try await plan.leaves(of: nil, by: agent).isEmpty)
    let story = try await app.core.database.read { try AuditStore($0).lines(of: id.rawValue).map(\.action) }
    #expect(story.filter { $0.hasPrefix("staff.hours") }.count == 3)
    #expect(story.filter { $0.hasPrefix("staff.leave") } == ["staff.leave_added", "staff.leave_removed"])
  }
}
