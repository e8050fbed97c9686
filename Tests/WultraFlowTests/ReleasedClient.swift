// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How released 1.x apps read what our server says (wultra-onboarding.md §2, §3, §6): closed lists of words, members that
/// have to be there, and nothing of ours. What does not decode here makes such an app fail.
enum ReleasedClient {
  enum EnvelopeStatus: String, Decodable { case ok = "OK", error = "ERROR" }

  struct Envelope<Object: Decodable>: Decodable {
    let status: EnvelopeStatus
    let responseObject: Object
  }

  /// Of calls without a result.
  struct Done: Decodable { let status: EnvelopeStatus }

  struct Failure: Decodable {
    let code: String
    let message: String
  }

  /// What an encrypted call's answer is read as first: without the number the plain error behind it is never looked at.
  struct Cryptogram: Decodable {
    let encryptedData: String?
    let mac: String?
    let nonce: String?
    let timestamp: UInt64
  }

  enum OnboardingStatus: String, Decodable {
    case activationInProgress = "ACTIVATION_IN_PROGRESS", verificationInProgress = "VERIFICATION_IN_PROGRESS"
    case failed = "FAILED", finished = "FINISHED"
  }

  struct Process: Decodable {
    let processId: String
    let onboardingStatus: OnboardingStatus
  }

  struct Configuration: Decodable { let otpResendPeriod: String }

  enum VerificationStatus: String, Decodable {
    case notInitialized = "NOT_INITIALIZED", inProgress = "IN_PROGRESS", verificationPending = "VERIFICATION_PENDING"
    case accepted = "ACCEPTED", rejected = "REJECTED", failed = "FAILED"
  }

  enum Phase: String, Decodable {
    case documentUpload = "DOCUMENT_UPLOAD", documentVerification = "DOCUMENT_VERIFICATION"
    case documentVerificationFinal = "DOCUMENT_VERIFICATION_FINAL", clientEvaluation = "CLIENT_EVALUATION"
    case presenceCheck = "PRESENCE_CHECK", otpVerification = "OTP_VERIFICATION", completed = "COMPLETED"
  }

  struct Identity: Decodable {
    let processId: String
    let identityVerificationStatus: VerificationStatus
    let identityVerificationPhase: Phase?
    let config: Configuration

    /// What is shown; nil is where such an app aborts.
    var screen: String? {
      switch (identityVerificationPhase, identityVerificationStatus) {
      case (nil, .notInitialized): "intro"
      case (nil, .failed), (.documentUpload, .failed), (.documentVerification, .failed),
        (.documentVerificationFinal, .failed), (.clientEvaluation, .failed), (.presenceCheck, .failed),
        (.completed, .failed):
        "failed"
      case (.documentUpload, .inProgress): "documents"
      case (.documentUpload, .verificationPending), (.documentVerification, .inProgress),
        (.documentVerification, .accepted), (.documentVerificationFinal, .accepted),
        (.documentVerificationFinal, .inProgress), (.clientEvaluation, .inProgress), (.clientEvaluation, .accepted),
        (.presenceCheck, .verificationPending):
        "processing"
      case (.documentVerification, .rejected), (.documentVerificationFinal, .rejected), (.clientEvaluation, .rejected),
        (.presenceCheck, .rejected), (.completed, .rejected):
        "rejected"
      case (.presenceCheck, .notInitialized), (.presenceCheck, .inProgress): "presence"
      case (.otpVerification, .verificationPending): "otp"
      case (.completed, .accepted): "success"
      default: nil
      }
    }
  }

  struct Consent: Decodable { let consentText: String }
  /// The first text is taken, whatever it is called.
  struct Scanning: Decodable { let attributes: [String: String] }

  enum DocumentStatus: String, Decodable {
    case accepted = "ACCEPTED", uploadInProgress = "UPLOAD_IN_PROGRESS", inProgress = "IN_PROGRESS"
    case verificationPending = "VERIFICATION_PENDING", verificationInProgress = "VERIFICATION_IN_PROGRESS"
    case rejected = "REJECTED", failed = "FAILED"
  }

  enum DocumentType: String, Decodable {
    case idCard = "ID_CARD", passport = "PASSPORT", drivingLicense = "DRIVING_LICENSE", selfie = "SELFIE_PHOTO"
  }

  enum Side: String, Decodable { case front = "FRONT", back = "BACK" }

  struct Document: Decodable {
    let filename: String
    let id: String
    let type: DocumentType
    let side: Side
    let status: DocumentStatus
    let errors: [String]?
  }

  struct Documents: Decodable {
    /// Declared as a document's status, in which there is no NOT_INITIALIZED.
    let status: DocumentStatus
    let documents: [Document]
  }

  struct Verdict: Decodable {
    let processId: String
    let onboardingStatus: OnboardingStatus
    let verified: Bool
    let expired: Bool
    let remainingAttempts: Int
  }

  static func read<Object: Decodable>(_ type: Object.Type, _ answer: PhoneAnswer) throws -> Object {
    try JSONDecoder().decode(Envelope<Object>.self, from: answer.body).responseObject
  }
}
