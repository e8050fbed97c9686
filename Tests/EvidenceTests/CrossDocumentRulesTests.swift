// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Testing

@testable import Evidence

@Suite("Evidence: rules over all documents of a person")
struct CrossDocumentRulesTests {
  static let today = CalendarDate(year: 2026, month: 1, day: 1)!
  private let policy = VerificationPolicy(today: today, minimumAge: 18)

  private func person(
    _ surname: String = "ERIKSSON", _ given: String = "ANNA MARIA", number: String = "L898902C3",
    birth: String = "1974-08-12", expiry: String? = "2032-04-15", sex: String = "F", nationality: String = "SWE",
    personal: String? = nil, confidence: Double = 0.95
  ) -> VisualZone {
    var texts: [VisualZone.Field: String] = [
      .surname: surname, .givenNames: given, .documentNumber: number, .birthDate: birth, .sex: sex,
      .nationality: nationality,
    ]
    (texts[.expiryDate], texts[.personalNumber]) = (expiry, personal)
    let region = Region(x: 0, y: 0, width: 10, height: 10)
    return VisualZone(values: texts.mapValues { .init(text: $0, confidence: confidence, region: region) })
  }

  private func reading(
    _ kind: DocumentKind, visual: VisualZone? = nil, mrz: [String]? = nil, checks: [EvidenceCheck] = [],
    failure: DocumentReading.Failure? = nil
  ) -> DocumentReading {
    let region = Region(x: 0, y: 0, width: 10, height: 10)
    return DocumentReading(
      expected: kind, detected: kind, page: .init(width: 1600, height: 1009, outlined: true, corners: []),
      mrz: mrz.map {
        MRZReading(lines: $0, referenceDate: Self.today, confidence: 1, region: region, source: .pitch)
      },
      visualZone: visual, barcode: nil, portrait: nil, faces: FaceReport(faces: [], detector: "haar"),
      quality: ImageQuality(
        sharpness: 200, glare: 0, brightness: 128, blackShare: 0, whiteShare: 0, contrast: 50, colour: 10,
        subjectWidth: 1200, crop: .ok, tilt: 0, issues: []),
      checks: checks, failure: failure)
  }

  private func evidence(
    _ documents: [DocumentKind: DocumentReading], face: FaceComparisonResult = .init(result: .match, score: 0.91),
    liveness: LivenessResult? = .init(result: .live, score: 0.97), application: ApplicationData? = nil
  ) -> VerificationEvidence {
    let portraits = documents.keys.filter(\.carriesPortrait).map { ($0, face) }
    return VerificationEvidence(
      documents: documents, application: application, selfieVsPortrait: Dictionary(uniqueKeysWithValues: portraits),
      selfieVsLiveness: face, liveness: liveness)
  }

  private func decide(_ evidence: VerificationEvidence) -> VerificationOutcome {
    CrossDocumentRules(policy: policy).decide(evidence)
  }

  private var licence: DocumentReading { reading(.drivingLicence, visual: person()) }

  @Test("one good document, a matching face and a living person are a match")
  func match() {
    let outcome = decide(evidence([.drivingLicence: licence]))
    #expect(outcome.status == .match)
    #expect(outcome.retake.isEmpty && !outcome.agentRequired)
    #expect(outcome.rules.allSatisfy { $0.result == .pass })
  }

  @Test("no model is inconclusive: it does not stop a match, and an agent must look")
  func noModel() {
    let outcome = decide(
      evidence(
        [.drivingLicence: licence], face: .init(result: .undetermined, code: .noModel),
        liveness: .init(result: .undetermined, code: .noModel)))
    #expect(outcome.status == .match)
    #expect(outcome.agentRequired)
    #expect(outcome.rule(.faceSelfieVsDocument)?.result == .inconclusive)
    #expect(outcome.rule(.liveness)?.result == .inconclusive)
  }

  @Test(
    "any other doubt of a face port leaves the verification undetermined",
    arguments: InconclusiveCode.allCases.filter { $0 != .noModel })
  func doubt(code: InconclusiveCode) {
    let outcome = decide(evidence([.drivingLicence: licence], face: .init(result: .undetermined, code: code)))
    #expect(outcome.status == .undetermined)
    #expect(outcome.retake.contains(.selfie))
    let alive = decide(
      evidence([.drivingLicence: licence], liveness: .init(result: .undetermined, code: code)))
    #expect(alive.status == .undetermined)
    #expect(alive.retake == [.liveness])
  }

