// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Identity
import Kit
import Scheduling
import Testing

@testable import Console
@testable import Demonstration
@testable import GatehouseApp

@Suite("Console: effects that were given up", .onOneEngine, .serialized)
struct ConsoleDeadLetterTests {
  private static let base = "/console/dead-letters"
  private static let subject = "<script>alert(1)</script>"

  /// Effects that were given up, for no program performs them.
  private static func giveUp(_ count: Int, _ console: ConsoleTestApp) async throws -> [DeadLetter] {
    let (core, later) = (console.app.core, console.clock.now + .seconds(1))
    return try await console.app.database.write { tx in
      for _ in 0..<count {
        try core.outbox.enqueue("test.unknown", subject: subject, payload: ConsoleTestApp.said, in: tx)
      }
      let others = try OutboxStore(tx).pending().map(\.topic).filter { $0 != "test.unknown" }
      _ = try OutboxStore(tx).deadLetterOrphans(besides: others + ["test.other"], dueBefore: later)
      return try OutboxStore(tx).deadLetters()
    }
  }

  /// An operator, on the page of dead letters.
  static func signedIn(_ console: ConsoleTestApp) async throws -> DemoBrowser {
    let email = "keeper@bank.example"
    try await console.app.staff.add(
      .init(
        tenant: "default", email: email, name: "Mai Tanaka", gender: .female, languages: ["en"],
        permissions: [.manageOutbox], password: ConsoleTestApp.password), by: "operator")
    let browser = console.browser()
    try await browser.open("/console/sign-in")
    try await browser.submit("/console/sign-in", ["email": email, "password": ConsoleTestApp.password])
    try #require(try await browser.open(base).title == "Dead letters")
    return browser
  }

  /// The page with and without dead letters, for the tests that look at every page.
  static func pages(_ console: ConsoleTestApp) async throws -> [(name: String, html: String)] {
    let browser = try await signedIn(console)
    var pages = [(name: "dead-letters-none", html: await browser.page.html)]
    _ = try await giveUp(2, console)
    pages.append(("dead-letters", try await browser.open(base).html))
    pages.append(("health", try await browser.open("/console/health").html))
    return pages
  }

  @Test("the page of health is for operators and reads itself again; jobs that fail come first, by the desk's clock")
  func health() async throws {
    try await ConsoleTestApp.run { console in
      _ = try await Self.giveUp(2, console)
      let operatorsPage = try await Self.signedIn(console).open("/console/health").html
      for words in [
        "Database", "again=\"15\"", "gatehouse_outbox_lag_seconds", "topic: test.unknown, state: parked",
      ] {
        #expect(operatorsPage.contains(words), "\(words)")
      }
      let agent = console.browser()
      try await agent.open("/console/sign-in")
      try await agent.submit("/console/sign-in", ["email": ConsoleTestApp.agent, "password": ConsoleTestApp.password])
      #expect(try await agent.open("/console/health").status == 403)

      let app = console.app
      let member = try #require(try await app.staff.list(tenant: "default").first)
      let family = try await app.database.write {
        try app.rubix.agentSessions.open(subject: member.id.rawValue, tenant: "default", device: "desk", in: $0).family
      }
      var visit = StaffVisit(member: member, family: family, vault: app.vault)
      visit.clock = LocalTime(zone: "Asia/Kuwait")
      let report = await Readiness(
        [HealthCheck("store") {}, HealthCheck("blobs") { throw HealthCheckFailed() }], drain: Drain(),
        world: console.clock.world
      ).report()
      let families: [MetricFamily] = [
        .labelled("gatehouse_job_failures_in_a_row", help: "", labels: ["job"], [(["well"], 0), (["ill"], 2)]),
        .labelled(
          "gatehouse_job_last_success_timestamp_seconds", help: "", labels: ["job"], [(["well"], 1_795_240_800)]),
        .labelled("gatehouse_job_errors_total", help: "", labels: ["job", "error"], [(["ill", "SQLError"], 3)]),
      ]
      let page = HealthPage(report, families, lists: nil, at: console.clock.now, for: visit)
      #expect(page.jobs.map(\.name) == ["ill", "well"] && page.jobs.map(\.tone) == ["bad", "good"])
      #expect(page.checks.map(\.tone) == ["good", "bad"] && page.tone == "bad")
      let html = try page.html()
      #expect(html.contains("SQLError (3)") && html.contains("The store did not answer."))
      // 2026-11-21T06:00:00Z.
      #expect(html.contains("09:00") && html.contains("Kuwait Time") && !html.contains("UTC"))
    }
  }

  @Test("one runs again, one is dropped after a confirmation, each once and audited; no payload is shown")
  func acts() async throws {
    try await ConsoleTestApp.run { console in
      let letters = try await Self.giveUp(2, console)
      try #require(letters.count == 2)
      let browser = try await Self.signedIn(console)
      let page = try await browser.open(Self.base)
      #expect(page.html.contains("test.unknown") && page.html.contains("NoHandler"))
      #expect(page.html.contains("&lt;script&gt;") && !page.html.contains(Self.subject))
      #expect(!page.html.contains(ConsoleTestApp.said))

      let paths = letters.map { "\(Self.base)/\($0.id)" }
      let again = try #require(page.hidden("\(paths[0])/release"))
      #expect(try await browser.submit("\(paths[0])/release").title == "Dead letters")
      let twice = try await browser.send("\(paths[0])/release", again)
      #expect(twice.status == 409 && twice.html.contains("no dead letter any more"))
      #expect(try await console.app.database.read { try OutboxStore($0).isOwed(letters[0].id) })

      let unsure = try await browser.submit("\(paths[1])/drop")
      #expect(unsure.status == 422 && unsure.html.contains("Confirm that the effect shall never happen."))
      let done = try await browser.submit("\(paths[1])/drop", ["sure": "yes"])
      #expect(done.status == 200 && done.html.contains("No effect was given up."))
      #expect(try await console.app.database.read { try OutboxStore($0).deadLetters().isEmpty })
      for (letter, act) in zip(letters, ["released", "dropped"]) {
        let story = try await console.story("outbox-\(letter.id)")
        #expect(story.count == 1 && story.first?.hasPrefix("outbox.\(act) by agent:") == true, "\(story)")
      }
    }
  }

  @Test("who lacks the permission, a forged form and an address of nothing change nothing")
  func doors() async throws {
    try await ConsoleTestApp.run { console in
      let path = "\(Self.base)/\(try #require(try await Self.giveUp(1, console).first).id)"
      #expect(try await console.send("GET", Self.base).status == 303)
      #expect(try await console.signedIn().open(Self.base).status == 403)
      let browser = try await Self.signedIn(console)
      #expect(try await browser.submit("\(path)/drop", ["csrf": "0", "sure": "yes"]).status == 403)
      let form = try #require(try await browser.open(Self.base).hidden("\(path)/release"))
      #expect(try await browser.send("\(Self.base)/nothing/release", form).status == 404)
      #expect(try await console.app.database.read { try OutboxStore($0).deadLetters().count } == 1)
    }
  }
}
