// SPDX-License-Identifier: Apache-2.0

import RubixWire
import Kit
import TestSupport
import Testing

@testable import RubixFlow

@Suite("Rubix: which call is in order when", .storeless)
struct StepOrderTests {
  @Test("a call is in order exactly where its event is a legal move")
  func agrees() {
    let events: [(RubixCall, [ApplicationEvent])] =
      [
        (.uploadLiveness, [.livenessAccepted]), (.screen, [.screenedClean, .screenedHit]),
        (.bookAppointment, [.appointmentBooked]), (.cancelAppointment, [.appointmentCancelled]),
      ]
      + DocumentKind.allCases.map { (.uploadDocument($0), [.documentTaken]) }
      + ComplianceFormKind.allCases.map { (.submitForm($0), [.formSubmitted]) }
    for (call, events) in events {
      for phase in ApplicationPhase.allCases {
        let isAllowed = StepOrder.verdict(call, phase: phase, contact: .unconfirmed) == .allowed
        for event in events {
          #expect(applicationFlow.allows(event, from: phase) == isAllowed, "\(call.path) in \(phase)")
        }
      }
    }
  }

  @Test("an ended application takes no call")
  func closed() {
    for phase in [ApplicationPhase.completed, .rejected, .abandoned, .expired] {
      for call in RubixCall.all {
        for contact in ContactState.allCases {
          #expect(StepOrder.verdict(call, phase: phase, contact: contact) == .closed)
        }
      }
    }
  }

  @Test("an application in review takes no call but the appointment that the review asked for")
  func inReview() {
    for call in RubixCall.all where call != .bookAppointment && call != .cancelAppointment {
      for phase in ApplicationPhase.allCases where phase.isInReview {
        #expect(StepOrder.verdict(call, phase: phase, contact: .codeSent) == .inReview, "\(call.path) in \(phase)")
      }
    }
    #expect(verdict(.bookAppointment, .awaitingReviewAppointment) == .allowed)
    #expect(verdict(.bookAppointment, .awaitingReviewCall) == .allowed)
    #expect(verdict(.bookAppointment, .reviewingScreening) == .inReview)
    #expect(verdict(.cancelAppointment, .awaitingReviewCall) == .allowed)
    #expect(verdict(.cancelAppointment, .awaitingReviewAppointment) == .outOfOrder)
    #expect(verdict(.cancelAppointment, .reviewingScreening) == .inReview)
  }

  @Test("contacts may be confirmed at any time after registration and before the screening")
  func contacts() {
    let before: [ApplicationPhase] = [
      .registered, .capturingSelfies, .awaitingLiveness, .collectingDocuments, .awaitingVerification, .recapturing,
      .confirmingContacts,
    ]
    for phase in before {
      for channel in OTPChannel.allCases {
        #expect(StepOrder.verdict(.sendOTP(channel), phase: phase, contact: .unconfirmed) == .allowed)
        #expect(StepOrder.verdict(.sendOTP(channel), phase: phase, contact: .codeSent) == .allowed)
        #expect(StepOrder.verdict(.sendOTP(channel), phase: phase, contact: .confirmed) == .alreadyCompleted)
        #expect(StepOrder.verdict(.verifyOTP(channel), phase: phase, contact: .unconfirmed) == .outOfOrder)
        #expect(StepOrder.verdict(.verifyOTP(channel), phase: phase, contact: .codeSent) == .allowed)
        // A repetition says that it is verified already.
        #expect(StepOrder.verdict(.verifyOTP(channel), phase: phase, contact: .confirmed) == .allowed)
      }
    }
  }

  @Test("a contact that was not asked for is not confirmed once the screening is done")
  func lateContacts() {
    for phase in [ApplicationPhase.submittingForms, .awaitingAppointment, .awaitingCall] {
      for contact in [ContactState.unconfirmed, .codeSent] {
        #expect(StepOrder.verdict(.sendOTP(.email), phase: phase, contact: contact) == .outOfOrder)
        #expect(StepOrder.verdict(.verifyOTP(.email), phase: phase, contact: contact) == .outOfOrder)
      }
      #expect(StepOrder.verdict(.sendOTP(.sms), phase: phase, contact: .confirmed) == .alreadyCompleted)
      #expect(StepOrder.verdict(.verifyOTP(.sms), phase: phase, contact: .confirmed) == .allowed)
    }
  }

