// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Kit
import Storage
import TestSupport

@testable import Screening

/// A list of people who do not exist, in both forms of columns that operators have.
enum InventedList {
  static let countries = CountryNames([
    ("ZA", "ZAF", ["South Africa", "South African"]), ("NZ", "NZL", ["New Zealand"]),
    ("KP", "PRK", ["North Korea"]), ("DE", "DEU", ["Germany", "German"]),
  ])

  static let wide = """
    ref,kind,name,original_script,aliases,weak_aliases,dob,nationality,pob,gender,listed_on
    W.1,person,Bartholomew Quindaro Ashgrove,,Barty Ashgrove; Q. Ashgrove,\
    Snowbeard,1964-08-12,New Zealand,"Lower Hutt, by the lake",Male,2020-01-01
    W.2,person,Tamsyn Okavelloe,Тамсин Окавелло,\
    "Tamsin ""Tam"" Ocavello",,1971,South Africa,,Female,2020-01-01
    W.3,entity,Okavelloe Trading,,,,,South Africa,,,2020-01-01
    W.4,person,Muhammad Zarqavendi,,,,1960/1963; 1966,,,,2020-01-01

    """

  static let narrow = """
    ref,kind,name,aliases,program,dob,nationality,pob
    11,individual,"WINTERMUTE, Leopold Xaver","WINTERMUT, Poldi",TEST,circa 1961,"Korea, North",
    12,individual,"VANTERPOOLE, Ottilie",,TEST,10 Dec 1948,,
    13,vessel,WINTERMUTE,,TEST,,,
    """

  static func list(_ text: String, code: String = "WIDE", version: String = "2026-11-20") throws -> WatchList {
    try WatchList(Data(text.utf8), version: .init(code: code, version: version), countries: countries)
  }

  static func index() throws -> ScreeningIndex {
    ScreeningIndex([try list(wide), try list(narrow, code: "NARROW", version: "7")], countries: countries)
  }

  static func subject(
    _ name: String, born: String? = nil, nationality: String? = nil, document: String? = nil
  ) -> Screening.Subject {
    Screening.Subject(
      names: [name], dateOfBirth: born.flatMap { BirthDate($0) }, nationalities: nationality.map { [$0] } ?? [],
      documentNumbers: document.map { [$0] } ?? [])
  }
}

extension TestFolder {
  func put(_ name: String, _ text: String, written: Date? = nil) throws {
    try Data(text.utf8).write(to: url(name))
    if let written {
      try FileManager.default.setAttributes([.modificationDate: written], ofItemAtPath: file(name))
    }
  }
}
