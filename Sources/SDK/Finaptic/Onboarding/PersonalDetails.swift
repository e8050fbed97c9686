// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Names and date of birth.
public struct PersonalDetails: Hashable, Codable, Sendable {
  public var firstName: String
  public var middleName: String?
  public var lastName: String
  /// A day of the device's calendar; its hours mean nothing.
  public var dateOfBirth: Date
  public var alias: String?

  /// Creates the value from its members.
  public init(firstName: String, middleName: String? = nil, lastName: String, dateOfBirth: Date, alias: String? = nil) {
    (self.firstName, self.middleName, self.lastName) = (firstName, middleName, lastName)
    (self.dateOfBirth, self.alias) = (dateOfBirth, alias)
  }
}

/// What to ask `updatePersonalDetails` for.
public struct UpdatePersonalDetailsRequest: Hashable, Codable, Sendable {
  public var onboardingApplicationId: String
  public var customerPersonalDetails: PersonalDetails

  /// Creates the value from its members.
  public init(onboardingApplicationId: String, customerPersonalDetails: PersonalDetails) {
    (self.onboardingApplicationId, self.customerPersonalDetails) = (onboardingApplicationId, customerPersonalDetails)
  }
}

/// What `updatePersonalDetails` answers.
public struct UpdatePersonalDetailsResponse: Hashable, Codable, Sendable {
  public var basicDetails: OnboardingOperationResponseDetails

  /// Creates the value from its members.
  public init(basicDetails: OnboardingOperationResponseDetails) {
    self.basicDetails = basicDetails
  }
}
