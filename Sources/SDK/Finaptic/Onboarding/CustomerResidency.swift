// SPDX-License-Identifier: Apache-2.0

/// Tax residence and citizenship.
public struct CustomerResidency: Hashable, Codable, Sendable {
  public var isCanadianTaxResident: Bool
  public var otherResidences: [OtherResidence]?
  /// A UUID that stands for the number.
  public var sinToken: String?
  /// ISO 3166-1 alpha-2.
  public var citizenship: String

  /// Creates the value from its members.
  public init(
    isCanadianTaxResident: Bool, otherResidences: [OtherResidence]? = nil, sinToken: String? = nil, citizenship: String
  ) {
    self.isCanadianTaxResident = isCanadianTaxResident
    self.otherResidences = otherResidences
    self.sinToken = sinToken
    self.citizenship = citizenship
  }
}

/// Another country of residence.
public struct OtherResidence: Hashable, Codable, Sendable {
  /// ISO 3166-1 alpha-2, or the name in English or French as `ReferenceDataTypes.country` lists it.
  public var otherResidenceCountry: String
  /// A UUID that stands for the number.
  public var tinToken: String?
  /// Required for CA and US.
  public var citizenship: String?

  /// Creates the value from its members.
  public init(otherResidenceCountry: String, tinToken: String? = nil, citizenship: String? = nil) {
    (self.otherResidenceCountry, self.tinToken, self.citizenship) = (otherResidenceCountry, tinToken, citizenship)
  }
}

/// What to ask `updateCustomerResidency` for.
public struct UpdateCustomerResidencyRequest: Hashable, Codable, Sendable {
  public var onboardingApplicationId: String
  public var residency: CustomerResidency

  /// Creates the value from its members.
  public init(onboardingApplicationId: String, residency: CustomerResidency) {
    (self.onboardingApplicationId, self.residency) = (onboardingApplicationId, residency)
  }
}

/// What `updateCustomerResidency` answers.
public struct UpdateCustomerResidencyResponse: Hashable, Codable, Sendable {
  public var basicDetails: OnboardingOperationResponseDetails

  /// Creates the value from its members.
  public init(basicDetails: OnboardingOperationResponseDetails) {
    self.basicDetails = basicDetails
  }
}
