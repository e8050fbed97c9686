// SPDX-License-Identifier: Apache-2.0

import GatehouseWire
import HTTP
import Hummingbird
import ReferenceData
import RubixWire

/// `/reference/…` (rubix-onboarding §6.15). Public: an app needs them before anybody is registered.
package struct ReferenceRoutes: Sendable {
  package func add(to group: RouterGroup<PublicContext>) {
    group.get("reference/countries") { _, _ in Response.json(encoded: try Self.countries.get()) }
    group.get("reference/currencies") { _, _ in Response.json(encoded: try Self.currencies.get()) }
  }

  // Anybody may ask, and the answer is always the same.
  private static let countries = Result { ByteBuffer(bytes: try WireJSON.encode(CountryList.reference)) }
  private static let currencies = Result { ByteBuffer(bytes: try WireJSON.encode(CurrencyList.reference)) }
}

extension CountryList {
  /// Every country, by its English name.
  static let reference = CountryList(
    countries: Country.all.map {
      ReferenceCountry(
        name: $0.name, alpha2: $0.alpha2, alpha3: $0.alpha3, phoneCode: $0.phoneCode.count > 1 ? $0.phoneCode : nil,
        nationality: $0.nationality.isEmpty ? nil : $0.nationality)
    }.sorted { $0.name < $1.name })
}

extension CurrencyList {
  /// Every currency, by its code.
  static let reference = CurrencyList(
    currencies: Currency.all.map { ReferenceCurrency(code: $0.code, name: $0.name, minorUnits: $0.minorUnits) })
}
