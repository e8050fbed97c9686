// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Scheduling
import DocumentCore
import GatehouseWire
import RubixWire
import Kit
import TestSupport
import Testing

@testable import RubixFlow

@Suite("Rubix: calls with agents")
struct AppointmentTests {
  private func wish(_ slot: Int = 0, gender: Gender? = nil) -> AppointmentRequest {
    AppointmentRequest(callTime: AgentTestApp.slot(slot), gender: gender)
  }

  @Test("booking, the same wish again, another time")
  func book() async throws {
    let app = try await AgentTestApp()
    _ = try await app.agent()
    let customer = try await app.customer(at: .awaitingAppointment)
    let first = try await app.calls.book(app.request(customer, wish()))
    #expect(first.status == 201)
    #expect(try await app.application(of: customer).phase == .awaitingCall)
    let again = try await app.calls.book(app.request(customer, wish()))
    #expect(again.status == 200)
    #expect(try again.view(AppointmentView.self) == first.view(AppointmentView.self))
    let moved = try await app.calls.book(app.request(customer, wish(1)))
    #expect(moved.status == 201)
    #expect(try await app.calls.current(for: customer).callTime == AgentTestApp.slot(1))
    #expect(try await app.application(of: customer).lastStep == .agentVerificationScheduled)
  }

  @Test("of two customers for the last place exactly one gets it")
  func race() async throws {
    let app = try await AgentTestApp()
    _ = try await app.agent()
    let customers = [
      try await app.customer(at: .awaitingAppointment), try await app.customer(at: .awaitingAppointment),
    ]
    let codes = try await withThrowingTaskGroup(of: String?.self) { group in
      for customer in customers {
        group.addTask { try await problem { try await app.calls.book(app.request(customer, wish())) }?.code }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(codes.compactMap { $0 } == ["slot-taken"])
  }

  @Test("who may not take calls, or was dismissed, or is not of this bank, gets none")
  func roster() async throws {
    let app = try await AgentTestApp()
    _ = try await app.agent("reader@bank.example", may: [.readCustomers])
    _ = try await app.agent("far@bank.example", tenant: "other")
    let dismissed = try await app.agent("gone@bank.example")
    try await app.core.database.write {
      try app.staff.setActive(false, of: dismissed.member.id, by: "operator", in: $0)
    }
    let customer = try await app.customer(at: .awaitingAppointment)
    let time = Instant(AgentTestApp.slot())
    #expect(try await app.calls.available(at: time, suiting: .anyone, for: customer).available == false)
    #expect(try await app.calls.slots(from: nil, to: nil, suiting: .anyone, for: customer).slots.isEmpty)
    let refusal = try await problem { try await app.calls.book(app.request(customer, wish())) }
    #expect(refusal?.code == "slot-taken")
  }

  @Test("slots are listed in the institution's zone, and a leave takes them away")
  func slots() async throws {
    let app = try await AgentTestApp()
    let agent = try await app.agent()
    let customer = try await app.customer(at: .awaitingAppointment)
    let day = CalendarDate("2026-11-23")
    let before = try await app.calls.slots(from: day, to: day, suiting: .anyone, for: customer)
    #expect(before.timeZone == "Asia/Kuwait")
    #expect(before.slots.count == 96)
    #expect(before.slots.first?.start == WireInstant("2026-11-22T21:00:00Z"))
    let away = app.clock.now..<(app.clock.now + .days(30))
    try await app.core.database.write { tx in
      try AgentLeaveStore(tx).insert(
        AgentLeave(id: .init(app.clock.world), agentID: agent.member.id.rawValue, time: away))
    }
    #expect(try await app.calls.slots(from: day, to: day, suiting: .anyone, for: customer).slots.isEmpty)
  }

  @Test("days in the wrong order or too many are refused")
  func range() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.customer(at: .awaitingAppointment)
    for (first, last) in [("2026-11-24", "2026-11-23"), ("2026-11-24", "2027-11-23")] {
      let refusal = try await problem {
        try await app.calls.slots(
          from: CalendarDate(first), to: CalendarDate(last), suiting: .anyone, for: customer)
      }
      #expect(refusal?.code == "validation-failed")
    }
  }

  @Test("a wish of a time alone is one for the call of the verification")
  func timeAlone() async throws {
    let app = try await AgentTestApp()
    _ = try await app.agent()
    let customer = try await app.customer(at: .awaitingAppointment)
    let time = AgentTestApp.slot().description
    for body in [#"{"call_time":"\#(time)"}"#, #"{"call_time":"\#(time)","gender":null,"reason":null}"#] {
      let content = RequestContent(bytes: Data(body.utf8))
      _ = try await app.calls.book(AgentTestApp.request(customer, content))
      #expect(try await app.application(of: customer).phase == .awaitingCall)
    }
    #expect(try await app.calls.current(for: customer).reason == .verification)
  }

  @Test("a wish is checked member by member")
  func wishes() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.customer(at: .awaitingAppointment)
    let body = AppointmentRequest(
      callTime: AgentTestApp.slot(), gender: .init(rawValue: "X"), language: "not a tag",
      reason: .init(rawValue: "chat"),
      phone: "12345")
    let refusal = try await problem { try await app.calls.book(app.request(customer, body)) }
    #expect(refusal?.fields.map(\.pointer) == ["/gender", "/language", "/phone", "/reason"])
  }

  @Test("calling off frees the step")
  func cancel() async throws {
    let app = try await AgentTestApp()
    _ = try await app.agent()
    let customer = try await app.customer(at: .awaitingAppointment)
    _ = try await app.calls.book(app.request(customer, wish()))
    let cancelled = try await app.calls.cancel(app.request(customer))
    #expect(try cancelled.view(AppointmentView.self).status == .cancelled)
    let application = try await app.application(of: customer)
    #expect(application.phase == .awaitingAppointment)
    #expect(!application.completedSteps.contains(.agentVerificationScheduled))
    #expect(application.lastStep == .registrationInitiated)
    #expect(try await problem { try await app.calls.current(for: customer) }?.code == "not-found")
  }

  @Test("in a review the call is booked and called off like any other")
  func review() async throws {
    let app = try await AgentTestApp()
    _ = try await app.agent()
    let customer = try await app.customer(at: .awaitingReviewAppointment)
    _ = try await app.calls.book(app.request(customer, wish()))
    #expect(try await app.application(of: customer).phase == .awaitingReviewCall)
    _ = try await app.calls.cancel(app.request(customer))
    #expect(try await app.application(of: customer).phase == .awaitingReviewAppointment)
  }

  @Test("a missed call is swept, and its customer may book again")
  func missed() async throws {
    let app = try await AgentTestApp()
    _ = try await app.agent()
    let customer = try await app.customer(at: .awaitingAppointment)
    _ = try await app.calls.book(app.request(customer, wish()))
    let sweeper = app.rubix.missedCalls
    #expect(try await sweeper.sweep() == 0)
    app.clock.set(Instant(AgentTestApp.slot()) + .hours(2))
    #expect(try await sweeper.sweep() == 1)
    #expect(try await app.application(of: customer).phase == .awaitingAppointment)
    _ = try await app.calls.book(app.request(customer, wish(40)))
    #expect(try await app.application(of: customer).phase == .awaitingCall)
  }

  @Test(
    "language tags", .storeless,
    arguments: [("en", true), ("ar-KW", true), ("a", false), ("en_GB", false), ("en-", false)])
  func tags(tag: String, isGood: Bool) { #expect((AgentPreference.language(tag) != nil) == isGood) }
}
