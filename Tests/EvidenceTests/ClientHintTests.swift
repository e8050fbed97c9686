// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Testing

@testable import Evidence

@Suite("Evidence: barcodes, and what the app says that it read")
struct ClientHintTests {
  private static let today = CalendarDate(year: 2026, month: 1, day: 1)!
  private static let region = Region(x: 0, y: 0, width: 10, height: 10)
  private static let payload =
    "@\n\u{1E}\rANSI 636000100101DL00310200DLDAQD12345678\nDCSSAMPLE\nDDEN\nDACMICHAEL\nDDFN\nDADJOHN\nDDGN\n"
    + "DBD06062024\nDBB06061986\nDBA12102034\nDBC1\nDAJVA\nDCFX1\nDCGUSA\r"
  private static let printed: [VisualZone.Field: String] = [
    .surname: "SAMPLE", .givenNames: "MICHAEL JOHN", .documentNumber: "D12345678", .birthDate: "1986-06-06",
    .expiryDate: "2034-12-10",
  ]
  private static let lines = [
    "P<SWEERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L898902C36SWE7408122F3204153ZE184226B<<<<<16",
  ]

  /// As the server reads it.
  private static func reading(
    _ texts: [VisualZone.Field: String], of kind: DocumentKind = .drivingLicence, barcode: String? = nil,
    confidence: Double = 0.95
  ) -> DocumentReading {
    var reading = DocumentReading(
      expected: kind, detected: kind, page: .init(width: 1600, height: 1009, outlined: true, corners: []), mrz: nil,
      visualZone: texts.isEmpty
        ? nil : VisualZone(values: texts.mapValues { .init(text: $0, confidence: confidence, region: region) }),
      barcode: barcode.flatMap { try? BarcodeReading(payload: $0, region: region, source: .zxing) }, portrait: nil,
      faces: FaceReport(faces: [], detector: "haar"),
      quality: ImageQuality(
        sharpness: 200, glare: 0, brightness: 128, blackShare: 0, whiteShare: 0, contrast: 50, colour: 10,
        subjectWidth: 1200, crop: .ok, tilt: 0, issues: []),
      checks: [], failure: nil)
    reading.checks = DocumentChecks(today: today).checks(of: reading)
    reading.failure = Readability.failure(of: reading)
    return reading
  }

  private static func decide(_ reading: DocumentReading) -> VerificationOutcome {
    let kind = reading.expected ?? .drivingLicence
    return CrossDocumentRules(policy: .init(today: today)).decide(
      VerificationEvidence(
        documents: [kind: reading], selfieVsPortrait: [kind: .init(result: .match)],
        selfieVsLiveness: .init(result: .match), liveness: .init(result: .live)))
  }

  @Test("another address in the barcode than in certain print is for review, and uncertain print makes no difference")
  func address() {
    let code = Self.payload.replacing("DAJVA", with: "DAG2300 WEST BROAD STREET\nDAIRICHMOND\nDAJVA")
    func check(_ address: String, confidence: Double = 0.95) -> EvidenceCheck? {
      let print = Self.printed.merging([.address: address]) { $1 }
      return Self.reading(print, barcode: code, confidence: confidence).check(.barcodeVsVisual)
    }
    #expect(check("2300 WEST BROAD STREET")?.result == .pass)
    #expect(check("17 ELM STREET") == EvidenceCheck(.barcodeVsVisual, .review, fields: ["address"]))
    #expect(check("17 ELM STREET", confidence: 0.895)?.fields.contains("address") == false)
    let moved = Self.reading(Self.printed.merging([.address: "17 ELM STREET"]) { $1 }, barcode: code)
    #expect(Self.decide(moved).status == .undetermined)
  }

