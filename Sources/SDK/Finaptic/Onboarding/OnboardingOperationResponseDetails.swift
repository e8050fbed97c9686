// SPDX-License-Identifier: Apache-2.0

/// The state of an application after a call (finaptic §5.7).
public struct OnboardingOperationResponseDetails: Hashable, Codable, Sendable {
  public var applicationId: String
  public var onboardingApplicationStatus: ApplicationStatus
  /// `OK`, or `FAILED` when the request could not be processed now: send it again.
  public var requestStatus: String
  /// Free text; empty when OK. Deprecated by `requestReasonCodes`.
  public var requestStatusReason: String
  public var requestReasonCodes: [String]
  /// 3…0, shared by the three validations.
  public var remainingAllowedRetries: Int
  /// Codes of `ReferenceDataTypes.failureCode`; empty unless the applicant was refused.
  public var failureStatusCodes: [String]
  public var verificationNeeded: [OnboardingVerification]
  public var consents: [TermsAndConditions]
  public var disclosures: [TermsAndConditions]
  /// Names of the updates that the status takes.
  public var permittedUpdates: [String]

  /// Creates the value from its members.
  public init(
    applicationId: String, onboardingApplicationStatus: ApplicationStatus, requestStatus: String,
    requestStatusReason: String = "", requestReasonCodes: [String] = [], remainingAllowedRetries: Int,
    failureStatusCodes: [String] = [], verificationNeeded: [OnboardingVerification] = [],
    consents: [TermsAndConditions] = [], disclosures: [TermsAndConditions] = [], permittedUpdates: [String] = []
  ) {
    self.applicationId = applicationId
    self.onboardingApplicationStatus = onboardingApplicationStatus
    self.requestStatus = requestStatus
    self.requestStatusReason = requestStatusReason
    self.requestReasonCodes = requestReasonCodes
    self.remainingAllowedRetries = remainingAllowedRetries
    self.failureStatusCodes = failureStatusCodes
    self.verificationNeeded = verificationNeeded
    self.consents = consents
    (self.disclosures, self.permittedUpdates) = (disclosures, permittedUpdates)
  }
}

/// What is to be verified, and the updates that it needs.
public struct OnboardingVerification: Hashable, Codable, Sendable {
  /// `KYC`, `ProfileCreation` or `AccountUsage`.
  public var name: String
  /// Such as `UpdateAccountDetailsRequest`.
  public var requiredUpdates: [String]

  /// Creates the value from its members.
  public init(name: String, requiredUpdates: [String]) {
    (self.name, self.requiredUpdates) = (name, requiredUpdates)
  }
}

/// A document to be read and accepted: a consent or a disclosure.
public struct TermsAndConditions: Hashable, Codable, Sendable {
  /// A code of reference data.
  public var documentType: String
  /// The document's URL.
  public var documentNameAndVersion: String
  /// Whether it must be accepted before the first validation.
  public var neededBeforeValidation: Bool

  /// Creates the value from its members.
  public init(documentType: String, documentNameAndVersion: String, neededBeforeValidation: Bool) {
    self.documentType = documentType
    self.documentNameAndVersion = documentNameAndVersion
    self.neededBeforeValidation = neededBeforeValidation
  }
}
