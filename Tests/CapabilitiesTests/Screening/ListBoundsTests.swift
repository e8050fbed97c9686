// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Screening

@Suite("Screening: what a list can make of an entry", .storeless)
struct ListBoundsTests {
  private static func entries(_ name: String, _ text: String) throws -> [WatchList.Entry] {
    let file = ListReader.File(name: name, bytes: Data(text.utf8))
    return try #require(try ListReader.read([file], countries: InventedList.countries).first).list.entries
  }

  private static func fault(_ name: String, _ text: String) throws -> ListFault {
    try #require(throws: ListFault.self) { try entries(name, text) }
  }

  private static func text(_ count: Int) -> String { String(repeating: "a", count: count) }

  private static let tooMuch = "an entry has too much text, or shares too much with others"

  @Test("a download that is packed, is a web page or brings its own entities is refused with that reason")
  func downloads() throws {
    for (text, reason) in [
      ("PK\u{3}\u{4}un.xml", "the file is packed: unpack it and load what is in it"),
      ("\n<!DOCTYPE html><html><body>503</body></html>", "the file is a web page, as a failed download is"),
      (
        "<?xml version=\"1.0\"?><!DOCTYPE CONSOLIDATED_LIST [<!ENTITY a SYSTEM \"x\">]><CONSOLIDATED_LIST/>",
        "the XML has a document type declaration"
      ),
      ("", "the file is empty, as a failed download is"),
      ("<other/>", "the file is in no form of list that is known here"),
    ] {
      #expect(try Self.fault("un.xml", text).reason == reason)
    }
    let packed = ListReader.File(name: "un.xml", bytes: Data([0x1F, 0x8B, 8, 0]))
    #expect(throws: ListFault(file: "un.xml", reason: "the file is packed: unpack it and load what is in it")) {
      try ListReader.read([packed], countries: InventedList.countries)
    }
  }

  @Test("values of FollowTheMoney in another order, as in each file of the publisher, change no entry")
  func order() throws {
    func entries(isReversed: Bool) throws -> [WatchList.Entry] {
      func values(_ texts: String...) -> String { (isReversed ? texts.reversed() : texts).joined(separator: ",") }
      let sanctions = values(
        #"{"id":"s","schema":"Sanction","properties":{"reason":["First"]}}"#,
        #"{"id":"t","schema":"Sanction","properties":{"reason":["Second"]}}"#)
      return try Self.entries(
        "f.json",
        #"{"id":"a","schema":"Person","caption":"Ann Other","target":true,"properties":{"name":["#
          + values(#""Ann Other""#, #""Ann Else""#) + #"],"alias":["# + values(#""Nan""#, #""Nancy""#)
          + #"],"keywords":["# + values(#""One""#, #""Two""#) + #"],"sanctions":["# + sanctions + #"]}}"#)
    }
    let (one, other) = (try entries(isReversed: false), try entries(isReversed: true))
    #expect(one == other && one.map(\.digest) == other.map(\.digest))
    #expect(one[0].names == ["Ann Other", "Ann Else", "Nan", "Nancy"])
    #expect(one[0].remarks == ["Keywords: One", "Keywords: Two", "Reason: First", "Reason: Second"])
  }

  @Test("an entry of more than a mebibyte of text is refused with its line; rows that repeat a text are not")
  func entryText() throws {
    let own = "ref,name,remarks\n1,Ann Other,\n2,Bob Other,\(Self.text(EntryDraft.textMax))\n"
    #expect(try Self.fault("own.csv", own) == ListFault(file: "own.csv", line: 3, reason: Self.tooMuch))
    let header = "Unique ID,Name 6,Name 1,Designation Type,Other Information\n"
    let rows = (1...30).map { "A1,OTHER\($0),Ann,Individual,\(Self.text(50_000))\n" }.joined()
    #expect(try Self.entries("uk.csv", header + rows).first?.remarks.count == 1)
  }

  @Test("a label is one short line, however a list calls its columns")
  func labels() throws {
    let header = "id,schema,name,birth_date,\"later\n\(Self.text(10_000))\"\n"
    let remark = try #require(try Self.entries("o.csv", header + "1,Person,Ann Other,,kept\n").first?.remarks.first)
    #expect(remark.hasPrefix("later aaaa") && remark.hasSuffix("aaaa: kept") && remark.count == 128 + 6)
    let number = Self.text(10_000)
    let line =
      #"{"id":"a","schema":"Person","target":true,"properties":{"name":["Ann"],"passports":[{"properties":{"#
      + #""number":["\#(number)"],"summary":["kept"]}}]}}"#
    let open = try Self.entries("f.json", line)
    #expect(open.first?.remarks == ["Document \(Self.text(64)): kept"])
    #expect(open.first?.identifiers.map(\.number) == [number])
  }

  @Test("a long text that many entries share is refused, before it is there once for each of them")
  func sharedText() throws {
    let people = (0..<1_000).map {
      #"{"id":"p\#($0)","schema":"Person","target":true,"properties":{"name":["Ann Other"],"addressEntity":["d"]}}"#
    }
    let named = (0..<1_000).map { "\"p\($0)\"" }.joined(separator: ",")
    let long = Self.text(900_000)
    for line in [
      #"{"id":"s","schema":"Sanction","properties":{"entity":[\#(named)],"reason":["\#(long)"]}}"#,
      #"{"id":"s","schema":"Passport","properties":{"holder":[\#(named)],"number":["\#(long)"]}}"#,
      #"{"id":"d","schema":"Address","properties":{"full":["\#(long)"]}}"#,
    ] {
      #expect(try Self.fault("f.json", (people + [line]).joined(separator: "\n")).reason == Self.tooMuch)
    }
    let parties = (1...200).map {
      """
      <DistinctParty FixedRef="\($0)"><Profile ID="\($0)" PartySubTypeID="4"><Identity ID="\($0)"><Alias>\
      <DocumentedName><DocumentedNamePart><NamePartValue>Ann Other</NamePartValue></DocumentedNamePart>\
      </DocumentedName></Alias></Identity><Feature FeatureTypeID="1"><FeatureVersion><VersionDetail \
      DetailReferenceID="1"/></FeatureVersion></Feature></Profile></DistinctParty>
      """
    }
    let advanced = """
      <Sanctions><ReferenceValueSets><DetailReferenceValues><DetailReference ID="1">\(long)</DetailReference>
      </DetailReferenceValues><FeatureTypeValues><FeatureType ID="1">Note</FeatureType></FeatureTypeValues>
      </ReferenceValueSets><DistinctParties>\(parties.joined())</DistinctParties></Sanctions>
      """
    #expect(try Self.fault("sdn_advanced.xml", advanced).reason == Self.tooMuch)
    // What is short may be shared by as many.
    let short = #"{"id":"d","schema":"Address","properties":{"full":["1 Fern Lane"]}}"#
    let shared = try Self.entries("f.json", (people + [short]).joined(separator: "\n"))
    #expect(shared.count == 1_000 && shared.allSatisfy { $0.addresses == ["1 Fern Lane"] })
  }
}
