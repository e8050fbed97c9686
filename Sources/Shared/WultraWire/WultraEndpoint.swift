// SPDX-License-Identifier: Apache-2.0

extension Wultra {
  /// The calls of Wultra Digital Onboarding, below the base URL, all by POST (§2, §3).
  public enum Endpoint: String, CaseIterable, Sendable {
    // The process.
    case configuration = "/api/configuration"
    case start = "/api/onboarding/start"
    case processStatus = "/api/onboarding/status"
    case resendActivationOTP = "/api/onboarding/otp/resend"
    case cleanUpProcess = "/api/onboarding/cleanup"
    /// In sandboxes only.
    case otpDetail = "/api/onboarding/otp/detail"
    // The verification.
    case identityStatus = "/api/identity/status"
    case initiate = "/api/identity/init"
    case cleanUpIdentity = "/api/identity/cleanup"
    case consentText = "/api/identity/consent/text"
    case approveConsent = "/api/identity/consent/approve"
    case initDocumentSDK = "/api/identity/document/init-sdk"
    case submitDocuments = "/api/identity/document/submit"
    case uploadDocument = "/api/identity/document/upload"
    case documentStatus = "/api/identity/document/status"
    case initPresenceCheck = "/api/identity/presence-check/init"
    case submitPresenceCheck = "/api/identity/presence-check/submit"
    /// Of our server: pictures of a presence check, under the token of its session.
    case capturePresence = "/api/presence-check/capture"
    case resendOTP = "/api/identity/otp/resend"
    case verifyOTP = "/api/identity/otp/verify"

    /// How a call is proved and hidden (§1).
    public enum Security: Sendable, Hashable {
      /// Neither.
      case open
      /// Encrypted in the application's scope.
      case encryptedForApplication
      /// Encrypted in the activation's scope, not signed.
      case encryptedForActivation
      /// Signed by possession, over the plain body, with the path as its URI id.
      case signed(encrypted: Bool)
      /// With a token that was made by possession.
      case token(encrypted: Bool)
      /// Under the token of a presence check, `Authorization: Bearer`.
      case presenceSession
    }

    /// How this call is proved and hidden.
    public var security: Security {
      switch self {
      case .configuration: .open
      case .start, .processStatus, .resendActivationOTP, .cleanUpProcess, .otpDetail: .encryptedForApplication
      case .identityStatus, .consentText, .documentStatus: .token(encrypted: false)
      case .submitDocuments, .uploadDocument: .token(encrypted: true)
      case .initDocumentSDK, .initPresenceCheck: .signed(encrypted: true)
      case .initiate, .cleanUpIdentity, .approveConsent, .submitPresenceCheck, .resendOTP: .signed(encrypted: false)
      case .verifyOTP: .encryptedForActivation
      case .capturePresence: .presenceSession
      }
    }

    /// What a signature of the call covers in place of its URL.
    public var uriID: String { rawValue }
  }

  /// Of our server: what happens to the verification, as server-sent events, by GET with the same token as the status.
  public static let eventsPath = "/api/identity/events"

  /// The name that the one token of these calls has on the device.
  public static let tokenName = "possession_universal"
  /// The credentials of an activation by these calls (§2).
  public static let credentialsType = "ONBOARDING"

  /// What an activation's flags say of its verification (§0).
  public enum ActivationFlag {
    /// The verification has not begun.
    public static let pending = "VERIFICATION_PENDING"
    /// The verification goes on.
    public static let inProgress = "VERIFICATION_IN_PROGRESS"
  }
}
