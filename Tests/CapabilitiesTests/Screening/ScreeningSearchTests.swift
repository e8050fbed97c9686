// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import TestSupport
import Testing

@testable import Screening

@Suite("Screening: who is found", .storeless)
struct ScreeningSearchTests {
  func hits(
    _ name: String, born: String? = nil, nationality: String? = nil, document: String? = nil, threshold: Double = 0.85
  ) throws -> [Screening.Hit] {
    let subject = InventedList.subject(name, born: born, nationality: nationality, document: document)
    guard case .screened(let report) = try InventedList.index().screen(subject, threshold: threshold) else { return [] }
    return report.hits
  }

  @Test("the same name, date and nationality are a hit that names them")
  func exact() throws {
    let hit = try #require(
      try hits("Bartholomew Quindaro Ashgrove", born: "1964-08-12", nationality: "NZL").first)
    #expect(hit.entityID == "W.1")
    #expect(hit.list == "WIDE")
    #expect(hit.caption == "Bartholomew Quindaro Ashgrove")
    #expect(hit.score == 1)
    #expect(hit.nameScore == 1)
    #expect(hit.dateOfBirth == .exact)
    #expect(hit.nationality)
    #expect(hit.disposition == .open)
  }

  @Test(
    "slips, other orders, spellings, blanks, scripts and left-out names are still hits",
    arguments: [
      ("Bartolomew Quindaro Ashgrove", "W.1"), ("Batrholomew Quindaro Ashgrove", "W.1"),
      ("Ashgrove, Bartholomew Quindaro", "W.1"), ("ASHGROVE QUINDARO BARTHOLOMEW", "W.1"),
      ("Bartholomewq Uindaro Ashgrove", "W.1"), ("Barty Ash-Grove", "W.1"),
      ("Tamsin Okavello", "W.2"), ("Тамсин Окавелло", "W.2"), ("Mohamed Zarqavendi", "W.4"),
      ("Wintermute Leopold Xavier", "11"), ("Ottilie Vanterpool", "12"),
      ("Öttilie Vanterpoole", "12"),
    ])
  func variants(name: String, reference: String) throws {
    #expect(try hits(name).first?.entityID == reference)
  }

  @Test(
    "a name of which a part is left out is a hit once a date of birth agrees, and not alone",
    arguments: [("Bartholomew Ashgrove", "1964-08-12", "W.1"), ("Leopold Wintermute", "1962-01-05", "11")])
  func leftOut(name: String, born: String, reference: String) throws {
    #expect(try hits(name).isEmpty)
    #expect(try hits(name, born: born).first?.entityID == reference)
  }

  @Test(
    "other people are not",
    arguments: [
      "Bartholomew Jones", "Quindaro Smith", "Wilhelmina Ashgrove", "Leopold Summermute", "Muhammad Ali",
      "Otto Vandermeer",
      "Okavelloe Trading", "Wintermute", "Snowbeard Jones",
    ])
  func others(name: String) throws {
    #expect(try hits(name).isEmpty)
  }

  @Test("a conflicting date lowers the score, a further one more, and an agreeing one raises it")
  func dates() throws {
    func score(_ born: String?) throws -> Double {
      try #require(hits("Bartholomew Ashgrove", born: born, threshold: 0.5).first).score
    }
    #expect(try score("1964-08-12") > score(nil))
    #expect(try score("1964") > score(nil))
    #expect(try score("1964-12-08") > score(nil))
    #expect(try score("1966-01-30") < score(nil))
    #expect(try score("1990-01-30") < score("1966-01-30"))
    #expect(try hits("Bartholomew Ashgrove", born: "1990-01-30").isEmpty)
  }

  @Test("a year that agrees adds nothing where the list has so many that almost any would")
  func manyYears() throws {
    let policy = MatchingPolicy.standard
    func answer(_ dates: [String], _ born: String) throws -> ScreenAnswer {
      let entry = WatchList.Entry(
        reference: "Y.1", names: ["Bartholomew Ashgrove"], datesOfBirth: dates.compactMap { BirthDate($0) })
      let list = WatchList(version: .init(code: "Y", version: "1"), entries: [entry])
      let index = ScreeningIndex([list], countries: InventedList.countries)
      return try #require(
        index.answers(to: InventedList.subject("Bartolomeo Ashgrov", born: born), policy: policy)?.first)
    }
    let few = try answer(["1961", "1963"], "1963-12-11")
    #expect(try answer(["circa 1963"], "1963-12-11").score == few.score)
    for many in [["1959", "1960", "1961", "1963", "1964", "1965"], ["1960/1966"], ["circa 1961", "1970"]] {
      let found = try answer(many, "1963-12-11")
      #expect(abs(found.score - few.score + policy.partialDate) < 1e-6, "\(many)")
      #expect(found.explanation.confirms.contains { $0.contains("says little") } && found.match)
    }
    // A day among them says as much as ever.
    let days = ["1959", "1960", "1961", "1963-12-11", "1964", "1965"]
    #expect(try answer(days, "1963-12-11").score == answer(["1963-12-11"], "1963-12-11").score)
  }

  @Test(
    "dates agree in grades",
    arguments: [
      ("1964-08-12", "1964-08-12", BirthDate.Agreement.exact), ("1964-08-12", "1964-12-08", .swapped),
      ("1964-08-12", "1964-08-13", .offByOne), ("1964-08-31", "1964-09-01", .offByOne),
      ("1964-08-12", "1964-09-12", .offByOne), ("1964-08-12", "1965-08-12", .offByOne),
      ("1964-08-12", "1964-08-17", .digit), ("1964-08-12", "1984-08-12", .digit), ("1964-08-12", "1946-08-12", .digit),
      ("1964-08-12", "1964-08-29", .part), ("1964-08-12", "1964-02-12", .part), ("1964-08-12", "1964", .partial),
      ("1964-08-12", "1964-08", .partial), ("1964-08-12", "1963/1966", .partial),
      ("1964-08-12", "circa 1962", .partial), ("circa 1964", "1964", .partial), ("1964-08-12", "1983-08-12", .conflict),
      ("1964-08-12", "1964-02-01", .close), ("1964-08-12", "1965", .close), ("1964-08-12", "1967", .conflict),
      ("1964-08-12", "circa 1960", .close), ("1964-08-12", "circa 1955", .conflict),
    ])
  func agreement(one: String, other: String, expected: BirthDate.Agreement) throws {
    let (one, other) = (try #require(BirthDate(one)), try #require(BirthDate(other)))
    #expect(one.agreement(with: other) == expected)
    #expect(other.agreement(with: one) == expected)
  }

  @Test("a shared nationality raises the score, another one lowers it")
  func nationality() throws {
    func score(_ nationality: String?) throws -> Double {
      try #require(hits("Bartholomew Ashgrove", nationality: nationality, threshold: 0.5).first).score
    }
    #expect(try score("NZ") > score(nil))
    #expect(try score("ZAF") < score(nil))
    #expect(try score("Atlantis") == score(nil))
  }

  @Test("a shared document number is a hit under any name")
  func documents() throws {
    let list = try InventedList.list("ref,name,document_numbers\nD.1,Ignatius Fernweh,AB 12-34; X9\n")
    let index = ScreeningIndex([list], countries: InventedList.countries)
    let outcome = index.screen(InventedList.subject("Somebody Else", document: "ab1234"), threshold: 0.85)
    guard case .screened(let report) = outcome else { return #expect(Bool(false), "not searched") }
    #expect(report.hits.map(\.entityID) == ["D.1"])
    #expect(report.hits.first?.documentNumber == true)
    #expect(report.hits.first?.score == 1)
  }

  @Test("a nickname counts less than a name, and the date of birth decides")
  func weakNames() throws {
    let list = try InventedList.list("ref,name,weak_aliases,dob\nN.1,Ignatius Fernweh,Copper Kettle,1970-02-03\n")
    let index = ScreeningIndex([list], countries: InventedList.countries)
    func score(_ born: String?) -> Double? {
      guard
        case .screened(let report) = index.screen(
          InventedList.subject("Copper Kettle", born: born), threshold: 0)
      else { return nil }
      return report.hits.first?.score
    }
    #expect(try #require(score(nil)) < 0.95)
    #expect(try #require(score("1970-02-03")) >= 0.95)
    #expect(try #require(score("1990-05-06")) < MatchingPolicy.standard.threshold)
  }

  @Test("the best of several names of the subject counts, and a subject without a readable name is not found clean")
  func names() throws {
    let index = try InventedList.index()
    let both = Screening.Subject(
      names: ["B. A.", "Bartholomew Quindaro Ashgrove"], dateOfBirth: nil, nationalities: [], documentNumbers: [])
    guard case .screened(let report) = index.screen(both, threshold: 0.85) else {
      return #expect(Bool(false), "not searched")
    }
    #expect(report.hits.first?.entityID == "W.1")
    for name in ["", "   ", "1234", "—"] {
      guard case .failed = index.screen(InventedList.subject(name), threshold: 0.85) else {
        Issue.record("an unreadable name was searched")
        continue
      }
    }
  }

  @Test("names of any length and form are answered")
  func hostileNames() throws {
    let index = try InventedList.index()
    for name in [
      String(repeating: "A", count: 100_000), String(repeating: "ab ", count: 10_000), ",,,,", "a,b,c,d",
      "\u{202E}evil\u{0}", String(repeating: "e\u{301}", count: 5_000),
    ] {
      let outcome = index.screen(InventedList.subject(name), threshold: 0.85)
      let isSearched = if case .screened = outcome { true } else { false }
      #expect(isSearched == (name != ",,,,"), "\(name.prefix(10)): \(outcome)")
    }
  }

  @Test("a row of which something cannot be read is told apart from one that resembles no entry")
  func unreadableRow() throws {
    let index = try InventedList.index()
    let dates = ["01.01.1980", "01/01/1980", "1980/01/01", "1980-02-30", "1980-1-1", "1980"]
    let sexes = ["man", "M", "f", "FEMALE", "Other", "X"]
    let table = """
      name,dob,gender
      Bartholomew Quindaro Ashgrove,,male
      ",,,,",,
      Xylophagous Qwrtz,,
      \((dates.map { "Xylophagous Qwrtz,\($0)," } + sexes.map { "Xylophagous Qwrtz,,\($0)" }).joined(separator: "\n"))
      """
    var rows: [ScreenedRow] = []
    try ScreenFile.subjects(Data(table.utf8)) { number, subject in
      rows.append(ScreenedRow(row: number, subject, countries: index.countries) { index.answers(to: $0) })
    }
    #expect(
      rows.map(\.error) == [nil, .name, nil, .date, .date, .date, .date, nil, nil, .gender, nil, nil, nil, nil, nil])
    #expect(rows[0].lines(\.self).first?.hasPrefix("0\t") == true)
    #expect(rows[0].lines(\.self).first?.hasSuffix("\thit\tW.1\tBartholomew Quindaro Ashgrove") == true)
    // What a list calls an entry is shown as a terminal may have it.
    #expect(rows[0].lines { "<\($0)>" }.first?.hasSuffix("\thit\t<W.1>\t<Bartholomew Quindaro Ashgrove>") == true)
    #expect(rows[1].lines(\.self) == ["1\t-\tunreadable-name\t-\t-"])
    #expect(rows[2].lines(\.self).isEmpty)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let documents = try rows.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
    #expect(documents[1] == #"{"answers":[],"error":"unreadable-name","row":1}"#)
    #expect(documents[2] == #"{"answers":[],"row":2}"#)
    #expect(documents[3] == #"{"answers":[],"error":"unreadable-date","row":3}"#)
  }

  @Test("a row with a nationality that is no country is searched without it, and tells so")
  func unknownNationality() throws {
    let index = try InventedList.index()
    let table = """
      name,nationality
      Bartholomew Quindaro Ashgrove,ZZZ
      Bartholomew Quindaro Ashgrove,New Zealand; Unknown
      Bartholomew Quindaro Ashgrove,NZ;XXA
      Bartholomew Quindaro Ashgrove,
      ",,,,",ZZZ
      """
    var rows: [ScreenedRow] = []
    try ScreenFile.subjects(Data(table.utf8)) { number, subject in
      rows.append(ScreenedRow(row: number, subject, countries: index.countries) { index.answers(to: $0) })
    }
    #expect(rows.map(\.leftOut) == [[.nationality], [.nationality], nil, nil, nil])
    #expect(rows.map(\.error) == [nil, nil, nil, nil, .name])
    #expect(rows.prefix(4).allSatisfy { $0.answers.first?.ref == "W.1" })
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let document = String(decoding: try encoder.encode(rows[0]), as: UTF8.self)
    #expect(document.contains(#""left_out":["nationality"],"row":0"#))
    #expect(!String(decoding: try encoder.encode(rows[2]), as: UTF8.self).contains("left_out"))
  }

  @Test("the edit distance agrees with its definition and keeps its bound")
  func editDistance() {
    func distance(_ one: String, _ other: String, _ bound: Int = 9) -> Int? {
      EditDistance.between(Array(one.utf8), Array(other.utf8), atMost: bound)
    }
    #expect(distance("", "") == 0)
    #expect(distance("", "abc") == 3)
    #expect(distance("kitten", "sitting") == 3)
    #expect(distance("ca", "ac") == 1)
    #expect(distance("ca", "abc") == 3)  // optimal string alignment does not edit within a swap
    #expect(distance("kitten", "sitting", 2) == nil)
  }
}
