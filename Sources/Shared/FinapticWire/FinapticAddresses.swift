// SPDX-License-Identifier: Apache-2.0

extension FinapticAPI {
  /// An address in the international form (finaptic §4.1). Both ends send it.
  public struct Address: Codable, Sendable, Hashable {
    /// `HOME` or `WORK`.
    public var type: String?
    public var organization: String?
    public var line1: String?
    public var line2: String?
    public var line3: String?
    public var line4: String?
    public var line5: String?
    public var line6: String?
    public var line7: String?
    public var line8: String?
    /// City or town.
    public var locality: String?
    public var dependentLocality: String?
    public var doubleDependentLocality: String?
    /// The kind of `area`, such as `Province`.
    public var administrativeArea: String?
    /// The kind of what lies below, such as `County`.
    public var subAdministrativeArea: String?
    /// Province or state.
    public var area: String?
    public var postalCode: String?
    public var country: String?

    /// Creates the value from its members.
    public init(
      type: String? = nil, organization: String? = nil, line1: String? = nil, line2: String? = nil,
      line3: String? = nil, line4: String? = nil, line5: String? = nil, line6: String? = nil, line7: String? = nil,
      line8: String? = nil, locality: String? = nil, dependentLocality: String? = nil,
      doubleDependentLocality: String? = nil, administrativeArea: String? = nil, subAdministrativeArea: String? = nil,
      area: String? = nil, postalCode: String? = nil, country: String? = nil
    ) {
      (self.type, self.organization, self.line1) = (type, organization, line1)
      (self.line2, self.line3, self.line4) = (line2, line3, line4)
      (self.line5, self.line6, self.line7) = (line5, line6, line7)
      (self.line8, self.locality, self.dependentLocality) = (line8, locality, dependentLocality)
      self.doubleDependentLocality = doubleDependentLocality
      self.administrativeArea = administrativeArea
      self.subAdministrativeArea = subAdministrativeArea
      (self.area, self.postalCode, self.country) = (area, postalCode, country)
    }

    enum CodingKeys: String, CodingKey {
      case type, organization, locality, area, country
      case line1 = "line_1"
      case line2 = "line_2"
      case line3 = "line_3"
      case line4 = "line_4"
      case line5 = "line_5"
      case line6 = "line_6"
      case line7 = "line_7"
      case line8 = "line_8"
      case dependentLocality = "dependent_locality"
      case doubleDependentLocality = "double_dependent_locality"
      case administrativeArea = "administrative_area"
      case subAdministrativeArea = "sub_administrative_area"
      case postalCode = "postal_code"
    }
  }

  /// What to look addresses up by.
  public struct AddressSuggestionsRequest: Codable, Sendable, Hashable {
    public var onboardingApplicationId: String?
    public var pattern: String?
    /// `HOME` or `WORK`.
    public var addressType: String?

    /// Creates the value from its members.
    public init(onboardingApplicationId: String? = nil, pattern: String? = nil, addressType: String? = nil) {
      (self.onboardingApplicationId, self.pattern, self.addressType) = (onboardingApplicationId, pattern, addressType)
    }

    enum CodingKeys: String, CodingKey {
      case pattern
      case onboardingApplicationId = "onboarding_application_id"
      case addressType = "address_type"
    }
  }

  /// At most ten addresses, ready to be sent back.
  public struct AddressSuggestionsResponse: Codable, Sendable, Hashable {
    public var suggestions: [Address]

    /// Creates the value from its members.
    public init(suggestions: [Address]) {
      self.suggestions = suggestions
    }
  }
}
