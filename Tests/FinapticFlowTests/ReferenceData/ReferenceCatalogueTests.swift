// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import FinapticFlow

@Suite("Finaptic reference data", .storeless)
struct ReferenceCatalogueTests {
  private static let types = [
    "ADDRESS_TYPE": 2, "CONSENT_TYPE": 4, "DISCLOSURE_TYPE": 2, "DOCUMENT_TYPE": 6, "COMMUNICATION_PREFERENCE": 2,
    "ACCOUNT_PURPOSE": 8, "SOURCE_OF_FUNDS": 16, "EMPLOYMENT_STATUS": 7, "ONBOARDING_STATUS": 10, "COUNTRY": 249,
    "STATE_CA": 13, "STATE_US": 51, "STATE_FR": 0, "OCCUPATION": 22, "INDUSTRY": 11, "LANGUAGE": 2,
    "FAILURE_CODE": 9, "FAILURE_STATUS": 9,
  ]

  @Test("every list is there, each code once and with a text in both languages")
  func lists() throws {
    let catalogue = try ReferenceFiles.shipped()
    for (type, count) in Self.types {
      let list = try #require(catalogue.list(type), "\(type)")
      #expect(list.count == count, "\(type)")
      #expect(Set(list.map(\.code)).count == count, "\(type)")
      for entry in list {
        #expect(catalogue.has(entry.code, in: type))
        for locale in ReferenceLocale.allCases {
          #expect(!locale.text(of: entry).trimmingCharacters(in: .whitespaces).isEmpty, "\(entry.code)")
        }
      }
    }
  }

  @Test("what names no list", arguments: ["", "STATE", "STATE_", "STATE_ZZ", "STATE_ca", "country", "SOUP"])
  func unknown(type: String) throws {
    let catalogue = try ReferenceFiles.shipped()
    #expect(catalogue.list(type) == nil)
    #expect(!catalogue.has("CA", in: type))
  }

  @Test("the codes that the sources give are among them")
  func given() throws {
    let catalogue = try ReferenceFiles.shipped()
    let given = [
      "ADDRESS_TYPE": ["HOME", "WORK"], "CONSENT_TYPE": ["CONSENT_TYPE_TERMS_OF_USE_OF_APP"],
      "DOCUMENT_TYPE": ["DOCUMENT_TYPE_CANADIAN_PASSPORT", "DOCUMENT_TYPE_CANADIAN_DRIVERS_LICENSE"],
      "COMMUNICATION_PREFERENCE": ["COMMUNICATION_PREFERENCES_MOBILE", "COMMUNICATION_PREFERENCES_EMAIL"],
      "SOURCE_OF_FUNDS": ["PRIMARY_SOURCE_OF_FUNDS_LOANS", "PRIMARY_SOURCE_OF_FUNDS_GIFTS"],
      "COUNTRY": ["CA", "US", "FR"], "STATE_CA": ["AB", "BC", "QC"], "INDUSTRY": ["236110"],
      "OCCUPATION": ["OCCUPATION_8255_CONTRACTOR_AND_SUPERVISOR_LANDSCAPING"], "LANGUAGE": ["LANGUAGE_FR_CA"],
      "FAILURE_CODE": ["FAILURE_CODE_AGE_OF_MAJORITY", "FAILURE_CODE_DEFAULT"],
    ]
    for (type, codes) in given {
      for code in codes { #expect(catalogue.has(code, in: type), "\(code)") }
    }
    #expect(catalogue.list("COUNTRY")?.first { $0.code == "DE" }?.french == "Allemagne")
    #expect(catalogue.list("STATE_CA")?.first { $0.code == "QC" }?.french == "Québec")
  }

  @Test("a locale is English or French of Canada, however it is written")
  func locales() {
    for text in ["EN_CA", "en_CA", "en-CA", "EN-ca"] { #expect(ReferenceLocale(wire: text) == .english) }
    #expect(ReferenceLocale(wire: "fr-CA") == .french)
    for text in ["", "EN", "EN_US", "FR_FR", "EN_CA ", "EN__CA"] { #expect(ReferenceLocale(wire: text) == nil) }
  }

  @Test("an operator's folder takes the place of what comes with the program, list by list")
  func folder() throws {
    let folder = try TestFolder()
    let shipped = try ReferenceFiles.shipped()
    #expect(try ReferenceFiles.catalogue(folder: folder.path).version == shipped.version)
    try Data(
      """
      code,en,fr,withdrawn
      OCCUPATION_00010_LEGISLATOR,Legislator,"Membre, corps législatif",
      OCCUPATION_0011_OLD,Old,Ancien,true

      """.utf8
    ).write(to: URL(fileURLWithPath: folder.file("occupation.csv")))
    let catalogue = try ReferenceFiles.catalogue(folder: folder.path)
    #expect(catalogue.list("OCCUPATION")?.map(\.code) == ["OCCUPATION_00010_LEGISLATOR"])
    #expect(catalogue.list("OCCUPATION")?.first?.french == "Membre, corps législatif")
    #expect(catalogue.has("OCCUPATION_0011_OLD", in: "OCCUPATION"))
    #expect(catalogue.list("INDUSTRY") == shipped.list("INDUSTRY"))
    #expect(catalogue.version != shipped.version && catalogue.version.count == 16)
    #expect(throws: ReferenceFiles.Fault.self) { try ReferenceFiles.catalogue(folder: folder.file("none")) }
  }

  @Test(
    "a file that is no list is refused whole",
    arguments: [
      "", "code,en\n111110,a", "code,en,fr\n", "code,en,fr\n11111,a,b", "code,en,fr\n111110,a,",
      "code,en,fr\n111110,a,b\n111110,c,d", "code,en,fr\n111110,a", "code,en,fr,withdrawn\n111110,a,b,maybe",
      "code,en,fr\n\"111110,a,b",
    ])
  func noList(text: String) {
    #expect(throws: ReferenceFiles.Fault.self) {
      try ReferenceFiles.entries(Data(text.utf8), "industry.csv", ReferenceFiles.isIndustry)
    }
  }
}
