import Kit
import Storage

/// Where an application stands. Diagram: docs/flows/rubix-application.mmd.
package enum ApplicationPhase: String, Sendable, CaseIterable, SQLConvertible {
  /// Registered; the biometric session is not open yet.
  case registered
  case capturingSelfies
  case awaitingLiveness
  /// No whole document path of the tenant's policy is read yet.
  case collectingDocuments
  case awaitingVerification
  /// The evidence did not match; the customer takes what the answer named again.
  case recapturing
  /// In review: only a person can decide on the documents, in a call that is still to be booked.
  case awaitingReviewAppointment
  case awaitingReviewCall
  /// Matched; a contact is not confirmed yet.
  case confirmingContacts
  case awaitingScreening
  /// In review: a compliance officer decides on a hit.
  case reviewingScreening
  case submittingForms
  case awaitingAppointment
  case awaitingCall
  case completed
  case rejected
  /// Superseded by a newer application of the same person.
  case abandoned
  /// Idle for too long.
  case expired
}

/// What happened to an application.
package enum ApplicationEvent: String, Sendable, CaseIterable {
  case sessionOpened, sessionRestarted, selfiesCompleted, selfieRetaken, livenessAccepted
  case documentTaken, documentsCompleted, evidenceRetaken
  case matched, mismatched, mismatchedFinally, undecidable
  case contactsConfirmed
  case screenedClean, screenedHit, screeningCleared, screeningConfirmed
  case formSubmitted, formsCompleted, formsCompletedWithoutCall
  case appointmentBooked, appointmentCancelled
  case agentAccepted, agentRefused, agentRefusedOnce
  case superseded, lapsed
}

/// What an application's move causes outside of it.
package enum ApplicationEffect: String, Sendable, CaseIterable {
  case notifyCompleted, notifyRejected
  /// Images of an application that came to nothing are deleted after the tenant's retention.
  case scheduleErasure
}

