// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Screening

@Suite("Screening: fields of published lists that ten entries of each form, made by hand, had lost", .storeless)
struct ListFieldTests {
  private func entry(_ name: String, _ text: String) throws -> WatchList.Entry {
    let file = ListReader.File(name: name, bytes: Data(text.utf8))
    let reading = try #require(try ListReader.read([file], countries: InventedList.countries).first)
    return try #require(reading.list.entries.first)
  }

  private func un(_ text: String) throws -> WatchList.Entry {
    try entry(
      "un.xml",
      """
      <CONSOLIDATED_LIST><INDIVIDUALS><INDIVIDUAL><DATAID>7</DATAID><VERSIONNUM>2</VERSIONNUM>
      <REFERENCE_NUMBER>T.1</REFERENCE_NUMBER><FIRST_NAME>Tsering</FIRST_NAME><SORT_KEY>x</SORT_KEY>
      <LIST_TYPE><VALUE>UN List</VALUE></LIST_TYPE>\(text)</INDIVIDUAL></INDIVIDUALS></CONSOLIDATED_LIST>
      """)
  }

  private func eu(_ text: String) throws -> WatchList.Entry {
    try entry(
      "eu.xml",
      """
      <export><sanctionEntity euReferenceNumber="T.1"><subjectType code="person"/>
      <nameAlias wholeName="Oksana Voloshkern"/>\(text)</sanctionEntity></export>
      """)
  }

  /// A feature of OFAC's advanced form, of a person with a second identity.
  private func advanced(_ feature: String, sanctions: String = "") throws -> WatchList.Entry {
    func identity(_ name: String, _ isFalse: Bool) -> String {
      """
      <Identity ID="1" Primary="\(!isFalse)" False="\(isFalse)"><Alias AliasTypeID="1403" Primary="true">
      <DocumentedName><DocumentedNamePart><NamePartValue>\(name)</NamePartValue></DocumentedNamePart></DocumentedName>
      </Alias></Identity>
      """
    }
    return try entry(
      "sdn_advanced.xml",
      """
      <Sanctions><ReferenceValueSets>
      <FeatureTypeValues><FeatureType ID="8">Birthdate</FeatureType></FeatureTypeValues>
      <SanctionsTypeValues><SanctionsType ID="1">Program</SanctionsType><SanctionsType ID="2">Block</SanctionsType>
      <SanctionsType ID="3">Import ban</SanctionsType></SanctionsTypeValues></ReferenceValueSets>
      <DistinctParties><DistinctParty FixedRef="T.1"><Profile ID="9" PartySubTypeID="4">
      \(identity("KESTRELSKY Antonin", false))\(identity("FALSEMAN Frank", true))
      <Feature FeatureTypeID="8"><FeatureVersion>\(feature)</FeatureVersion></Feature></Profile></DistinctParty>
      </DistinctParties><SanctionsEntries><SanctionsEntry ProfileID="9">\(sanctions)</SanctionsEntry></SanctionsEntries>
      </Sanctions>
      """)
  }

  @Test("an element that a later edition of the UN's list brings is kept in its own words, and technical ones are not")
  func laterUN() throws {
    let entry = try un(
      """
      <WEIGHT>80 kg</WEIGHT><EYES><VALUE>blue</VALUE><VALUE>brown</VALUE></EYES><EMPTY/>
      <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>EXACT</TYPE_OF_DATE><YEAR>1948</YEAR><MONTH>5</MONTH>
      </INDIVIDUAL_DATE_OF_BIRTH>
      """)
    #expect(entry.datesOfBirth == [try #require(BirthDate("1948"))])
    #expect(entry.remarks == ["WEIGHT: 80 kg", "EYES: blue, brown", "INDIVIDUAL_DATE_OF_BIRTH MONTH: 5"])
  }

  @Test("so is one of OFAC's and of the EU's list")
  func laterElements() throws {
    let ofac = try entry(
      "sdn.xml",
      """
      <sdnList><sdnEntry><uid>1</uid><lastName>QORIANKA</lastName><sdnType>Individual</sdnType>
      <akaList><aka><uid>2</uid><type>a.k.a.</type><category>strong</category><lastName>QORI</lastName></aka></akaList>
      <futureInfo><note>Something new</note></futureInfo></sdnEntry></sdnList>
      """)
    #expect(ofac.remarks == ["futureInfo: Something new"])
    let listed = try eu(
      """
      <regulation programme="TEST"><publicationUrl>http://eu.example/1</publicationUrl></regulation>
      <newElement>text of it</newElement>
      """)
    #expect(listed.programmes == ["TEST"] && listed.remarks == ["newElement: text of it"])
  }

