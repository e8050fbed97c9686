// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import TestSupport
import Testing

@testable import Screening

@Suite("Screening: reading list files", .storeless)
struct WatchListTests {
  @Test("both forms of columns are read: kinds, names, dates, nationalities")
  func bothForms() throws {
    let wide = try InventedList.list(InventedList.wide)
    #expect(wide.entries.map(\.reference) == ["W.1", "W.2", "W.3", "W.4"])
    #expect(wide.entries.map(\.kind) == [.person, .person, .organisation, .person])
    #expect(wide.entries[0].names == ["Bartholomew Quindaro Ashgrove", "Barty Ashgrove", "Q. Ashgrove"])
    #expect(wide.entries[0].weakNames == ["Snowbeard"])
    #expect(wide.entries[0].nationalities == ["NZL"])
    #expect(wide.entries[0].topics == ["sanction"])
    #expect(wide.entries[1].names == ["Tamsyn Okavelloe", "Tamsin \"Tam\" Ocavello", "Тамсин Окавелло"])
    #expect(wide.entries[3].datesOfBirth.count == 2)
    let narrow = try InventedList.list(InventedList.narrow, code: "PEP")
    #expect(narrow.entries.map(\.reference) == ["11", "12", "13"])
    #expect(narrow.entries.map(\.kind) == [.person, .person, .vessel])
    #expect(narrow.entries[0].nationalities == ["PRK"])
    #expect(narrow.entries[0].datesOfBirth.first?.isApproximate == true)
    #expect(narrow.entries[0].topics == ["role.pep"])
  }

  @Test("quotes, commas, line breaks and every line ending of CSV are understood")
  func csv() throws {
    let table = try CSV(Data("\u{FEFF}a,B\r\n\"x, \"\"y\"\"\r\nz\",2\r\n\r\n3,\n\"\",4\r5,6".utf8))
    #expect(table.columns == ["a", "b"])
    #expect(table.rows.map { $0["a"] } == ["x, \"y\"\r\nz", "3", "", "5"])
    #expect(table.rows.map { $0["b"] } == ["2", "", "4", "6"])
    #expect(table.rows.map(\.line) == [2, 5, 6, 7])
    #expect(table.rows[0]["absent"] == "")
  }

  @Test(
    "a table that is not one is refused with the line",
    arguments: [
      ("", CSV.Fault.noHeader), ("a,b\n1,\"2\n3", .unclosedQuote(line: 2)), ("a,b\n1,2\"3\n", .strayQuote(line: 2)),
      ("a,b\n\"1\"2,3\n", .strayQuote(line: 2)), ("a,b\n1,2\n1\n", .ragged(line: 3)),
      ("a,b\n1,2,3\n", .ragged(line: 2)),
    ])
  func malformed(text: String, fault: CSV.Fault) {
    #expect(throws: fault) { try CSV(Data(text.utf8)) }
  }

  @Test("bytes that are not UTF-8 are refused")
  func encoding() {
    #expect(throws: CSV.Fault.notUTF8) { try CSV(Data([0x61, 0x2C, 0x62, 0x0A, 0xFF, 0x2C, 0x31])) }
  }

  @Test("a list without its columns, without entries or with a nameless entry is refused")
  func notLists() {
    func reason(_ text: String) -> String? {
      do { _ = try InventedList.list(text) } catch let fault as ListFault { return fault.reason } catch { return nil }
      return nil
    }
    #expect(reason("id,name\n1,Ann Other\n") == "the column ref is missing")
    #expect(reason("ref,title\n1,Ann Other\n") == "the column name is missing")
    #expect(reason("ref,name\n") == "there is no entry in the file")
    #expect(reason("ref,name\n1,\n") == "an entry has no reference or no name")
  }

