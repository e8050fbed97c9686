import Foundation
import Identity
import Kit
import Testing

@testable import Console
@testable import GatehouseApp
@testable import GatehouseLab

@Suite("Console: effects that were given up", .serialized)
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
    return pages
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
