// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What the applicant does for a living.
public struct Employment: Hashable, Codable, Sendable {
  /// A code of `ReferenceDataTypes.employmentStatus`.
  public var employmentStatus: String
  public var employerName: String?
  /// A code of `ReferenceDataTypes.industry`.
  public var industry: String?
  /// A code of `ReferenceDataTypes.occupation`.
  public var occupation: String?
  /// Only year and month count.
  public var startDate: Date?
  /// Only year and month count.
  public var endDate: Date?
  /// Of type WORK.
  public var workAddress: Address?
  public var phoneNumber: PhoneNumberType?

  /// Creates the value from its members.
  public init(
    employmentStatus: String, employerName: String? = nil, industry: String? = nil, occupation: String? = nil,
    startDate: Date? = nil, endDate: Date? = nil, workAddress: Address? = nil, phoneNumber: PhoneNumberType? = nil
  ) {
    (self.employmentStatus, self.employerName, self.industry) = (employmentStatus, employerName, industry)
    (self.occupation, self.startDate, self.endDate) = (occupation, startDate, endDate)
    (self.workAddress, self.phoneNumber) = (workAddress, phoneNumber)
  }
}

/// What to ask `updateEmployment` for.
public struct UpdateEmploymentRequest: Hashable, Codable, Sendable {
  public var onboardingApplicationId: String
  public var employmentInfo: Employment

  /// Creates the value from its members.
  public init(onboardingApplicationId: String, employmentInfo: Employment) {
    (self.onboardingApplicationId, self.employmentInfo) = (onboardingApplicationId, employmentInfo)
  }
}

/// What `updateEmployment` answers.
public struct UpdateEmploymentResponse: Hashable, Codable, Sendable {
  public var basicDetails: OnboardingOperationResponseDetails

  /// Creates the value from its members.
  public init(basicDetails: OnboardingOperationResponseDetails) {
    self.basicDetails = basicDetails
  }
}
