// SPDX-License-Identifier: Apache-2.0

import GatehouseWire
import HTTP
import Identity
import Kit
import RubixWire
import Scheduling
import Storage

/// The verdict of an agent after a call: `POST /agents/verification` (rubix-onboarding §6.14).
package struct VerdictCommands: Sendable {
  let core: CoreDependencies
  let agentSessions: Sessions
  let applications: Applications

  package enum Outcome: Sendable {
    case decided(AgentVerificationView)
    /// A colleague has to agree first; then the same again decides.
    case waiting(RequestedApproval)
  }

  /// The first verdict on a call counts; the same again by the same agent gets the same answer (§5.3).
  /// - Parameter approval: which request to a colleague it was, where two persons decide; nil finds the one for exactly
  ///   this verdict, and asks where there was no such request.
  /// - Throws: `Problem` forbidden without `attend:video` or in one's own case; not-found when the call is not this
  ///   customer's; validation-failed; step-already-completed; application-in-review or -closed; step-out-of-order, also
  ///   for a call that is still to come and of which the request has no record; `case-held`; `approval-refused`,
  ///   `approval-expired`, `subject-changed`.
  package func decide(_ body: RequestContent, by agent: Agent, approval: String? = nil) async throws -> Outcome {
    try agent.require(.attendVideo)
    let request = try body.decode(as: AgentVerificationRequest.self)
    try VerdictRules.check(request, now: core.world.now())
    let content = String(decoding: try WireJSON.encode(request), as: UTF8.self)
    let digest = core.vault.digest(content, for: "rubix verdict")
    return try await core.database.write(retrying: .outdated) { tx in
      try agentSessions.requireLive(agent, in: tx)
      let appointments = try applications.appointments(of: agent.tenant)
      guard let call = try appointments.find(.init(rawValue: request.appointmentID.lowercased()), in: tx),
        call.customerID == request.customerID.lowercased()
      else { throw Problem.notFound }
      guard call.reason == .verification else {
        throw Problem.validation([.init("/appointment_id", "reason", "A call for help has no verdict.")])
      }
      var dossier = try applications.load(.init(rawValue: call.customerID), tenant: agent.tenant, in: tx)
      try agent.requireOther(than: dossier.application)
      let store = VerdictStore(tx, vault: core.vault)
      if let known = try store.find(appointment: call.id.rawValue) {
        guard known.agent == agent.member.id.rawValue, known.bodyDigest == digest else {
          throw Problem.stepAlreadyCompleted
        }
        return .decided(known.view)
      }
      var agreed: RequestedApproval?
      if agent.tenant.verdictsNeedTwo {
        let asked = try asked(request, content, of: dossier.application, on: call, naming: approval, by: agent, in: tx)
        guard asked.state == .approved else {
          // The call took place, whatever the colleague says.
          let begun = try appointments.begun(call, startedAt: request.call.map { Instant($0.startedAt) }, in: tx)
          guard begun.status == .inCall else { throw Problem.stepOutOfOrder }
          // A repetition ends nothing that goes on since.
          if asked.isNew { try BrowserCalls.finish(begun, by: agent.actor, core, in: tx) }
          return .waiting(asked)
        }
        agreed = asked
      }
      do {
        try appointments.conclude(call, startedAt: request.call.map { Instant($0.startedAt) }, in: tx)
      } catch is IllegalMove { throw Problem.stepOutOfOrder }
      try BrowserCalls.finish(call, by: agent.actor, core, in: tx)
      dossier.appointment = nil
      try follow(request, content, agreed, on: call, of: &dossier, by: agent, in: tx)
      try applications.save(&dossier, in: tx)
      let verdict = CallVerdict(
        id: .init(core.world), appointment: call.id.rawValue, application: dossier.application.id,
        agent: agent.member.id.rawValue, outcome: request.verdict, failureReason: request.failureReason,
        retryAllowed: request.retryAllowed, bodyDigest: digest, customerStatus: dossier.application.status,
        lastStep: dossier.application.lastStep, decidedAt: core.world.now())
      try store.insert(verdict, of: request)
      return .decided(verdict.view)
    }
  }

  private func follow(
    _ request: AgentVerificationRequest, _ content: String, _ agreed: RequestedApproval?, on call: Appointment,
    of dossier: inout Dossier, by agent: Agent, in tx: any SQLTransaction
  ) throws {
    let (isAccepted, event) = (request.verdict == .successful, request.event)
    try requireLegal(event, dossier.application)
    let step: OnboardingStep = isAccepted ? .agentVerificationSuccessful : .agentVerificationFailed
    if isAccepted { try accept(&dossier.application) }
    if event == .agentRefusedOnce { dossier.application.drop(.agentVerificationScheduled) }
    dossier.application.drop(.agentVerificationSuccessful, .agentVerificationFailed)
    dossier.application.record(step)
    var facts = ["appointment": call.id.rawValue, "verdict": request.verdict.rawValue, "step": step.rawValue]
    facts["reason"] = request.failureReason?.rawValue
    // A colleague may stand in for the assigned agent, who is recorded then.
    if call.agentID != agent.member.id.rawValue { facts["assigned"] = call.agentID }
    try applications.move(
      &dossier, on: event, by: agent.actor, facts: facts, verdict: content, approval: agreed?.id, in: tx)
  }

  /// In a review the agent's word takes the place of the checks that could not decide.
  func accept(_ application: inout Application) throws {
    application.agentAccepted = true
    guard application.phase == .awaitingReviewCall else { return }
    guard application.identity != nil else {
      // Without a name and a date of birth neither screening nor forms could follow.
      throw Problem.validation([
        .init("/verdict", "identity-unknown", "Neither documents nor registration give a name and a date of birth.")
      ])
    }
    application.evaluation = .matched
    application.reviewReason = nil
    application.drop(.documentsMismatched)
    application.record(.documentsMatched)
  }

  func requireLegal(_ event: ApplicationEvent, _ application: Application) throws {
    guard !applicationFlow.allows(event, from: application.phase) else { return }
    let problem: Problem =
      if !application.phase.isOpen {
        .applicationClosed
      } else if application.phase.isInReview {
        Problem(.conflict, "application-in-review", "The application is being reviewed.")
      } else {
        .stepOutOfOrder
      }
    throw problem.with { $0.lastStep = application.lastStep.rawValue }
  }
}
