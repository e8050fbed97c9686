// SPDX-License-Identifier: Apache-2.0

/// What `initiateApplication` answers.
public struct InitiateApplicationResponse: Hashable, Codable, Sendable {
  public var basicDetails: OnboardingOperationResponseDetails

  /// Creates the value from its members.
  public init(basicDetails: OnboardingOperationResponseDetails) {
    self.basicDetails = basicDetails
  }
}

/// What to ask `acceptApplication` for.
public struct AcceptApplicationRequest: Hashable, Codable, Sendable {
  public var onboardingApplicationId: String

  /// Creates the value from its members.
  public init(onboardingApplicationId: String) {
    self.onboardingApplicationId = onboardingApplicationId
  }
}

/// What `acceptApplication` answers.
public struct AcceptApplicationResponse: Hashable, Codable, Sendable {
  public var basicDetails: OnboardingOperationResponseDetails

  /// Creates the value from its members.
  public init(basicDetails: OnboardingOperationResponseDetails) {
    self.basicDetails = basicDetails
  }
}

/// What to ask `cancelApplication` for.
public struct CancelApplicationRequest: Hashable, Codable, Sendable {
  public var onboardingApplicationId: String

  /// Creates the value from its members.
  public init(onboardingApplicationId: String) {
    self.onboardingApplicationId = onboardingApplicationId
  }
}

/// What `cancelApplication` answers.
public struct CancelApplicationResponse: Hashable, Codable, Sendable {
  public var basicDetails: OnboardingOperationResponseDetails

  /// Creates the value from its members.
  public init(basicDetails: OnboardingOperationResponseDetails) {
    self.basicDetails = basicDetails
  }
}

/// What to ask `getApplicationStatus` for.
public struct GetApplicationStatusRequest: Hashable, Codable, Sendable {
  public var applicationId: String

  /// Creates the value from its members.
  public init(applicationId: String) {
    self.applicationId = applicationId
  }
}

/// What `getApplicationStatus` answers.
public struct GetApplicationStatusResponse: Hashable, Codable, Sendable {
  public var basicDetails: OnboardingOperationResponseDetails

  /// Creates the value from its members.
  public init(basicDetails: OnboardingOperationResponseDetails) {
    self.basicDetails = basicDetails
  }
}
