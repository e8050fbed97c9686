// SPDX-License-Identifier: Apache-2.0

/// What to ask `finalizeApplicationCreateCustomer` for.
public struct FinalizeApplicationCreateCustomerRequest: Hashable, Codable, Sendable {
  public var onboardingApplicationId: String

  /// Creates the value from its members.
  public init(onboardingApplicationId: String) {
    self.onboardingApplicationId = onboardingApplicationId
  }
}

/// What `finalizeApplicationCreateCustomer` answers.
public struct FinalizeApplicationCreateCustomerResponse: Hashable, Codable, Sendable {
  public var basicDetails: OnboardingOperationResponseDetails
  public var customerId: String?

  /// Creates the value from its members.
  public init(basicDetails: OnboardingOperationResponseDetails, customerId: String?) {
    (self.basicDetails, self.customerId) = (basicDetails, customerId)
  }
}

/// What to ask `finalizeApplicationCreateProduct` for.
public struct FinalizeApplicationCreateProductRequest: Hashable, Codable, Sendable {
  public var onboardingApplicationId: String

  /// Creates the value from its members.
  public init(onboardingApplicationId: String) {
    self.onboardingApplicationId = onboardingApplicationId
  }
}

/// What `finalizeApplicationCreateProduct` answers.
public struct FinalizeApplicationCreateProductResponse: Hashable, Codable, Sendable {
  public var basicDetails: OnboardingOperationResponseDetails
  public var products: [OnboardedProduct]

  /// Creates the value from its members.
  public init(basicDetails: OnboardingOperationResponseDetails, products: [OnboardedProduct]) {
    (self.basicDetails, self.products) = (basicDetails, products)
  }
}

/// An account or a card that was opened.
public struct OnboardedProduct: Hashable, Codable, Sendable {
  public var productId: String
  /// `core-banking` or `core-card`.
  public var sourceDomain: String

  /// Creates the value from its members.
  public init(productId: String, sourceDomain: String) {
    (self.productId, self.sourceDomain) = (productId, sourceDomain)
  }
}
