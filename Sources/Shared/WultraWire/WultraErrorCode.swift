// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

extension Wultra {
  /// Codes of errors (§5.2, §7.6).
  public struct ErrorCode: OpenEnumeration {
    /// The word on the wire.
    public let rawValue: String

    /// Wraps any word, also one that this version does not know.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// HTTP 500.
    public static let generic = ErrorCode(rawValue: "ERROR_GENERIC")
    /// The body is not what the call takes.
    public static let invalidRequest = ErrorCode(rawValue: "INVALID_REQUEST")
    /// HTTP 404.
    public static let notFound = ErrorCode(rawValue: "ERROR_NOT_FOUND")
    /// HTTP 401, by the application.
    public static let authenticationFailed = ErrorCode(rawValue: "POWERAUTH_AUTH_FAIL")
    /// The device was not activated.
    public static let activationFailed = ErrorCode(rawValue: "ERR_ACTIVATION")
    /// There is no such process, or it is over.
    public static let onboardingFailed = ErrorCode(rawValue: "ONBOARDING_FAILED")
    /// The code cannot be sent now.
    public static let onboardingOTPFailed = ErrorCode(rawValue: "ONBOARDING_OTP_FAILED")
    /// HTTP 429: begun too often within a day.
    public static let tooManyProcesses = ErrorCode(rawValue: "TOO_MANY_ONBOARDING_PROCESSES")
    /// HTTP 429: too many errors; the process is over.
    public static let processLimitReached = ErrorCode(rawValue: "ONBOARDING_PROCESS_LIMIT_REACHED")
    /// The call does not fit the state of the verification.
    public static let verificationFailed = ErrorCode(rawValue: "IDENTITY_VERIFICATION_FAILED")
    /// HTTP 429: the verification was reset.
    public static let verificationLimitReached = ErrorCode(rawValue: "IDENTITY_VERIFICATION_LIMIT_REACHED")
    /// The pictures were not taken.
    public static let documentSubmitFailed = ErrorCode(rawValue: "DOCUMENT_SUBMIT_FAILED")
    /// The provider of document checks failed.
    public static let documentVerificationFailed = ErrorCode(rawValue: "DOCUMENT_VERIFICATION_FAILED")
    /// The presence check cannot go on.
    public static let presenceCheckFailed = ErrorCode(rawValue: "PRESENCE_CHECK_FAILED")
    /// This server has no presence check.
    public static let presenceCheckNotEnabled = ErrorCode(rawValue: "PRESENCE_CHECK_NOT_ENABLED")
    /// HTTP 429: begun too often; the process is over.
    public static let presenceCheckLimitReached = ErrorCode(rawValue: "PRESENCE_CHECK_LIMIT_REACHED")
    /// HTTP 409: a system behind the server does not answer.
    public static let remoteCommunicationError = ErrorCode(rawValue: "REMOTE_COMMUNICATION_ERROR")
    /// HTTP 429.
    public static let tooManyRequests = ErrorCode(rawValue: "TOO_MANY_REQUESTS")

    /// Every word that this version knows, in the order of the specification.
    public static let known: [ErrorCode] = [
      .generic, .invalidRequest, .notFound, .authenticationFailed, .activationFailed, .onboardingFailed,
      .onboardingOTPFailed, .tooManyProcesses, .processLimitReached, .verificationFailed,
      .verificationLimitReached, .documentSubmitFailed, .documentVerificationFailed, .presenceCheckFailed,
      .presenceCheckNotEnabled, .presenceCheckLimitReached, .remoteCommunicationError, .tooManyRequests,
    ]
  }
}
