// SPDX-License-Identifier: Apache-2.0

import Kit
import RubixWire

/// A call of a customer that changes state (rubix-onboarding §4.1), each with its place in the graph.
package enum RubixCall: Sendable, Hashable {
  case createSession
  case uploadSelfie
  case uploadLiveness
  case uploadDocument(DocumentKind)
  case processDocument(DocumentKind)
  case verifyDocuments
  case sendOTP(OTPChannel)
  case verifyOTP(OTPChannel)
  case screen
  case submitForm(ComplianceFormKind)
  case bookAppointment
  case cancelAppointment
  /// A call for help: beside the steps, at the paths of the two before it.
  case bookHelp
  case cancelHelp

  /// The calls of the graph.
  package static let all: [RubixCall] = {
    let documents: [RubixCall] = DocumentKind.allCases.flatMap { [.uploadDocument($0), .processDocument($0)] }
    let codes: [RubixCall] = OTPChannel.allCases.flatMap { [.sendOTP($0), .verifyOTP($0)] }
    let forms: [RubixCall] = ComplianceFormKind.allCases.map { .submitForm($0) }
    let capture: [RubixCall] = [.createSession, .uploadSelfie, .uploadLiveness] + documents + [.verifyDocuments]
    return capture + codes + [.screen] + forms + [.bookAppointment, .cancelAppointment]
  }()

  /// Path below the base.
  package var path: String {
    switch self {
    case .createSession: "/sessions"
    case .uploadSelfie: "/faces/selfie/upload"
    case .uploadLiveness: "/faces/liveness/upload"
    case .uploadDocument(let kind): "/documents/\(kind.rawValue)/upload"
    case .processDocument(let kind): "/documents/\(kind.rawValue)/process"
    case .verifyDocuments: "/documents/verification"
    case .sendOTP(let channel): "/otp/\(channel.rawValue)/send"
    case .verifyOTP(let channel): "/otp/\(channel.rawValue)/verify"
    case .screen: "/aml/screening"
    case .submitForm(let form): "/compliance/\(form.rawValue)"
    case .bookAppointment, .bookHelp: "/agents/appointments"
    case .cancelAppointment, .cancelHelp: "/agents/appointments/current/cancel"
    }
  }

  /// The step that success reaches; nil where the call changes no step of its own.
  package var step: OnboardingStep? {
    switch self {
    case .createSession, .cancelAppointment, .bookHelp, .cancelHelp: nil
    case .uploadSelfie: .selfieUploaded
    case .uploadLiveness: .livenessUploaded
    case .uploadDocument(let kind): kind.uploadedStep
    case .processDocument(let kind): kind.processedStep
    case .verifyDocuments: .documentsMatched
    case .sendOTP(let channel): channel.sentStep
    case .verifyOTP(let channel): channel.verifiedStep
    case .screen: .amlScreeningSuccessful
    case .submitForm(let form): form.step
    case .bookAppointment: .agentVerificationScheduled
    }
  }

  /// What may happen to the application by the call.
  var events: [ApplicationEvent] {
    switch self {
    case .createSession: [.sessionOpened, .sessionRestarted]
    case .uploadSelfie: [.selfiesCompleted, .selfieRetaken]
    case .uploadLiveness: [.livenessAccepted]
    case .uploadDocument: [.documentTaken]
    case .processDocument: [.documentsCompleted, .evidenceRetaken]
    case .verifyDocuments: [.matched, .mismatched, .mismatchedFinally, .undecidable]
    case .sendOTP, .verifyOTP: [.contactsConfirmed]
    case .screen: [.screenedClean, .screenedHit]
    case .submitForm: [.formSubmitted]
    case .bookAppointment: [.appointmentBooked]
    case .cancelAppointment: [.appointmentCancelled]
    case .bookHelp, .cancelHelp: []
    }
  }

  func acts(in phase: ApplicationPhase) -> Bool { events.contains { applicationFlow.allows($0, from: phase) } }

  /// Pictures of one kind in a day, and what they are counted by.
  func dailyLimit(of id: Application.ID) -> (RateLimit, subject: String)? {
    switch self {
    case .uploadDocument(let kind): (RateLimit("document side", 5, per: .days(1)), "\(id) \(kind.rawValue)")
    // Captures that were judged, whatever came of them.
    case .uploadLiveness: (RateLimit("liveness attempt", 5, per: .days(1)), id.rawValue)
    default: nil
    }
  }

  /// Everything that the call is counted against, and by what.
  func limits(of id: Application.ID) -> [(RateLimit, subject: String)] {
    [limit.map { ($0, id.rawValue) }, dailyLimit(of: id)].compactMap { $0 }
  }

  /// Rate limits of rubix-onboarding §8.1, per customer.
  package var limit: RateLimit? {
    switch self {
    case .uploadSelfie, .uploadLiveness, .uploadDocument: RateLimit("upload", 30, per: .hours(1))
    case .processDocument: RateLimit("process", 120, per: .hours(1))
    case .verifyDocuments: RateLimit("verification", 6, per: .hours(1))
    case .screen: RateLimit("aml", 5, per: .hours(1))
    case .submitForm: RateLimit("compliance", 30, per: .hours(1))
    default: nil
    }
  }
}

