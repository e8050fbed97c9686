// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

extension Wultra {
  /// How far the whole process has come (§2, `S`).
  public struct OnboardingStatus: OpenEnumeration {
    /// The word on the wire.
    public let rawValue: String

    /// Wraps any word, also one that this version does not know.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The device is not activated yet.
    public static let activationInProgress = OnboardingStatus(rawValue: "ACTIVATION_IN_PROGRESS")
    /// Activated; the person is being verified.
    public static let verificationInProgress = OnboardingStatus(rawValue: "VERIFICATION_IN_PROGRESS")
    /// Came to nothing: the app starts anew.
    public static let failed = OnboardingStatus(rawValue: "FAILED")
    /// The person is verified.
    public static let finished = OnboardingStatus(rawValue: "FINISHED")

    /// Every word that this version knows, in the order of the specification.
    public static let known: [OnboardingStatus] = [
      .activationInProgress, .verificationInProgress, .failed, .finished,
    ]
  }

  /// How the current phase stands (§3, `IS`).
  public struct VerificationStatus: OpenEnumeration {
    /// The word on the wire.
    public let rawValue: String

    /// Wraps any word, also one that this version does not know.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Not begun.
    public static let notInitialized = VerificationStatus(rawValue: "NOT_INITIALIZED")
    /// Under way.
    public static let inProgress = VerificationStatus(rawValue: "IN_PROGRESS")
    /// Waits for the server, or for the code that was sent.
    public static let verificationPending = VerificationStatus(rawValue: "VERIFICATION_PENDING")
    /// Passed.
    public static let accepted = VerificationStatus(rawValue: "ACCEPTED")
    /// Refused for good.
    public static let rejected = VerificationStatus(rawValue: "REJECTED")
    /// Failed; may be begun again.
    public static let failed = VerificationStatus(rawValue: "FAILED")

    /// Every word that this version knows, in the order of the specification.
    public static let known: [VerificationStatus] = [
      .notInitialized, .inProgress, .verificationPending, .accepted, .rejected, .failed,
    ]
  }

  /// The phases of an identity verification (§3, `IP`). Without one, none was begun.
  public struct VerificationPhase: OpenEnumeration {
    /// The word on the wire.
    public let rawValue: String

    /// Wraps any word, also one that this version does not know.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Pictures of documents are taken and sent.
    public static let documentUpload = VerificationPhase(rawValue: "DOCUMENT_UPLOAD")
    /// The documents are checked one by one.
    public static let documentVerification = VerificationPhase(rawValue: "DOCUMENT_VERIFICATION")
    /// The documents are compared with each other.
    public static let documentVerificationFinal = VerificationPhase(rawValue: "DOCUMENT_VERIFICATION_FINAL")
    /// The institution evaluates the client.
    public static let clientEvaluation = VerificationPhase(rawValue: "CLIENT_EVALUATION")
    /// The person shows that they are there.
    public static let presenceCheck = VerificationPhase(rawValue: "PRESENCE_CHECK")
    /// A code is asked for.
    public static let otpVerification = VerificationPhase(rawValue: "OTP_VERIFICATION")
    /// Over, well or not.
    public static let completed = VerificationPhase(rawValue: "COMPLETED")

    /// Every word that this version knows, in the order of the specification.
    public static let known: [VerificationPhase] = [
      .documentUpload, .documentVerification, .documentVerificationFinal, .clientEvaluation, .presenceCheck,
      .otpVerification, .completed,
    ]
  }
}