  @Test(
    "another date of issue or class in the barcode than in certain print is for review, and what may be a slip is not",
    arguments: [
      (.issueDate, "2024-06-06", true), (.issueDate, "2022-11-30", false), (.issueDate, "2024-06-08", true),
      (.categories, "D", true), (.categories, "CLASS D", true), (.categories, "C", false), (.categories, "O", true),
      (.categories, "DM", false), (.categories, "NON-COMMERCIAL", true),
    ] as [(VisualZone.Field, String, Bool)])
  func issueAndClass(field: VisualZone.Field, text: String, isSame: Bool) {
    let code = Self.payload.replacing("DAJVA", with: "DCAD\nDAJVA")
    func check(_ confidence: Double) -> EvidenceCheck? {
      Self.reading(Self.printed.merging([field: text]) { $1 }, barcode: code, confidence: confidence)
        .check(.barcodeVsVisual)
    }
    let expected = EvidenceCheck(.barcodeVsVisual, isSame ? .pass : .review, fields: isSame ? [] : [field.rawValue])
    #expect(check(0.95) == expected)
    #expect(check(0.85)?.fields.contains(field.rawValue) == false)
  }

  @Test("classes are compared letter by letter in any order, and the same letters before those that may be misread")
  func classes() {
    let code = Self.payload.replacing("DAJVA", with: "DCADM\nDAJVA")
    func check(_ text: String) -> EvidenceCheck.Result? {
      Self.reading(Self.printed.merging([.categories: text]) { $1 }, barcode: code).check(.barcodeVsVisual)?.result
    }
    #expect(check("M D") == .pass)
    #expect(check("MO") == .pass, "D and O look alike")
    #expect(check("MC") == .review)
  }

  @Test("the back of a licence in a further picture is of the same card and person, where both are certain")
  func otherSide() throws {
    func decide(_ front: [VisualZone.Field: String], back: DocumentReading, confidence: Double = 0.95)
      -> VerificationOutcome
    {
      var front = Self.reading(Self.printed.merging(front) { $1 }, confidence: confidence)
      front.failure = nil
      return CrossDocumentRules(policy: .init(today: Self.today)).decide(
        VerificationEvidence(documents: [.drivingLicence: front], otherSides: [.drivingLicence: [back]]))
    }
    var back = Self.reading([:], barcode: Self.payload)
    back.failure = nil
    #expect(decide([:], back: back).rule(.documentNumberFrontBack)?.result == .pass)
    let another = decide([.documentNumber: "K77120934"], back: back).rule(.documentNumberFrontBack)
    #expect(another?.result == .fail && another?.reasons == ["document_number"])
    #expect(decide([.documentNumber: "K77120934"], back: back, confidence: 0.7).rule(.documentNumberFrontBack) == nil)
    #expect(decide([.documentNumber: "D12345673"], back: back).rule(.documentNumberFrontBack) == nil, "a slip of print")
    #expect(decide([.surname: "CASTELLANOS"], back: back).rule(.nameAcrossDocuments)?.result == .fail)
    #expect(decide([.birthDate: "1946-05-07"], back: back).rule(.birthDateAcrossDocuments)?.result == .fail)
    var unusable = back
    unusable.failure = .init(code: .documentUnreadable, fields: ["barcode"])
    #expect(decide([.surname: "CASTELLANOS"], back: unusable).rule(.nameAcrossDocuments) == nil)

    var claimed = back
    claimed.barcode = try BarcodeReading(payload: Self.payload, region: Self.region, source: .client)
    let confirmed = CrossDocumentRules(policy: .init(today: Self.today)).decide(
      VerificationEvidence(documents: [.drivingLicence: claimed], otherSides: [.drivingLicence: [back]]))
    #expect(confirmed.rule(.documentNumberFrontBack) == nil, "what the app says is confirmed by no other picture")
  }

