// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Screening

@Suite("Screening: what files of publishers hold beside what their documentation shows", .storeless)
struct ListAsFoundTests {
  private func list(_ files: (String, String)...) throws -> WatchList {
    let files = files.map { ListReader.File(name: $0.0, bytes: Data($0.1.utf8)) }
    return try #require(try ListReader.read(files, countries: InventedList.countries).first).list
  }

  private func un(_ text: String) throws -> WatchList.Entry {
    let text = """
      <CONSOLIDATED_LIST><INDIVIDUALS><INDIVIDUAL><REFERENCE_NUMBER>T.1</REFERENCE_NUMBER>
      <FIRST_NAME>Ann</FIRST_NAME>\(text)</INDIVIDUAL></INDIVIDUALS></CONSOLIDATED_LIST>
      """
    return try #require(try list(("un.xml", text)).entries.first)
  }

  /// The fields of a row of OFAC's table of primary names.
  private func sdn(_ name: String, _ kind: String, _ remarks: String) throws -> WatchList.Entry {
    let row = "1,\"\(name)\",\(kind),TEST,-0-,-0-,-0-,-0-,-0-,-0-,-0-,\"\(remarks)\"\n"
    return try #require(try list(("SDN.CSV", row), ("ALT.CSV", "1,2,aka,\"OTHER\",-0-\n")).entries.first)
  }

  @Test("a name with its reading in brackets is found by either, in every form of list")
  func readings() throws {
    let name = "Тамсин Окавелло (Tamsyn Okavelloe)"
    let lists = [
      try list(("own.csv", "ref,name\nT.1,\(name)\n")),
      try list(("own.csv", "ref,name,aliases\nT.1,Ansgar Driftwell,Tamsyn Okavelloe (Тамсин Окавелло)\n")),
    ]
    for list in lists {
      let names = try #require(list.entries.first).names
      #expect(names.contains("Тамсин Окавелло") && names.contains("Tamsyn Okavelloe"))
      #expect(names.contains { $0.contains("(") })
      let index = ScreeningIndex([list], countries: InventedList.countries)
      guard case .screened(let report) = index.screen(InventedList.subject("Tamsyn Okavelloe"), threshold: 0.85) else {
        return #expect(Bool(false), "the list was not searched")
      }
      #expect(report.hits.map(\.entityID) == ["T.1"])
    }
    for name in [
      "Ann", "Ann (Анна) (Anna)", "(Анна)", "Ann (12)", "Ann ()", "Owl (Snow)", "Ann ((Анна))", "Owl (Pty) Ltd",
    ] {
      #expect(try list(("own.csv", "ref,name\nT.1,\(name)\n")).entries.first?.names == [name], "\(name)")
    }
    for (name, names) in [
      ("Тамсин Окавелло (Tamsyn Okavelloe", ["Тамсин Окавелло", "Tamsyn Okavelloe"]),
      ("Ann (original script: Анна)", ["Ann", "Анна"]), ("Сова (al-Ṣoʿva)", ["Сова", "al-Ṣoʿva"]),
      ("Анна（Ann）", ["Анна", "Ann"]), ("Тамсин (Анна) Окавелло", []), ("OTHER (SNOW), Ann", []),
      ("Ann Анна (Other)", ["Ann Анна"]), ("Сова на Снегу (the Owl on Snow)", ["Сова на Снегу", "the Owl on Snow"]),
    ] {
      #expect(BracketedName.names(in: name, InventedList.countries) == names, "\(name)")
    }
  }

  @Test(
    "a remark in brackets is no name",
    arguments: [
      "deceased", "a.k.a.", "the", "original script", "formerly", "in Arabic", "Arabic", "Iran", "DPRK", "North Korea",
      "QTB",
    ])
  func bracketedRemarks(remark: String) {
    for name in ["Тамсин Окавелло", "Tamsyn Okavelloe"] {
      #expect(BracketedName.names(in: "\(name) (\(remark))", InventedList.countries) == [name])
    }
  }

