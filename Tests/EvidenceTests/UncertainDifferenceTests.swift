// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Testing

@testable import Evidence

@Suite("Evidence: only what was read with certainty on both sides decides")
struct UncertainDifferenceTests {
  private static let today = CalendarDate(year: 2026, month: 1, day: 1)!
  private static let region = Region(x: 0, y: 0, width: 10, height: 10)
  /// The specimen of Doc 9303-4, of Sweden.
  private static let lines = [
    "P<SWEERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L898902C36SWE7408122F3204153ZE184226B<<<<<16",
  ]
  private static let agreeing: [VisualZone.Field: String] = [
    .surname: "ERIKSSON", .givenNames: "ANNA MARIA", .documentNumber: "L898902C3", .birthDate: "1974-08-12",
    .expiryDate: "2032-04-15", .sex: "F", .nationality: "SWE",
  ]

  private static func passport(
    _ changes: [VisualZone.Field: String?] = [:], confidence: Double = 0.99, lines: [String] = lines,
    doubtful: [Int] = [], corrections: [MRZReading.Correction] = []
  ) -> DocumentReading {
    var texts = agreeing
    for (field, text) in changes { texts[field] = text }
    var reading = DocumentReading(
      expected: .passport, detected: .passport, page: .init(width: 1600, height: 1100, outlined: true, corners: []),
      mrz: MRZReading(
        lines: lines, referenceDate: today, corrections: corrections, doubtful: doubtful, confidence: 1,
        region: region, source: .pitch),
      visualZone: VisualZone(
        values: texts.mapValues { .init(text: $0, confidence: confidence, region: region) }), barcode: nil,
      portrait: .init(region: region, faceSeen: true), faces: FaceReport(faces: [], detector: "haar"),
      quality: ImageQuality(
        sharpness: 200, glare: 0, brightness: 128, blackShare: 0, whiteShare: 0, contrast: 50, colour: 10,
        subjectWidth: 1200, crop: .ok, tilt: 0, issues: []),
      checks: [], failure: nil)
    reading.checks = DocumentChecks(today: today).checks(of: reading)
    return reading
  }

  private static func decide(_ reading: DocumentReading) -> VerificationOutcome {
    CrossDocumentRules(policy: .init(today: today)).decide(
      VerificationEvidence(
        documents: [.passport: reading], selfieVsPortrait: [.passport: .init(result: .match)],
        selfieVsLiveness: .init(result: .match), liveness: .init(result: .live)))
  }

  @Test("a zone and a page that agree are a match")
  func agreement() {
    let outcome = Self.decide(Self.passport())
    #expect(outcome.status == .match)
    #expect(outcome.rule(.mrzLegibility)?.result == .pass)
  }

  @Test(
    "a field that was not read is absent: it is for review, by its own name and no other",
    arguments: [
      (VisualZone.Field.givenNames, "name"), (.surname, "name"), (.documentNumber, "document_number"),
      (.birthDate, "birth_date"), (.expiryDate, "expiry_date"),
    ])
  func absent(field: VisualZone.Field, name: String) {
    let reading = Self.passport([field: nil])
    #expect(reading.check(.mrzVsVisual) == EvidenceCheck(.mrzVsVisual, .review, fields: [name]))
    #expect(Self.decide(reading).status == .undetermined)
  }

  @Test("a person of one name has no given names to be read")
  func oneName() {
    let reading = Self.passport(
      [.givenNames: nil], lines: ["P<SWEERIKSSON<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<", Self.lines[1]])
    #expect(reading.check(.mrzVsVisual)?.result == .pass)
  }

  /// As print was misread on documents of honest people, some of it with 0.893.
  private static let slips: [(VisualZone.Field, String)] = [
    (.documentNumber, "L8989OZC3"), (.documentNumber, "898902C3"), (.documentNumber, "LB9B902C8"),
    (.birthDate, "1974-08-02"), (.expiryDate, "2032-04-16"), (.surname, "ERKSSN"), (.givenNames, "MARIA"),
    (.givenNames, "ANNA MAFIA"), (.nationality, "SWZ"),
  ]

  @Test("what a slip of the reader explains is never a mismatch, however sure the reader was", arguments: slips)
  func slip(field: VisualZone.Field, text: String) {
    #expect(Self.decide(Self.passport([field: text])).status != .mismatch)
  }

  @Test("O and 0, I and 1 are the same to the eye: the check digit of a certain zone tells them apart, not a person")
  func sameToTheEye() {
    let printed: [VisualZone.Field: String?] = [.documentNumber: "L8989O2C3"]
    #expect(Self.passport(printed).check(.mrzVsVisual)?.result == .pass)
    #expect(Self.decide(Self.passport(printed)).status == .match)
    #expect(Self.decide(Self.passport(printed, doubtful: [108])).status == .undetermined)
    // Others can be told apart in print.
    #expect(Self.decide(Self.passport([.documentNumber: "L898902C8"])).status == .undetermined)
    #expect(Self.decide(Self.passport([.documentNumber: "L8989OZC3"])).status == .undetermined)
  }

