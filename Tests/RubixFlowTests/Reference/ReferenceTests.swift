// SPDX-License-Identifier: Apache-2.0

import RubixWire
import TestSupport
import Testing

@testable import RubixFlow

@Suite("Rubix: reference data", .storeless)
struct ReferenceTests {
  @Test("countries are listed by name with both codes, currencies by code")
  func lists() {
    let countries = CountryList.reference.countries
    #expect(countries.map(\.name) == countries.map(\.name).sorted())
    #expect(countries.contains { $0.alpha2 == "KW" && $0.alpha3 == "KWT" && $0.phoneCode == "+965" })
    #expect(CurrencyList.reference.currencies.contains { $0.code == "KWD" && $0.minorUnits == 3 })
  }
}
