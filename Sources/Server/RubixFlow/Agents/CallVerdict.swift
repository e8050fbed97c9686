import Kit
import RubixWire

/// What an agent decided in a call: the row as a value. The first verdict of an appointment counts (§5.3).
package struct CallVerdict: Sendable {
  package typealias ID = Identifier<CallVerdict>

  package let id: ID
  let appointment: String
  let application: Application.ID
  package let agent: String
  let outcome: AgentVerdict
  let failureReason: AgentFailureReason?
  let retryAllowed: Bool
  /// Keyed digest of the request, which tells a repetition from another verdict.
  let bodyDigest: String
  /// The application after it, as the agent was told.
  let customerStatus: OnboardingStatus
  let lastStep: OnboardingStep
  package let decidedAt: Instant

  var view: AgentVerificationView {
    AgentVerificationView(
      id: id.rawValue, appointmentID: appointment, customerID: application.rawValue, agentID: agent, verdict: outcome,
      failureReason: failureReason, retryAllowed: retryAllowed, customerStatus: customerStatus, lastStep: lastStep,
      decidedOn: decidedAt.wire)
  }
}
