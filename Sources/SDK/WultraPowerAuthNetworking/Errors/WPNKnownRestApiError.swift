// SPDX-License-Identifier: Apache-2.0

/// Codes of refusals that this version knows (wultra-onboarding.md §7.6).
public enum WPNKnownRestApiError: String, Codable, Sendable, CaseIterable {
  // Of every server.
  /// Something unexpected happened.
  case genericError = "ERROR_GENERIC"
  /// Wrong signature, or the activation may not.
  case authenticationFailure = "POWERAUTH_AUTH_FAIL"
  /// The body is not what the call takes.
  case invalidRequest = "INVALID_REQUEST"
  /// Not the activation that the call is about.
  case invalidActivation = "INVALID_ACTIVATION"
  /// Not the application that the call is about.
  case invalidApplication = "INVALID_APPLICATION"
  /// There is no such operation.
  case invalidOperation = "INVALID_OPERATION"
  /// The device was not activated.
  case activationError = "ERR_ACTIVATION"
  /// PowerAuth refused the proof.
  case authenticationError = "ERR_AUTHENTICATION"
  /// The vault stayed closed.
  case secureVaultError = "ERR_SECURE_VAULT"
  /// Encryption or decryption failed.
  case encryptionError = "ERR_ENCRYPTION"
  /// The device could not be registered for pushed messages.
  case pushRegistrationFailed = "PUSH_REGISTRATION_FAILED"

  // Of operations.
  case operationAlreadyFinished = "OPERATION_ALREADY_FINISHED"
  case operationAlreadyFailed = "OPERATION_ALREADY_FAILED"
  case operationAlreadyCancelled = "OPERATION_ALREADY_CANCELED"
  case operationExpired = "OPERATION_EXPIRED"
  case operationFailed = "OPERATION_FAILED"
  /// No activation code was given out.
  case activationCodeFailed = "ACTIVATION_CODE_FAILED"

  // Of onboarding.
  /// There is no such process, or it is over.
  case onboardingFailed = "ONBOARDING_FAILED"
  /// Too many errors: the process is over.
  case onboardingLimitReached = "ONBOARDING_PROCESS_LIMIT_REACHED"
  /// The user began too many processes.
  case onboardingTooManyProcesses = "TOO_MANY_ONBOARDING_PROCESSES"
  /// The code cannot be sent now.
  case onboardingOtpFailed = "ONBOARDING_OTP_FAILED"
  case invalidDocument = "INVALID_DOCUMENT"
  /// The pictures were not taken.
  case documentSubmitFailed = "DOCUMENT_SUBMIT_FAILED"
  /// The call does not fit the state of the verification.
  case identityVerificationFailed = "IDENTITY_VERIFICATION_FAILED"
  /// Too many tries: the verification was reset.
  case identityVerificationLimitReached = "IDENTITY_VERIFICATION_LIMIT_REACHED"
  case documentVerificationFailed = "DOCUMENT_VERIFICATION_FAILED"
  case presenceCheckFailed = "PRESENCE_CHECK_FAILED"
  case presenceCheckNotEnabled = "PRESENCE_CHECK_NOT_ENABLED"
  /// Begun too often: the process is over. The name is the published one.
  case presenceCheckLimitEached = "PRESENCE_CHECK_LIMIT_REACHED"

  // Of other things.
  case tooManyRequests = "TOO_MANY_REQUESTS"
  /// A system behind the server does not answer.
  case remoteCommunicationError = "REMOTE_COMMUNICATION_ERROR"
}
