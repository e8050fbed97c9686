import Kit
import RubixWire

/// Which call is in order when (rubix-onboarding §4.2, §5). Pure, so that every phase × call is tested.
package enum StepOrder {
  package enum Verdict: Sendable, Equatable {
    case allowed, outOfOrder, alreadyCompleted, inReview, closed
  }

  /// 1. A closed application takes no call.
  /// 2. One in review takes none, but the appointment that the review asked for.
  /// 3. Contacts may be confirmed at any time before the screening.
  /// 4. Everything else follows the graph; what comes before the present phase was completed.
  package static func verdict(_ call: RubixCall, phase: ApplicationPhase, contact: ContactState) -> Verdict {
    guard phase.isOpen else { return .closed }
    if phase.isInReview {
      let isBooking = call == .bookAppointment || call == .cancelAppointment
      guard isBooking, phase != .reviewingScreening else { return .inReview }
      return call == .cancelAppointment && phase != .awaitingReviewCall ? .outOfOrder : .allowed
    }
    switch call {
    case .createSession: return .allowed
    case .sendOTP:
      if contact == .confirmed { return .alreadyCompleted }
      return place(phase) > place(.awaitingScreening) ? .outOfOrder : .allowed
    case .verifyOTP:
      if contact == .confirmed { return .allowed }
      return contact == .unconfirmed || place(phase) > place(.awaitingScreening) ? .outOfOrder : .allowed
    case .processDocument, .verifyDocuments: return place(phase) < window(call).lowerBound ? .outOfOrder : .allowed
    default: break
    }
    let window = window(call)
    if place(phase) < window.lowerBound { return .outOfOrder }
    return place(phase) > window.upperBound ? .alreadyCompleted : .allowed
  }

  /// The phases in which a call does something, as places along the graph.
  private static func window(_ call: RubixCall) -> ClosedRange<Int> {
    switch call {
    case .uploadSelfie: place(.capturingSelfies)...place(.capturingSelfies)
    case .uploadLiveness: place(.awaitingLiveness)...place(.awaitingVerification)
    case .uploadDocument, .processDocument: place(.collectingDocuments)...place(.awaitingVerification)
    case .verifyDocuments: place(.awaitingVerification)...place(.awaitingVerification)
    case .screen: place(.awaitingScreening)...place(.awaitingCall)
    case .submitForm: place(.submittingForms)...place(.awaitingAppointment)
    case .bookAppointment: place(.awaitingAppointment)...place(.awaitingCall)
    case .cancelAppointment: place(.awaitingCall)...place(.awaitingCall)
    case .createSession, .sendOTP, .verifyOTP: 0...Int.max
    }
  }

  /// Where a pending phase lies along the graph.
  private static func place(_ phase: ApplicationPhase) -> Int {
    switch phase {
    case .registered: 0
    case .capturingSelfies: 1
    case .awaitingLiveness: 2
    case .collectingDocuments: 3
    case .awaitingVerification, .recapturing: 4
    case .confirmingContacts: 5
    case .awaitingScreening: 6
    case .submittingForms: 7
    case .awaitingAppointment: 8
    case .awaitingCall: 9
    default: -1
    }
  }

  /// - Throws: `Problem` 409 with the code of the verdict.
  static func require(_ call: RubixCall, _ application: Application, expecting next: [NextStep]) throws {
    var contact = ContactState.unconfirmed
    if case .sendOTP(let channel) = call { contact = application.contact(channel) }
    if case .verifyOTP(let channel) = call { contact = application.contact(channel) }
    // After a mismatch the selfie may be taken again although the session has all three.
    if call == .uploadSelfie, application.phase == .recapturing { return }
    let problem: Problem
    switch verdict(call, phase: application.phase, contact: contact) {
    case .allowed: return
    case .outOfOrder: problem = .stepOutOfOrder
    case .alreadyCompleted: problem = .stepAlreadyCompleted
    case .inReview: problem = Problem(.conflict, "application-in-review", "The application is being reviewed.")
    case .closed: problem = Problem(.conflict, "application-closed", "The application has ended.")
    }
    throw problem.with {
      $0.lastStep = application.lastStep.rawValue
      $0.expectedSteps = next.map(\.path)
    }
  }
}

extension Problem {
  static let stepOutOfOrder = Problem(.conflict, "step-out-of-order", "This step is not the next one.")
  static let stepAlreadyCompleted = Problem(.conflict, "step-already-completed", "This step is completed.")
  static let applicationClosed = Problem(.conflict, "application-closed", "The application has ended.")
}
