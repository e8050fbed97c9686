// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import ReferenceData

@Suite("Reference data: countries and currencies", .storeless)
struct ReferenceDataTests {
  @Test("every country has distinct codes of the right form, both names and a phone code")
  func countries() {
    #expect(Country.all.count == 249)  // the officially assigned codes of ISO 3166-1
    #expect(Set(Country.all.map(\.alpha2)).count == Country.all.count)
    #expect(Set(Country.all.map(\.alpha3)).count == Country.all.count)
    #expect(Set(Country.all.map(\.numeric)).count == Country.all.count)
    for country in Country.all {
      #expect(country.alpha2.wholeMatch(of: /[A-Z]{2}/) != nil)
      #expect(country.alpha3.wholeMatch(of: /[A-Z]{3}/) != nil)
      #expect(country.numeric.wholeMatch(of: /[0-9]{3}/) != nil)
      #expect(country.phoneCode.wholeMatch(of: /\+[1-9][0-9]{0,2}/) != nil)
      #expect(!country.name.isEmpty && !country.nationality.isEmpty)
      #expect(!country.nameArabic.isEmpty && !country.nameFrench.isEmpty)
    }
    #expect(Set(Country.all.map(\.nameFrench)).count == Country.all.count)
    #expect(Country.with(alpha2: "DE")?.nameFrench == "Allemagne")
    #expect(Country.all.map(\.alpha2) == Country.all.map(\.alpha2).sorted())
  }

  @Test("a country is found by either code, in capitals only")
  func lookup() {
    #expect(Country.with(alpha2: "KW")?.nationality == "Kuwaiti")
    #expect(Country.with(alpha3: "DEU")?.alpha2 == "DE")
    #expect(Country.with(alpha2: "kw") == nil)
    #expect(Country.with(alpha2: "XX") == nil)
    #expect(Country.with(alpha3: "UTO") == nil)
  }

  @Test("every currency has distinct codes and a plausible number of minor units")
  func currencies() {
    #expect(Set(Currency.all.map(\.code)).count == Currency.all.count)
    #expect(Set(Currency.all.map(\.numeric)).count == Currency.all.count)
    for currency in Currency.all {
      #expect(currency.code.wholeMatch(of: /[A-Z]{3}/) != nil)
      #expect(currency.numeric.wholeMatch(of: /[0-9]{3}/) != nil)
      #expect([0, 2, 3].contains(currency.minorUnits))
      #expect(!currency.name.isEmpty && !currency.nameArabic.isEmpty)
    }
    #expect(Currency.with(code: "KWD")?.minorUnits == 3)
    #expect(Currency.with(code: "JPY")?.minorUnits == 0)
    #expect(Currency.with(code: "XAU") == nil)
  }
}
