// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Screening

@Suite("Screening: what the published forms allow beside what one file of them shows", .storeless)
struct ListVariantTests {
  private func entries(_ name: String, _ text: String, beside: (String, String)? = nil) throws -> [WatchList.Entry] {
    let files = ([(name, text)] + (beside.map { [$0] } ?? [])).map {
      ListReader.File(name: $0.0, bytes: Data($0.1.utf8))
    }
    return try #require(try ListReader.read(files, countries: InventedList.countries).first).list.entries
  }

  @Test("days with a zone, at midnight and with a calendar's prefix are days; another time of day is kept as it is")
  func zones() throws {
    for (text, day) in [
      ("1971-03-04Z", "1971-03-04"), ("1971-03-04+02:00", "1971-03-04"), ("1971-03-04T00:00:00", "1971-03-04"),
      ("1971-03-04T00:00:00.000-05:00", "1971-03-04"), ("circa 1971-03-04Z", "circa 1971-03-04"),
      ("between 1958 and 1963", "1958/1963"), ("approx. 1971", "circa 1971"), ("1971-03-04", "1971-03-04"),
    ] {
      var draft = EntryDraft("1")
      draft.add(name: "Ann Other", InventedList.countries)
      draft.add(birth: text)
      let entry = try #require(draft.entry())
      #expect(entry.datesOfBirth == [try #require(BirthDate(day))], "\(text)")
      #expect(entry.remarks == [], "\(text)")
    }
    for text in ["1971-03-04T23:00:00Z", "1971-02-30", "1971-13-01Z", "04/03/1971"] {
      var draft = EntryDraft("1")
      draft.add(name: "Ann Other", InventedList.countries)
      draft.add(birth: text)
      let entry = try #require(draft.entry())
      #expect(entry.datesOfBirth == [] && entry.remarks == ["Date of birth: \(text)"], "\(text)")
    }
  }

  @Test("the UN's second nationality stands alone or in values, under prefixes, with CRLF and a byte order mark")
  func un() throws {
    let text = """
      \u{FEFF}<?xml version='1.0' encoding='utf-8'?>
      <u:CONSOLIDATED_LIST xmlns:u="urn:un" dateGenerated="2026-11-20T05:00:02.010Z"><u:INDIVIDUALS><u:INDIVIDUAL>
      <u:INDIVIDUAL_DATE_OF_BIRTH><u:DATE>1971-03-04Z</u:DATE></u:INDIVIDUAL_DATE_OF_BIRTH>
      <u:NATIONALITY2>Germany</u:NATIONALITY2><u:NATIONALITY><u:VALUE>New Zealand</u:VALUE></u:NATIONALITY>
      <u:TITLE>Dr.</u:TITLE><u:DELISTED_ON>2026-10-01</u:DELISTED_ON>
      <u:REFERENCE_NUMBER>T.1</u:REFERENCE_NUMBER><u:SECOND_NAME>OTHER</u:SECOND_NAME><u:FIRST_NAME>Ann</u:FIRST_NAME>
      </u:INDIVIDUAL></u:INDIVIDUALS></u:CONSOLIDATED_LIST>
      """
    for text in [text, text.replacing("\n", with: "\r\n")] {
      let entry = try #require(try entries("un.xml", text).first)
      #expect(entry.names == ["Ann OTHER"] && entry.nationalities == ["DEU", "NZL"])
      #expect(entry.datesOfBirth == [try #require(BirthDate("1971-03-04"))])
      #expect(entry.remarks == ["Title: Dr.", "Delisted on: 2026-10-01"])
    }
  }

