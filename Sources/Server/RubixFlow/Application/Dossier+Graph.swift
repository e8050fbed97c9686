// SPDX-License-Identifier: Apache-2.0

import RubixWire

extension Dossier {
  /// Every step of the graph with where it stands (`GET /steps`).
  var graph: StepGraph {
    let next = nextSteps
    let calls = RubixCall.all.filter { call in
      switch call {
      case .uploadDocument(let kind), .processDocument(let kind):
        tenant.documents.accepted.contains(kind.documentType)
      case .sendOTP(.email), .verifyOTP(.email): tenant.emailRequired
      case .cancelAppointment: false
      default: true
      }
    }
    return StepGraph(
      lastStep: application.lastStep,
      steps: [node(.registrationInitiated, "/auth/register", state: .completed)]
        + calls.map { call in
          let mandatory = next.contains { $0.path == call.path && !$0.optional }
          return node(call.step, call.path, state: state(call, next), optional: !mandatory && isAlternative(call))
        })
  }

  private func state(_ call: RubixCall, _ next: [NextStep]) -> StepState {
    if next.contains(where: { $0.path == call.path }) { return .available }
    if call == .createSession { return session == nil ? .blocked : .completed }
    if let step = call.step, application.completedSteps.contains(step) { return .completed }
    if isAlternative(call), facts.documentsComplete { return .skipped }
    if call == .bookAppointment, application.phase == .completed { return .skipped }
    return .blocked
  }

  /// A document that another one can stand in for.
  private func isAlternative(_ call: RubixCall) -> Bool {
    switch call {
    case .uploadDocument(let kind), .processDocument(let kind):
      !(tenant.documents.allOf ?? []).joined().contains(kind.documentType) && (tenant.documents.anyOf?.count ?? 0) > 1
    case .bookAppointment: !tenant.agentAlways
    default: false
    }
  }

  private func node(
    _ step: OnboardingStep?, _ path: String, state: StepState, optional: Bool = false
  ) -> StepNode {
    StepNode(step: step, method: "POST", path: path, state: state, optional: optional)
  }
}
