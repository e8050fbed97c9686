// SPDX-License-Identifier: Apache-2.0

import Screening
import DocumentCore
import Foundation
import FinapticWire
import Kit
import Testing

@testable import Evidence
@testable import FinapticFlow

@Suite("Finaptic onboarding: evidence decides outside a sandbox")
struct EvidenceTests {
  /// A passport as the reader would have read it, behind the first bytes of a picture.
  struct Passport {
    var surname = "TREMBLAY"
    var given = "MARIE"
    var birth = "900517"
    var expiry = "320415"
    var state = "CAN"
    var hasPortrait = true
    var failure: DocumentReading.Failure?

    func picture(reading today: CalendarDate) throws -> Data {
      OnboardingOutside.prefix + (try JSONEncoder().encode(reading(on: today)))
    }

    func reading(on today: CalendarDate) -> DocumentReading {
      let region = Region(x: 0, y: 0, width: 10, height: 10)
      return DocumentReading(
        expected: .passport, detected: .passport, page: .init(width: 1600, height: 1009, outlined: true, corners: []),
        mrz: MRZReading(lines: lines, referenceDate: today, confidence: 1, region: region, source: .pitch),
        visualZone: nil, barcode: nil, portrait: hasPortrait ? .init(region: region, faceSeen: true) : nil,
        faces: FaceReport(faces: [], detector: "haar"),
        quality: ImageQuality(
          sharpness: 200, glare: 0, brightness: 128, blackShare: 0, whiteShare: 0, contrast: 50, colour: 10,
          subjectWidth: 1200, crop: .ok, tilt: 0, issues: []),
        checks: [], failure: failure)
    }

    /// TD3 (ICAO 9303-4 §4.2.2).
    private var lines: [String] {
      func fill(_ text: String, _ count: Int) -> String {
        text + String(repeating: "<", count: max(0, count - text.count))
      }
      func digit(_ text: String) -> String {
        let values = text.utf8.map { byte -> Int in
          switch byte {
          case 48...57: Int(byte) - 48
          case 65...90: Int(byte) - 55
          default: 0
          }
        }
        var sum = 0
        for (place, value) in values.enumerated() { sum += value * [7, 3, 1][place % 3] }
        return "\(sum % 10)"
      }
      let number = "AB123456<"
      let optional = fill("", 14)
      let body = number + digit(number) + state + birth + digit(birth) + "F" + expiry + digit(expiry) + optional + "<"
      let composite = number + digit(number) + birth + digit(birth) + expiry + digit(expiry) + optional + "<"
      return [fill("P<\(state)\(surname)<<\(given)", 44), body + digit(composite)]
    }
  }

  static func ready(_ app: OnboardingTestApp, token: String? = nil) async throws -> OnboardingApplicant {
    let applicant = try await OnboardingApplicant(
      app, bundle: "kycV1", tenant: OnboardingTestApp.production, token: token)
    try await applicant.fill()
    return applicant
  }

  static func sent(_ passport: Passport, by applicant: OnboardingApplicant) async throws
    -> FinapticAPI.BasicDetails
  {
    let today = try AgeOfMajority().today(at: applicant.app.clock.now)
    return try await applicant.documents(passport.picture(reading: today)).details()
  }

  @Test("what is good in every way passes")
  func passes() async throws {
    try await OnboardingTestApp.run { app in
      let applicant = try await Self.ready(app)
      #expect(try await Self.sent(Passport(), by: applicant).onboardingApplicationStatus == "KYC In Progress")
      #expect(try await applicant.selfie().details().onboardingApplicationStatus == "KYC In Progress")
      #expect(app.outside.now.comparisons == 1)
      #expect(try await applicant.validate().details().onboardingApplicationStatus == "KYC Success")
      #expect(app.outside.now.comparisons == 1 && app.outside.now.searches == 1)
    }
  }