  @Test("an organisation has its name without the abbreviation in brackets behind it too, and not the abbreviation")
  func abbreviations() throws {
    let list = try list(("own.csv", "ref,kind,name\nT.1,entity,QUINDARO TRADE BANK (QTB)\n"))
    #expect(list.entries.first?.names == ["QUINDARO TRADE BANK (QTB)", "QUINDARO TRADE BANK"])
  }

  @Test("the UN writes readings of an alias in another script into its note")
  func aliasNotes() throws {
    let entry = try un(
      """
      <INDIVIDUAL_ALIAS><QUALITY>Good</QUALITY><ALIAS_NAME>Тамсин Окавелло</ALIAS_NAME>
      <NOTE>Tamsyn Okavelloe; Tamsin al-Okavello bin Other</NOTE></INDIVIDUAL_ALIAS>
      <INDIVIDUAL_ALIAS><QUALITY>Low</QUALITY><ALIAS_NAME>Сова</ALIAS_NAME><NOTE>The Snowy Owl</NOTE></INDIVIDUAL_ALIAS>
      """)
    #expect(entry.names == ["Ann", "Тамсин Окавелло", "Tamsyn Okavelloe", "Tamsin al-Okavello bin Other"])
    #expect(entry.weakNames == ["Сова", "The Snowy Owl"])
    #expect(entry.remarks.first == "Alias: Tamsyn Okavelloe; Tamsin al-Okavello bin Other")
    for note in [
      "previously listed as", "Cyrillic script", "North Korea", "Ann", "Tamsyn Okavelloe; born in 1971",
      "Listed in 2012 Again", "Tamsyn Okavelloe, who was a member of The Owls", "PREVIOUSLY LISTED AS",
      "Original Script", "DECEASED IN UTOPIA",
    ] {
      let entry = try un("<INDIVIDUAL_ALIAS><ALIAS_NAME>Сова</ALIAS_NAME><NOTE>\(note)</NOTE></INDIVIDUAL_ALIAS>")
      #expect(entry.names == ["Ann", "Сова"] && entry.remarks == ["Alias: \(note)"], "\(note)")
    }
    let capitals = try un(
      "<INDIVIDUAL_ALIAS><ALIAS_NAME>Сова</ALIAS_NAME><NOTE>TAMSYN OKAVELLOE</NOTE></INDIVIDUAL_ALIAS>")
    #expect(capitals.names == ["Ann", "Сова", "TAMSYN OKAVELLOE"])
    // Of a name in Latin letters a note says something else.
    let latin = try un("<INDIVIDUAL_ALIAS><ALIAS_NAME>Owl</ALIAS_NAME><NOTE>Old Harbour</NOTE></INDIVIDUAL_ALIAS>")
    #expect(latin.names == ["Ann", "Owl"])
  }