  @Test("the app's barcode of another holder is left out beside print and beside a barcode that was read")
  func ofAnother() {
    let print = Self.printed.merging([
      .surname: "CASTELLANOS", .givenNames: "MARIA", .birthDate: "1946-05-07",
    ]) { $1 }
    let code = Self.payload.replacing("SAMPLE", with: "CASTELLANOS").replacing("06061986", with: "05071946")
    for own in [Self.reading(print), Self.reading([:], barcode: code)] {
      let read = own.completed(mrz: nil, barcode: Self.payload, on: Self.today)
      #expect(read.barcode == own.barcode && read.visualZone == own.visualZone)
      #expect(Self.decide(own).status == .match)
      #expect(Self.decide(read).status == .undetermined)
      let reasons = Self.decide(read).rule(.barcodeConsistency)?.reasons ?? []
      #expect(reasons.contains("name") && reasons.contains("birth_date"))
    }
  }

  @Test(
    "the app's barcode adds nothing to print that was read of the same holder, or that is in doubt itself",
    arguments: [("SAMPLE", 0.95), ("CASTELLANOS", 0.7)])
  func ofTheSame(surname: String, confidence: Double) {
    let own = Self.reading(Self.printed.merging([.surname: surname]) { $1 }, confidence: confidence)
    #expect(own.failure == nil)
    #expect(own.completed(mrz: nil, barcode: Self.payload, on: Self.today) == own)
  }

  @Test("where print was not read the app's barcode stands in, behind what was read, and a person decides")
  func standsIn() {
    let own = Self.reading([.surname: "CASTELLANOS"])
    #expect(own.failure?.code == .documentUnreadable)
    let read = own.completed(mrz: nil, barcode: Self.payload, on: Self.today)
    #expect(read.failure == nil && read.barcode?.source == .client)
    #expect(read.person?.isPrint == true && read.withoutHints.barcode == nil)
    let outcome = Self.decide(read)
    #expect(outcome.status == .undetermined)
    for rule in [VerificationOutcome.RuleCode.barcodeConsistency, .barcodeVsVisual, .expiry, .minimumAge] {
      #expect(outcome.rule(rule)?.result == .review, "\(rule)")
    }
  }

  @Test("the app's zone stands in for one that was not read, is never certain, and has to be of the kind")
  func zone() {
    let own = Self.reading(Self.printed, of: .passport)
    #expect(own.failure?.fields == ["mrz"])
    let read = own.completed(mrz: Self.lines.joined(separator: "\n"), barcode: nil, on: Self.today)
    #expect(read.failure == nil && read.mrz?.source == .client)
    #expect(read.person?.isPrint == true && read.withoutHints.mrz == nil)
    #expect(Self.decide(read).status == .undetermined)
    // Of a zone that was read without its ends, the app may send the whole one, and no other.
    var cut = own
    cut.mrz = MRZReading(
      lines: Self.lines.map { String($0.prefix(36)) }, referenceDate: Self.today, confidence: 1, region: Self.region,
      source: .pitch)
    #expect(Readability.failure(of: cut)?.fields == ["mrz"])
    for (surname, source) in [("ERIKSSON", MRZReading.Source.client), ("CARLBERG", .pitch)] {
      let hint = Self.lines.joined(separator: "\n").replacing("ERIKSSON", with: surname)
      #expect(cut.completed(mrz: hint, barcode: nil, on: Self.today).mrz?.source == source)
    }
    let card = ["I<SWEL898902C36<<<<<<<<<<<<<<<", "7408122F3204153SWE<<<<<<<<<<<6", "ERIKSSON<<ANNA<MARIA<<<<<<<<<<"]
    #expect(own.completed(mrz: card.joined(separator: "\n"), barcode: nil, on: Self.today) == own)
  }

  @Test(
    "a barcode that was read and is at odds with itself is no match",
    arguments: [
      ("DBD06062024", "DBD06061980", VerificationOutcome.Status.mismatch), ("DBD06062024", "DBD06062035", .mismatch),
      ("DCFX1\n", "", .undetermined),
    ])
  func consistency(text: String, other: String, status: VerificationOutcome.Status) {
    #expect(Self.decide(Self.reading([:], barcode: Self.payload.replacing(text, with: other))).status == status)
  }
}