  private static let failing: [(Passport, [String])] = [
    (Passport(surname: "ROY"), ["FAILURE_CODE_ID_NAME_MATCH"]),
    (Passport(birth: "910517"), ["FAILURE_CODE_ID_DOB_MATCH"]),
    (Passport(surname: "ROY", birth: "910517"), ["FAILURE_CODE_ID_NAME_MATCH", "FAILURE_CODE_ID_DOB_MATCH"]),
    (Passport(expiry: "210415"), ["FAILURE_CODE_ID_EXPIRED"]),
    (Passport(state: "FRA"), ["FAILURE_CODE_ID_VALIDATION"]),
    (Passport(state: "UTO"), ["FAILURE_CODE_ID_VALIDATION"]),
    (Passport(hasPortrait: false), ["FAILURE_CODE_ID_VERIFICATION"]),
    (Passport(failure: .init(code: .documentUnreadable, fields: ["mrz"])), ["FAILURE_CODE_ID_VERIFICATION"]),
    (Passport(failure: .init(code: .wrongDocumentType, fields: [])), ["FAILURE_CODE_ID_VALIDATION"]),
  ]

  @Test("each way in which a document fails has its code", arguments: failing)
  func documents(passport: Passport, codes: [String]) async throws {
    try await OnboardingTestApp.run { app in
      let applicant = try await Self.ready(app)
      let details = try await Self.sent(passport, by: applicant)
      #expect(details.onboardingApplicationStatus == "Data Collection")
      #expect(details.failureStatusCodes == codes)
      // The whole says the same again, whatever the selfie.
      _ = try await applicant.selfie().details()
      let whole = try await applicant.validate().details()
      #expect(whole.onboardingApplicationStatus == "KYC Failed")
      #expect(whole.failureStatusCodes == codes)
      #expect(whole.remainingAllowedRetries == 2)
      #expect(app.outside.now.searches == 0)
    }
  }

  @Test("a picture that cannot be decoded is unreadable")
  func undecodable() async throws {
    try await OnboardingTestApp.run { app in
      let applicant = try await Self.ready(app)
      #expect(try await applicant.documents().details().failureStatusCodes == ["FAILURE_CODE_ID_VERIFICATION"])
    }
  }

  private static let doubtful: [(Evidence.LivenessResult, FaceComparisonResult, String)] = [
    (Evidence.LivenessResult(result: .spoof), FaceComparisonResult(result: .match), "FAILURE_CODE_SELFIE_VALIDATION"),
    (.init(result: .undetermined, code: .noFace), .init(result: .match), "FAILURE_CODE_SELFIE_VALIDATION"),
    (.init(result: .live), .init(result: .noMatch), "FAILURE_CODE_ID_SELFIE_MATCH"),
    (.init(result: .live), .init(result: .undetermined, code: .betweenThresholds), "FAILURE_CODE_ID_SELFIE_MATCH"),
  ]

  @Test("who is not certainly alive, or not certainly the same person, does not pass", arguments: doubtful)
  func faces(liveness: Evidence.LivenessResult, faces: FaceComparisonResult, code: String) async throws {
    try await OnboardingTestApp.run { app in
      app.outside.change { ($0.liveness, $0.faces) = (liveness, faces) }
      let applicant = try await Self.ready(app)
      _ = try await Self.sent(Passport(), by: applicant)
      #expect(try await applicant.selfie().details().failureStatusCodes == [code])
      #expect(try await applicant.validate().details().failureStatusCodes == [code])
    }
  }

  @Test("what cannot be looked at now changes nothing and uses no retry")
  func unavailable() async throws {
    try await OnboardingTestApp.run { app in
      let applicant = try await Self.ready(app)
      app.outside.change { $0.isAvailable = false }
      let first = try await Self.sent(Passport(), by: applicant)
      #expect(first.requestStatus == "FAILED")
      #expect(first.onboardingApplicationStatus == "Data Collection")
      #expect(first.failureStatusCodes == [] && first.remainingAllowedRetries == 3)
      #expect(first.requestStatusReason?.isEmpty == false && first.requestReasonCodes == ["TEMPORARILY_UNAVAILABLE"])
      app.outside.change { $0.isAvailable = true }
      _ = try await Self.sent(Passport(), by: applicant)
      _ = try await applicant.selfie().details()
      app.outside.change { $0.hits = nil }
      #expect(try await applicant.validate().details().requestStatus == "FAILED")
      app.outside.change { $0.hits = [] }
      #expect(try await applicant.validate().details().onboardingApplicationStatus == "KYC Success")
    }
  }

