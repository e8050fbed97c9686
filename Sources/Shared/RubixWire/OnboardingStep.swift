// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// A step of an onboarding, in the constants of the Rubix table (rubix-onboarding §4.1), spelled as published.
/// `last_step` holds the one that reached an outcome most recently.
public struct OnboardingStep: OpenEnumeration {
  /// The word on the wire.
  public let rawValue: String

  /// Wraps any word, also one that this version does not know.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// `POST /auth/register` succeeded.
  public static let registrationInitiated = OnboardingStep(rawValue: "RBX_ONB_STEP_REG_INITIATED")
  /// The third `POST /faces/selfie/upload` was taken.
  public static let selfieUploaded = OnboardingStep(rawValue: "RBX_ONB_STEP_SELFIE_UPLOADED")
  /// `POST /faces/liveness/upload` was taken.
  public static let livenessUploaded = OnboardingStep(rawValue: "RBX_ONB_STEP_LIVENESS_UPLOADED")
  /// `POST /documents/nationality-id-front/upload` was taken.
  public static let nationalIDFrontUploaded = OnboardingStep(rawValue: "RBX_ONB_STEP_NATIONAL_ID_FRONT_UPLOADED")
  /// `POST /documents/nationality-id-back/upload` was taken.
  public static let nationalIDBackUploaded = OnboardingStep(rawValue: "RBX_ONB_STEP_NATIONAL_ID_BACK_UPLOADED")
  /// `POST /documents/passport/upload` was taken.
  public static let passportUploaded = OnboardingStep(rawValue: "RBX_ONB_STEP_PASSPORT_UPLOADED")
  /// `POST /documents/driving-license/upload` was taken.
  public static let drivingLicenceUploaded = OnboardingStep(rawValue: "RBX_ONB_STEP_DRIVING_LICENCE_UPLOADED")
  /// `POST /documents/nationality-id-front/process` read the image.
  public static let nationalIDFrontProcessed = OnboardingStep(rawValue: "RBX_ONB_STEP_NATIONAL_ID_FRONT_PROCESSED")
  /// `POST /documents/nationality-id-back/process` read the image.
  public static let nationalIDBackProcessed = OnboardingStep(rawValue: "RBX_ONB_STEP_NATIONAL_ID_BACK_PROCESSED")
  /// `POST /documents/passport/process` read the image.
  public static let passportProcessed = OnboardingStep(rawValue: "RBX_ONB_STEP_PASSPORT_PROCESSED")
  /// `POST /documents/driving-license/process` read the image.
  public static let drivingLicenceProcessed = OnboardingStep(rawValue: "RBX_ONB_STEP_DRIVING_LICENCE_PROCESSED")
  /// `POST /documents/verification` found agreement.
  public static let documentsMatched = OnboardingStep(rawValue: "RBX_ONB_STEP_DOCUMENTS_MATCHED")
  /// `POST /documents/verification` found a contradiction.
  public static let documentsMismatched = OnboardingStep(rawValue: "RBX_ONB_STEP_DOCUMENTS_MISMATCHED")
  /// `POST /otp/sms/send` sent a code.
  public static let smsOTPSent = OnboardingStep(rawValue: "RBX_ONB_STEP_SMS_OTP_SENT")
  /// `POST /otp/email/send` sent a code.
  public static let emailOTPSent = OnboardingStep(rawValue: "RBX_ONB_STEP_EMAIL_OTP_SENT")
  /// `POST /otp/sms/verify` took the code.
  public static let smsOTPVerified = OnboardingStep(rawValue: "RBX_ONB_STEP_SMS_OTP_VERIFIED")
  /// `POST /otp/email/verify` took the code.
  public static let emailOTPVerified = OnboardingStep(rawValue: "RBX_ONB_STEP_EMAIL_OTP_VERIFIED")
  /// `POST /aml/screening` came out clean.
  public static let amlScreeningSuccessful = OnboardingStep(rawValue: "RBX_ONB_STEP_AML_SCREENING_SUCCESSFUL")
  /// `POST /aml/screening` did not come out clean.
  public static let amlScreeningFailed = OnboardingStep(rawValue: "RBX_ONB_STEP_AML_SCREENING_FAILED")
  /// `POST /compliance/crs` was taken.
  public static let crsSubmitted = OnboardingStep(rawValue: "RBX_ONB_STEP_CRS_SUBMITTED")
  /// `POST /compliance/fatca` was taken.
  public static let fatcaSubmitted = OnboardingStep(rawValue: "RBX_ONB_STEP_FATCA_SUBMITTED")
  /// `POST /compliance/kyc` was taken.
  public static let kycSubmitted = OnboardingStep(rawValue: "RBX_ONB_STEP_KYC_SUBMITTED")
  /// `POST /agents/appointments` booked a call.
  public static let agentVerificationScheduled = OnboardingStep(rawValue: "RBX_ONB_STEP_AGENT_VERIFICATION_SCHEDULED")
  /// `POST /agents/verification`: the agent approved.
  public static let agentVerificationSuccessful = OnboardingStep(rawValue: "RBX_ONB_STEP_AGENT_VERIFICATION_SUCCESSFUL")
  /// `POST /agents/verification`: the agent did not approve.
  public static let agentVerificationFailed = OnboardingStep(rawValue: "RBX_ONB_STEP_AGENT_VERIFICATION_FAILED")

  /// Every word that this version knows, in the order of the specification.
  public static let known: [OnboardingStep] = [
    .registrationInitiated, .selfieUploaded, .livenessUploaded, .nationalIDFrontUploaded, .nationalIDBackUploaded,
    .passportUploaded, .drivingLicenceUploaded, .nationalIDFrontProcessed, .nationalIDBackProcessed,
    .passportProcessed, .drivingLicenceProcessed, .documentsMatched, .documentsMismatched, .smsOTPSent, .emailOTPSent,
    .smsOTPVerified, .emailOTPVerified, .amlScreeningSuccessful, .amlScreeningFailed, .crsSubmitted, .fatcaSubmitted,
    .kycSubmitted, .agentVerificationScheduled, .agentVerificationSuccessful, .agentVerificationFailed,
  ]
}
