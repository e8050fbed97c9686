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
    _ house: DeskHouse, at phase: ApplicationPhase = .awaitingAppointment, verified: Bool = true
  ) async throws -> (Customer, AppointmentView) {
    let customer = try await house.customer(at: phase, verified: verified)
    let answer = try await house.calls.book(
      house.request(customer, AppointmentRequest(callTime: DeskHouse.slot())))
    return (customer, try answer.view(AppointmentView.self))
  }

  private func verdict(
    _ customer: Customer, _ call: AppointmentView, _ verdict: AgentVerdict = .successful,
    reason: AgentFailureReason? = nil, retry: Bool = false, notes: String? = nil
  ) -> AgentVerificationRequest {
    AgentVerificationRequest(
      appointmentID: call.id, customerID: customer.id.rawValue, verdict: verdict, checklist: Self.yes,
      failureReason: reason, retryAllowed: retry, notes: notes)
  }

  @Test("success completes the onboarding and ends the call")
  func successful() async throws {
    let house = try await DeskHouse()
    let agent = try await house.agent()
    let (customer, call) = try await booked(house)
    let view = try await house.verdicts.decide(DeskHouse.content(verdict(customer, call)), by: agent)
    #expect(view.customerStatus == .completed)
    #expect(view.lastStep == .agentVerificationSuccessful)
    #expect(try await house.application(of: customer).phase == .completed)
    #expect(try await house.effects() == ["rubix.notifyCompleted"])
    let ended = try await house.core.database.read { tx in
      try house.rubix.applications.appointments(of: customer.tenant).find(.init(rawValue: call.id), in: tx)
    }
    #expect(ended?.status == .done)
  }

  @Test("the first verdict counts: the same again gets the same answer, any other is refused")
  func twice() async throws {
    let house = try await DeskHouse()
    let (agent, colleague) = (try await house.agent(), try await house.agent("colleague@bank.example"))
    let (customer, call) = try await booked(house)
    let body = try DeskHouse.content(verdict(customer, call))
    let first = try await house.verdicts.decide(body, by: agent)
    #expect(try await house.verdicts.decide(body, by: agent) == first)
    let other = try DeskHouse.content(verdict(customer, call, .failed, reason: .other))
    #expect(try await problem { try await house.verdicts.decide(other, by: agent) }?.code == "step-already-completed")
    #expect(
      try await problem { try await house.verdicts.decide(body, by: colleague) }?.code == "step-already-completed")
    #expect(try await house.effects() == ["rubix.notifyCompleted"])
  }

  @Test("of two agents who decide at once one counts")
  func race() async throws {
    let house = try await DeskHouse()
    let agents = [try await house.agent(), try await house.agent("colleague@bank.example")]
    let (customer, call) = try await booked(house)
    let body = try DeskHouse.content(verdict(customer, call))
    let codes = try await withThrowingTaskGroup(of: String?.self) { group in
      for agent in agents {
        group.addTask { try await problem { try await house.verdicts.decide(body, by: agent) }?.code }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(codes.compactMap { $0 } == ["step-already-completed"])
  }

  @Test("a failed call that may be made again leads to another appointment")
  func retry() async throws {
    let house = try await DeskHouse()
    let agent = try await house.agent()
    let (customer, call) = try await booked(house)
    let failed = verdict(customer, call, .failed, reason: .technical, retry: true)
    let view = try await house.verdicts.decide(DeskHouse.content(failed), by: agent)
    #expect(view.lastStep == .agentVerificationFailed)
    #expect(view.customerStatus == .pending)
    #expect(try await house.application(of: customer).phase == .awaitingAppointment)
    let next = try await house.calls.book(
      house.request(customer, AppointmentRequest(callTime: DeskHouse.slot(2))))
    let again = verdict(customer, try next.view(AppointmentView.self))
    _ = try await house.verdicts.decide(DeskHouse.content(again), by: agent)
    let application = try await house.application(of: customer)
    #expect(application.phase == .completed)
    #expect(!application.completedSteps.contains(.agentVerificationFailed))
  }

  @Test("a failed call without another chance rejects")
  func rejected() async throws {
    let house = try await DeskHouse()
    let agent = try await house.agent()
    let (customer, call) = try await booked(house)
    let failed = verdict(customer, call, .failed, reason: .coercionSuspected, notes: "Somebody whispered answers.")
    _ = try await house.verdicts.decide(DeskHouse.content(failed), by: agent)
    #expect(try await house.application(of: customer).status == .rejected)
    #expect(try await house.store.bytesOnDisk().range(of: Data("whispered".utf8)) == nil)
  }

  @Test("in a review the agent's word takes the place of the checks")
  func review() async throws {
    let house = try await DeskHouse()
    let agent = try await house.agent()
    let (customer, call) = try await booked(house, at: .awaitingReviewAppointment)
    _ = try await house.verdicts.decide(DeskHouse.content(verdict(customer, call)), by: agent)
    let application = try await house.application(of: customer)
    // Contacts were confirmed before, so the screening is next.
    #expect(application.phase == .awaitingScreening)
    #expect(application.evaluation == .matched)
    #expect(application.agentAccepted)
    #expect(application.completedSteps.contains(.documentsMatched))
  }

  @Test("nobody is accepted whose name and date of birth are unknown")
  func unknownIdentity() async throws {
    let house = try await DeskHouse()
    let agent = try await house.agent()
    let (customer, call) = try await booked(house, at: .awaitingReviewAppointment, verified: false)
    let refusal = try await problem {
      try await house.verdicts.decide(DeskHouse.content(verdict(customer, call)), by: agent)
    }
    #expect(refusal?.fields.map(\.code) == ["identity-unknown"])
    #expect(try await house.application(of: customer).phase == .awaitingReviewCall)
  }

  @Test("not without the permission, not in one's own case, not for another customer's or bank's call")
  func forbidden() async throws {
    let house = try await DeskHouse()
    let agent = try await house.agent()
    let (customer, call) = try await booked(house)
    let stranger = try await house.customer(at: .awaitingCall)
    let good = try DeskHouse.content(verdict(customer, call))
    for (body, caller, code) in [
      (good, try await house.agent("reader@bank.example", may: [.readCustomers]), "forbidden"),
      (good, try await house.agent("erika@example.com"), "forbidden"),
      (good, try await house.agent("far@bank.example", tenant: "other"), "not-found"),
      (try DeskHouse.content(verdict(stranger, call)), agent, "not-found"),
    ] {
      #expect(try await problem { try await house.verdicts.decide(body, by: caller) }?.code == code)
    }
  }

  @Test("a verdict that contradicts itself is refused member by member")
  func contradictions() {
    let now = Instant(DeskHouse.slot())
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
    #expect(pointers { $0.verdict = .failed } == ["/failure_reason"])
    #expect(pointers { $0.verdict = .init(rawValue: "MAYBE") }.contains("/verdict"))
    #expect(
      pointers { $0.call = CallRecord(startedAt: DeskHouse.slot(1), endedAt: DeskHouse.slot(0)) } == ["/call/ended_at"])
    #expect(
      pointers { $0.call = CallRecord(startedAt: DeskHouse.slot(0), endedAt: DeskHouse.slot(1)) } == ["/call/ended_at"])
  }
}
