// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Screening

@Suite("Screening: an explanation says what was compared, with both sides, and nothing that was not so", .storeless)
struct ExplanationTests {
  private static let table = """
    ref,kind,name,dob,nationality,gender,document_numbers
    E.1,person,Timur Kestrelov,1962-12-31,New Zealand; Germany,male,70 123
    E.2,person,Ottokar Quellenburg,,,,
    E.3,entity,Halcyon Dredging,,South Africa,,
    E.4,person,Ansgar Driftwell,1960/1963,,,
    """

  private func answer(
    _ name: String, born: String? = nil, nationalities: [String] = [], documents: [String] = [],
    kind: WatchList.Kind = .person, sex: WatchList.Sex? = nil
  ) throws -> MatchExplanation {
    let index = ScreeningIndex([try InventedList.list(Self.table)], countries: InventedList.countries)
    let subject = Screening.Subject(
      names: [name], dateOfBirth: born.flatMap { BirthDate($0) }, nationalities: nationalities,
      documentNumbers: documents, kind: kind, sex: sex)
    return try #require(index.answers(to: subject)?.first).explanation
  }

  @Test("only the name was compared where nothing else was")
  func nameAlone() throws {
    #expect(
      try answer("Timur Kestrelov").name.last == "No date of birth was given, so only the name was compared.")
    #expect(
      try answer("Ottokar Quellenburg", born: "1971").name.last
        == "The list gives no date of birth, so only the name was compared.")
    #expect(try answer("Timur Kestrelov", nationalities: ["NZL"]).name.last == "No date of birth was given.")
    #expect(try answer("Timur Kestrelov", nationalities: ["ZAF"]).name.last == "No date of birth was given.")
    #expect(try answer("Timur Kestrelov", documents: ["70123"]).name.last == "No date of birth was given.")
    #expect(try answer("Timur Kestrelov", sex: .female).name.last == "No date of birth was given.")
  }

  @Test("a document is named as the list writes it, and a name that is not alike is a contradiction")
  func documents() throws {
    let found = try answer("Nemo Nobody", born: "1962-12-31", documents: ["70-123", "X 9"])
    #expect(found.confirms.first == "A document number is the same (70 123).")
    #expect(found.contradicts == ["No name of the entry resembles the name that was asked for."])
    #expect(try answer("Timur Kestrelov", documents: ["70-123"]).contradicts == [])
    let twice = WatchList.Entry(
      reference: "E.5", names: ["Nemo Nobody"],
      identifiers: ["Passport", "Identity card"].map { .init(type: $0, number: "81 456") })
    let index = ScreeningIndex(
      [WatchList(version: .init(code: "TWICE", version: "1"), entries: [twice])], countries: InventedList.countries)
    let told = index.answers(to: InventedList.subject("Nemo Nobody", document: "81456"))?.first?.explanation
    #expect(told?.confirms == ["A document number is the same (81 456)."])
  }

  @Test("nationalities, countries and sexes that differ are told of both sides")
  func bothSides() throws {
    let person = try answer("Timur Kestrelov", born: "1962-12-31", nationalities: ["ZAF", "PRK"], sex: .female)
    #expect(
      person.contradicts == [
        "The nationality is another one (PRK, ZAF; listed DEU, NZL).", "The sex is another one (female; listed male).",
      ])
    let firm = { (land: String) in
      try answer("Halcyon Dredging", nationalities: [land], kind: .organisation)
    }
    #expect(try firm("ZAF").confirms == ["The country is the same (ZAF)."])
    #expect(try firm("NZL").contradicts == ["The country is another one (NZL; listed ZAF)."])
  }

  @Test("two digits that are swapped are not called one digit, and a span of years is written in years")
  func dates() throws {
    #expect(
      try answer("Timur Kestrelov", born: "1962-12-13").confirms == [
        "The dates of birth differ in one digit or in the order of two (1962-12-13; listed 1962-12-31)."
      ])
    #expect(
      try answer("Ansgar Driftwell", born: "1961-05-06").confirms == [
        "The dates of birth agree as far as both are known (1961-05-06; listed 1960–1963)."
      ])
    for (text, words) in [
      ("1960/1963", "1960–1963"), ("circa 1960-1963", "about 1960–1963"), ("1971", "1971"), ("Mar 1971", "1971-03"),
      ("Jan 1960 to Mar 1963", "1960-01-01–1963-03-31"), ("1960 to Nov 1963", "1960-01-01–1963-11-30"),
    ] { #expect(BirthDate(text)?.words == words) }
  }
}
