// SPDX-License-Identifier: Apache-2.0

/// An address in the international form (finaptic §4.1).
public struct Address: Hashable, Codable, Sendable {
  /// `AddressTypes.homeAddressType` or `.workAddressType`.
  public var type: String
  public var organization: String?
  public var line1: String
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
  /// Province or state, such as `Ontario`.
  public var area: String
  public var postalCode: String
  public var country: String

  /// Creates the value from its members.
  public init(
    type: String, organization: String? = nil, line1: String, line2: String? = nil, line3: String? = nil,
    line4: String? = nil, line5: String? = nil, line6: String? = nil, line7: String? = nil, line8: String? = nil,
    locality: String? = nil, dependentLocality: String? = nil, doubleDependentLocality: String? = nil,
    administrativeArea: String? = nil, subAdministrativeArea: String? = nil, area: String, postalCode: String,
    country: String
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
}

/// What to ask `updateAddresses` for.
public struct UpdateAddressesRequest: Hashable, Codable, Sendable {
  public var onboardingApplicationId: String
  public var addresses: [Address]

  /// Creates the value from its members.
  public init(onboardingApplicationId: String, addresses: [Address]) {
    (self.onboardingApplicationId, self.addresses) = (onboardingApplicationId, addresses)
  }
}

/// What `updateAddresses` answers.
public struct UpdateAddressesResponse: Hashable, Codable, Sendable {
  public var basicDetails: OnboardingOperationResponseDetails

  /// Creates the value from its members.
  public init(basicDetails: OnboardingOperationResponseDetails) {
    self.basicDetails = basicDetails
  }
}
