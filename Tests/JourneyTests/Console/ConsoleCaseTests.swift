// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import Kit
import RubixFlow
import RubixOnboarding
import RubixWire
import TestSupport
import Testing

@testable import Console
@testable import Demonstration
@testable import GatehouseApp

@Suite("Console: the evidence of a case, and its decision", .onOneEngine, .serialized)
struct ConsoleCaseTests {
  private static let base = "/console/queue"
  private static let second = "second@bank.example"
  private static let supervisor = "supervisor@bank.example"
  private static let accepted = [
    "verdict": "accepted", "answer_face-matches-document": "yes", "answer_document-shown-live": "yes",
    "answer_customer-understands": "yes", "answer_no-coercion": "yes",
  ]

  /// The case that a page is of.
  private static func path(_ page: DemoPage) throws -> String {
    String(try #require(page.html.firstMatch(of: #/\/console\/queue\/cases\/[0-9a-f-]{36}/#)).output)
  }

  @Test(
    "two officers decide on a hit, and an agent with a supervisor on a call, from what their pages show, by the rules of the API"
  )
  func decided() async throws {
    let folder = try TestFolder()
    try await JourneyTestApp.run(fourEyes: true) { journey in
      let phone = JourneyPhone(journey)
      try await phone.matchedByPassport(JourneyPapers.listedPassport)
      try await phone.contacts()
      #expect(try await phone.app.screenAML().status == .underReview)
      let officer = try await journey.browser(DemoApp.officerEmail)
      try await officer.open(Self.base)
      let hit = try await officer.submit("\(Self.base)/next")
      let hitPath = try Self.path(hit)
      // The entry, why it resembles, and both verdicts.
      for words in ["QUILLFEATHER", "UD-001", "resembles", "1987-04-12", "Two persons", "true-match"] {
        #expect(hit.html.contains(words), "\(words)")
      }
      let open = ["verdict": "false-positive", "answer_text": "Another place of birth."]
      let unreasoned = try await officer.submit("\(hitPath)/decision", open)
      #expect(unreasoned.status == 422 && unreasoned.html.contains("role=\"alert\""))
      #expect(unreasoned.html.contains(">Another place of birth.</textarea>"))
      let agent = try await journey.browser(DemoApp.agentEmail)
      #expect(try await agent.open(hitPath).status == 404)
      let proposed = try await officer.submit(
        "\(hitPath)/decision", open.merging(["answer_reason": "name-only"]) { _, new in new })
      #expect(proposed.title == "Work queue")
      #expect(try await phone.app.me().status == .inReview)

      // It went back into the queue. Who proposed is shown no way to agree, and is refused one.
      try await officer.submit("\(Self.base)/next")
      let own = try await officer.open(hitPath)
      #expect(own.html.contains("waits for a second person") && !own.html.contains("value=\"approve\""))
      #expect(try await officer.submit("\(hitPath)/decision", ["verdict": "approve"]).status == 403)
      try await officer.open(hitPath)
      try await officer.submit("\(hitPath)/release", ["why": "escalation"])
      try await journey.addOfficer(Self.second)
      let colleague = try await journey.browser(Self.second)
      try await colleague.open(Self.base)
      let seen = try await colleague.submit("\(Self.base)/next")
      #expect(seen.html.contains("Agree: false positive") && seen.html.contains("Another place of birth."))
      let cleared = try await colleague.submit("\(hitPath)/decision", ["verdict": "approve"])
      #expect(cleared.title == "Work queue")
      #expect(try await phone.app.me().status == .pending)

      try await phone.forms()
      let call = try await phone.booked()
      // Its agent is given it when it begins; until then it is taken from the list.
      let list = try await agent.open(Self.base)
      #expect(try await agent.submit("\(Self.base)/next").title == "Work queue")
      #expect(list.html.contains("Booked with"))
      let path = try Self.path(list)
      try await agent.open(path)
      try await agent.submit("\(path)/claim")
      let refused = try await agent.submit("\(path)/decision", Self.accepted)
      #expect(refused.status == 409 && refused.html.contains("The call has not taken place yet."))

      journey.clock.advance(by: .milliseconds(call.callTime.millisecondsSince1970 - journey.clock.now.milliseconds))
      let again = try await journey.browser(DemoApp.agentEmail)
      let page = try await again.open(path)
      Self.expectEvidence(page.html)
      for number in 1...Self.pictures(page.html) {
        #expect(try await again.open("\(path)/pictures/\(number)").status == 200)
      }
      #expect(try await again.open("\(path)/pictures/99").status == 404)
      #expect(try await again.open("\(path)/pictures/\(Int.min)").status == 404)
      try await again.open(path)
      let unanswered = try await again.submit("\(path)/decision", ["verdict": "accepted"])
      #expect(unanswered.status == 422 && unanswered.html.contains("Answer every question."))
      try await again.open(path)
      // Over the API nothing is decided either before a colleague agrees.
      let byAPI = try await journey.agent(DemoApp.agentEmail).send(
        "POST", "agents/verification", body: phone.verdict(.successful, on: call))
      #expect(byAPI.status == 202 && String(decoding: byAPI.body, as: UTF8.self).contains("AWAITING_APPROVAL"))
      try await again.open(path)
      let asked = try await again.submit("\(path)/decision", Self.accepted)
      #expect(asked.html.contains("Waits for a second person") && !asked.html.contains("value=\"approved\""))
      try await journey.addOfficer(Self.supervisor, may: [.readCustomers, .manageCases, .approveVerdicts])
      let supervisor = try await journey.browser(Self.supervisor)
      let look = try await supervisor.open(path)
      #expect(look.html.contains("Accept after the call") && look.html.contains("<dt>No sign of coercion</dt><dd>Yes"))
      let approval = try #require(
        look.html.firstMatch(of: #/\/console\/approvals\/[0-9a-f-]{36}\/decision/#)
      ).output
      #expect(try await supervisor.submit(String(approval), ["decision": "approved"]).title == "Approvals")
      #expect(try await phone.restarted().me().status == .pending)
      let agreed = try await again.open(path)
      #expect(agreed.html.contains("A second person agreed") && agreed.html.contains("<dt>Agreed to by</dt>"))
      let done = try await again.submit("\(path)/decision", ["verdict": "carry_out"])
      #expect(done.title == "Work queue")
      #expect(try await phone.restarted().me().status == .completed)

      let closed = try await again.open(path)
      Self.expectEvidence(closed.html)
      let receipt = String(
        try #require(closed.html.firstMatch(of: #/\/console\/queue\/cases\/[0-9a-f-]+\/receipts\/[0-9a-f-]+\/page/#))
          .output)
      let paper = try await again.open(receipt)
      #expect(paper.title == "Receipt of a decision" && paper.html.contains("gatehouse receipt verify"))
      #expect(paper.html.contains("<td>Passport</td>") && paper.html.contains("Ada Anyder"))
      #expect(paper.html.contains("minimum age") && paper.html.contains("<dt>Agreed to by</dt><dd>Peter Giles agent:"))
      let file = try await again.open("\(receipt.dropLast("page".count))pdf")
      #expect(file.status == 200 && file.html.hasPrefix("%PDF-") && file.html.contains("/Lang (en)"))
      let pages = [("hit", hit.html), ("call", page.html), ("asked", look.html), ("receipt", paper.html)].map {
        (name: $0.0, html: $0.1)
      }
      for (name, html) in pages { #expect(html.utf8.count < 100 * 1024, "\(name)") }
      try Self.expectUsable(pages, in: folder)
    }
  }

  @Test("what a customer wrote of themselves is text and no markup, in every language")
  func hostile() async throws {
    try await ConsoleTestApp.run { console in
      let path = try await Self.openHostile(console)
      for language in Language.allCases {
        let html = try await Self.page(path, in: language, console)
        #expect(html.contains("dir=\"\(language.direction)\"") && html.contains("&lt;script&gt;alert(1)"))
        #expect(!html.contains(Self.script) && !html.contains("<img src=x"))
        #expect(html.utf8.count < 100 * 1024)
      }
    }
  }

  private static let script = "<script>alert(1)</script>"

  /// Opens the case of an application whose every word is markup.
  /// - Returns: where its page is.
  static func openHostile(_ console: ConsoleTestApp) async throws -> String {
    let (app, now) = (console.app, console.clock.now)
    var applicant = Applicant(
      deviceID: script, platform: "ios", contactNo: "+96550001234", email: "erika@example.com", consents: [])
    (applicant.firstName, applicant.lastName) = (script, "\"><img src=x onerror=alert(1)>")
    applicant.nationalityCode = script
    let application = RubixFlow.Application(
      id: .init(console.clock.world), tenant: "default", phase: .awaitingReviewCall, applicant: applicant,
      createdAt: now, updatedAt: now, expiresAt: now + .days(90))
    let work = AwaitedWork(
      "rubix-review", tenant: "default", subject: application.id.rawValue, person: application.id.rawValue)
    try await app.database.write { tx in
      try ApplicationStore(tx, vault: app.vault).insert(application)
      try app.core.cases.open(work, formerly: nil, by: "customer", in: tx)
    }
    let browser = console.browser()
    try await browser.open("/console/sign-in")
    try await browser.submit(
      "/console/sign-in", ["email": ConsoleTestApp.agent, "password": ConsoleTestApp.password])
    let list = try await browser.open("\(base)?id=\(application.id)")
    return String(try #require(list.html.firstMatch(of: #/\/console\/queue\/cases\/[0-9a-f-]{36}/#)).output)
  }

  /// The page of a case as an agent sees it in a language.
  static func page(_ path: String, in language: Language, _ console: ConsoleTestApp) async throws -> String {
    let browser = console.browser()
    try await browser.open("/console/sign-in")
    try await browser.submit(
      "/console/sign-in", ["email": ConsoleTestApp.agent, "password": ConsoleTestApp.password])
    let cookie = try #require(await browser.cookie)
    let answer = try await console.send(
      "GET", path, headers: ["cookie": "\(cookie); gatehouse_display=\(language.rawValue)."])
    return String(decoding: answer.body, as: UTF8.self)
  }

  private static func pictures(_ html: String) -> Int {
    html.matches(of: #/<img src="[^"]+\/pictures\/[0-9]+"/#).count
  }

  /// Faces beside portraits, fields by zone and print, and checks with their values. Where the places of fields lie is in
  /// `PagePlaceTests`: a scan has no outline.
  private static func expectEvidence(_ html: String) {
    // Three selfies, the presence check, the portrait of the passport and the passport.
    #expect(pictures(html) == 6)
    for words in [
      "data-field=\"document_number\"", "Machine-readable zone and print", "Selfie and portrait", "Every step so far",
    ] {
      #expect(html.contains(words), "\(words)")
    }
  }

  /// In a browser, where one is installed: no rule of accessibility is broken, and pictures turn and grow by keys.
  private static func expectUsable(_ pages: [(name: String, html: String)], in folder: TestFolder) throws {
    guard Chromium.isInstalled, Axe.script != nil else { return }
    let dot = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="
    let shown = pages.map { page in
      (name: page.name, html: page.html.replacing(#/src="[^"]+\/pictures\/[0-9]+"/#, with: "src=\"\(dot)\""))
    }
    let tab = try ChromiumTab(width: 1000, height: 900, in: folder)
    try Axe.expectNone(shown, by: tab, in: folder)
    let script = "<script src=\"\(Asset.viewer.path)\" defer></script>"
    let call = try #require(shown.first { $0.name == "call" }).html
    #expect(call.contains(script))
    // Scripts of modules wait for the page, as deferred ones do.
    let place = "<svg viewBox=\"0 0 9 9\"><polygon data-mark=\"surname\" points=\"0,0 9,0 9,9\"/></svg>"
    let html = call.replacing(
      script, with: "<script type=\"module\">\(String(decoding: Asset.viewer.bytes, as: UTF8.self))</script>"
    ).replacing(#/loading="lazy">(<svg.*?<\/svg>)?/#) { _ in "loading=\"eager\">\(place)" }
    try Data(html.utf8).write(to: URL(fileURLWithPath: folder.file("call.html")))
    try tab.open("file://\(folder.file("call.html"))")
    try tab.wait(for: "document.querySelector('[data-document] [data-sheet]').style.width !== ''")
    let press = { (key: String) in
      "stage.dispatchEvent(new KeyboardEvent('keydown', { key: '\(key)', bubbles: true, cancelable: true }))"
    }
    let told = try tab.evaluate(
      """
      (() => {
        const stage = document.querySelector("[data-document] [data-stage]");
        const part = stage.closest("[data-document]");
        const sheet = stage.querySelector("[data-sheet]");
        const wide = () => parseFloat(sheet.style.width);
        const before = wide(); \(press("+")); const larger = wide() > before;
        \(press("r")); const turned = sheet.style.transform; \(press("0"));
        const button = part.querySelector("[data-field=surname] button");
        button.click();
        const mark = part.querySelector("[data-mark=surname]").classList.contains("on");
        return [stage.tabIndex, larger, turned, wide() === before, mark, button.getAttribute("aria-pressed")].join(" ");
      })()
      """)
    #expect(told == "0 true rotate(90deg) true true true")
  }
}
