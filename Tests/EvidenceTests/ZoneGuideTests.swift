// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Testing

@testable import Evidence

@Suite("Evidence: print whose captions are not legible")
struct ZoneGuideTests {
  private static func zone(
    _ name: String = "HADDAD<<HELENE<FATIMA<<<<<<<<<<<<<<<<<<", doubtful: [Int] = []
  ) -> MRZReading {
    MRZReading(
      lines: ["P<UTO" + name, "BQ18631332UTO6403212F290827058264326G<<<<<62"],
      referenceDate: CalendarDate(year: 2026, month: 1, day: 1)!, doubtful: doubtful, confidence: 1,
      region: Region(x: 0, y: 900, width: 1600, height: 200), source: .pitch)
  }

  /// As read from a strongly worn specimen: values whole, captions lost.
  private static let worn: [(Int, Int, Int, Int, String)] = [
    (208, 31, 289, 52, "UTOPIA"), (786, 165, 78, 32, "UTO"), (1183, 166, 251, 39, "BQ1863133"),
    (569, 263, 168, 32, "HADDAD"), (735, 329, 35, 11, "PPe"), (568, 351, 150, 39, "HÉLÈNE"),
    (735, 351, 144, 39, "FATIMA"), (569, 450, 170, 32, "UTOPIAN"), (1105, 451, 224, 33, "58264326G"),
    (568, 543, 40, 33, "21"), (625, 543, 80, 33, "MAR"), (722, 543, 104, 33, "1964"), (1105, 544, 40, 35, "28"),
    (1160, 544, 80, 35, "AUG"), (1256, 544, 104, 35, "2019"), (574, 637, 20, 31, "F"), (785, 638, 177, 32, "MACARIA"),
    (206, 656, 20, 30, "F"), (569, 730, 40, 33, "27"), (626, 730, 80, 33, "AUG"), (722, 730, 102, 33, "2029"),
  ]

  private func words(_ rows: [(Int, Int, Int, Int, String)]) -> [OCRWord] {
    rows.map { OCRWord(text: $4, confidence: 0.999, region: Region(x: $0, y: $1, width: $2, height: $3)) }
  }