  @Test("a date of birth of the UN may stand in its note alone, and a number of a document behind what it is")
  func unValues() throws {
    let entry = try un(
      """
      <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>EXACT</TYPE_OF_DATE><NOTE>Nov. 1973 </NOTE></INDIVIDUAL_DATE_OF_BIRTH>
      <INDIVIDUAL_DATE_OF_BIRTH><YEAR>1971</YEAR><NOTE>1972</NOTE></INDIVIDUAL_DATE_OF_BIRTH>
      <INDIVIDUAL_DATE_OF_BIRTH><NOTE>In the sixties</NOTE></INDIVIDUAL_DATE_OF_BIRTH>
      <INDIVIDUAL_DOCUMENT><TYPE_OF_DOCUMENT>National Identification Number</TYPE_OF_DOCUMENT>
      <NUMBER>national identity card number 44103-525</NUMBER></INDIVIDUAL_DOCUMENT>
      <INDIVIDUAL_DOCUMENT><TYPE_OF_DOCUMENT>Passport</TYPE_OF_DOCUMENT>
      <ISSUING_COUNTRY>Germany</ISSUING_COUNTRY><NOTE>lost</NOTE></INDIVIDUAL_DOCUMENT>
      <INDIVIDUAL_DOCUMENT><TYPE_OF_DOCUMENT>Passport</TYPE_OF_DOCUMENT><NUMBER>no. AB 12</NUMBER></INDIVIDUAL_DOCUMENT>
      <INDIVIDUAL_DOCUMENT><NUMBER>number unknown</NUMBER></INDIVIDUAL_DOCUMENT>
      """)
    #expect(entry.datesOfBirth == [try #require(BirthDate("1973-11")), try #require(BirthDate("1971"))])
    #expect(entry.identifiers.map(\.number) == ["44103-525", "AB 12", "number unknown"])
    #expect(
      entry.remarks == [
        "Date of birth: 1972", "Date of birth: In the sixties",
        "Document 44103-525 written as: national identity card number 44103-525", "Document type: Passport",
        "Document issued in: Germany", "Document note: lost", "Document AB 12 written as: no. AB 12",
      ])
  }

  @Test("a long number of the UN behind words is read in one go", .timeLimit(.minutes(1)))
  func longNumbers() throws {
    let long = "No" + String(repeating: ":", count: 100_000) + String(repeating: "1", count: 200_000)
    for (written, number) in [(long + "a", long + "a"), (long, String(repeating: "1", count: 200_000))] {
      let entry = try un("<INDIVIDUAL_DOCUMENT><NUMBER>\(written)</NUMBER></INDIVIDUAL_DOCUMENT>")
      #expect(entry.identifiers.map { $0.number == number } == [true])
    }
  }

  @Test("wallets of every currency are numbers in OFAC's tables, and the country is in the last brackets")
  func ofacTables() throws {
    let entry = try sdn(
      "OTHER, Ann", "individual",
      """
      Digital Currency Address - XBT 1abc; alt. Digital Currency Address - DASH X2def; \
      Digital Currency Address - ZEC t1; Business Registration Number 0582030 (Connecticut) (Germany); \
      Passport A1 (Germany) expires 1 Jan 2020.
      """)
    #expect(
      entry.identifiers.map { "\($0.type): \($0.number)" } == [
        "Digital Currency Address - XBT: 1abc", "Digital Currency Address - DASH: X2def",
        "Digital Currency Address - ZEC: t1", "Business Registration Number: 0582030", "Passport: A1",
      ])
    #expect(entry.identifiers.map(\.country) == [nil, nil, nil, "DEU", "DEU"])
    #expect(
      entry.remarks == [
        "Remarks: Business Registration Number 0582030 (Connecticut) (Germany)",
        "Remarks: Passport A1 (Germany) expires 1 Jan 2020",
      ])
  }

  @Test("what OFAC keeps among the numbers of its XML and is none is a remark")
  func ofacNumbers() throws {
    let kept = [
      ("Aircraft Model", "AB-12"), ("Aircraft Operator", "Owl Air"), ("Vessel Year of Build", "1971"),
      ("Other Vessel Flag", "Germany"), ("Issuer Name", "OWL LTD"),
      ("Transactions Prohibited For Persons Owned or Controlled By U.S. Financial Institutions:", "section 510.214"),
    ]
    let ids = (kept + [("Passport", "P1"), ("Aircraft Tail Number", "EP-1"), ("MMSI", "123"), ("D.N.I.", "9")])
      .map { "<id><idType>\($0.0)</idType><idNumber>\($0.1)</idNumber></id>" }.joined()
    let text = """
      <sdnList><sdnEntry><uid>1</uid><lastName>OTHER</lastName><sdnType>Entity</sdnType><idList>\(ids)</idList>
      </sdnEntry></sdnList>
      """
    let entry = try #require(try list(("sdn.xml", text)).entries.first)
    #expect(entry.identifiers.map(\.number) == ["P1", "EP-1", "123", "9"])
    #expect(
      entry.remarks == kept.map { "\($0.0.trimmingCharacters(in: CharacterSet(charactersIn: ":"))): \($0.1)" })
  }

  @Test("a country of OFAC's advanced list may be a code alone, and an undetermined one is none")
  func ofacCountries() throws {
    let text = """
      <Sanctions><ReferenceValueSets><CountryValues><Country ID="1" ISO2="DE"/><Country ID="2">undetermined</Country>
      </CountryValues><AreaCodeValues><AreaCode ID="3" Description="New Zealand">QQ</AreaCode></AreaCodeValues>
      <FeatureTypeValues><FeatureType ID="10">Nationality Country</FeatureType></FeatureTypeValues>
      <PartySubTypeValues><PartySubType ID="4" PartyTypeID="1">Individual</PartySubType></PartySubTypeValues>
      </ReferenceValueSets><Locations><Location ID="1"><LocationCountry CountryID="1"/></Location>
      <Location ID="2"><LocationCountry CountryID="2"/></Location><Location ID="3"><LocationAreaCode AreaCodeID="3"/>
      </Location></Locations><DistinctParties><DistinctParty FixedRef="7"><Profile ID="7" PartySubTypeID="4">
      <Identity ID="1" Primary="1"><Alias Primary="1"><DocumentedName><DocumentedNamePart>
      <NamePartValue>Other</NamePartValue></DocumentedNamePart></DocumentedName></Alias></Identity>
      <Feature FeatureTypeID="10"><FeatureVersion><VersionLocation LocationID="1"/></FeatureVersion></Feature>
      <Feature FeatureTypeID="10"><FeatureVersion><VersionLocation LocationID="2"/></FeatureVersion></Feature>
      <Feature FeatureTypeID="10"><FeatureVersion><VersionLocation LocationID="3"/></FeatureVersion></Feature>
      </Profile></DistinctParty></DistinctParties></Sanctions>
      """
    let entry = try #require(try list(("sdn_advanced.xml", text)).entries.first)
    #expect(entry.nationalities == ["DEU", "NZL"])
    #expect(entry.remarks == [])
  }

  @Test("the EU's list is read as CSV 1.0 too, whose header names the number of the entry again for each part")
  func euFirstEdition() throws {
    let header = """
      Date_file;Entity_logical_id;Subject_type;Leba_numtitle;Leba_publication_date;Leba_url;Programme;Entity_remark;\
      Naal_logical_id;Entity_logical_id;Naal_leba_numtitle;Naal_lastname;Naal_firstname;Naal_middlename;\
      Naal_wholename;Naal_gender;Naal_title;Naal_function;Naal_programme;Addr_logical_id;Entity_logical_id;\
      Addr_number;Addr_street;Addr_zipcode;Addr_city;Addr_country;Addr_other;Birt_logical_id;Entity_logical_id;\
      Birt_date;Birt_place;Birt_country;Iden_logical_id;Entity_logical_id;Iden_number;Iden_country;Citi_logical_id;\
      Entity_logical_id;Citi_country;EU_ref_num
      """
    let whole = [
      "Date_file": "20/11/2026", "Entity_logical_id": "77", "Subject_type": "P", "Leba_numtitle": "2026/1",
      "Leba_publication_date": "2026-01-02", "Leba_url": "https://law.example", "Programme": "TEST",
      "Entity_remark": "Seen", "EU_ref_num": "EU.1.77",
    ]
    let parts = [
      [
        "Naal_logical_id": "1", "Naal_leba_numtitle": "2026/1", "Naal_lastname": "Other", "Naal_firstname": "Ann",
        "Naal_wholename": "Ann Other", "Naal_gender": "F", "Naal_title": "Dr", "Naal_function": "Owner",
        "Naal_programme": "TEST",
      ],
      [
        "Addr_logical_id": "2", "Addr_number": "12", "Addr_street": "Old Road", "Addr_zipcode": "1000",
        "Addr_city": "Ulm", "Addr_country": "DEU", "Addr_other": "Flat 3",
      ],
      ["Birt_logical_id": "3", "Birt_date": "1971-03-04", "Birt_place": "Ulm", "Birt_country": "DEU"],
      ["Iden_logical_id": "4", "Iden_number": "P12 (passport-National passport)", "Iden_country": "DEU"],
      ["Citi_logical_id": "5", "Citi_country": "NZL"],
    ]
    let rows = parts.map { part in
      header.split(separator: ";").map { whole[String($0)] ?? part[String($0)] ?? "" }.joined(separator: ";")
    }
    let list = try list(("eu.csv", "\u{FEFF}" + ([header] + rows).joined(separator: "\r\n") + "\r\n"))
    #expect(list.version == .init(code: "EU", version: "2026-11-20"))
    let entry = try #require(list.entries.first)
    #expect(list.entries.count == 1 && entry.reference == "EU.1.77" && entry.kind == .person && entry.sex == .female)
    #expect(entry.names == ["Other, Ann"] && entry.programmes == ["TEST"])
    #expect(entry.addresses == ["12, Old Road, Flat 3, Ulm, 1000, DEU"])
    #expect(entry.datesOfBirth == [try #require(BirthDate("1971-03-04"))] && entry.placesOfBirth == ["Ulm, DEU"])
    #expect(entry.nationalities == ["NZL"])
    #expect(entry.identifiers.map(\.number) == ["P12"] && entry.identifiers.map(\.country) == ["DEU"])
    #expect(entry.identifiers.map(\.type) == ["passport-National passport"])
    #expect(
      entry.remarks == [
        "Title: Dr", "Function: Owner", "Regulation: 2026/1", "Regulation published on: 2026-01-02", "Remark: Seen",
      ])
  }

  @Test("a number of the EU may have its kind behind it, and more behind that")
  func euNumbers() throws {
    for (written, number, type, isAll) in [
      ("P12 (passport-National passport) ", "P12", "passport-National passport", true),
      ("P12 (passport-National passport) ((passport))", "P12", "passport-National passport", false),
      ("P1 (2) (id-National card) [known to be false](of (1997))", "P1 (2)", "id-National card", false),
      ("P12 (Germany)", "P12 (Germany)", "", true),
      ("(passport-National passport)", "(passport-National passport)", "", true),
    ] {
      let first = "Entity_logical_id;Naal_wholename;Iden_number\n77;Ann Other;\(written)\n"
      let entry = try #require(try list(("eu.csv", first)).entries.first)
      #expect(entry.identifiers.map(\.number) == [number] && entry.identifiers.map(\.type) == [type], "\(written)")
      #expect(entry.remarks == (isAll ? [] : ["Document \(number) written as: \(written)"]))
      // Where a column tells the kind, as that of CSV 1.1 does, it counts.
      let later = """
        Entity_LogicalId;NameAlias_WholeName;Identification_Number;Identification_TypeDescription
        77;Ann Other;\(written);Passport

        """
      let other = try #require(try list(("eu.csv", later)).entries.first)
      #expect(other.identifiers.map { "\($0.number) \($0.type)" } == ["\(number) Passport"], "\(written)")
    }
  }

  @Test("rows of separators, as spreadsheets write them below a table, are no entries")
  func rowsOfSeparators() throws {
    for text in [
      "ref,name\nT.1,Ann Other\n,\n\n , \n",
      "Report Date: 20-Nov-2026\nUnique ID,Name 6,Name 1,Designation Type\nT.1,OTHER,Ann,Individual\n,,,\n,,,,\n",
      "Entity_LogicalId;NameAlias_WholeName\nT.1;Ann Other\n;\n",
    ] {
      #expect(try list(("a.csv", text)).entries.map(\.reference) == ["T.1"])
    }
  }

  @Test(
    "a list in a form that is not read is named, with the form that is",
    arguments: [
      ("<Designations><Designation/></Designations>", "the UK Sanctions List as XML: load its CSV"),
      ("<ArrayOfFinancialSanctionsTarget/>", "OFSI's list as XML: load its CSV"),
      ("<sanctionsData xmlns='urn:a'/>", "OFAC's enhanced XML: load SDN.XML or SDN_ADVANCED.XML"),
      ("<WHOLE Date='20/11/2026'/>", "the EU's list as XML 1.0: load XML 1.1"),
      ("PK\u{3}\u{4}\u{14}\u{0}\u{6}\u{0}[Content_Types].xml \u{2}", "a spreadsheet or a document"),
      ("PK\u{3}\u{4}\u{14}\u{0}mimetypeapplication/vnd.oasis.opendocument.spreadsheetPK", "a spreadsheet"),
      ("PK\u{3}\u{4}\u{14}\u{0}docProps/app.xml \u{2}", "a spreadsheet or a document"),
      ("PK\u{3}\u{4}\u{14}\u{0}sdn.csv", "the file is packed"),
    ])
  func otherForms(text: String, reason: String) throws {
    let fault = try #require(throws: ListFault.self) { try list(("a.xml", text)) }
    #expect(fault.description.contains(reason), "\(fault)")
  }
}
