// SPDX-License-Identifier: Apache-2.0

import Kit
import RubixWire
import TestSupport
import Testing

@testable import RubixFlow

@Suite("Rubix: what waits for agents and officers")
struct AgentCaseTests {
  private func booked(_ app: AgentTestApp) async throws -> (Customer, AppointmentView) {
    let customer = try await app.customer(at: .awaitingAppointment)
    let answer = try await app.calls.book(
      app.request(customer, AppointmentRequest(callTime: AgentTestApp.slot())))
    return (customer, try answer.view(AppointmentView.self))
  }

  @Test("a booked call waits for its agent until its time, and the verdict ends that")
  func call() async throws {
    let app = try await AgentTestApp()
    let agent = try await app.agent()
    let (customer, call) = try await booked(app)
    let work = try #require(app.cases.waiting.first)
    #expect(work.kind == "rubix-call" && work.subject == customer.id.rawValue && work.tenant == "default")
    #expect(work.dueAt == Instant(AgentTestApp.slot()) && work.email == "erika@example.com")
    #expect(work.bookedWith == agent.member.id.rawValue)
    let request = AgentVerificationRequest(
      appointmentID: call.id, customerID: customer.id.rawValue, verdict: .successful, checklist: VerdictTests.yes,
      failureReason: nil, retryAllowed: false, notes: nil, call: AgentTestApp.callRecord)
    _ = try await app.verdicts.decide(AgentTestApp.content(request), by: agent)
    #expect(app.cases.lines == ["open rubix-call", "conclude rubix-call agentAccepted \(agent.actor)"])
  }

  @Test("a call that the customer cancels is no open case")
  func cancelled() async throws {
    let app = try await AgentTestApp()
    _ = try await app.agent()
    let (customer, _) = try await booked(app)
    _ = try await app.calls.cancel(app.request(customer))
    #expect(app.cases.waiting.isEmpty)
    #expect(app.cases.lines.last?.hasPrefix("conclude rubix-call appointmentCancelled") == true)
  }

  @Test("a hit of the screening waits for an officer")
  func hit() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.customer(at: .awaitingScreening)
    app.provider.withLock { $0.outcome = AgentTestApp.hits(1) }
    _ = try await app.screenings.screen(app.request(customer))
    let work = try #require(app.cases.waiting.first)
    #expect(work.kind == "rubix-screening" && work.reasons == ["screening"] && work.risk == 90)
    #expect(work.dueAt == nil)
  }

  @Test("what began to wait before there were cases gets its case, once")
  func catchUp() async throws {
    let app = try await AgentTestApp()
    for (number, phase) in [ApplicationPhase.reviewingScreening, .awaitingCall, .submittingForms].enumerated() {
      _ = try await app.customer(at: phase, email: "e\(number)@example.com")
    }
    try await app.rubix.waiting.catchUp()
    try await app.rubix.waiting.catchUp()
    #expect(app.cases.lines.sorted() == ["open rubix-call", "open rubix-screening"])
  }
}