  @Test(
    "what comes before the present phase is completed, what comes after is out of order",
    arguments: [
      (RubixCall.createSession, ApplicationPhase.registered, StepOrder.Verdict.allowed),
      (.uploadSelfie, .registered, .outOfOrder), (.uploadSelfie, .capturingSelfies, .allowed),
      (.uploadSelfie, .awaitingLiveness, .alreadyCompleted),
      (.uploadLiveness, .capturingSelfies, .outOfOrder), (.uploadLiveness, .awaitingVerification, .allowed),
      (.uploadLiveness, .confirmingContacts, .alreadyCompleted),
      (.uploadDocument(.passport), .awaitingLiveness, .outOfOrder),
      (.uploadDocument(.passport), .collectingDocuments, .allowed),
      (.uploadDocument(.passport), .recapturing, .allowed),
      (.uploadDocument(.passport), .confirmingContacts, .alreadyCompleted),
      (.processDocument(.passport), .awaitingLiveness, .outOfOrder),
      (.processDocument(.passport), .submittingForms, .allowed),
      (.verifyDocuments, .collectingDocuments, .outOfOrder), (.verifyDocuments, .awaitingVerification, .allowed),
      (.verifyDocuments, .awaitingCall, .allowed),
      (.screen, .confirmingContacts, .outOfOrder), (.screen, .awaitingScreening, .allowed),
      (.screen, .awaitingCall, .allowed),
      (.submitForm(.crs), .awaitingScreening, .outOfOrder), (.submitForm(.crs), .awaitingAppointment, .allowed),
      (.submitForm(.crs), .awaitingCall, .alreadyCompleted),
      (.bookAppointment, .submittingForms, .outOfOrder), (.bookAppointment, .awaitingCall, .allowed),
      (.cancelAppointment, .awaitingAppointment, .outOfOrder), (.cancelAppointment, .awaitingCall, .allowed),
    ])
  func graph(call: RubixCall, phase: ApplicationPhase, expected: StepOrder.Verdict) {
    #expect(verdict(call, phase) == expected)
  }

  @Test("a selfie may be taken again after a mismatch, although all three are in")
  func retakenSelfie() throws {
    try StepOrder.require(.uploadSelfie, StatusSample.application(at: .recapturing), expecting: [])
    #expect(throws: Problem.self) {
      try StepOrder.require(.uploadSelfie, StatusSample.application(at: .awaitingVerification), expecting: [])
    }
  }

  @Test("every refusal is a conflict that names where the application stands and what is expected")
  func refusals() throws {
    let cases: [(RubixCall, ApplicationPhase, String)] = [
      (.screen, .registered, "step-out-of-order"), (.uploadSelfie, .awaitingLiveness, "step-already-completed"),
      (.screen, .reviewingScreening, "application-in-review"), (.screen, .expired, "application-closed"),
    ]
    let next = [NextStep(step: nil, method: "POST", path: "/sessions", optional: false, reason: nil)]
    for (call, phase, code) in cases {
      let refusal = #expect(throws: Problem.self) {
        try StepOrder.require(call, StatusSample.application(at: phase), expecting: next)
      }
      #expect(refusal?.category == .conflict)
      #expect(refusal?.code == code)
      #expect(refusal?.expectedSteps == ["/sessions"])
      #expect(refusal?.lastStep == OnboardingStep.registrationInitiated.rawValue)
    }
  }

  private func verdict(_ call: RubixCall, _ phase: ApplicationPhase) -> StepOrder.Verdict {
    StepOrder.verdict(call, phase: phase, contact: .unconfirmed)
  }
}
