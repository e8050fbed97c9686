// SPDX-License-Identifier: Apache-2.0
import DocumentCore
import Foundation
import Kit
import TestSupport
import Testing

@testable import Console
@testable import Demonstration
@testable import Evidence
@testable import GatehouseApp
@testable import WultraFlow

@Suite("Console: the evidence of a review of Wultra", .onOneEngine, .serialized)
struct ConsoleWultraTests {
  private static let day = CalendarDate(year: 2026, month: 11, day: 21)

  /// The specimen of ICAO Doc 9303-4, appendix B, on a page that fills its picture.
  private static func reading() throws -> DocumentReading {
    let lines = ["P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L898902C36UTO7408122F1204159ZE184226B<<<<<10"]
    let (zone, face) = (Region(x: 0, y: 800, width: 1600, height: 200), Region(x: 10, y: 200, width: 300, height: 400))
    return DocumentReading(
      expected: .passport, detected: .passport,
      page: .init(
        width: 1600, height: 1000, outlined: true, corners: [0, 0, 1600, 0, 1600, 1000, 0, 1000], imageWidth: 1600,
        imageHeight: 1000),
      mrz: MRZReading(lines: lines, referenceDate: try #require(day), confidence: 1, region: zone, source: .pitch),
      visualZone: nil, barcode: nil, portrait: .init(region: face, faceSeen: true),
      faces: FaceReport(faces: [], detector: "haar"),
      quality: ImageQuality(
        sharpness: 200, glare: 0, brightness: 128, blackShare: 0, whiteShare: 0, contrast: 50, colour: 10,
        subjectWidth: 1200, crop: .ok, tilt: 0, issues: []),
      checks: [], failure: nil)
  }

  /// A face that evidence did not decide on, beside a passport; or the passport.
  private static func review(_ app: App, _ subject: ReviewCase.Subject = .presence) async throws -> ReviewCase {
    let (core, now) = (app.core, app.world.now())
    let process = OnboardingProcess(
      id: .init(core.world), tenant: "default", status: .verifying, identificationDigest: "person",
      person: .init(user: "user-1", language: "en", consentRequired: false), activation: core.world.uuid(),
      createdAt: now, deadline: now + .days(1))
    let verification = IdentityVerification(
      id: .init(core.world), process: process.id, state: subject == .presence ? .judgingPresence : .crossChecking,
      createdAt: now)
    let review = ReviewCase(
      id: .init(core.world), tenant: "default", verification: verification.id, subject: subject,
      codes: ["liveness-between-thresholds"], openedAt: now)
    let document = SubmittedDocument(
      id: .init(core.world), verification: verification.id, document: .passport, side: .front, filename: "a.jpg",
      status: .accepted, original: nil, hasImage: true, hasPortrait: true, createdAt: now)
    let checks = [
      VerificationOutcome.Rule(
        .liveness, .inconclusive, score: 0.512, threshold: 0.7, reasons: ["between-thresholds"])
    ]
    let read = try JSONEncoder().encode(reading())
    try await core.database.write { tx in
      try ProcessStore(tx, vault: core.vault).insert(process)
      try IdentityVerificationStore(tx).insert(verification)
      let store = SubmittedDocumentStore(tx, vault: core.vault)
      try store.insert(document)
      try store.update(document, from: .accepted)
      try store.setReading(read, of: document.id)
      try CaptureStore(tx).insert(core.world.uuid(), of: verification.id, presenceCheck: 0, at: now)
      let sealed = try core.vault.seal(
        checks, as: ReviewStore.checksContext(review.id), of: process.keySubject, in: tx)
      try ReviewStore(tx).insert(review, checks: sealed)
    }
    try await app.wultra.reviews.openCases()
    return review
  }

  /// An agent before the case of a review, and where it is.
  private static func opened(_ review: ReviewCase, _ console: ConsoleTestApp) async throws -> (DemoBrowser, String) {
    let browser = console.browser()
    try await browser.open("/console/sign-in")
    try await browser.submit(
      "/console/sign-in", ["email": ConsoleTestApp.agent, "password": ConsoleTestApp.password])
    let list = try await browser.open("/console/queue?id=\(review.id)").html
    return (browser, String(try #require(list.firstMatch(of: #/\/console\/queue\/cases\/[0-9a-f-]{36}/#)).output))
  }

  @Test("a reviewer asks on the page for another picture, with words for the user")
  func retake() async throws {
    try await ConsoleTestApp.run { console in
      let review = try await Self.review(console.app, .documents)
      let (browser, path) = try await Self.opened(review, console)
      try await browser.open(path)
      try await browser.submit("\(path)/claim")
      let words = ["verdict": "retake", "answer_words": "Without a reflection."]
      let refused = try await browser.submit("\(path)/decision", words)
      #expect(refused.status == 422 && refused.html.contains("Choose the pictures to be taken again."))
      let done = try await browser.submit("\(path)/decision", words.merging(["answer_retake_1": "yes"]) { $1 })
      #expect(done.title == "Work queue")
      let core = console.app.core
      let documents = try await core.database.read {
        try SubmittedDocumentStore($0, vault: core.vault).used(of: review.verification)
      }
      #expect(documents.map(\.status) == [.rejected])
    }
  }

  @Test("the page has the person, the passport with its fields and where they stand, the faces, and what was measured")
  func evidence() async throws {
    try await ConsoleTestApp.run { console in
      let (browser, path) = try await Self.opened(try await Self.review(console.app), console)
      let html = try await browser.open(path).html
      for words in [
        "ANNA MARIA ERIKSSON", "user-1", "Presence check: between the thresholds", "0.512", "0.700",
        "Portrait: Passport", "L898902C3", "data-mark=\"mrz\" points=\"0,800 1600,800 1600,1000 0,1000\"",
        "Every step so far", "wultra.review.seen",
      ] {
        #expect(html.contains(words), "\(words)")
      }
      // A passport, the face of the presence check, and the portrait.
      #expect(html.matches(of: #/<img src="[^"]+\/pictures\/[0-9]+"/#).count == 3 && html.utf8.count < 100 * 1024)
    }
  }
}
