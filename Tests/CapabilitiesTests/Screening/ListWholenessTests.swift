// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Screening

@Suite("Screening: what lists say beside names and dates is kept", .storeless)
struct ListWholenessTests {
  private static func entry(_ name: String, _ text: String, beside: [String: String] = [:]) throws -> WatchList.Entry {
    let files = [(name, text)] + beside.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    let readings = try ListReader.read(
      files.map { ListReader.File(name: $0.0, bytes: Data($0.1.utf8)) }, countries: InventedList.countries)
    return try #require(readings.first?.list.entries.first)
  }

  private static func eu(_ parts: String) throws -> WatchList.Entry {
    try entry(
      "eu.xml",
      """
      <export generationDate="2026-11-24T16:47:04+02:00"><sanctionEntity euReferenceNumber="EU.1.1" logicalId="1">
      <subjectType code="person" classificationCode="P"/><nameAlias wholeName="Ann Other" strong="true"/>\(parts)
      </sanctionEntity></export>
      """)
  }

  @Test("a name of the EU's list that its remark calls one of low quality is weak, in both forms")
  func lowQuality() throws {
    let names = #"<nameAlias wholeName="The Owl" strong="true"><remark>(Low quality alias)</remark></nameAlias>"#
    let xml = try Self.eu(names)
    let csv = try Self.entry(
      "eu.csv",
      """
      Entity_LogicalId;Entity_SubjectType;NameAlias_WholeName;NameAlias_Remark
      1;P;Ann Other;(good quality alias)
      1;P;The Owl;(low quality alias)

      """)
    for entry in [xml, csv] {
      #expect(entry.names == ["Ann Other"])
      #expect(entry.weakNames == ["The Owl"])
    }
  }

  @Test("a number that the EU's list calls false, expired or lost is marked, with who issued it and when")
  func documents() throws {
    let xml = try Self.eu(
      """
      <identification number="ش77" latinNumber="SH77" identificationTypeDescription="Passport" diplomatic="true"
        knownExpired="true" knownFalse="true" reportedLost="true" revokedByIssuer="true" issuedBy="Registry"
        issueDate="2001-02-03" validFrom="2001-03-01" validTo="2011-03-01" region="Otago" countryIso2Code="NZ"/>
      """)
    let csv = try Self.entry(
      "eu.csv",
      """
      Entity_LogicalId;Entity_SubjectType;NameAlias_WholeName;Identification_Number;Identification_LatinNumber;\
      Identification_TypeDescription;Identification_Diplomatic;Identification_KnownExpired;Identification_KnownFalse;\
      Identification_ReportedLost;Identification_RevokedByIssuer;Identification_IssuedBy;Identification_IssuedDate;\
      Identification_ValidFrom;Identification_ValidTo;Identification_Region;Identification_CountryIso2Code
      1;P;Ann Other;;;;;;;;;;;;;;
      1;P;;ش77;SH77;Passport;true;true;true;true;true;Registry;2001-02-03;2001-03-01;2011-03-01;Otago;NZ

      """)
    for entry in [xml, csv] {
      #expect(entry.identifiers.map(\.number) == ["ش77", "SH77"])
      #expect(entry.identifiers.allSatisfy { $0.type == "Passport" && $0.country == "NZL" })
      let said = [
        "issued by: Registry", "issued in: Otago", "issued on: 2001-02-03", "valid from: 2001-03-01",
        "valid to: 2011-03-01",
      ]
      let marks = ["diplomatic", "known expired", "known false", "reported lost", "revoked by issuer"]
      #expect(entry.remarks == said.map { "Document ش77 \($0)" } + marks.map { "Document ش77: \($0)" })
    }
  }

  @Test("where a page shows the first remarks only, those on documents come before the many others")
  func documentsFirst() throws {
    let functions = (1...40).map { "<nameAlias wholeName=\"Ann Other\" function=\"Post \($0)\"/>" }.joined()
    let entry = try Self.eu("\(functions)<identification number=\"P1\" knownFalse=\"true\" issuedBy=\"Registry\"/>")
    #expect(entry.remarks.first == "Function: Post 1" && entry.remarks.count == 42)
    let shown = entry.remarksOnDocumentsFirst
    #expect(shown.prefix(3) == ["Document P1 issued by: Registry", "Document P1: known false", "Function: Post 1"])
    #expect(Set(shown) == Set(entry.remarks) && shown.count == 42)
  }

