// SPDX-License-Identifier: Apache-2.0

/// What to ask `getSuggestions` for.
public struct AddressSuggestionsRequest: Hashable, Codable, Sendable {
  public var onboardingApplicationId: String
  /// Three characters or more.
  public var pattern: String
  public var addressType: String

  /// Creates the value from its members.
  public init(onboardingApplicationId: String, pattern: String, addressType: String) {
    (self.onboardingApplicationId, self.pattern, self.addressType) = (onboardingApplicationId, pattern, addressType)
  }
}

/// What `getSuggestions` answers.
public struct AddressSuggestionsResponse: Hashable, Codable, Sendable {
  public var suggestions: [Address]

  /// Creates the value from its members.
  public init(suggestions: [Address]) {
    self.suggestions = suggestions
  }
}
