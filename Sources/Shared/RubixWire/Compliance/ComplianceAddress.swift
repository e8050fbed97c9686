// SPDX-License-Identifier: Apache-2.0

/// A postal address in a compliance form (Rubix §7.1).
public struct ComplianceAddress: Codable, Hashable, Sendable {
  /// Street and house number.
  public var line1: String
  /// Flat, floor and the like.
  public var line2: String?
  /// Town or city.
  public var city: String
  /// State, governorate or province.
  public var region: String?
  /// As the country writes it.
  public var postalCode: String?
  /// ISO 3166-1 alpha-2.
  public var country: String
  /// Why a residence address is a P.O. box or in care of another person; otherwise absent.
  public var inCareOfReason: String?

  /// Creates the value from its members.
  public init(
    line1: String, line2: String? = nil, city: String, region: String? = nil, postalCode: String? = nil,
    country: String, inCareOfReason: String? = nil
  ) {
    self.line1 = line1
    self.line2 = line2
    self.city = city
    self.region = region
    self.postalCode = postalCode
    self.country = country
    self.inCareOfReason = inCareOfReason
  }

  enum CodingKeys: String, CodingKey, CaseIterable {
    case line1, line2, city, region, country
    case postalCode = "postal_code"
    case inCareOfReason = "in_care_of_reason"
  }
}