  @Test("who is on a list is refused for good, and may not come back")
  func sanctioned() async throws {
    let hit = Screening.Hit(
      list: "test", entityID: "1", caption: "Marie Tremblay", score: 1, topics: ["sanction"], nameScore: 1,
      dateOfBirth: .exact, nationality: true, documentNumber: false)
    try await OnboardingTestApp.run { app in
      app.outside.change { $0.hits = [hit] }
      for round in 1...2 {
        let applicant = try await Self.ready(app)
        _ = try await Self.sent(Passport(), by: applicant)
        _ = try await applicant.selfie().details()
        let details = try await applicant.validate().details()
        #expect(details.onboardingApplicationStatus == "KYC Rejected")
        #expect(details.failureStatusCodes == ["FAILURE_CODE_DEFAULT"])
        #expect(details.remainingAllowedRetries == 0)
        #expect(app.outside.now.searches == 1, "round \(round)")
        // Off the list by now: it does not matter.
        app.outside.change { $0.hits = [] }
      }
      // A person with another date of birth is another person.
      let other = try await OnboardingApplicant(app, bundle: "kycV1", tenant: OnboardingTestApp.production)
      var person = OnboardingApplicant.Person()
      person.birth = "1991-05-17"
      try await other.fill(person)
      _ = try await Self.sent(Passport(birth: "910517"), by: other)
      _ = try await other.selfie().details()
      #expect(try await other.validate().details().onboardingApplicationStatus == "KYC Success")
    }
  }

  private static func hit(_ number: Int) -> Screening.Hit {
    Screening.Hit(
      list: "test", entityID: "\(number)", caption: "Marie Tremblay", score: 1, topics: ["sanction"], nameScore: 1,
      dateOfBirth: .exact, nationality: true, documentNumber: false)
  }

  @Test("whose hit was decided to be another person may apply again, and is refused for a new hit only")
  func falsePositive() async throws {
    try await OnboardingTestApp.run { app in
      func validated() async throws -> (id: String, status: String?) {
        let applicant = try await Self.ready(app)
        _ = try await Self.sent(Passport(), by: applicant)
        _ = try await applicant.selfie().details()
        return (applicant.id, try await applicant.validate().details().onboardingApplicationStatus)
      }
      func decide(_ id: String, _ disposition: Screening.Disposition) async throws {
        let core = app.dependencies.core
        try await core.database.write { tx in
          for item in try Screening(core).cases(of: id, in: tx) where item.state.isWaiting {
            try Screening(core).judge(
              item, .init(disposition, text: "Looked at."), needsTwo: false, by: "agent:1", in: tx)
          }
        }
      }
      app.outside.change { $0.hits = [Self.hit(1)] }
      let first = try await validated()
      #expect(first.status == "KYC Rejected")
      try await decide(first.id, .falsePositive)
      #expect(try await validated().status == "KYC Success")
      // Another entry is another question.
      app.outside.change { $0.hits = [Self.hit(1), Self.hit(2)] }
      let second = try await validated()
      #expect(second.status == "KYC Rejected")
      #expect(try await validated().status == "KYC Rejected")
      try await decide(second.id, .trueMatch)
      app.outside.change { $0.hits = [] }
      #expect(try await validated().status == "KYC Rejected")
    }
  }

  @Test("when a picture went before its other half came, both are asked for again")
  func gone() async throws {
    try await OnboardingTestApp.run { app in
      let applicant = try await Self.ready(app)
      _ = try await Self.sent(Passport(), by: applicant)
      app.clock.advance(by: .hours(25))
      try await app.service.sweep()
      #expect(try await applicant.selfie().details().onboardingApplicationStatus == "KYC In Progress")
      #expect(try await applicant.validate().code == "FAILED_PRECONDITION")
      _ = try await Self.sent(Passport(), by: applicant)
      #expect(try await applicant.validate().details().onboardingApplicationStatus == "KYC Success")
    }
  }

  @Test("the whole may bring documents and selfie itself")
  func together() async throws {
    try await OnboardingTestApp.run { app in
      let applicant = try await Self.ready(app)
      let today = try AgeOfMajority().today(at: app.clock.now)
      let request = FinapticAPI.ValidateApplicationRequest(
        onboardingApplicationId: applicant.id,
        documentDetails: applicant.passport(try await applicant.upload(Passport().picture(reading: today))),
        selfieFileName: try await applicant.upload())
      let details = try await applicant.call(.validateApplication, request).details()
      #expect(details.onboardingApplicationStatus == "KYC Success")
    }
  }
}
