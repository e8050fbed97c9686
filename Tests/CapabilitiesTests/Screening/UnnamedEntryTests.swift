// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Screening

/// Issue 27, item 1: one entry without a name kept the designations of the day away, in all lists but the EU's.
@Suite("Screening: entries of published lists without a name", .storeless)
struct UnnamedEntryTests {
  /// A file with an entry that has a name, and one or a row that has none; what goes beside it.
  private static let files: [(name: String, text: String, beside: (name: String, text: String)?)] = [
    (
      "un.xml",
      """
      <CONSOLIDATED_LIST><INDIVIDUAL><DATAID>1</DATAID><FIRST_NAME>Ann</FIRST_NAME></INDIVIDUAL>
      <INDIVIDUAL><DATAID>2</DATAID><COMMENTS1>see 1</COMMENTS1></INDIVIDUAL></CONSOLIDATED_LIST>
      """, nil
    ),
    (
      "sdn.xml",
      """
      <sdnList><sdnEntry><uid>2</uid><sdnType>Entity</sdnType></sdnEntry>
      <sdnEntry><uid>1</uid><lastName>OTHER</lastName><sdnType>Entity</sdnType></sdnEntry></sdnList>
      """, nil
    ),
    ("ofsi.csv", "Name 6,Name 1,Group ID\nOTHER,Ann,1\n,,2\n", nil),
    ("ofsi.csv", "Name 6,Name 1,Group ID,Country\nOTHER,Ann,1,\n,,,Peru\n", nil),
    ("targets.simple.csv", "id,schema,name,birth_date\n2,Person,,\n1,Person,Ann Other,\n", nil),
    (
      "f.json",
      #"{"id":"1","schema":"Person","properties":{"name":["Ann"]}}"# + "\n"
        + #"{"id":"2","schema":"Person","properties":{"birthDate":["1961"]}}"# + "\n", nil
    ),
    (
      "sdn.csv",
      "1,\"OTHER, Ann\",individual\(String(repeating: ",-0- ", count: 9))\r\n"
        + "2,-0- ,individual\(String(repeating: ",-0- ", count: 9))\r\n",
      ("alt.csv", "1,1,\"aka\",\"A\",-0- \r\n")
    ),
  ]

  private static func read(_ files: [(name: String, text: String)]) throws -> ListReader.Reading {
    try ListReader.read(
      files.map { .init(name: $0.name, bytes: Data($0.text.utf8)) }, countries: InventedList.countries)[0]
  }

  @Test("what has no name is told and left out, and keeps no other entry away", arguments: files.indices)
  func leftOut(number: Int) throws {
    let file = Self.files[number]
    let reading = try Self.read([(file.name, file.text)] + (file.beside.map { [$0] } ?? []))
    #expect(reading.list.entries.map(\.reference) == ["1"])
    #expect(reading.skipped == ["unnamed": 1])
  }

  @Test("so it is in OFAC's advanced list, whose parts refer to each other")
  func advanced() throws {
    let whole = try PublishedLists.reading("sdn_advanced.xml")
    let text = String(decoding: whole.files[0].bytes, as: UTF8.self)
    let party = try #require(text.firstMatch(of: /(?s)<DistinctParty .*?<\/DistinctParty>/))
    let cut = text.replacing(
      party.output, with: party.output.replacing(/(?s)<NamePartValue.*?<\/NamePartValue>/, with: ""))
    let reading = try Self.read([("sdn_advanced.xml", cut)])
    #expect(reading.list.entries.count == whole.list.entries.count - 1 && reading.skipped == ["unnamed": 1])
    #expect(Set(reading.list.entries.map(\.reference)).isSubset(of: whole.list.entries.map(\.reference)))
  }

  @Test("an entry with a name and no number refuses the list, since it would not be searched for")
  func withoutNumber() {
    for (name, text) in [
      ("ofsi.csv", "Name 6,Name 1,Group ID\nOTHER,Ann,\n"),
      ("targets.simple.csv", "id,schema,name,birth_date\n,Person,Ann Other,\n"),
    ] {
      #expect(throws: ListFault(file: name, line: 2, reason: "an entry has no reference or no name")) {
        try Self.read([(name, text)])
      }
    }
  }

  @Test("a list that has many of them is broken: more than ten, and more than a fifth")
  func many() throws {
    func text(named: Int, unnamed: Int) -> String {
      let entries = (1...named).map { "\($0),Person,Ann Other,\n" } + (1...unnamed).map { "0\($0),Person,,\n" }
      return "id,schema,name,birth_date\n" + entries.joined()
    }
    #expect(try Self.read([("t.csv", text(named: 1, unnamed: 10))]).skipped == ["unnamed": 10])
    #expect(try Self.read([("t.csv", text(named: 44, unnamed: 11))]).list.entries.count == 44)
    #expect(throws: ListFault(file: "t.csv", reason: "11 entries have no name, and 43 have one")) {
      try Self.read([("t.csv", text(named: 43, unnamed: 11))])
    }
  }
}
