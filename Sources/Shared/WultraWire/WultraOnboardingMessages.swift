// SPDX-License-Identifier: Apache-2.0

extension Wultra {
  /// Begins a process, or goes on with the one that was begun with the same identification (§2 #1).
  public struct StartRequest<JSON: Codable & Sendable>: Codable, Sendable {
    /// Whatever the institution knows the person by: any JSON object.
    public var identification: JSON
    /// Facts for the institution's fraud detection: a map of whatever it asks its apps for.
    public var fdsData: [String: JSON]?

    /// Creates it.
    public init(identification: JSON, fdsData: [String: JSON]? = nil) {
      self.identification = identification
      self.fdsData = fdsData
    }
  }

  /// Names a process: the request of most calls.
  public struct ProcessReference: Codable, Sendable, Equatable {
    /// Of the process; a UUID in lower case.
    public var processId: String

    /// Creates it.
    public init(processId: String) {
      self.processId = processId
    }
  }

  /// What an app has to know beforehand.
  public struct ProcessConfiguration: Codable, Sendable, Equatable {
    /// ISO 8601 duration, `PT30S`. Released apps do not read an answer without it.
    public var otpResendPeriod: String
    /// The same in seconds.
    public var otpResendPeriodSeconds: Int?

    /// Creates it.
    public init(otpResendPeriod: String, otpResendPeriodSeconds: Int? = nil) {
      self.otpResendPeriod = otpResendPeriod
      self.otpResendPeriodSeconds = otpResendPeriodSeconds
    }
  }

  /// How a process stands (§2 #1, #2).
  public struct ProcessState: Codable, Sendable, Equatable {
    /// Of the process; a UUID in lower case.
    public var processId: String
    /// How far it has come.
    public var onboardingStatus: OnboardingStatus
    /// What to know beforehand.
    public var config: ProcessConfiguration?

    /// Creates it.
    public init(processId: String, onboardingStatus: OnboardingStatus, config: ProcessConfiguration? = nil) {
      self.processId = processId
      self.onboardingStatus = onboardingStatus
      self.config = config
    }
  }

  /// Asks for a code, in sandboxes (§2 #5).
  public struct OTPDetailRequest: Codable, Sendable, Equatable {
    /// Of the process; a UUID in lower case.
    public var processId: String
    /// Which one.
    public var otpType: OTPType

    /// Creates it.
    public init(processId: String, otpType: OTPType) {
      self.processId = processId
      self.otpType = otpType
    }
  }

  /// A code, in sandboxes.
  public struct OTPDetail: Codable, Sendable, Equatable {
    /// Decimal digits.
    public var otpCode: String
    /// Of the process; a UUID in lower case.
    public var processId: String

    /// Creates it.
    public init(otpCode: String, processId: String) {
      self.otpCode = otpCode
      self.processId = processId
    }
  }

  /// Which documents the institution asks for.
  public struct DocumentRequirements: Codable, Sendable, Equatable {
    /// At least one of these.
    public var primary: [DocumentType]
    /// How many different documents in all.
    public var distinctCount: Int

    /// Creates it.
    public init(primary: [DocumentType], distinctCount: Int) {
      self.primary = primary
      self.distinctCount = distinctCount
    }
  }

  /// What the server does (§2 #6).
  public struct Configuration: Codable, Sendable, Equatable {
    /// Whether processes can be begun.
    public var onboarding: Switch
    /// Which documents are asked for; not said by other servers.
    public var documents: DocumentRequirements?

    /// Creates it.
    public init(onboarding: Switch, documents: DocumentRequirements? = nil) {
      self.onboarding = onboarding
      self.documents = documents
    }
  }

  /// On or off.
  public struct Switch: Codable, Sendable, Equatable {
    /// On.
    public var enabled: Bool

    /// Creates it.
    public init(enabled: Bool) {
      self.enabled = enabled
    }
  }
}
