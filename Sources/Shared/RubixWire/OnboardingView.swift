// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// An onboarding as its customer sees it: answer of `GET /auth/me` and of register (rubix-onboarding §6.3).
public struct OnboardingView: Codable, Sendable, Equatable {
  /// The customer id.
  public var id: String
  /// Where it stands as a whole.
  public var status: OnboardingStatus
  /// The step that reached an outcome most recently.
  public var lastStep: OnboardingStep
  /// The steps in force.
  public var completedSteps: [OnboardingStep]
  /// What is in order now; the first is what an app shows.
  public var nextSteps: [NextStep]
  /// Who it is, contacts masked.
  public var customer: CustomerView
  /// What has been verified.
  public var flags: OnboardingFlags
  /// The capture session, once there is one.
  @ExplicitNull public var session: SessionSummary?
  /// The images in force.
  public var documents: [DocumentSummary]
  /// The active appointment.
  @ExplicitNull public var appointment: AppointmentView?
  /// When it was registered.
  public var createdOn: WireInstant
  /// When it last changed.
  public var updatedOn: WireInstant
  /// When it expires unless something happens.
  public var expiresOn: WireInstant

  /// Creates the value from its members.
  public init(
    id: String,
    status: OnboardingStatus,
    lastStep: OnboardingStep,
    completedSteps: [OnboardingStep],
    nextSteps: [NextStep],
    customer: CustomerView,
    flags: OnboardingFlags,
    session: SessionSummary? = nil,
    documents: [DocumentSummary],
    appointment: AppointmentView? = nil,
    createdOn: WireInstant,
    updatedOn: WireInstant,
    expiresOn: WireInstant
  ) {
    self.id = id
    self.status = status
    self.lastStep = lastStep
    self.completedSteps = completedSteps
    self.nextSteps = nextSteps
    self.customer = customer
    self.flags = flags
    self.session = session
    self.documents = documents
    self.appointment = appointment
    self.createdOn = createdOn
    self.updatedOn = updatedOn
    self.expiresOn = expiresOn
  }

  enum CodingKeys: String, CodingKey {
    case id
    case status
    case lastStep = "last_step"
    case completedSteps = "completed_steps"
    case nextSteps = "next_steps"
    case customer
    case flags
    case session
    case documents
    case appointment
    case createdOn = "created_on"
    case updatedOn = "updated_on"
    case expiresOn = "expires_on"
  }
}