  @Test("the number of a UN document stands behind words in brackets too")
  func bracketedWords() throws {
    let written = "Afghan national identification card (tazkira) number 1503-1234"
    let entry = try un(
      "<INDIVIDUAL_DOCUMENT><TYPE_OF_DOCUMENT>ID</TYPE_OF_DOCUMENT><NUMBER>\(written)</NUMBER></INDIVIDUAL_DOCUMENT>")
    #expect(entry.identifiers.map(\.number) == ["1503-1234"])
    #expect(entry.remarks == ["Document 1503-1234 written as: \(written)"])
  }

  @Test("a country of the EU's list whose code is not known is known by its name, and Kosovo by the EU's code")
  func countries() throws {
    let entry = try eu(
      """
      <citizenship countryIso2Code="XK" countryDescription="KOSOVO"/>
      <citizenship countryIso2Code="ZZ" countryDescription="New Zealand"/>
      <citizenship countryIso2Code="00" countryDescription="UNKNOWN"/>
      <citizenship countryIso2Code="YY" countryDescription="Nowhereland"/>
      """)
    #expect(entry.nationalities == ["RKS", "NZL"] && entry.remarks == ["Nationality: Nowhereland"])
    #expect(InventedList.countries.alpha3("xk") == "RKS")
  }

  @Test("of an EU date that is none, what is known in parts counts, and the date stays as a remark")
  func datesInParts() throws {
    let entry = try eu(
      """
      <birthdate calendarType="GREGORIAN" birthdate="1959-00-00" year="1959"/>
      <birthdate calendarType="GREGORIAN" birthdate="28/02/1966" year="1966" monthOfYear="2" dayOfMonth="28"/>
      <birthdate calendarType="GREGORIAN" birthdate="1971-03-04" year="1971"/><birthdate birthdate="soon"/>
      """)
    #expect(entry.datesOfBirth == ["1959", "1966-02-28", "1971-03-04"].compactMap { BirthDate($0) })
    #expect(
      entry.remarks == ["1959-00-00", "28/02/1966", "soon"].map { "Date of birth: \($0)" })
  }

  @Test("what the EU's list says of a document names its number")
  func documentRemarks() throws {
    let entry = try eu(
      "<identification number=\"P 12\" identificationTypeCode=\"passport\"><remark>seen once</remark></identification>")
    #expect(entry.identifiers.map(\.number) == ["P 12"] && entry.remarks == ["Document P 12: seen once"])
  }

  @Test("a period of OFAC's advanced form without an end is as long as its start may be, not its first day")
  func openPeriod() throws {
    func date(_ end: String) throws -> [String] {
      let day = { (month: Int, day: Int) in "<Year>1972</Year><Month>\(month)</Month><Day>\(day)</Day>" }
      return try advanced(
        "<DatePeriod><Start><From>\(day(1, 1))</From><To>\(day(12, 31))</To></Start>\(end)</DatePeriod>"
      ).datesOfBirth.map(\.words)
    }
    #expect(try date("") == ["1972"])
    let end = "<Year>1973</Year><Month>12</Month><Day>31</Day>"
    #expect(try date("<End><From>\(end)</From><To>\(end)</To></End>") == ["1972–1973"])
    let month = "<From><Year>1948</Year><Month>12</Month></From>"
    #expect(try advanced("<DatePeriod><Start>\(month)</Start></DatePeriod>").datesOfBirth.map(\.words) == ["1948-12"])
  }

  @Test("OFAC's advanced form tells which name is of a false identity, and which measure stands without a word")
  func falseIdentity() throws {
    let entry = try advanced(
      "",
      sanctions: """
        <SanctionsMeasure SanctionsTypeID="1"><Comment>TEST</Comment></SanctionsMeasure>
        <SanctionsMeasure SanctionsTypeID="2"/><SanctionsMeasure SanctionsTypeID="3"><Comment/></SanctionsMeasure>
        """)
    #expect(entry.names == ["KESTRELSKY Antonin", "FALSEMAN Frank"] && entry.programmes == ["TEST"])
    #expect(entry.remarks == ["Name of a false identity: FALSEMAN Frank", "Measure: Import ban"])
  }

  @Test("what OFSI's list writes among the other information, for want of columns, is read")
  func otherInformation() throws {
    func ofsi(_ type: String, _ other: String) throws -> WatchList.Entry {
      try entry(
        "ConList.csv",
        """
        Last Updated,26/11/2026
        Name 6,Name 1,Other Information,Group Type,Alias Type,Group ID
        TIMUR,,"\(other)",\(type),Primary name,17003

        """)
    }
    let ship = try ofsi("Ship", "(UK Sanctions List Ref):DPR0003. (IMO number):9012345. (Current Flag):Togo")
    #expect(ship.identifiers == [.init(type: "IMO number", number: "9012345")])
    #expect(ship.remarks.map { $0.hasSuffix("(IMO number):9012345. (Current Flag):Togo") } == [true])
    #expect(try ofsi("Individual", "A (so-called) colonel. (Gender):Female").sex == .female)
    #expect(try ofsi("Individual", "((Gender):Male. Seen (once):here. (Gender (2)):Female").sex == .male)
    let owned = try ofsi("Ship", "Asset of Xyz (IMO number):9345678 Sold (Current owners):Xyz (Flag of ship):Togo (IMO")
    #expect(owned.identifiers == [.init(type: "IMO number", number: "9345678")])
    let firm = try ofsi("Entity", "(Business Registration Number):123-456. (Type of Entity):Private")
    #expect(firm.identifiers.map(\.number) == ["123-456"] && firm.sex == nil)
  }

  @Test("every value that FollowTheMoney has of a document, an address and the sex is kept")
  func manyValues() throws {
    let passports = [
      #"{"id":"p","schema":"Passport","properties":{"number":["P1"],"type":["service","passport"],"#
        + #""country":["za","nz"]}}"#,
      #"{"id":"q","schema":"Passport","properties":{"type":["lost"],"country":["de"]}}"#,
    ]
    let addresses = [
      #"{"id":"r","schema":"Address","properties":{"full":["1 High Street","High Street 1"]}}"#,
      #"{"id":"s","schema":"Address","properties":{"city":["Lower Hutt"],"country":["za","nz"]}}"#,
    ]
    let entry = try entry(
      "f.json",
      #"{"id":"a","schema":"Person","caption":"Ann Other","target":true,"properties":{"name":["Ann Other"],"#
        + #""gender":["male","female"],"passports":[\#(passports.joined(separator: ","))],"#
        + #""addressEntity":[\#(addresses.joined(separator: ","))]}}"#)
    #expect(entry.identifiers == [.init(type: "passport", number: "P1", country: "NZL")])
    #expect(entry.sex == nil && entry.addresses == ["1 High Street", "High Street 1", "Lower Hutt, nz, za"])
    #expect(
      entry.remarks == [
        "Gender: female", "Gender: male", "Document P1 type: service", "Document P1 issued in: za",
        "Document type: lost", "Document issued in: de",
      ])
  }

  @Test("a ship's number is the same with and without IMO before it")
  func shipNumbers() throws {
    for (number, plain) in [
      ("IMO 9187629", "9187629"), ("imo9187629", "9187629"), ("9187629", "9187629"), ("IMO 12", "IMO12"),
      ("IMOGEN 91", "IMOGEN91"), ("IMO 91876290", "IMO91876290"),
    ] { #expect(WatchList.plain(number) == plain) }
    let list = try InventedList.list("ref,kind,name,document_numbers\nV.1,vessel,BRIGHT KESTREL,IMO 9187629\n")
    let index = ScreeningIndex([list], countries: InventedList.countries)
    func found(_ kind: WatchList.Kind?) -> ScreenAnswer? {
      let subject = Screening.Subject(
        names: ["OTHER NAME"], dateOfBirth: nil, nationalities: [], documentNumbers: ["9187629"], kind: kind)
      return index.answers(to: subject)?.first
    }
    for kind in [WatchList.Kind.vessel, .organisation, .unspecified] { #expect(found(kind)?.match == true) }
    // The passport of a person may have the same digits.
    #expect(found(nil) == nil && found(.person) == nil)
  }
}
