// SPDX-License-Identifier: Apache-2.0
import Foundation
import Kit
import Scheduling
import TestSupport
import Testing

@testable import Demonstration
@testable import GatehouseApp
@testable import RubixFlow

@Suite("Console: other pictures of a Rubix application", .onOneEngine)
struct ConsoleRetakeTests {
  /// An application with a passport whose call is booked, and what waits for it.
  private static func add(
    _ number: Int, _ kind: String, at phase: ApplicationPhase, _ console: ConsoleTestApp
  ) async throws -> RubixFlow.Application.ID {
    let (app, now) = (console.app, console.clock.now)
    let members = try await app.staff.list(tenant: "default").filter { $0.email == ConsoleTestApp.agent }
    let roster = AgentRoster(agents: members.map { .init(id: $0.id.rawValue, gender: "F", languages: ["en"]) })
    let start = Instant(milliseconds: (now.milliseconds / 3_600_000 + 24 + Int64(number)) * 3_600_000)
    let id = try await CallStage.book(number, at: start, roster: roster, app).0
    try await app.database.write { tx in
      let store = ApplicationStore(tx, vault: app.vault)
      var application = try store.find(id, tenant: "default")
      application.phase = phase
      _ = try store.update(application, at: now)
      let images = ImageStore(tx, vault: app.vault)
      try images.insert(
        CapturedImage(
          id: .init(app.core.world), application: id, session: try #require(try images.activeSession(of: id)).id,
          type: .passport, subType: nil, state: .processed, width: 1000, height: 700, sha256: "00",
          quality: .init(sharpness: 1, glare: 0, crop: .ok), liveness: nil, isRead: false, hasPortrait: false,
          createdAt: now), clientHints: nil)
      let work = AwaitedWork(kind, tenant: "default", subject: id.rawValue, person: id.rawValue)
      try app.core.cases.open(work, formerly: nil, by: "customer", in: tx)
    }
    return id
  }

  @Test("a reviewer asks on the page for another picture; a call without a review has no form for that")
  func asked() async throws {
    try await ConsoleTestApp.run { console in
      let browser = console.browser()
      try await browser.open("/console/sign-in")
      try await browser.submit(
        "/console/sign-in", ["email": ConsoleTestApp.agent, "password": ConsoleTestApp.password])
      for (number, kind, phase) in [
        (1, "rubix-review", ApplicationPhase.awaitingReviewCall), (2, "rubix-call", .awaitingCall),
      ] {
        let id = try await Self.add(number, kind, at: phase, console)
        let list = try await browser.open("/console/queue?id=\(id)").html
        let path = String(try #require(list.firstMatch(of: #/\/console\/queue\/cases\/[0-9a-f-]{36}/#)).output)
        try await browser.open(path)
        try await browser.submit("\(path)/claim")
        let page = try await browser.open(path).html
        #expect(page.contains("answer_retake_PASSPORT") == (phase == .awaitingReviewCall))
        guard phase == .awaitingReviewCall else { continue }
        let words = ["verdict": "retake", "answer_words": "Without a reflection."]
        #expect(try await browser.submit("\(path)/decision", words).status == 422)
        let done = try await browser.submit("\(path)/decision", words.merging(["answer_retake_PASSPORT": "yes"]) { $1 })
        #expect(done.title == "Work queue")
        let application = try await console.app.database.read {
          try ApplicationStore($0, vault: console.app.vault).find(id, tenant: "default")
        }
        #expect(application.phase == .recapturing && application.retake == [.passport])
        #expect(application.applicant.retakeWords == "Without a reflection.")
      }
    }
  }
}