/// The three compliance forms.
package enum ComplianceFormKind: String, Sendable, CaseIterable {
  case crs, fatca, kyc

  package var step: OnboardingStep {
    switch self {
    case .crs: .crsSubmitted
    case .fatca: .fatcaSubmitted
    case .kyc: .kycSubmitted
    }
  }

  package var form: ComplianceForm { ComplianceForm(rawValue: rawValue) }
}

/// Which call is in order when (rubix-onboarding §4.2, §5). Pure, so that every phase × call is tested.
package enum StepOrder {
  package enum Verdict: Sendable, Equatable {
    case allowed, outOfOrder, alreadyCompleted, inReview, closed
  }

  /// 1. A closed application takes no call; an open one takes a call for help at any step, in review too.
  /// 2. One in review takes none, but the appointment that the review asked for.
  /// 3. Contacts may be confirmed at any time before the screening.
  /// 4. Everything else follows the graph: a call is in order in the phases in which it can cause an event. What comes
  ///    before these was not reached yet; after them the call is completed, and some calls then repeat their answer.
  package static func verdict(_ call: RubixCall, phase: ApplicationPhase, contact: ContactState) -> Verdict {
    guard let node = ApplicationFlow.node(phase) else { return .closed }
    if call == .bookHelp || call == .cancelHelp { return .allowed }
    if phase.isInReview {
      if call.acts(in: phase) { return .allowed }
      return call == .cancelAppointment && RubixCall.bookAppointment.acts(in: phase) ? .outOfOrder : .inReview
    }
    switch call {
    case .sendOTP where contact == .confirmed: return .alreadyCompleted
    case .verifyOTP where contact == .confirmed: return .allowed
    case .verifyOTP where contact == .unconfirmed: return .outOfOrder
    case .sendOTP, .verifyOTP: return node.contacts == .closed ? .outOfOrder : .allowed
    default: break
    }
    if call.acts(in: phase) { return .allowed }
    let pending = ApplicationFlow.graph.map(\.phase).filter { !$0.isInReview }
    guard pending.prefix(while: { $0 != phase }).contains(where: call.acts) else { return .outOfOrder }
    switch call {
    case .createSession, .processDocument, .verifyDocuments: return .allowed
    default: return .alreadyCompleted
    }
  }

  /// - Throws: `Problem` 409 with the code of the verdict.
  static func require(_ call: RubixCall, _ application: Application, expecting next: [NextStep]) throws {
    var contact = ContactState.unconfirmed
    if case .sendOTP(let channel) = call { contact = application.contact(channel) }
    if case .verifyOTP(let channel) = call { contact = application.contact(channel) }
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