  private static let differences: [(VisualZone.Field, String, String)] = [
    (.documentNumber, "K118347D9", "document_number"), (.birthDate, "1981-03-30", "birth_date"),
    (.expiryDate, "2029-11-21", "expiry_date"), (.surname, "NORDHAGEN", "name"), (.sex, "M", "sex"),
    (.nationality, "NOR", "nationality"),
  ]

  @Test("a difference decides when both sides are certain, and is for review when one is not", arguments: differences)
  func difference(field: VisualZone.Field, text: String, name: String) {
    let certain = Self.passport([field: text])
    #expect(certain.check(.mrzVsVisual) == EvidenceCheck(.mrzVsVisual, .fail, fields: [name]))
    #expect(Self.decide(certain).status == .mismatch)
    #expect(Self.decide(Self.passport([field: text], confidence: 0.893)).status == .undetermined)
  }

  @Test("a difference is for review when the zone's own character is in doubt or was corrected")
  func doubtfulZone() {
    // The last character of the number stands in line 2, position 9.
    let other: [VisualZone.Field: String?] = [.documentNumber: "K118347D9"]
    #expect(Self.decide(Self.passport(other, doubtful: [108])).status == .undetermined)
    let correction = MRZReading.Correction(line: 1, position: 8, from: "8", to: "3")
    #expect(Self.decide(Self.passport(other, corrections: [correction])).status == .undetermined)
  }

  @Test("doubtful and corrected characters of the zone reach the verdict, unless the print says the same")
  func legibility() {
    let state = Self.decide(Self.passport(doubtful: [3]))
    #expect(state.status == .undetermined && state.rule(.mrzLegibility)?.reasons == ["issuing_state"])
    // The print has the number too.
    #expect(Self.decide(Self.passport(doubtful: [108])).status == .match)
    let unread = Self.decide(Self.passport([.documentNumber: nil], doubtful: [108]))
    #expect(unread.rule(.mrzLegibility)?.reasons == ["document_number"])
    let corrected = Self.passport(
      [.documentNumber: nil], corrections: [.init(line: 1, position: 8, from: "8", to: "3")])
    #expect(Self.decide(corrected).rule(.mrzLegibility)?.result == .review)
  }

