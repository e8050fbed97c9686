// SPDX-License-Identifier: Apache-2.0

/// E-mail address and telephone.
public struct ContactDetails: Hashable, Codable, Sendable {
  public var contactPhoneNumber: PhoneNumberType?
  public var customerEmail: String

  /// Creates the value from its members.
  public init(contactPhoneNumber: PhoneNumberType? = nil, customerEmail: String) {
    (self.contactPhoneNumber, self.customerEmail) = (contactPhoneNumber, customerEmail)
  }
}

/// What to ask `updateContactDetails` for.
public struct UpdateContactDetailsRequest: Hashable, Codable, Sendable {
  public var onboardingApplicationId: String
  public var customerContactDetails: ContactDetails

  /// Creates the value from its members.
  public init(onboardingApplicationId: String, customerContactDetails: ContactDetails) {
    (self.onboardingApplicationId, self.customerContactDetails) = (onboardingApplicationId, customerContactDetails)
  }
}

/// What `updateContactDetails` answers.
public struct UpdateContactDetailsResponse: Hashable, Codable, Sendable {
  public var basicDetails: OnboardingOperationResponseDetails

  /// Creates the value from its members.
  public init(basicDetails: OnboardingOperationResponseDetails) {
    self.basicDetails = basicDetails
  }
}