  private func completed(
    _ words: [OCRWord], read: [VisualZone.Field: VisualZone.Value] = [:], zone: MRZReading = Self.zone()
  ) throws -> VisualZone {
    var print = VisualZone(values: read)
    let template = VisualTemplate.passport
    try #require(ZoneGuide(zone, dates: template.dates)).complete(
      &print, wanted: template.rules.map(\.field), from: VisualZoneReader(words: words).lines)
    return print
  }

  @Test("what says the same as the zone is taken as it is printed, and the date between is that of issue")
  func whole() throws {
    #expect(VisualZoneReader(words: words(Self.worn)).read(.passport).values.isEmpty)
    let print = try completed(words(Self.worn))
    #expect(
      print.texts == [
        "surname": "HADDAD", "given_names": "HÉLÈNE FATIMA", "document_number": "BQ1863133", "nationality": "UTOPIAN",
        "personal_number": "58264326G", "birth_date": "1964-03-21", "issue_date": "2019-08-28",
        "expiry_date": "2029-08-27", "sex": "F",
      ])
    #expect(print.values[.sex]?.region.x == 574, "a speck beside the portrait is not in a column of values")
    let certain = print.values.filter { $0.value.confidence >= PrintedPerson.certainMin }.keys
    #expect(
      Set(certain) == [.surname, .givenNames, .personalNumber, .birthDate, .expiryDate, .sex],
      "of the rest, one has look-alikes, and two the zone does not say word for word")
  }

  @Test("a sex at the right of the other values is the only letter as high as they are, and is never certain")
  func sexByItself() throws {
    let beside = Self.worn.map { $0.0 == 574 ? (1060, 637, 20, 31, "F") : $0 }
    let sex = try #require(completed(words(beside)).values[.sex])
    #expect(sex.text == "F" && sex.region.x == 1060 && sex.confidence <= Certainty.wornCaptionMost)
    #expect(try completed(words(beside + [(1300, 637, 30, 31, "M")]))[.sex] == nil, "two letters may be it")
    #expect(try completed(words(beside.map { $0.0 == 1060 ? (1060, 637, 30, 31, "M") : $0 }))[.sex] == nil)
  }

  @Test("a date beside another one's caption is of the field whose date in the zone it is, and is not certain there")
  func dateOfAnotherCaption() throws {
    let expiry = VisualZone.Value(
      text: "2029-08-27", confidence: 0.97, region: Region(x: 569, y: 730, width: 250, height: 33))
    let print = try completed(words(Self.worn), read: [.issueDate: expiry])
    #expect(print[.expiryDate] == "2029-08-27" && print[.issueDate] == "2019-08-28")
    #expect(try #require(print.values[.expiryDate]).confidence <= Certainty.wornCaptionMost)
    let forged = VisualZone.Value(text: "2033-08-27", confidence: 0.97, region: expiry.region)
    #expect(try completed(words(Self.worn), read: [.expiryDate: forged])[.expiryDate] == "2033-08-27")
  }

  @Test("a name under the other one's caption is of the field whose name in the zone it is, and is not certain there")
  func nameOfAnotherCaption() throws {
    let given = VisualZone.Value(
      text: "HÉLÈNE FATIMA", confidence: 0.97, region: Region(x: 568, y: 351, width: 311, height: 39))
    let print = try completed(words(Self.worn), read: [.surname: given])
    #expect(print[.surname] == "HADDAD" && print[.givenNames] == "HÉLÈNE FATIMA")
    #expect(try #require(print.values[.givenNames]).confidence <= Certainty.wornCaptionMost)
    let illegible = Self.worn.filter { $0.4 != "HADDAD" }
    #expect(try completed(words(illegible), read: [.surname: given, .givenNames: given])[.surname] == nil)
  }

  @Test("years of two digits are in the century of the zone's date, and are never certain")
  func shortYears() throws {
    let short = Self.worn.map { row in
      (row.0, row.1, row.2, row.3, ["1964": "64", "2019": "19", "2029": "29"][row.4] ?? row.4)
    }
    let print = try completed(words(short))
    #expect(print[.birthDate] == "1964-03-21" && print[.expiryDate] == "2029-08-27")
    #expect(print[.issueDate] == "2019-08-28")
    for field in [VisualZone.Field.birthDate, .expiryDate, .issueDate] {
      #expect(try #require(print.values[field]).confidence <= Certainty.cleanedMost)
    }
    let forged = short.map { row in (row.0, row.1, row.2, row.3, row.4 == "64" ? "84" : row.4) }
    #expect(try completed(words(forged))[.birthDate] == nil)
  }

  @Test(
    "print that differs from the zone is not taken, and what a caption gave stays",
    arguments: [true, false])
  func different(hasCaption: Bool) throws {
    let other = VisualZone.Value(
      text: "SMITH", confidence: 0.95, region: Region(x: 569, y: 263, width: 168, height: 32))
    let forged = Self.worn.map { row in
      (row.0, row.1, row.2, row.3, ["HADDAD": "SMITH", "1964": "1984", "BQ1863133": "BQ1863138"][row.4] ?? row.4)
    }
    let print = try completed(words(forged), read: hasCaption ? [.surname: other] : [:])
    #expect(print[.surname] == (hasCaption ? "SMITH" : nil))
    #expect(print[.birthDate] == nil && print[.documentNumber] == nil)
    #expect(print[.issueDate] == nil, "of two dates between none is known to be of issue")
    let unissued = try completed(words(forged.filter { $0.1 != 544 }))
    #expect(unissued[.expiryDate] == "2029-08-27" && unissued[.issueDate] == nil, "the date between is that of birth")
  }

  @Test(
    "what says the same as the zone is not taken beside another value that may be the holder's",
    arguments: [
      (VisualZone.Field.birthDate, "21.03.1984"), (.expiryDate, "27.08.2039"), (.documentNumber, "BQ1863138"),
      (.personalNumber, "58264326H"), (.sex, "M"),
    ])
  func rival(field: VisualZone.Field, other: String) throws {
    #expect(try completed(words(Self.worn))[field] != nil)
    #expect(try completed(words(Self.worn + [(569, 800, 30, 32, other)]))[field] == nil)
  }

  @Test("a surname does not take in given names where these are what the zone has no room for")
  func cutName() throws {
    let zone = Self.zone("HADDAD<<HELENE<FATIMA<MARGUERITE<JOSEPH")
    let beside = try completed(words(Self.worn + [(745, 263, 150, 32, "HÉLÈNE")]), zone: zone)
    #expect(beside[.surname] == nil)
    #expect(try completed(words(Self.worn), zone: zone)[.surname] == "HADDAD")
  }

  @Test("a name of which the second half was taken for the whole is completed, and elsewhere on the page it is not")
  func halfName() throws {
    func given(_ x: Int, _ y: Int) throws -> String? {
      let half = VisualZone.Value(
        text: "FATIMA", confidence: 0.95, region: Region(x: x, y: y, width: 144, height: 39))
      return try completed(words(Self.worn), read: [.givenNames: half])[.givenNames]
    }
    #expect(try given(735, 351) == "HÉLÈNE FATIMA")
    #expect(try given(735, 600) == "FATIMA")
  }

  @Test("where print cannot tell O from 0 the zone does, which has a check digit; nothing else is put right by it")
  func lookAlikes() throws {
    func number(_ read: String, doubtful: [Int] = []) throws -> String? {
      let value = VisualZone.Value(text: read, confidence: 0.7, region: Region(x: 0, y: 0, width: 90, height: 30))
      return try completed([], read: [.documentNumber: value], zone: Self.zone(doubtful: doubtful))[.documentNumber]
    }
    #expect(try number("BQI863133") == "BQ1863133")
    #expect(try number("BQI863138") == "BQI863138")
    #expect(try number("BQI863133", doubtful: [102]) == "BQI863133")
  }
}