  @Test("XML may call its encoding UTF8, and is refused in another one with the reason")
  func encodings() throws {
    let text = """
      <?xml version="1.0" encoding="UTF8"?><CONSOLIDATED_LIST><INDIVIDUALS><INDIVIDUAL><FIRST_NAME>Ann</FIRST_NAME>
      <REFERENCE_NUMBER>T.1</REFERENCE_NUMBER></INDIVIDUAL></INDIVIDUALS></CONSOLIDATED_LIST>
      """
    #expect(try entries("un.xml", text).map(\.names) == [["Ann"]])
    let units = ([0xFEFF] + Array(text.replacing("UTF8", with: "UTF-16").utf16)).flatMap {
      [UInt8($0 & 0xFF), UInt8($0 >> 8)]
    }
    #expect {
      try ListReader.read([ListReader.File(name: "un.xml", bytes: Data(units))], countries: InventedList.countries)
    } throws: { "\($0)" == "un.xml: the XML is not UTF-8" }
  }

  @Test("true and false of XML may be 1 and 0, the EU's kind its classification, and its regulations have days")
  func eu() throws {
    let entry = try #require(
      try entries(
        "eu.xml",
        """
        <export generationDate="2026-11-24"><sanctionEntity euReferenceNumber="EU.1.1">
        <subjectType classificationCode="P"/>
        <nameAlias wholeName="Ann Other" strong="1"/><nameAlias wholeName="The Owl" strong="0"/>
        <birthdate circa="1" birthdate="1971-03-04Z"/><identification number="P1" knownFalse="1" reportedLost="0"/>
        <regulation programme="TEST" numberTitle="2026/1" publicationDate="2026-01-02" entryIntoForceDate="2026-01-03"/>
        </sanctionEntity></export>
        """
      ).first)
    #expect(entry.kind == .person && entry.names == ["Ann Other"] && entry.weakNames == ["The Owl"])
    #expect(entry.datesOfBirth == [try #require(BirthDate("circa 1971-03-04"))])
    #expect(
      entry.remarks == [
        "Document P1: known false", "Regulation: 2026/1", "Regulation published on: 2026-01-02",
        "Regulation in force on: 2026-01-03",
      ])
  }

  @Test("a row of the UK's list without a kind says nothing else than the row before it, and its day may be ISO's")
  func uk() throws {
    let text = """
      Report Date: 2026-11-20
      Unique ID,Name 6,Name 1,Name type,Designation Type,D.O.B
      T1,OTHER,Ann,Primary Name,Individual,04/03/1971
      T1,OWL,Annie,Alias,,04/03/71

      """
    let file = ListReader.File(name: "uk.csv", bytes: Data(text.utf8))
    let list = try #require(try ListReader.read([file], countries: InventedList.countries).first).list
    #expect(list.version.version == "2026-11-20")
    #expect(list.entries.map(\.kind) == [.person])
    #expect(list.entries[0].names == ["OTHER, Ann", "OWL, Annie"])
    #expect(list.entries[0].datesOfBirth == [try #require(BirthDate("1971-03-04"))])
    #expect(list.entries[0].remarks == ["Date of birth: 04/03/71"])
  }

  @Test("numbers of kinds that OFAC makes anew, and former names, are read from the remarks of its tables")
  func ofacTables() throws {
    let remarks = """
      DOB 04 Mar 1971; Turkish Identification Number 10298480866 (Germany); alt. Folio Mercantil No. 12-3; \
      Phone Number 555 0100; f.k.a. 'OWL'; Linked To: NUMBER 9 LTD.
      """
    let entry = try #require(
      try entries(
        "SDN.CSV", "1,\"OTHER, Ann\",individual,TEST,-0-,-0-,-0-,-0-,-0-,-0-,-0-,\"\(remarks)\"\n",
        beside: ("ALT.CSV", "1,2,aka,\"OTHER, Annie\",-0-\n")
      ).first)
    #expect(entry.identifiers.map(\.number) == ["10298480866", "12-3"])
    #expect(entry.identifiers.map(\.type) == ["Turkish Identification Number", "Folio Mercantil No."])
    #expect(entry.identifiers.first?.country == "DEU")
    #expect(entry.weakNames == ["OWL"])
    #expect(
      entry.remarks == [
        "Remarks: Phone Number 555 0100", "Formerly known as: OWL", "Remarks: Linked To: NUMBER 9 LTD",
      ])
  }

  @Test("a detail of OFAC's advanced list may be a number, a text or a place's name; LowQuality may be 1")
  func ofacAdvanced() throws {
    let text = """
      <Sanctions><ReferenceValueSets><DetailReferenceValues><DetailReference ID="9">Male</DetailReference>
      </DetailReferenceValues><FeatureTypeValues><FeatureType ID="224">Gender</FeatureType>
      <FeatureType ID="9">Place of Birth</FeatureType><FeatureType ID="10">Nationality Country</FeatureType>
      <FeatureType ID="524">Additional Information -</FeatureType></FeatureTypeValues>
      <PartySubTypeValues><PartySubType ID="4" PartyTypeID="1">Individual</PartySubType></PartySubTypeValues>
      </ReferenceValueSets><DistinctParties><DistinctParty FixedRef="7"><Profile ID="7" PartySubTypeID="4">
      <Identity ID="1" Primary="1"><Alias Primary="1" LowQuality="0"><DocumentedName><DocumentedNamePart>
      <NamePartValue NamePartGroupID="1">Other</NamePartValue></DocumentedNamePart></DocumentedName></Alias>
      <Alias Primary="0" LowQuality="1"><DocumentedName><DocumentedNamePart>
      <NamePartValue NamePartGroupID="1">Owl</NamePartValue></DocumentedNamePart></DocumentedName></Alias></Identity>
      <Feature FeatureTypeID="224"><FeatureVersion><VersionDetail DetailReferenceID="9">
      </VersionDetail></FeatureVersion></Feature><Feature FeatureTypeID="9"><FeatureVersion><VersionDetail>Ulm, Germany
      </VersionDetail></FeatureVersion></Feature><Feature FeatureTypeID="10"><FeatureVersion><VersionDetail>Germany
      </VersionDetail></FeatureVersion></Feature><Feature FeatureTypeID="524"><FeatureVersion><Comment>Seen</Comment>
      </FeatureVersion></Feature></Profile></DistinctParty></DistinctParties></Sanctions>
      """
    let entry = try #require(try entries("sdn_advanced.xml", text).first)
    #expect(entry.sex == .male)
    #expect(entry.placesOfBirth == ["Ulm, Germany"] && entry.nationalities == ["DEU"])
    #expect(entry.remarks == ["Additional Information: Seen"])
    #expect(entry.names == ["Other"] && entry.weakNames == ["Owl"])
  }

  @Test("a previous name in FollowTheMoney is told to be a former one")
  func followTheMoney() throws {
    let line =
      #"{"id":"a","schema":"Person","caption":"Ann Other","properties":{"name":["Ann Other"],"#
      + #""previousName":["Ann Owl"],"topics":["sanction"]}}"#
    let entry = try #require(try entries("a.ftm.json", line + "\r\n").first)
    #expect(entry.names == ["Ann Other", "Ann Owl"])
    #expect(entry.remarks == ["Formerly known as: Ann Owl"])
  }
}
