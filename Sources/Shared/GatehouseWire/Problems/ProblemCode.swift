// SPDX-License-Identifier: Apache-2.0

/// The short stable code of a problem (rubix-onboarding §1.2), the last part of its type URI.
/// `internal` is ours: an error whose cause must not leave the server.
public struct ProblemCode: OpenEnumeration {
  /// The word on the wire.
  public let rawValue: String

  /// Wraps any word, also one that this version does not know.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// 400.
  public static let invalidJSON = ProblemCode(rawValue: "invalid-json")
  /// 400.
  public static let unknownField = ProblemCode(rawValue: "unknown-field")
  /// 400.
  public static let missingHeader = ProblemCode(rawValue: "missing-header")
  /// 401.
  public static let tokenMissing = ProblemCode(rawValue: "token-missing")
  /// 401.
  public static let tokenInvalid = ProblemCode(rawValue: "token-invalid")
  /// 401.
  public static let tokenExpired = ProblemCode(rawValue: "token-expired")
  /// 401.
  public static let tokenRevoked = ProblemCode(rawValue: "token-revoked")
  /// 401.
  public static let refreshInvalid = ProblemCode(rawValue: "refresh-invalid")
  /// 401.
  public static let refreshExpired = ProblemCode(rawValue: "refresh-expired")
  /// 401.
  public static let refreshReused = ProblemCode(rawValue: "refresh-reused")
  /// 403.
  public static let forbidden = ProblemCode(rawValue: "forbidden")
  /// 404.
  public static let notFound = ProblemCode(rawValue: "not-found")
  /// 409.
  public static let stepOutOfOrder = ProblemCode(rawValue: "step-out-of-order")
  /// 409.
  public static let stepAlreadyCompleted = ProblemCode(rawValue: "step-already-completed")
  /// 409.
  public static let stepInProgress = ProblemCode(rawValue: "step-in-progress")
  /// 409.
  public static let applicationInReview = ProblemCode(rawValue: "application-in-review")
  /// 409.
  public static let applicationClosed = ProblemCode(rawValue: "application-closed")
  /// 409.
  public static let idempotencyConflict = ProblemCode(rawValue: "idempotency-conflict")
  /// 409.
  public static let contactInUse = ProblemCode(rawValue: "contact-in-use")
  /// 409.
  public static let slotTaken = ProblemCode(rawValue: "slot-taken")
  /// 410.
  public static let otpExpired = ProblemCode(rawValue: "otp-expired")
  /// 410.
  public static let slotExpired = ProblemCode(rawValue: "slot-expired")
  /// 413.
  public static let payloadTooLarge = ProblemCode(rawValue: "payload-too-large")
  /// 415.
  public static let unsupportedMedia = ProblemCode(rawValue: "unsupported-media")
  /// 422.
  public static let validationFailed = ProblemCode(rawValue: "validation-failed")
  /// 422.
  public static let imageQuality = ProblemCode(rawValue: "image-quality")
  /// 422.
  public static let livenessFailed = ProblemCode(rawValue: "liveness-failed")
  /// 422.
  public static let documentUnreadable = ProblemCode(rawValue: "document-unreadable")
  /// 422.
  public static let wrongDocumentType = ProblemCode(rawValue: "wrong-document-type")
  /// 422.
  public static let otpMismatch = ProblemCode(rawValue: "otp-mismatch")
  /// 423.
  public static let otpLocked = ProblemCode(rawValue: "otp-locked")
  /// 429.
  public static let rateLimited = ProblemCode(rawValue: "rate-limited")
  /// 502.
  public static let providerError = ProblemCode(rawValue: "provider-error")
  /// 503.
  public static let unavailable = ProblemCode(rawValue: "unavailable")
  /// 504.
  public static let providerTimeout = ProblemCode(rawValue: "provider-timeout")
  /// 500.
  public static let internalError = ProblemCode(rawValue: "internal")

  /// 401: of an agent's sign-in.
  public static let credentialsInvalid = ProblemCode(rawValue: "credentials-invalid")
  /// 423: too many wrong sign-ins of an agent.
  public static let loginLocked = ProblemCode(rawValue: "login-locked")
  /// 401: an agent's sign-in needs a code of their second factor.
  public static let secondFactorRequired = ProblemCode(rawValue: "second-factor-required")
  /// 401: that code was not accepted.
  public static let secondFactorInvalid = ProblemCode(rawValue: "second-factor-invalid")
  /// 403: the institution asks for a second factor, and the agent has none yet.
  public static let secondFactorNotEnrolled = ProblemCode(rawValue: "second-factor-not-enrolled")
  /// 405.
  public static let methodNotAllowed = ProblemCode(rawValue: "method-not-allowed")
  /// 408: the body of the request came too slowly.
  public static let requestTimeout = ProblemCode(rawValue: "request-timeout")

  /// Every word that this version knows, in the order of the specification.
  public static let known: [ProblemCode] = [
    .invalidJSON, .unknownField, .missingHeader, .tokenMissing, .tokenInvalid, .tokenExpired, .tokenRevoked,
    .refreshInvalid, .refreshExpired, .refreshReused, .forbidden, .notFound, .stepOutOfOrder, .stepAlreadyCompleted,
    .stepInProgress, .applicationInReview, .applicationClosed, .idempotencyConflict, .contactInUse, .slotTaken,
    .otpExpired, .slotExpired, .payloadTooLarge, .unsupportedMedia, .validationFailed, .imageQuality, .livenessFailed,
    .documentUnreadable, .wrongDocumentType, .otpMismatch, .otpLocked, .rateLimited, .providerError, .unavailable,
    .providerTimeout, .internalError, .credentialsInvalid, .loginLocked, .methodNotAllowed,
    .secondFactorRequired, .secondFactorInvalid, .secondFactorNotEnrolled, .requestTimeout,
  ]
}