  @Test("another face, a spoof, and a check that never ran are no match")
  func faces() {
    let other = decide(evidence([.drivingLicence: licence], face: .init(result: .noMatch, score: 0.1)))
    #expect(other.status == .mismatch)
    #expect(other.rule(.faceSelfieVsDocument)?.result == .fail)
    let spoof = decide(evidence([.drivingLicence: licence], liveness: .init(result: .spoof, score: 0.02)))
    #expect(spoof.status == .mismatch && spoof.retake == [.liveness])
    let missing = decide(VerificationEvidence(documents: [.drivingLicence: licence]))
    #expect(missing.status == .undetermined)
    #expect(decide(evidence([:])).status == .undetermined)
  }

  @Test(
    "what differs between two documents fails by its own rule",
    arguments: [
      ("NORDSTROM", "1974-08-12", "F", "SWE", VerificationOutcome.RuleCode.nameAcrossDocuments),
      ("ERIKSSON", "1981-03-30", "F", "SWE", .birthDateAcrossDocuments),
      ("ERIKSSON", "1974-08-12", "M", "SWE", .sex), ("ERIKSSON", "1974-08-12", "F", "NOR", .nationality),
    ])
  func differences(
    surname: String, birth: String, sex: String, nationality: String, rule: VerificationOutcome.RuleCode
  ) {
    let front = reading(
      .nationalIDFront, visual: person(surname, number: "X1", birth: birth, sex: sex, nationality: nationality))
    let outcome = decide(evidence([.drivingLicence: licence, .nationalIDFront: front]))
    #expect(outcome.status == .mismatch)
    #expect(outcome.rules.filter { $0.result == .fail }.map(\.code) == [rule])
    #expect(Set(outcome.retake) == [.drivingLicence, .nationalIDFront])
  }

  @Test("a difference in a field that was hardly legible is for review")
  func illegible() {
    let front = reading(.nationalIDFront, visual: person("NORDSTROM", number: "X1", confidence: 0.3))
    #expect(decide(evidence([.drivingLicence: licence, .nationalIDFront: front])).status == .undetermined)
  }

