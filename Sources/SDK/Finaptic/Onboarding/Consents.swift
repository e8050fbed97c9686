// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What the applicant agreed to.
public struct Consent: Hashable, Codable, Sendable {
  /// A code of `ReferenceDataTypes.consentType`.
  public var consentType: String
  public var consentTimestamp: Date
  /// The document's URL.
  public var documentNameAndVersion: String
  public var viewTimestamp: Date

  /// Creates the value from its members.
  public init(consentType: String, consentTimestamp: Date, documentNameAndVersion: String, viewTimestamp: Date) {
    self.consentType = consentType
    self.consentTimestamp = consentTimestamp
    self.documentNameAndVersion = documentNameAndVersion
    self.viewTimestamp = viewTimestamp
  }
}

/// What to ask `updateConsents` for.
public struct UpdateConsentsRequest: Hashable, Codable, Sendable {
  public var onboardingApplicationId: String
  public var consents: [Consent]

  /// Creates the value from its members.
  public init(onboardingApplicationId: String, consents: [Consent]) {
    (self.onboardingApplicationId, self.consents) = (onboardingApplicationId, consents)
  }
}

/// What `updateConsents` answers.
public struct UpdateConsentsResponse: Hashable, Codable, Sendable {
  public var basicDetails: OnboardingOperationResponseDetails

  /// Creates the value from its members.
  public init(basicDetails: OnboardingOperationResponseDetails) {
    self.basicDetails = basicDetails
  }
}

/// What the applicant was shown.
public struct Disclosure: Hashable, Codable, Sendable {
  /// A code of `ReferenceDataTypes.disclosureType`.
  public var disclosureType: String
  public var timestamp: Date
  /// The document's URL.
  public var documentNameAndVersion: String

  /// Creates the value from its members.
  public init(disclosureType: String, timestamp: Date, documentNameAndVersion: String) {
    self.disclosureType = disclosureType
    self.timestamp = timestamp
    self.documentNameAndVersion = documentNameAndVersion
  }
}

/// What to ask `updateDisclosures` for.
public struct UpdateDisclosuresRequest: Hashable, Codable, Sendable {
  public var onboardingApplicationId: String
  public var disclosures: [Disclosure]

  /// Creates the value from its members.
  public init(onboardingApplicationId: String, disclosures: [Disclosure]) {
    (self.onboardingApplicationId, self.disclosures) = (onboardingApplicationId, disclosures)
  }
}

/// What `updateDisclosures` answers.
public struct UpdateDisclosuresResponse: Hashable, Codable, Sendable {
  public var basicDetails: OnboardingOperationResponseDetails

  /// Creates the value from its members.
  public init(basicDetails: OnboardingOperationResponseDetails) {
    self.basicDetails = basicDetails
  }
}