  @Test("any mutilation of a list file gives a list or a fault, never a crash", arguments: 0..<8)
  func fuzz(seed: UInt64) {
    var randomness = seed &+ 99
    func pick(_ bound: Int) -> Int {
      randomness = randomness &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((randomness >> 33) % UInt64(bound))
    }
    let marks = Array("\",;\n\r/-'\u{0}\u{FF}".utf8) + [0xC3, 0xED, 0xA0, 0x80]
    for _ in 0..<60 {
      var bytes = Array(InventedList.wide.utf8)
      for _ in 0...pick(12) {
        switch pick(3) {
        case 0: bytes.insert(marks[pick(marks.count)], at: pick(bytes.count))
        case 1: bytes.remove(at: pick(bytes.count))
        default: bytes[pick(bytes.count)] = UInt8(pick(256))
        }
      }
      let list = try? WatchList(
        Data(bytes), version: .init(code: "FUZZ", version: "1"), countries: InventedList.countries)
      if let list {
        #expect(!list.entries.isEmpty)
        _ = ScreeningIndex([list], countries: InventedList.countries)
          .screen(InventedList.subject("Barty Ashgrove", born: "1964-08-12"), threshold: 0.85)
      }
    }
  }

  @Test(
    "every form of date that lists use is read",
    arguments: [
      ("1971-03-04", "1971-03-04", "1971-03-04", false), ("1971", "1971-01-01", "1971-12-31", false),
      ("1971-02", "1971-02-01", "1971-02-28", false), ("10 Dec 1948", "1948-12-10", "1948-12-10", false),
      ("Dec 1948", "1948-12-01", "1948-12-31", false), ("circa 1961", "1961-01-01", "1961-12-31", true),
      ("1960/1963", "1960-01-01", "1963-12-31", false), ("1958 to 1963", "1958-01-01", "1963-12-31", false),
      ("circa 1958-1960", "1958-01-01", "1960-12-31", true),
      ("1 Jan 1970 to 3 Feb 1971", "1970-01-01", "1971-02-03", false),
      ("Approximately 1973", "1973-01-01", "1973-12-31", true),
    ])
  func dates(text: String, first: String, last: String, isApproximate: Bool) throws {
    let date = try #require(BirthDate(text))
    #expect(date.first.isoText == first)
    #expect(date.last.isoText == last)
    #expect(date.isApproximate == isApproximate)
  }

  @Test(
    "what is no date says nothing", arguments: ["", "na", "1963/1960", "31 Feb 1970", "19", "1/2/3/4", "10 Foo 1948"])
  func noDates(text: String) { #expect(BirthDate(text) == nil) }

  @Test("countries are known by code, name in any order, adjective and the list's own spelling")
  func countries() {
    for text in ["KP", "prk", "Korea, North", "DPRK", "possibly North Korea"] {
      #expect(InventedList.countries.alpha3(text) == "PRK")
    }
    #expect(InventedList.countries.alpha3("D") == "DEU")
    #expect(InventedList.countries.alpha3("Atlantis") == nil)
  }

  @Test(
    "a date says how closely it is known",
    arguments: [
      ("1971-03-04", BirthDate.Precision.day), ("Mar 1971", .month), ("circa 1971", .year), ("1960/1963", .span),
      ("1 Jan 1970 to 31 Dec 1970", .year),
    ])
  func precision(text: String, precision: BirthDate.Precision) throws {
    #expect(try #require(BirthDate(text)).precision == precision)
  }

  @Test("the demo's list reads as a list of people and a company")
  func demoList() throws {
    let list = try DemoScreeningList.list(countries: InventedList.countries)
    #expect(list.entries.map(\.kind) == Array(repeating: .person, count: 5) + [.organisation])
    let subject = InventedList.subject(
      "\(DemoScreeningList.listedGivenNames) \(DemoScreeningList.listedSurname)",
      born: DemoScreeningList.listedDateOfBirth, nationality: "UTO")
    let outcome = ScreeningIndex([list], countries: InventedList.countries).screen(subject, threshold: 0.85)
    guard case .screened(let report) = outcome else { return #expect(Bool(false), "the demo's list was not searched") }
    #expect(report.hits.map(\.entityID) == ["UD-001"])
  }
}
