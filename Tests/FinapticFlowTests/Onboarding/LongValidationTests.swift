// SPDX-License-Identifier: Apache-2.0

import Evidence
import Foundation
import FinapticWire
import Kit
import Synchronization
import TestSupport
import Testing

@testable import FinapticFlow

@Suite("Finaptic onboarding: validations that take long")
struct LongValidationTests {
  typealias Wire = FinapticAPI
  private typealias Pass = EvidenceTests.Passport

  private static let once = "0190b0c0-0000-4000-8000-0000000000aa"

  private static func ready(_ app: OnboardingTestApp) async throws -> (OnboardingApplicant, file: String) {
    let applicant = try await OnboardingApplicant(app, bundle: "kycV1", tenant: OnboardingTestApp.production)
    try await applicant.fill()
    let today = try AgeOfMajority().today(at: app.clock.now)
    return (applicant, try await applicant.upload(Pass(surname: "ROY").picture(reading: today)))
  }

  /// Has each picture read after something else.
  private static func reading(
    after wait: @escaping @Sendable () async throws -> Void
  ) -> @Sendable (inout OnboardingPorts) -> Void {
    { ports in
      let read = ports.identity.read
      ports.identity.read = { picture, kind, today in
        try await wait()
        return try await read(picture, kind, today)
      }
    }
  }

  @Test(
    "one that ends after ninety seconds is done, counted and remembered, whatever the scheduled jobs swept meanwhile")
  func slow() async throws {
    let meanwhile = Mutex<(@Sendable () async throws -> Void)?>(nil)
    try await OnboardingTestApp.run(ports: Self.reading { try await meanwhile.withLock { $0 }?() }) { app in
      let (applicant, file) = try await Self.ready(app)
      meanwhile.withLock {
        $0 = {
          app.clock.advance(by: .seconds(90))
          let now = app.clock.now
          try await app.database.sweep { try IdempotencyStore($0).sweep(before: now, limit: $1) }
        }
      }
      let details = try await applicant.documents(file: file, key: Self.once).details()
      #expect(details.failureStatusCodes == ["FAILURE_CODE_ID_NAME_MATCH"])
      meanwhile.withLock { $0 = nil }
      let again = try await applicant.documents(file: file, key: Self.once).details()
      #expect(again == details)
      #expect(
        try await app.story(applicant.id).filter { $0 == "finaptic.application.evidenceFailed" }.count == 1)
    }
  }

  @Test("a repetition waits for the answer of the first: the picture is looked at once, and one failure counts")
  func repeated() async throws {
    let gate = TaskGate()
    let pauses = Mutex<[Duration]>([])
    let pause: @Sendable (Duration) async throws -> Void = { duration in
      let count = pauses.withLock { pauses in
        pauses.append(duration)
        return pauses.count
      }
      // The picture is looked at for three pauses; then the first call has all the time that it needs.
      if count >= 3 { gate.open() }
      await Task.yield()
    }
    try await OnboardingTestApp.run(ports: Self.reading { await gate.pass() }, pause: pause) { app in
      let (applicant, file) = try await Self.ready(app)
      async let first = applicant.documents(file: file, key: Self.once)
      try await gate.reached()
      defer { gate.open() }
      // Waits are bounded: the first one may need more than one.
      var second = try await applicant.documents(file: file, key: Self.once)
      for _ in 1...1000 where second.code == "UNAVAILABLE" {
        second = try await applicant.documents(file: file, key: Self.once)
      }
      let (one, two) = (try await first, second)
      #expect(try one.details() == two.details())
      #expect(try two.details().failureStatusCodes == ["FAILURE_CODE_ID_NAME_MATCH"])
      #expect(gate.passes == 1)
      #expect(
        try await app.story(applicant.id).filter { $0 == "finaptic.application.evidenceFailed" }.count == 1)
      let waited: [Duration] = pauses.withLock { Array($0.prefix(3)) }
      #expect(waited == [.milliseconds(125), .milliseconds(250), .milliseconds(500)])
    }
  }

  @Test("one that never ends is not waited for longer than an app waits")
  func bounded() async throws {
    let gate = TaskGate()
    let waited = Mutex(Duration.zero)
    let pause: @Sendable (Duration) async throws -> Void = { duration in waited.withLock { $0 += duration } }
    try await OnboardingTestApp.run(ports: Self.reading { await gate.pass() }, pause: pause) { app in
      let (applicant, file) = try await Self.ready(app)
      async let first = applicant.documents(file: file, key: Self.once)
      try await gate.reached()
      defer { gate.open() }
      #expect(try await applicant.documents(file: file, key: Self.once).code == "UNAVAILABLE")
      #expect((Duration.seconds(50)..<Duration.seconds(52)).contains(waited.withLock { $0 }))
      gate.open()
      #expect(try await first.status == 200)
    }
  }

  @Test("one picture is front, back or face, not two of them; a call names each once")
  func onePicture() async throws {
    try await OnboardingTestApp.run { app in
      let applicant = try await OnboardingApplicant(app)
      try await applicant.fill()
      let (file, other) = (try await applicant.upload(), try await applicant.upload())
      let licence = Wire.DocumentInfo(
        documentType: "DOCUMENT_TYPE_CANADIAN_DRIVERS_LICENSE", documentCountry: "CA", frontImageFileName: file,
        backImageFileName: file, documentState: "ON")
      let twice = try await applicant.call(
        .validateDocuments,
        Wire.ValidateDocumentsRequest(onboardingApplicationId: applicant.id, documentDetails: [licence]))
      #expect(twice.violations == ["documentDetails[0].backImageFileName"])
      let both = try await applicant.call(
        .validateApplication,
        Wire.ValidateApplicationRequest(
          onboardingApplicationId: applicant.id, documentDetails: applicant.passport(file), selfieFileName: file))
      #expect(both.violations == ["selfieFileName"])
      _ = try await applicant.documents(file: file).details()
      #expect(try await applicant.selfie(file: file).violations == ["fileName"])
      // The same document again takes its own place.
      _ = try await applicant.documents(file: file).details()
      _ = try await applicant.selfie(file: other).details()
      #expect(try await applicant.documents(file: other).violations == ["documentDetails[0].frontImageFileName"])
    }
  }

  @Test("an application that has all the consents that it keeps refuses more and forgets none")
  func manyConsents() async throws {
    try await OnboardingTestApp.run { app in
      let applicant = try await OnboardingApplicant(app)
      func terms(_ range: Range<Int>) -> [Wire.Terms] {
        range.map {
          .init(
            documentType: "CONSENT_TYPE_PRIVACY_POLICY", documentNameAndVersion: "https://b.example/\($0)",
            neededBeforeValidation: true)
        }
      }
      _ = try await applicant.consents().details()
      for start in stride(from: 0, to: 160, by: 40) {
        _ = try await applicant.consents(terms(start..<start + 40)).details()
      }
      #expect(try await applicant.consents(terms(160..<197)).code == "RESOURCE_EXHAUSTED")
      _ = try await applicant.consents(terms(160..<196)).details()
      // What is there may be said again.
      _ = try await applicant.consents().details()
      try await applicant.fill()
    }
  }
}
