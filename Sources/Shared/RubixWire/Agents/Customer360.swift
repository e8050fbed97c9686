// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// Everything known of a customer: answer of `GET /customers/{id}` for agents (rubix-onboarding §6.14).
public struct Customer360: Codable, Sendable, Equatable {
  /// Who it is.
  public var customer: CustomerRecord
  /// The step that reached an outcome most recently.
  public var lastStep: OnboardingStep
  /// The steps in force.
  public var completedSteps: [OnboardingStep]
  /// What is in order now.
  public var nextSteps: [NextStep]
  /// What was consented to.
  public var consents: [ConsentGrant]
  /// The capture session.
  @ExplicitNull public var session: SessionSummary?
  /// The images in force.
  public var documents: [DocumentView]
  /// What was read from them.
  public var readings: [ProcessedDocument]
  /// Every evaluation, scores included.
  public var verifications: [DocumentVerification]
  /// The last screening.
  @ExplicitNull public var screening: ScreeningResult?
  /// The forms in force.
  public var compliance: [ComplianceSummary]
  /// Every appointment.
  public var appointments: [AppointmentView]
  /// Every verdict.
  public var verdicts: [AgentVerificationView]
  /// What happened, oldest first.
  public var timeline: [TimelineEntry]
  /// When it was registered.
  public var createdOn: WireInstant
  /// When it last changed.
  public var updatedOn: WireInstant

  /// Creates the value from its members.
  public init(
    customer: CustomerRecord,
    lastStep: OnboardingStep,
    completedSteps: [OnboardingStep],
    nextSteps: [NextStep],
    consents: [ConsentGrant],
    session: SessionSummary? = nil,
    documents: [DocumentView],
    readings: [ProcessedDocument],
    verifications: [DocumentVerification],
    screening: ScreeningResult? = nil,
    compliance: [ComplianceSummary],
    appointments: [AppointmentView],
    verdicts: [AgentVerificationView],
    timeline: [TimelineEntry],
    createdOn: WireInstant,
    updatedOn: WireInstant
  ) {
    self.customer = customer
    self.lastStep = lastStep
    self.completedSteps = completedSteps
    self.nextSteps = nextSteps
    self.consents = consents
    self.session = session
    self.documents = documents
    self.readings = readings
    self.verifications = verifications
    self.screening = screening
    self.compliance = compliance
    self.appointments = appointments
    self.verdicts = verdicts
    self.timeline = timeline
    self.createdOn = createdOn
    self.updatedOn = updatedOn
  }

  enum CodingKeys: String, CodingKey {
    case customer
    case lastStep = "last_step"
    case completedSteps = "completed_steps"
    case nextSteps = "next_steps"
    case consents
    case session
    case documents
    case readings
    case verifications
    case screening
    case compliance
    case appointments
    case verdicts
    case timeline
    case createdOn = "created_on"
    case updatedOn = "updated_on"
  }
}

/// A compliance form in force.
public struct ComplianceSummary: Codable, Sendable, Equatable {
  /// `CRS`, `FATCA` or `KYC`.
  public var form: String
  /// Counted from 1; each submission is kept.
  public var version: Int
  /// When.
  public var submittedOn: WireInstant
  /// What a person should look at.
  public var flags: [String]

  /// Creates the value from its members.
  public init(form: String, version: Int, submittedOn: WireInstant, flags: [String] = []) {
    self.form = form
    self.version = version
    self.submittedOn = submittedOn
    self.flags = flags
  }

  enum CodingKeys: String, CodingKey {
    case form
    case version
    case submittedOn = "submitted_on"
    case flags
  }
}

/// One line of a customer's history, from the audit log.
public struct TimelineEntry: Codable, Sendable, Equatable {
  /// When.
  public var at: WireInstant
  /// What, as a stable word.
  public var event: String
  /// `customer`, `system` or an agent id.
  public var actor: String
  /// The step that it reached, if any.
  @ExplicitNull public var step: OnboardingStep?

  /// Creates the value from its members.
  public init(at: WireInstant, event: String, actor: String, step: OnboardingStep? = nil) {
    self.at = at
    self.event = event
    self.actor = actor
    self.step = step
  }

  enum CodingKeys: String, CodingKey {
    case at
    case event
    case actor
    case step
  }
}