  @Test("swapped day and month is for review, D and DEU are one state")
  func aliases() {
    let swapped = reading(.nationalIDFront, visual: person(birth: "1974-12-08"))
    let outcome = decide(evidence([.drivingLicence: licence, .nationalIDFront: swapped]))
    #expect(outcome.rule(.birthDateAcrossDocuments)?.result == .review)
    let german = reading(.drivingLicence, visual: person(nationality: "D"))
    let front = reading(.nationalIDFront, visual: person(nationality: "DEU"))
    #expect(
      decide(evidence([.drivingLicence: german, .nationalIDFront: front])).rule(.nationality)?.result == .pass)
  }

  @Test("the sides of a card must carry one number")
  func frontAndBack() {
    let lines = ["I<SWEL898902C36<<<<<<<<<<<<<<<", "7408122F3204159SWE<<<<<<<<<<<6", "ERIKSSON<<ANNA<MARIA<<<<<<<<<<"]
    let back = reading(.nationalIDBack, mrz: lines)
    let same = decide(evidence([.nationalIDFront: reading(.nationalIDFront, visual: person()), .nationalIDBack: back]))
    #expect(same.rule(.documentNumberFrontBack)?.result == .pass)
    let other = reading(.nationalIDFront, visual: person(number: "K118347D9"))
    let outcome = decide(evidence([.nationalIDFront: other, .nationalIDBack: back]))
    #expect(outcome.rule(.documentNumberFrontBack)?.result == .fail)
    // Look-alikes, one character that was read as another, and one that was lost: print has no check digit.
    for number in ["L89890ZC3", "LB9B9O2C3", "L898902C4", "898902C3"] {
      let slip = reading(.nationalIDFront, visual: person(number: number))
      #expect(
        decide(evidence([.nationalIDFront: slip, .nationalIDBack: back])).rule(.documentNumberFrontBack)?.result
          == .review)
    }
  }

  @Test("the sides of a card end on one day and carry one personal number, in either of the zone's optional fields")
  func sidesAgree() {
    let back = reading(
      .nationalIDBack,
      mrz: ["I<SWEL898902C36ZE184226B<<<<<<", "7408122F3204153SWE197408121235", "ERIKSSON<<ANNA<MARIA<<<<<<<<<<"])
    func rule(_ code: VerificationOutcome.RuleCode, _ front: VisualZone) -> EvidenceCheck.Result? {
      decide(evidence([.nationalIDFront: reading(.nationalIDFront, visual: front), .nationalIDBack: back])).rule(code)?
        .result
    }
    #expect(rule(.expiry, person()) == .pass && rule(.expiry, person(expiry: "2029-11-21")) == .review)
    #expect(rule(.personalNumber, person()) == nil)
    for number in ["ZE 184226-B", "19740812123"] { #expect(rule(.personalNumber, person(personal: number)) == .pass) }
    #expect(rule(.personalNumber, person(personal: "K7700118")) == .review)
  }

  @Test(
    "expiry is judged on the day of the verification",
    arguments: [
      ("2025-12-31", EvidenceCheck.Result.fail), ("2026-01-01", .review), ("2026-01-31", .review),
      ("2026-02-01", .pass), (nil, .review),
    ] as [(String?, EvidenceCheck.Result)])
  func expiry(date: String?, result: EvidenceCheck.Result) {
    let outcome = decide(evidence([.drivingLicence: reading(.drivingLicence, visual: person(expiry: date))]))
    #expect(outcome.rule(.expiry)?.result == result)
  }

  @Test("the minimum age is reached on the birthday", arguments: [("2008-01-01", true), ("2008-01-02", false)])
  func age(birth: String, isOldEnough: Bool) {
    let outcome = decide(evidence([.drivingLicence: reading(.drivingLicence, visual: person(birth: birth))]))
    #expect(outcome.rule(.minimumAge)?.result == (isOldEnough ? .pass : .fail))
    #expect((outcome.status == .match) == isOldEnough)
  }

  @Test("what the applicant declared must be what the document says")
  func application() {
    let right = ApplicationData(
      name: PersonName(primary: "Eriksson", secondary: "Anna"), birthDate: CalendarDate("1974-08-12"))
    #expect(
      decide(evidence([.drivingLicence: licence], application: right)).rule(.applicationVsDocument)?.result == .pass)
    let wrong = ApplicationData(name: PersonName(primary: "Eriksson", secondary: "Anna"), birthDate: Self.today)
    let outcome = decide(evidence([.drivingLicence: licence], application: wrong))
    #expect(outcome.rule(.applicationVsDocument)?.reasons == ["birth_date"])
    #expect(outcome.status == .mismatch)
  }

  @Test("specimens of Utopia are refused, unless the institution takes them")
  func specimens() {
    let utopian = reading(.drivingLicence, visual: person(nationality: "UTO"))
    let refused = decide(evidence([.drivingLicence: utopian]))
    #expect(refused.status == .mismatch && refused.rule(.specimen)?.result == .fail)
    let sandbox = CrossDocumentRules(policy: .init(today: Self.today, minimumAge: 18, acceptsSpecimens: true))
    #expect(sandbox.decide(evidence([.drivingLicence: utopian])).status == .match)
  }

  @Test("an unreadable document leaves it undetermined, and so does a kind that print alone tells; a zone tells it")
  func failures() {
    let unreadable = reading(
      .drivingLicence, visual: person(), failure: .init(code: .documentUnreadable, fields: ["surname"]))
    let outcome = decide(evidence([.drivingLicence: unreadable]))
    #expect(outcome.status == .undetermined && outcome.retake == [.drivingLicence])
    let wrong = DocumentReading.Failure(code: .wrongDocumentType, fields: ["document_code"])
    let printed = decide(evidence([.drivingLicence: reading(.drivingLicence, visual: person(), failure: wrong)]))
    #expect(printed.rule(.documentType)?.result == .review)
    #expect(printed.status == .undetermined && printed.retake == [.drivingLicence])
    let monthFirst = reading(
      .nationalIDFront, visual: person(birth: "1974-12-08", expiry: "2025-04-03"), failure: wrong)
    #expect(
      decide(evidence([.drivingLicence: licence, .nationalIDFront: monthFirst])).status == .undetermined,
      "what is read by another kind's order of dates is not compared")
    let lines = ["I<SWEL898902C36<<<<<<<<<<<<<<<", "7408122F3204159SWE<<<<<<<<<<<6", "ERIKSSON<<ANNA<MARIA<<<<<<<<<<"]
    let zone = reading(.drivingLicence, visual: person(), mrz: lines, failure: wrong)
    #expect(decide(evidence([.drivingLicence: zone])).rule(.documentType)?.result == .fail)
    #expect(decide(evidence([.drivingLicence: zone])).status == .mismatch)
  }

  @Test("the checks of a document count: zone against print, and an MRZ that fails only its composite")
  func carried() {
    for (result, status) in [
      (EvidenceCheck.Result.pass, VerificationOutcome.Status.match), (.review, .undetermined),
      (.inconclusive, .undetermined), (.fail, .mismatch),
    ] {
      let passport = reading(.passport, visual: person(), checks: [EvidenceCheck(.mrzVsVisual, result)])
      #expect(decide(evidence([.passport: passport])).status == status)
    }
  }
}
