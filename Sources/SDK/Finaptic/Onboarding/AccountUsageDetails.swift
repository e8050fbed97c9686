// SPDX-License-Identifier: Apache-2.0

/// What the account is for.
public struct AccountUsageDetails: Hashable, Codable, Sendable {
  /// A code of `ReferenceDataTypes.accountPurpose`.
  public var accountPurpose: String
  /// Codes of `ReferenceDataTypes.sourceOfFunds`.
  public var primarySourceOfFunds: [String]
  /// Whether others than owners and authorized users will use the account.
  public var authorizedThirdPartyUsage: Bool

  /// Creates the value from its members.
  public init(accountPurpose: String, primarySourceOfFunds: [String], authorizedThirdPartyUsage: Bool) {
    self.accountPurpose = accountPurpose
    self.primarySourceOfFunds = primarySourceOfFunds
    self.authorizedThirdPartyUsage = authorizedThirdPartyUsage
  }
}

/// What to ask `updateAccountDetails` for.
public struct UpdateAccountDetailsRequest: Hashable, Codable, Sendable {
  public var onboardingApplicationId: String
  public var accountDetails: AccountUsageDetails

  /// Creates the value from its members.
  public init(onboardingApplicationId: String, accountDetails: AccountUsageDetails) {
    (self.onboardingApplicationId, self.accountDetails) = (onboardingApplicationId, accountDetails)
  }
}

/// What `updateAccountDetails` answers.
public struct UpdateAccountDetailsResponse: Hashable, Codable, Sendable {
  public var basicDetails: OnboardingOperationResponseDetails

  /// Creates the value from its members.
  public init(basicDetails: OnboardingOperationResponseDetails) {
    self.basicDetails = basicDetails
  }
}
