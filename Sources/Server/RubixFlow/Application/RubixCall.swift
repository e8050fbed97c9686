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

  package static let all: [RubixCall] =
    [.createSession, .uploadSelfie, .uploadLiveness]
    + DocumentKind.allCases.flatMap { [.uploadDocument($0), .processDocument($0)] }
    + [.verifyDocuments] + OTPChannel.allCases.flatMap { [.sendOTP($0), .verifyOTP($0)] }
    + [.screen] + ComplianceFormKind.allCases.map { .submitForm($0) } + [.bookAppointment, .cancelAppointment]

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
    case .bookAppointment: "/agents/appointments"
    case .cancelAppointment: "/agents/appointments/current/cancel"
    }
  }

  /// The step that success reaches; nil where the call changes no step of its own.
  package var step: OnboardingStep? {
    switch self {
    case .createSession, .cancelAppointment: nil
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
