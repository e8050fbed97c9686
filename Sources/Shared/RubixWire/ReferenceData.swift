// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// Answer of `GET /reference/countries` (rubix-onboarding §6.15).
public struct CountryList: Codable, Sendable, Equatable {
  /// By name.
  public var countries: [ReferenceCountry]

  /// Creates the value from its members.
  public init(countries: [ReferenceCountry]) {
    self.countries = countries
  }
}

/// A country.
public struct ReferenceCountry: Codable, Sendable, Equatable {
  /// Short English name.
  public var name: String
  /// ISO 3166-1 alpha-2, for addresses and taxes.
  public var alpha2: String
  /// ISO 3166-1 alpha-3, for documents.
  public var alpha3: String
  /// With `+`; nil for a country without a code of its own.
  @ExplicitNull public var phoneCode: String?
  /// What its people are called.
  @ExplicitNull public var nationality: String?

  /// Creates the value from its members.
  public init(name: String, alpha2: String, alpha3: String, phoneCode: String? = nil, nationality: String? = nil) {
    self.name = name
    self.alpha2 = alpha2
    self.alpha3 = alpha3
    self.phoneCode = phoneCode
    self.nationality = nationality
  }

  enum CodingKeys: String, CodingKey {
    case name
    case alpha2
    case alpha3
    case phoneCode = "phone_code"
    case nationality
  }
}

/// Answer of `GET /reference/currencies` (rubix-onboarding §6.15).
public struct CurrencyList: Codable, Sendable, Equatable {
  /// By code.
  public var currencies: [ReferenceCurrency]

  /// Creates the value from its members.
  public init(currencies: [ReferenceCurrency]) {
    self.currencies = currencies
  }
}

/// A currency.
public struct ReferenceCurrency: Codable, Sendable, Equatable {
  /// ISO 4217.
  public var code: String
  /// English name.
  public var name: String
  /// Decimal places.
  public var minorUnits: Int

  /// Creates the value from its members.
  public init(code: String, name: String, minorUnits: Int) {
    self.code = code
    self.name = name
    self.minorUnits = minorUnits
  }

  enum CodingKeys: String, CodingKey {
    case code
    case name
    case minorUnits = "minor_units"
  }
}