  @Test("what the EU's list has without a name is told and left out, and keeps no other entry away")
  func unnamed() throws {
    let xml = """
      <export><sanctionEntity euReferenceNumber="EU.1.1" logicalId="1"><nameAlias wholeName="Ann Other"/></sanctionEntity>
      <sanctionEntity euReferenceNumber="EU.2.2" logicalId="2"><remark>see EU.1.1</remark></sanctionEntity>
      <sanctionEntity><birthdate year="1961"/></sanctionEntity></export>
      """
    let csv = """
      Entity_LogicalId;Entity_EU_ReferenceNumber;NameAlias_WholeName;BirthDate_Year
      1;EU.1.1;;1961
      2;EU.2.2;;
      ;;;1962
      1;EU.1.1;Ann Other;

      """
    for (name, text) in [("eu.xml", xml), ("eu.csv", csv)] {
      let reading = try ListReader.read(
        [.init(name: name, bytes: Data(text.utf8))], countries: InventedList.countries)[0]
      #expect(reading.list.entries.map(\.reference) == ["EU.1.1"])
      #expect(reading.skipped == ["unnamed": 2])
    }
    // Who has a name and no reference would not be searched for.
    #expect(throws: ListFault.self) {
      try Self.entry("eu.xml", "<export><sanctionEntity><nameAlias wholeName=\"Ann\"/></sanctionEntity></export>")
    }
  }

  @Test("contacts of the EU's list are kept, and what it does not know is no place, no country and no address")
  func contacts() throws {
    let entry = try Self.eu(
      """
      <citizenship countryIso2Code="00" countryDescription="UNKNOWN"/>
      <birthdate year="1961" city="" place="" countryIso2Code="00" countryDescription="UNKNOWN"/>
      <address city="" street="" countryIso2Code="00" countryDescription="UNKNOWN">
      <contactInfo key="EMAIL" value="a@example.test"/></address>
      """)
    #expect(entry.remarks == ["Contact: EMAIL[a@example.test]"])
    #expect(entry.placesOfBirth.isEmpty && entry.addresses.isEmpty && entry.nationalities.isEmpty)
    #expect(entry.datesOfBirth == [BirthDate("1961")])
  }

  @Test("a day of birth without its year is kept, though it is no date, and so is that a first year is approximate")
  func halfDates() throws {
    let eu = try Self.eu(#"<birthdate circa="false" dayOfMonth="3" monthOfYear="4" year="" calendarType="GREGORIAN"/>"#)
    #expect(eu.datesOfBirth.isEmpty && eu.remarks == ["Date of birth: day 3, month 4, year unknown"])
    let un = try Self.entry(
      "un.xml",
      """
      <CONSOLIDATED_LIST><INDIVIDUAL><REFERENCE_NUMBER>QDi.1</REFERENCE_NUMBER><FIRST_NAME>Ann</FIRST_NAME>
      <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>APPROXIMATELY</TYPE_OF_DATE><FROM_YEAR>1950</FROM_YEAR>
      </INDIVIDUAL_DATE_OF_BIRTH></INDIVIDUAL></CONSOLIDATED_LIST>
      """)
    #expect(un.datesOfBirth == [BirthDate("circa 1950")])
  }

  @Test("OFAC's classic list tells former names, and which document was issued when")
  func classic() throws {
    let entry = try Self.entry(
      "sdn.xml",
      """
      <sdnList><sdnEntry><uid>1</uid><lastName>OTHER</lastName><sdnType>Entity</sdnType><idList>
      <id><idType>License</idType><idNumber>L1</idNumber><issueDate>01 Feb 2003</issueDate></id>
      <id><idType>License</idType><idNumber>L2</idNumber><expirationDate>2009</expirationDate></id></idList><akaList>
      <aka><type>f.k.a.</type><category>strong</category><lastName>ELDER</lastName></aka>
      <aka><type>n.k.a.</type><category>weak</category><lastName>NEWER</lastName></aka></akaList></sdnEntry></sdnList>
      """)
    #expect(entry.names == ["OTHER", "ELDER"] && entry.weakNames == ["NEWER"])
    #expect(
      entry.remarks == [
        "Formerly known as: ELDER", "Now known as: NEWER", "Document L1 issued on: 01 Feb 2003",
        "Document L2 expires on: 2009",
      ])
  }

  @Test("remarks of OFAC's tables go on in the table of comments, wherever they were cut")
  func tables() throws {
    let entry = try Self.entry(
      "sdn.csv", "7,\"OTHER LTD\",-0- ,\"TEST\",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,\"Linked To: LONG \"\r\n",
      beside: ["alt.csv": "7,1,\"fka\",\"ELDER LTD\",-0- \r\n", "comments.csv": "7,\"NAME.\"\r\n\u{1A}"])
    #expect(entry.remarks == ["Formerly known as: ELDER LTD", "Remarks: Linked To: LONG NAME"])
  }

  @Test("OFAC's advanced list tells of documents, former names, comments and relations")
  func advanced() throws {
    func period(_ year: Int) -> String {
      let day = "<Year>\(year)</Year><Month>2</Month><Day>3</Day>"
      return "<DatePeriod><Start><From>\(day)</From></Start><End><To>\(day)</To></End></DatePeriod>"
    }
    func name(_ type: String, _ text: String) -> String {
      let value = "<NamePartValue NamePartGroupID=\"1\">\(text)</NamePartValue>"
      return "<Alias AliasTypeID=\"\(type)\" Primary=\"\(type == "3")\"><DocumentedName><DocumentedNamePart>\(value)"
        + "</DocumentedNamePart></DocumentedName></Alias>"
    }
    let entry = try Self.entry(
      "sdn_advanced.xml",
      """
      <Sanctions><ReferenceValueSets>
      <AliasTypeValues><AliasType ID="1">F.K.A.</AliasType><AliasType ID="3">Name</AliasType></AliasTypeValues>
      <IDRegDocTypeValues><IDRegDocType ID="5">Passport</IDRegDocType></IDRegDocTypeValues><IDRegDocDateTypeValues>
      <IDRegDocDateType ID="6">Issue Date</IDRegDocDateType><IDRegDocDateType ID="7">Expiration Date</IDRegDocDateType>
      </IDRegDocDateTypeValues><ValidityValues><Validity ID="9">Fraudulent</Validity></ValidityValues>
      <RelationTypeValues><RelationType ID="8">Associate Of</RelationType></RelationTypeValues></ReferenceValueSets>
      <IDRegDocuments><IDRegDocument IDRegDocTypeID="5" IdentityID="20" ValidityID="9"><Comment>Worn</Comment>
      <IDRegistrationNo>P1</IDRegistrationNo><IssuingAuthority>Registry</IssuingAuthority>
      <DocumentDate IDRegDocDateTypeID="6">\(period(2001))</DocumentDate>
      <DocumentDate IDRegDocDateTypeID="7">\(period(2011))</DocumentDate></IDRegDocument></IDRegDocuments>
      <DistinctParties><DistinctParty FixedRef="11"><Comment>Of the party</Comment><Profile ID="11" PartySubTypeID="3">
      <Identity ID="20" Primary="true">\(name("3", "OTHER LTD"))\(name("1", "ELDER LTD"))</Identity></Profile>
      </DistinctParty></DistinctParties><ProfileRelationships><ProfileRelationship From-ProfileID="11"
      To-ProfileID="11" RelationTypeID="8" Former="true"><Comment>Until 2010</Comment></ProfileRelationship>
      </ProfileRelationships><SanctionsEntries><SanctionsEntry ProfileID="11"><EntryEvent><Comment>By order</Comment>
      </EntryEvent></SanctionsEntry></SanctionsEntries></Sanctions>
      """)
    #expect(
      entry.remarks == [
        "Formerly known as: ELDER LTD", "Document P1: Worn", "Document P1 issued by: Registry",
        "Document P1 issue date: 2001-02-03", "Document P1 expiration date: 2011-02-03",
        "Document P1 validity: Fraudulent", "Comment: Of the party", "Associate Of (former): 11",
        "Associate Of (former): Until 2010", "Listed: By order",
      ])
  }

  @Test("the United Nations' list tells both types and both countries of a document, and former names")
  func unitedNations() throws {
    let entry = try Self.entry(
      "un.xml",
      """
      <CONSOLIDATED_LIST><INDIVIDUAL><REFERENCE_NUMBER>QDi.1</REFERENCE_NUMBER><FIRST_NAME>Ann</FIRST_NAME>
      <SUBMITTED_BY>Utopia</SUBMITTED_BY><INDIVIDUAL_ALIAS><QUALITY>f.k.a.</QUALITY><ALIAS_NAME>Elder</ALIAS_NAME>
      </INDIVIDUAL_ALIAS><INDIVIDUAL_DOCUMENT><TYPE_OF_DOCUMENT>Passport</TYPE_OF_DOCUMENT>
      <TYPE_OF_DOCUMENT2>Diplomatic</TYPE_OF_DOCUMENT2><NUMBER>P1</NUMBER><ISSUING_COUNTRY>Germany</ISSUING_COUNTRY>
      <COUNTRY_OF_ISSUE>New Zealand</COUNTRY_OF_ISSUE></INDIVIDUAL_DOCUMENT></INDIVIDUAL></CONSOLIDATED_LIST>
      """)
    #expect(entry.identifiers == [.init(type: "Passport", number: "P1", country: "DEU")])
    #expect(
      entry.remarks == [
        "Formerly known as: Elder", "Document P1 type: Diplomatic", "Document P1 issued in: New Zealand",
        "Submitted by: Utopia",
      ])
  }

  @Test("a column that a later edition brings is kept, and so is a value before the first number")
  func laterColumns() throws {
    let uk = try Self.entry(
      "uk.csv",
      """
      Unique ID,Name 6,Name 1,Name type,Designation Type,Passport number,Non-latin script type,Later Column
      A1,OTHER,Ann,Primary Name,Individual,AB 12 (1),Cyrillic,kept

      """)
    #expect(uk.identifiers.map(\.number) == ["AB 12"])
    #expect(uk.remarks == ["Non-latin script type: Cyrillic", "Later Column: kept"])
    let open = try Self.entry(
      "o.csv", "id,schema,name,birth_date,last_seen,risk\n1,Person,Ann Other,1961,2026-11-24,high\n")
    #expect(open.remarks == ["risk: high"])
    let eu = try Self.entry(
      "eu.csv",
      """
      fileGenerationDate;Entity_LogicalId;Entity_SubjectType;Entity_Regulation_Type;NameAlias_LogicalId;\
      NameAlias_WholeName;NameAlias_Regulation_NumberTitle;Address_AsAtListingTime;Entity_ListingReason;\
      BirthDate_Hijri
      30/05/2026;1;P;regulation;7;Ann Other;1/2026;false;;
      30/05/2026;1;P;regulation;8;Ann O'Other;1/2026;false;kept;1381

      """)
    #expect(eu.names == ["Ann Other", "Ann O'Other"])
    #expect(eu.remarks == ["Entity_ListingReason: kept", "BirthDate_Hijri: 1381"])
  }

  @Test("the columns of the EU's table of today leave no remark but those of what is kept")
  func columnsOfToday() throws {
    let today = EUList.known.sorted()
    let cells = today.map { column in
      switch column {
      case "entity_logicalid": "1"
      case "namealias_wholename": "Ann Other"
      case "entity_remark": "said"
      default: column.hasSuffix("logicalid") || column.contains("regulation") ? "7" : ""
      }
    }
    let entry = try Self.entry("eu.csv", "\(today.joined(separator: ";"))\n\(cells.joined(separator: ";"))\n")
    #expect(
      entry.remarks == ["Regulation: 7", "Regulation published on: 7", "Regulation in force on: 7", "Remark: said"])
  }

  @Test("which lists of a collection name an entity is kept, in an order of its own")
  func datasets() throws {
    let entry = try Self.entry(
      "f.json",
      #"{"id":"a","schema":"Person","target":true,"datasets":["us_test","eu_test"],"properties":{"name":["Ann Other"]}}"#)
    #expect(entry.remarks == ["Dataset: eu_test", "Dataset: us_test"])
  }

  @Test("properties that the reader of FollowTheMoney does not name are kept by their own names")
  func followTheMoney() throws {
    let lines = [
      #"{"id":"a","schema":"Person","target":true,"properties":{"name":["Ann Other"],"birthCountry":["nz"],"#
        + #""licenseNumber":["L1"],"addressEntity":["b"],"retrievedAt":["2026-11-24"],"#
        + #""familyPerson":[{"id":"f","caption":"Bob Other","schema":"Family","properties":{}}]}}"#,
      #"{"id":"b","schema":"Address","properties":{"street":["Fern Lane"],"city":["Durban"]}}"#,
      #"{"id":"c","schema":"Sanction","properties":{"entity":["a"],"endDate":["2030"],"provisions":["Freeze"]}}"#,
      #"{"id":"d","schema":"Passport","properties":{"holder":["a"],"number":["P1"],"endDate":["2020"],"#
        + #""personalNumber":["77"]}}"#,
    ]
    let entry = try Self.entry("f.json", lines.joined(separator: "\r\n"))
    #expect(entry.addresses == ["Fern Lane, Durban"])
    #expect(entry.identifiers.map(\.number) == ["L1", "P1"])
    #expect(
      entry.remarks == [
        "Birth country: nz", "Family person: Bob Other", "Sanction, end date: 2030", "Sanction, provisions: Freeze",
        "Document P1 expires on: 2020", "Document P1 personal number: 77",
      ])
  }
}
