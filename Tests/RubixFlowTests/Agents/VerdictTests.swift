// SPDX-License-Identifier: Apache-2.0

import Foundation
import RubixWire
import HTTP
import Kit
import Testing

@testable import RubixFlow

@Suite("Rubix: the verdict of an agent")
struct VerdictTests {
  static let yes = VerdictRules.questions.map { ChecklistItem(code: $0, result: .yes) }

  private func booked(
    _ app: AgentTestApp, at phase: ApplicationPhase = .awaitingAppointment, verified: Bool = true
  ) async throws -> (Customer, AppointmentView) {
    let customer = try await app.customer(at: phase, verified: verified)
    let answer = try await app.calls.book(
      app.request(customer, AppointmentRequest(callTime: AgentTestApp.slot())))
    return (customer, try answer.view(AppointmentView.self))
  }

  private func verdict(
    _ customer: Customer, _ call: AppointmentView, _ verdict: AgentVerdict = .successful,
    reason: AgentFailureReason? = nil, retry: Bool = false, notes: String? = nil,
    record: CallRecord? = AgentTestApp.callRecord
  ) -> AgentVerificationRequest {
    AgentVerificationRequest(
      appointmentID: call.id, customerID: customer.id.rawValue, verdict: verdict, checklist: Self.yes,
      failureReason: reason, retryAllowed: retry, notes: notes, call: record)
  }

  @Test("no verdict on a call that is still to come, without a record of it", arguments: [true, false])
  func beforeTheCall(isAccepted: Bool) async throws {
    let app = try await AgentTestApp()
    let agent = try await app.agent()
    let (customer, call) = try await booked(app)
    func decide(_ record: CallRecord?) async throws -> Problem? {
      let request = verdict(
        customer, call, isAccepted ? .successful : .failed, reason: isAccepted ? nil : .other, record: record)
      return try await problem { try await app.verdicts.decide(AgentTestApp.content(request), by: agent) }
    }
    #expect(try await decide(nil)?.code == "step-out-of-order")
    // A record of a time before the call was booked is of another call.
    let earlier = CallRecord(
      startedAt: (app.clock.now - .hours(1)).wire, endedAt: (app.clock.now - .minutes(50)).wire)
    #expect(try await decide(earlier)?.code == "step-out-of-order")
    // One that ended as it began is of no call.
    let now = app.clock.now.wire
    #expect(try await decide(CallRecord(startedAt: now, endedAt: now))?.code == "validation-failed")
    #expect(try await app.application(of: customer).phase == .awaitingCall)
    app.clock.advance(by: Instant(AgentTestApp.slot()) - app.clock.now - .minutes(5) - .milliseconds(1))
    #expect(try await decide(nil)?.code != nil)
    app.clock.advance(by: .milliseconds(1))
    let late = try await app.agent("late@bank.example")
    let request = verdict(
      customer, call, isAccepted ? .successful : .failed, reason: isAccepted ? nil : .other, record: nil)
    let view = try await app.verdicts.decide(AgentTestApp.content(request), by: late)
    #expect(view.customerStatus == (isAccepted ? .completed : .rejected))
  }

  @Test("success completes the onboarding and ends the call")
  func successful() async throws {
    let app = try await AgentTestApp()
    let agent = try await app.agent()
    let (customer, call) = try await booked(app)
    let view = try await app.verdicts.decide(AgentTestApp.content(verdict(customer, call)), by: agent)
    #expect(view.customerStatus == .completed)
    #expect(view.lastStep == .agentVerificationSuccessful)
    #expect(try await app.application(of: customer).phase == .completed)
    #expect(try await app.effects().sorted() == ["rubix.notifyCompleted", "rubix.remindOfCall"])
    let ended = try await app.core.database.read { tx in
      try app.rubix.applications.appointments(of: customer.tenant).find(.init(rawValue: call.id), in: tx)
    }
    #expect(ended?.status == .done)
  }