  @Test("an unknown State is for review, and a field has a mark only where both sources were compared")
  func statesAndMarks() {
    let nowhere = Self.passport(
      [.nationality: nil, .sex: "M"], lines: [Self.lines[0], Self.lines[1].replacing("SWE", with: "QQQ")])
    let outcome = Self.decide(nowhere)
    #expect(outcome.rule(.stateCodes)?.result == .review && outcome.rule(.stateCodes)?.reasons == ["nationality"])
    #expect(nowhere.comparison(of: "birth_date") == .pass && nowhere.comparison(of: "sex") == .fail)
    for field in ["nationality", "personal_number", "issue_date"] { #expect(nowhere.comparison(of: field) == nil) }
    var front = Self.passport()
    front.checks = []
    #expect(front.comparison(of: "birth_date") == nil)
  }

  @Test("padding, the composite digit and one digit of a date that its check digit holds are not in doubt")
  func padding() {
    let mrz = MRZReading(
      lines: Self.lines, referenceDate: Self.today, doubtful: [30, 139, 143, 115], confidence: 1, region: Self.region,
      source: .pitch)
    #expect(mrz.doubtfulFields.isEmpty)
    let rivals: [MRZReading.Correction] = [
      .init(line: 0, position: 30, from: "<", to: "K"), .init(line: 1, position: 8, from: "3", to: "8"),
    ]
    let told = MRZReading(
      lines: Self.lines, referenceDate: Self.today, doubtful: [30, 108], alternatives: rivals, confidence: 1,
      region: Self.region, source: .pitch)
    #expect(told.alternatives == [rivals[1]])
    let weak = MRZReading(
      lines: Self.lines, referenceDate: Self.today, doubtful: [24, 115, 116], confidence: 1, region: Self.region,
      source: .pitch)
    #expect(weak.doubtfulFields == [.name, .birthDate])
    // Any zone satisfies a composite digit that was changed to do so.
    let changed = Self.passport(corrections: [.init(line: 1, position: 43, from: "8", to: "6")])
    #expect(changed.mrz?.doubtfulFields == [.composite])
    #expect(Self.decide(changed).rule(.mrzLegibility)?.result == .review)
  }

  private static func front(
    _ birth: String, _ expiry: String, confidence: Double, of kind: DocumentKind = .drivingLicence
  ) -> DocumentReading {
    var reading = passport([.birthDate: birth, .expiryDate: expiry], confidence: confidence)
    (reading.expected, reading.detected, reading.mrz, reading.checks) = (kind, kind, nil, [])
    return reading
  }

  @Test("print alone that is uncertain decides nothing: neither that all is well nor that it is not")
  func printAlone() {
    for (birth, expiry, certain) in [
      ("2012-02-03", "2024-01-01", EvidenceCheck.Result.fail), ("1974-08-12", "2032-04-15", .pass),
    ] {
      func licence(_ confidence: Double) -> VerificationOutcome {
        CrossDocumentRules(policy: .init(today: Self.today)).decide(
          VerificationEvidence(documents: [.drivingLicence: Self.front(birth, expiry, confidence: confidence)]))
      }
      for rule in [VerificationOutcome.RuleCode.expiry, .minimumAge] {
        #expect(licence(0.95).rule(rule)?.result == certain)
        #expect(licence(0.7).rule(rule)?.result == .review)
      }
    }
  }

  @Test("a zone that says the same as uncertain print settles it; other print does not, nor does another date")
  func settled() {
    let cardBack = MRZReading(
      lines: ["I<SWEL898902C36<<<<<<<<<<<<<<<", "7408122F3204153SWE<<<<<<<<<<<6", "ERIKSSON<<ANNA<MARIA<<<<<<<<<<"],
      referenceDate: Self.today, confidence: 1, region: Self.region, source: .pitch)
    func back(_ mrz: MRZReading?) -> DocumentReading {
      var reading = Self.front("1974-08-12", "2032-04-15", confidence: 0.7, of: .nationalIDBack)
      reading.mrz = mrz
      if mrz != nil { reading.visualZone = nil }
      return reading
    }
    func card(_ expiry: String, _ mrz: MRZReading?) -> VerificationOutcome {
      CrossDocumentRules(policy: .init(today: Self.today)).decide(
        VerificationEvidence(documents: [
          .nationalIDFront: Self.front("1974-08-12", expiry, confidence: 0.7, of: .nationalIDFront),
          .nationalIDBack: back(mrz),
        ]))
    }
    #expect(card("2032-04-15", cardBack).rule(.expiry)?.result == .pass)
    #expect(card("2032-04-15", cardBack).rule(.minimumAge)?.result == .pass)
    #expect(card("2032-04-15", nil).rule(.expiry)?.result == .review)
    #expect(card("2033-04-15", cardBack).rule(.expiry)?.result == .review)
    // The back of a licence is another picture of the same document.
    var barcode = Self.front("1974-08-12", "2032-04-15", confidence: 0.7)
    barcode.mrz = cardBack
    let licence = Self.front("1974-08-12", "2032-04-15", confidence: 0.7)
    let alone = VerificationEvidence(documents: [.drivingLicence: licence])
    let both = VerificationEvidence(
      documents: [.drivingLicence: licence], otherSides: [.drivingLicence: [barcode]])
    let rules = CrossDocumentRules(policy: .init(today: Self.today))
    #expect(rules.decide(alone).rule(.expiry)?.result == .review)
    #expect(rules.decide(both).rule(.expiry)?.result == .pass)
  }

  @Test("uncertain print is not settled by a side of another person or document, nor by one that cannot be used")
  func settledByAnother() {
    func licence(_ changes: [VisualZone.Field: String] = [:]) -> DocumentReading {
      var reading = Self.front("1974-08-12", "2032-04-15", confidence: 0.7)
      for (field, text) in changes {
        reading.visualZone?.values[field] = .init(text: text, confidence: 0.99, region: Self.region)
      }
      return reading
    }
    var back = Self.passport()
    back.visualZone = nil
    var unusable = back
    unusable.failure = .init(code: .documentUnreadable, fields: ["mrz"])
    #expect(licence().isExpirySettled(by: [back]))
    #expect(!licence().isExpirySettled(by: [unusable]))
    #expect(!licence([.surname: "MUSTERMANN", .givenNames: "ERIKA"]).isExpirySettled(by: [back]))
    #expect(!licence([.documentNumber: "K118347D9"]).isExpirySettled(by: [back]))
    func age(_ licence: DocumentReading, by passport: DocumentReading) -> EvidenceCheck.Result? {
      CrossDocumentRules(policy: .init(today: Self.today)).decide(
        VerificationEvidence(documents: [.drivingLicence: licence, .passport: passport])
      ).rule(.minimumAge)?.result
    }
    // A person has one birth date on documents of several numbers.
    #expect(age(licence([.documentNumber: "K118347D9"]), by: back) == .pass)
    #expect(age(licence([.surname: "MUSTERMANN", .givenNames: "ERIKA"]), by: back) == .review)
  }

  @Test("a nationality is compared as a code only when it is a listed one")
  func nationalities() {
    func compared(_ printed: String, _ confidence: Double = 0.99) -> EvidenceCheck.Result? {
      var licence = Self.front("1974-08-12", "2032-04-15", confidence: confidence)
      licence.visualZone?.values[.nationality]?.text = printed
      return CrossDocumentRules(policy: .init(today: Self.today)).decide(
        VerificationEvidence(documents: [.passport: Self.passport(), .drivingLicence: licence])
      ).rule(.nationality)?.result
    }
    #expect(compared("SWE") == .pass)
    #expect(compared("NOR") == .fail)
    #expect(compared("NOR", 0.7) == .review)
    // The Republic of South Africa is ZAF in every list.
    for words in ["RSA", "SVE", "SWEDISH"] { #expect(compared(words) == nil, "\(words)") }
  }

  @Test("a specimen that print alone shows with doubt is for a person, and never refused for it")
  func specimen() {
    func decided(_ confidence: Double) -> EvidenceCheck.Result? {
      var licence = Self.front("1974-08-12", "2032-04-15", confidence: confidence)
      licence.visualZone?.values[.nationality]?.text = "UTO"
      let specimen = DocumentChecks(today: Self.today).checks(of: licence).first { $0.code == .specimen }
      #expect(specimen?.result == (confidence < 0.9 ? .review : .fail))
      return CrossDocumentRules(policy: .init(today: Self.today)).decide(
        VerificationEvidence(documents: [.drivingLicence: licence])
      ).rule(.specimen)?.result
    }
    #expect(decided(0.95) == .fail)
    #expect(decided(0.6) == .review)
    let lines = ["P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L898902C36UTO7408122F3204153ZE184226B<<<<<16"]
    #expect(Self.decide(Self.passport(lines: lines)).rule(.specimen)?.result == .fail)
    #expect(Self.decide(Self.passport(lines: lines, doubtful: [3])).rule(.specimen)?.result == .fail)
    #expect(Self.decide(Self.passport(lines: lines, doubtful: [3, 111])).rule(.specimen)?.result == .review)
  }
}

@Suite("Evidence: the kind that a zone makes sure")
struct ZoneKindTests {
  private static let today = CalendarDate(year: 2026, month: 1, day: 1)!

  private static func zone(_ lines: [String]) -> MRZReading {
    MRZReading(
      lines: lines, referenceDate: today, confidence: 1, region: Region(x: 0, y: 0, width: 10, height: 10),
      source: .pitch)
  }

  private static func reading(_ lines: [String], as expected: DocumentKind?) -> DocumentReading {
    let mrz = zone(lines)
    return DocumentReading(
      expected: expected, detected: DocumentReader.kind(of: mrz),
      page: .init(width: 1600, height: 1100, outlined: true, corners: []), mrz: mrz, visualZone: nil, barcode: nil,
      portrait: nil, faces: FaceReport(faces: [], detector: "haar"),
      quality: ImageQuality(
        sharpness: 200, glare: 0, brightness: 128, blackShare: 0, whiteShare: 0, contrast: 50, colour: 10,
        subjectWidth: 1200, crop: .ok, tilt: 0, issues: []),
      checks: [], failure: nil)
  }

  @Test("a passport whose last fillers were not seen stays a passport, and is to be taken again")
  func cutPassport() {
    let whole = ["P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L898902C36UTO7408122F1204159ZE184226B<<<<<10"]
    #expect(DocumentReader.kind(of: Self.zone(whole)) == .passport)
    #expect(Self.zone(whole).isWhole)
    let cut = whole.map { String($0.prefix(36)) }
    let reading = Self.reading(cut, as: .passport)
    #expect(reading.detected == .passport)
    #expect(reading.mrz?.isWhole == false)
    #expect(Readability.failure(of: reading) == .init(code: .documentUnreadable, fields: ["mrz"]))
  }

  @Test("two lines of 36 that begin as a card are a card's")
  func card() {
    let lines = ["I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<", "D231458907UTO7408122F1204159<<<<<<<6"]
    #expect(DocumentReader.kind(of: Self.zone(lines)) == .nationalIDBack)
    #expect(Self.zone(lines).isWhole)
  }

  @Test(
    "a visa is told as one",
    arguments: [
      ["V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L8988901C4XXX4009078F96121096ZE184226B<<<<<<"],
      ["V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<", "L8988901C4XXX4009078F9612109<<<<<<<<"],
    ])
  func visa(lines: [String]) {
    for expected in [DocumentKind.passport, nil] {
      let reading = Self.reading(lines, as: expected)
      #expect(reading.detected == nil)
      #expect(
        Readability.failure(of: reading)
          == .init(code: .wrongDocumentType, fields: ["document_code"], shows: .visa))
    }
    let check = DocumentChecks(today: Self.today).checks(of: Self.reading(lines, as: .passport))
    #expect(check.first { $0.code == .documentType }?.result == .fail)
  }
}
