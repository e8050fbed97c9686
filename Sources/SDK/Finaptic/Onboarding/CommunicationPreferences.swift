// SPDX-License-Identifier: Apache-2.0

/// What to ask `updateCommunicationPreferences` for.
public struct UpdateCommunicationPreferencesRequest: Hashable, Codable, Sendable {
  public var onboardingApplicationId: String
  /// A code of `ReferenceDataTypes.communicationPreference`.
  public var customerCommunicationPref: String
  /// A code of `ReferenceDataTypes.language`.
  public var customerCommunicationLanguage: String?

  /// Creates the value from its members.
  public init(
    onboardingApplicationId: String, customerCommunicationPref: String, customerCommunicationLanguage: String? = nil
  ) {
    self.onboardingApplicationId = onboardingApplicationId
    self.customerCommunicationPref = customerCommunicationPref
    self.customerCommunicationLanguage = customerCommunicationLanguage
  }
}

/// What `updateCommunicationPreferences` answers.
public struct UpdateCommunicationPreferencesResponse: Hashable, Codable, Sendable {
  public var basicDetails: OnboardingOperationResponseDetails

  /// Creates the value from its members.
  public init(basicDetails: OnboardingOperationResponseDetails) {
    self.basicDetails = basicDetails
  }
}