  @Test("a member whom a command names decides as one in a session does, and has no session that could end")
  func command() async throws {
    let app = try await AgentTestApp()
    let signedIn = try await app.agent()
    let named = Agent(member: signedIn.member, identity: nil, tenant: signedIn.tenant)
    let (customer, call) = try await booked(app)
    #expect(try await app.rubix.customerReader.view(customer.id, by: named).appointments.map(\.id) == [call.id])
    let view = try await app.verdicts.decide(AgentTestApp.content(verdict(customer, call)), by: named)
    #expect(view.agentID == signedIn.member.id.rawValue && view.customerStatus == .completed)
    #expect(try await problem { try await app.access.signOut(named) }?.code == "token-missing")
  }

  @Test("the first verdict counts: the same again gets the same answer, any other is refused")
  func twice() async throws {
    let app = try await AgentTestApp()
    let (agent, colleague) = (try await app.agent(), try await app.agent("colleague@bank.example"))
    let (customer, call) = try await booked(app)
    let body = try AgentTestApp.content(verdict(customer, call))
    let first = try await app.verdicts.decide(body, by: agent)
    #expect(try await app.verdicts.decide(body, by: agent) == first)
    let other = try AgentTestApp.content(verdict(customer, call, .failed, reason: .other))
    #expect(try await problem { try await app.verdicts.decide(other, by: agent) }?.code == "step-already-completed")
    #expect(
      try await problem { try await app.verdicts.decide(body, by: colleague) }?.code == "step-already-completed")
    #expect(try await app.effects().sorted() == ["rubix.notifyCompleted", "rubix.remindOfCall"])
  }

  @Test("of two agents who decide at once one counts")
  func race() async throws {
    let app = try await AgentTestApp()
    let agents = [try await app.agent(), try await app.agent("colleague@bank.example")]
    let (customer, call) = try await booked(app)
    let body = try AgentTestApp.content(verdict(customer, call))
    let codes = try await withThrowingTaskGroup(of: String?.self) { group in
      for agent in agents {
        group.addTask { try await problem { try await app.verdicts.decide(body, by: agent) }?.code }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(codes.compactMap { $0 } == ["step-already-completed"])
  }

  @Test("a failed call that may be made again leads to another appointment")
  func retry() async throws {
    let app = try await AgentTestApp()
    let agent = try await app.agent()
    let (customer, call) = try await booked(app)
    let failed = verdict(customer, call, .failed, reason: .technical, retry: true)
    let view = try await app.verdicts.decide(AgentTestApp.content(failed), by: agent)
    #expect(view.lastStep == .agentVerificationFailed)
    #expect(view.customerStatus == .pending)
    #expect(try await app.application(of: customer).phase == .awaitingAppointment)
    let next = try await app.calls.book(
      app.request(customer, AppointmentRequest(callTime: AgentTestApp.slot(2))))
    let again = verdict(customer, try next.view(AppointmentView.self))
    _ = try await app.verdicts.decide(AgentTestApp.content(again), by: agent)
    let application = try await app.application(of: customer)
    #expect(application.phase == .completed)
    #expect(!application.completedSteps.contains(.agentVerificationFailed))
  }

  @Test("a failed call without another chance rejects")
  func rejected() async throws {
    let app = try await AgentTestApp()
    let agent = try await app.agent()
    let (customer, call) = try await booked(app)
    let failed = verdict(customer, call, .failed, reason: .coercionSuspected, notes: "Somebody whispered answers.")
    _ = try await app.verdicts.decide(AgentTestApp.content(failed), by: agent)
    #expect(try await app.application(of: customer).status == .rejected)
    #expect(try await app.store.bytesOnDisk().range(of: Data("whispered".utf8)) == nil)
  }

  @Test("in a review the agent's word takes the place of the checks")
  func review() async throws {
    let app = try await AgentTestApp()
    let agent = try await app.agent()
    let (customer, call) = try await booked(app, at: .awaitingReviewAppointment)
    _ = try await app.verdicts.decide(AgentTestApp.content(verdict(customer, call)), by: agent)
    let application = try await app.application(of: customer)
    // Contacts were confirmed before, so the screening is next.
    #expect(application.phase == .awaitingScreening)
    #expect(application.evaluation == .matched)
    #expect(application.agentAccepted)
    #expect(application.completedSteps.contains(.documentsMatched))
  }

  @Test("a customer whose name and date of birth are unknown is not accepted")
  func unknownIdentity() async throws {
    let app = try await AgentTestApp()
    let agent = try await app.agent()
    let (customer, call) = try await booked(app, at: .awaitingReviewAppointment, verified: false)
    let refusal = try await problem {
      try await app.verdicts.decide(AgentTestApp.content(verdict(customer, call)), by: agent)
    }
    #expect(refusal?.fields.map(\.code) == ["identity-unknown"])
    #expect(try await app.application(of: customer).phase == .awaitingReviewCall)
  }

  @Test("not without the permission, not in one's own case, not for another customer's or bank's call")
  func forbidden() async throws {
    let app = try await AgentTestApp()
    let agent = try await app.agent()
    let (customer, call) = try await booked(app)
    let stranger = try await app.customer(at: .awaitingCall)
    let good = try AgentTestApp.content(verdict(customer, call))
    for (body, caller, code) in [
      (good, try await app.agent("reader@bank.example", may: [.readCustomers]), "forbidden"),
      (good, try await app.agent("erika@example.com"), "forbidden"),
      (good, try await app.agent("far@bank.example", tenant: "other"), "not-found"),
      (try AgentTestApp.content(verdict(stranger, call)), agent, "not-found"),
    ] {
      #expect(try await problem { try await app.verdicts.decide(body, by: caller) }?.code == code)
    }
  }

  @Test("a verdict that contradicts itself is refused member by member")
  func contradictions() {
    let now = Instant(AgentTestApp.slot())
    let base = AgentVerificationRequest(appointmentID: "a", customerID: "c", verdict: .successful, checklist: Self.yes)
    func pointers(_ change: (inout AgentVerificationRequest) -> Void) -> [String] {
      var request = base
      change(&request)
      do {
        try VerdictRules.check(request, now: now)
        return []
      } catch { return (error as? Problem)?.fields.map(\.pointer) ?? ["?"] }
    }
    #expect(pointers { _ in } == [])
    #expect(pointers { $0.checklist.removeLast() } == ["/checklist"])
    for answer in [ChecklistResult.no, .notApplicable] {
      #expect(pointers { $0.checklist[0].result = answer } == ["/checklist/0/result"])
    }
    #expect(pointers { $0.checklist.append(.init(code: "hologram-seen", result: .notApplicable)) } == [])
    #expect(pointers { $0.checklist.append(.init(code: "hologram-seen", result: .no)) } == ["/checklist/4/result"])
    #expect(pointers { $0.failureReason = .other } == ["/failure_reason"])
    #expect(pointers { $0.retryAllowed = true } == ["/retry_allowed"])
    #expect(pointers { $0.notes = "x" + String(repeating: "\r\n", count: 1999) } == [])
    #expect(pointers { $0.notes = "x" + String(repeating: "\r\n", count: 2000) } == ["/notes"])
    #expect(pointers { $0.verdict = .failed } == ["/failure_reason"])
    #expect(pointers { $0.verdict = .init(rawValue: "MAYBE") }.contains("/verdict"))
    #expect(
      pointers { $0.call = CallRecord(startedAt: AgentTestApp.slot(1), endedAt: AgentTestApp.slot(0)) } == [
        "/call/ended_at"
      ])
    #expect(
      pointers { $0.call = CallRecord(startedAt: AgentTestApp.slot(0), endedAt: AgentTestApp.slot(1)) } == [
        "/call/ended_at"
      ])
  }
}