/// The onboarding of a new customer (rubix-onboarding §4.2), from registration to decision.
package let applicationFlow = TransitionTable<ApplicationPhase, ApplicationEvent, ApplicationEffect>(
  [
    .init(.registered, on: .sessionOpened, to: .capturingSelfies),
    .init(.capturingSelfies, on: .selfiesCompleted, to: .awaitingLiveness),
    .init(.awaitingLiveness, on: .livenessAccepted, to: .collectingDocuments),
    .init(.collectingDocuments, on: .livenessAccepted, to: .collectingDocuments),
    .init(.collectingDocuments, on: .documentTaken, to: .collectingDocuments),
    .init(.collectingDocuments, on: .documentsCompleted, to: .awaitingVerification),
    .init(.awaitingVerification, on: .livenessAccepted, to: .awaitingVerification),
    .init(.awaitingVerification, on: .documentTaken, to: .collectingDocuments),

    .init(.awaitingVerification, on: .matched, to: .confirmingContacts),
    .init(.awaitingVerification, on: .mismatched, to: .recapturing),
    .init(.awaitingVerification, on: .mismatchedFinally, to: .awaitingReviewAppointment),
    .init(.awaitingVerification, on: .undecidable, to: .awaitingReviewAppointment),
    .init(.recapturing, on: .selfieRetaken, to: .recapturing),
    .init(.recapturing, on: .livenessAccepted, to: .recapturing),
    .init(.recapturing, on: .documentTaken, to: .recapturing),
    .init(.recapturing, on: .evidenceRetaken, to: .awaitingVerification),

    .init(.awaitingReviewAppointment, on: .appointmentBooked, to: .awaitingReviewCall),
    .init(.awaitingReviewCall, on: .appointmentBooked, to: .awaitingReviewCall),
    .init(.awaitingReviewCall, on: .appointmentCancelled, to: .awaitingReviewAppointment),
    .init(.awaitingReviewCall, on: .agentAccepted, to: .confirmingContacts),
    .init(.awaitingReviewCall, on: .agentRefusedOnce, to: .awaitingReviewAppointment),
    .init(.awaitingReviewCall, on: .agentRefused, to: .rejected, do: .notifyRejected, .scheduleErasure),

    .init(.confirmingContacts, on: .contactsConfirmed, to: .awaitingScreening),
    .init(.awaitingScreening, on: .screenedClean, to: .submittingForms),
    .init(.awaitingScreening, on: .screenedHit, to: .reviewingScreening),
    .init(.reviewingScreening, on: .screeningCleared, to: .submittingForms),
    .init(.reviewingScreening, on: .screeningConfirmed, to: .rejected, do: .notifyRejected, .scheduleErasure),

    .init(.submittingForms, on: .screenedClean, to: .submittingForms),
    .init(.submittingForms, on: .screenedHit, to: .reviewingScreening),
    .init(.submittingForms, on: .formSubmitted, to: .submittingForms),
    .init(.submittingForms, on: .formsCompleted, to: .awaitingAppointment),
    .init(.submittingForms, on: .formsCompletedWithoutCall, to: .completed, do: .notifyCompleted),
    .init(.awaitingAppointment, on: .screenedClean, to: .awaitingAppointment),
    .init(.awaitingAppointment, on: .screenedHit, to: .reviewingScreening),
    .init(.awaitingAppointment, on: .formSubmitted, to: .awaitingAppointment),
    .init(.awaitingAppointment, on: .appointmentBooked, to: .awaitingCall),
    .init(.awaitingCall, on: .screenedClean, to: .awaitingCall),
    .init(.awaitingCall, on: .screenedHit, to: .reviewingScreening),
    .init(.awaitingCall, on: .appointmentBooked, to: .awaitingCall),
    .init(.awaitingCall, on: .appointmentCancelled, to: .awaitingAppointment),
    .init(.awaitingCall, on: .agentAccepted, to: .completed, do: .notifyCompleted),
    .init(.awaitingCall, on: .agentRefusedOnce, to: .awaitingAppointment),
    .init(.awaitingCall, on: .agentRefused, to: .rejected, do: .notifyRejected, .scheduleErasure),
  ]
    // A session may be begun anew until the documents matched.
    + [.capturingSelfies, .awaitingLiveness, .collectingDocuments, .awaitingVerification, .recapturing]
    .map { .init($0, on: .sessionRestarted, to: .capturingSelfies) }
    // A newer application that confirmed the same phone ends an open one.
    + ApplicationPhase.allCases.filter(\.isOpen).map {
      .init($0, on: .superseded, to: .abandoned, do: .scheduleErasure)
    }
    // Idleness is the customer's: an application that waits for an officer does not lapse.
    + ApplicationPhase.allCases.filter { $0.isOpen && $0 != .reviewingScreening }
    .map { .init($0, on: .lapsed, to: .expired, do: .scheduleErasure) })

extension ApplicationPhase {
  /// Not decided and not given up.
  package var isOpen: Bool {
    switch self {
    case .completed, .rejected, .abandoned, .expired: false
    default: true
    }
  }

  /// Waits for a person of the institution (`in_review`).
  package var isInReview: Bool {
    switch self {
    case .awaitingReviewAppointment, .awaitingReviewCall, .reviewingScreening: true
    default: false
    }
  }
}

/// What the rows say about an application, reduced to what decides how it goes on by itself.
package struct ApplicationFacts: Sendable {
  /// Every document that the policy asks for is read, and none is still being read.
  package var documentsComplete = false
  /// Something was taken again since the last verification, and nothing is missing.
  package var evidenceRetaken = false
  package var contactsConfirmed = false
  package var formsComplete = false
  /// The policy or an undecided check asks for an agent who has not yet accepted.
  package var callNeeded = true
  package var appointmentActive = false

  package init() {}
}

extension ApplicationFlow {
  /// The event that follows by itself from the facts, if one does: applied until none does.
  package static func automaticEvent(in phase: ApplicationPhase, _ facts: ApplicationFacts) -> ApplicationEvent? {
    switch phase {
    case .collectingDocuments where facts.documentsComplete: .documentsCompleted
    case .recapturing where facts.documentsComplete && facts.evidenceRetaken: .evidenceRetaken
    case .confirmingContacts where facts.contactsConfirmed: .contactsConfirmed
    case .submittingForms where facts.formsComplete: facts.callNeeded ? .formsCompleted : .formsCompletedWithoutCall
    case .awaitingAppointment where facts.appointmentActive: .appointmentBooked
    default: nil
    }
  }
}

/// Rules beside the table.
package enum ApplicationFlow {}
