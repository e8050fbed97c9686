// SPDX-License-Identifier: Apache-2.0

extension Wultra {
  /// How the verification stands (§3 #1).
  public struct IdentityState: Codable, Sendable, Equatable {
    /// Of the process; a UUID in lower case.
    public var processId: String
    /// Of the phase.
    public var identityVerificationStatus: VerificationStatus
    /// Nil when none was begun.
    public var identityVerificationPhase: VerificationPhase?
    /// Never missing: released apps would not read the answer.
    public var config: ProcessConfiguration
    /// Wrong codes that may still be tried, while a code is asked for. Of our server; released apps pass over it.
    public var remainingAttempts: Int?

    /// Creates it.
    public init(
      processId: String, identityVerificationStatus: VerificationStatus,
      identityVerificationPhase: VerificationPhase? = nil, config: ProcessConfiguration, remainingAttempts: Int? = nil
    ) {
      self.processId = processId
      self.identityVerificationStatus = identityVerificationStatus
      self.identityVerificationPhase = identityVerificationPhase
      self.config = config
      self.remainingAttempts = remainingAttempts
    }
  }

  /// A change of the verification, as the data of a server-sent event (`Wultra.eventsPath`).
  public struct IdentityEvent: Codable, Sendable, Equatable {
    /// Of the process; a UUID in lower case.
    public var processId: String
    /// Of the phase.
    public var identityVerificationStatus: VerificationStatus
    /// Nil when none was begun.
    public var identityVerificationPhase: VerificationPhase?

    /// Creates it.
    public init(
      processId: String, identityVerificationStatus: VerificationStatus,
      identityVerificationPhase: VerificationPhase? = nil
    ) {
      self.processId = processId
      self.identityVerificationStatus = identityVerificationStatus
      self.identityVerificationPhase = identityVerificationPhase
    }
  }

  /// Asks for the text of a consent (§3 #4).
  public struct ConsentRequest: Codable, Sendable, Equatable {
    /// Of the process; a UUID in lower case.
    public var processId: String
    /// Which one.
    public var consentType: ConsentType

    /// Creates it.
    public init(processId: String, consentType: ConsentType) {
      self.processId = processId
      self.consentType = consentType
    }
  }

  /// What is consented to.
  public struct ConsentText: Codable, Sendable, Equatable {
    /// Plain text or HTML without scripts.
    public var consentText: String

    /// Creates it.
    public init(consentText: String) {
      self.consentText = consentText
    }
  }

  /// The answer to a consent (§3 #5).
  public struct ConsentApproval: Codable, Sendable, Equatable {
    /// Of the process; a UUID in lower case.
    public var processId: String
    /// Given or refused.
    public var approved: Bool
    /// Which one.
    public var consentType: ConsentType

    /// Creates it.
    public init(processId: String, approved: Bool, consentType: ConsentType) {
      self.processId = processId
      self.approved = approved
      self.consentType = consentType
    }
  }

  /// Prepares the scanning library of the app (§3 #6).
  public struct SDKInitRequest<Attributes: Codable & Sendable>: Codable, Sendable {
    /// Of the process; a UUID in lower case.
    public var processId: String
    /// Free; released apps send `sdk-init-token`.
    public var attributes: Attributes

    /// Creates it.
    public init(processId: String, attributes: Attributes) {
      self.processId = processId
      self.attributes = attributes
    }
  }

  /// What the scanning library is told.
  public struct SDKInitResponse<Attributes: Codable & Sendable>: Codable, Sendable {
    /// Free; released apps take the first text among the values.
    public var attributes: Attributes

    /// Creates it.
    public init(attributes: Attributes) {
      self.attributes = attributes
    }
  }

  /// What the library of the presence check is told (§3 #9).
  public struct PresenceSession<Attributes: Codable & Sendable>: Codable, Sendable {
    /// Free.
    public var sessionAttributes: Attributes

    /// Creates it.
    public init(sessionAttributes: Attributes) {
      self.sessionAttributes = sessionAttributes
    }
  }

  /// A code that was typed (§3 #12).
  public struct OTPVerifyRequest: Codable, Sendable, Equatable {
    /// Of the process; a UUID in lower case.
    public var processId: String
    /// As it was typed.
    public var otpCode: String

    /// Creates it.
    public init(processId: String, otpCode: String) {
      self.processId = processId
      self.otpCode = otpCode
    }
  }

  /// What came of a code.
  public struct OTPVerdict: Codable, Sendable, Equatable {
    /// Of the process; a UUID in lower case.
    public var processId: String
    /// Of the whole process.
    public var onboardingStatus: OnboardingStatus
    /// The code was right.
    public var verified: Bool
    /// It came too late.
    public var expired: Bool
    /// 0 when the code is good for nothing any more.
    public var remainingAttempts: Int

    /// Creates it.
    public init(
      processId: String, onboardingStatus: OnboardingStatus, verified: Bool, expired: Bool, remainingAttempts: Int
    ) {
      self.processId = processId
      self.onboardingStatus = onboardingStatus
      self.verified = verified
      self.expired = expired
      self.remainingAttempts = remainingAttempts
    }
  }
}
