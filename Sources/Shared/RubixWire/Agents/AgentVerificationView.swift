// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// Answer of `POST /agents/verification`: the verdict as it is in force (rubix-onboarding §6.14).
public struct AgentVerificationView: Codable, Sendable, Equatable {
  /// This verdict.
  public var id: String
  /// The call.
  public var appointmentID: String
  /// Whose.
  public var customerID: String
  /// Who decided.
  public var agentID: String
  /// The outcome.
  public var verdict: AgentVerdict
  /// Why it failed.
  @ExplicitNull public var failureReason: AgentFailureReason?
  /// Whether a new appointment is offered.
  public var retryAllowed: Bool
  /// The application after it.
  public var customerStatus: OnboardingStatus
  /// The step after it.
  public var lastStep: OnboardingStep
  /// When.
  public var decidedOn: WireInstant

  /// Creates the value from its members.
  public init(
    id: String,
    appointmentID: String,
    customerID: String,
    agentID: String,
    verdict: AgentVerdict,
    failureReason: AgentFailureReason? = nil,
    retryAllowed: Bool,
    customerStatus: OnboardingStatus,
    lastStep: OnboardingStep,
    decidedOn: WireInstant
  ) {
    self.id = id
    self.appointmentID = appointmentID
    self.customerID = customerID
    self.agentID = agentID
    self.verdict = verdict
    self.failureReason = failureReason
    self.retryAllowed = retryAllowed
    self.customerStatus = customerStatus
    self.lastStep = lastStep
    self.decidedOn = decidedOn
  }

  enum CodingKeys: String, CodingKey {
    case id
    case appointmentID = "appointment_id"
    case customerID = "customer_id"
    case agentID = "agent_id"
    case verdict
    case failureReason = "failure_reason"
    case retryAllowed = "retry_allowed"
    case customerStatus = "customer_status"
    case lastStep = "last_step"
    case decidedOn = "decided_on"
  }
}
