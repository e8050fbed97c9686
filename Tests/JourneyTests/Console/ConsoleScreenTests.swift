// SPDX-License-Identifier: Apache-2.0

import Foundation
import Identity
import Kit
import Synchronization
import TestSupport
import Testing

@testable import Console
@testable import Demonstration
@testable import GatehouseApp

@Suite(
  "Console: its pages in a browser, as wide as a phone", .serialized, .onOneEngine,
  .enabled(if: Chromium.isInstalled, "\(Chromium.missing)"))
struct ConsoleScreenTests {
  @Test("no page is wider than a small phone, whatever long words it shows")
  func layout() async throws {
    try Chromium.expectFitting(
      try await Self.made.value.desk, widths: [320, 390, 1280], named: "console-", in: TestFolder())
  }

  @Test("a long address that a stranger gave does not widen the outbox of a sandbox")
  func outbox() throws {
    let recipient = "\(String(repeating: "W", count: 64))@bank.example"
    let page = DevOutboxPage(rows: [
      .init(
        channel: "email", recipient: recipient, subject: recipient, body: DevOutboxPage.pieces("Your code is 123456."),
        data: [], sentAt: "2026-11-21T06:00:00Z")
    ])
    try Chromium.expectFitting([("outbox-long", page.html())], widths: [320, 390], named: "console-", in: TestFolder())
  }

  @Test(
    "no page breaks a rule of accessibility, in either colours and in each direction of writing",
    .enabled(if: Axe.script != nil, "\(Axe.missing)"))
  func accessible() async throws {
    let made = try await Self.made.value
    try Axe.expectNone(made.desk + made.others, in: TestFolder())
  }

  private typealias Page = (name: String, html: String)

  private final class Kept: Sendable {
    let pages = Mutex<(desk: [Page], others: [Page])>(([], []))
  }

  /// Pages of staff, and those for everybody in each language. Made once, for both tests.
  private static let made = Task {
    let kept = Kept()
    try await ConsoleTestApp.run { console in
      let desk = try await pages(console)
      var others: [Page] = []
      for path in ["/", "/api-description", "/console/sign-in", "/finaptic/pages/email-verified"] {
        for language in Language.allCases {
          let answer = try await console.send("GET", path, headers: ["accept-language": language.rawValue])
          others.append(("\(path) \(language.rawValue)", String(decoding: answer.body, as: UTF8.self)))
        }
      }
      for language in Language.allCases {
        others += try Display.$current.withValue(Display.current.in(language)) { try hosted(language) }
      }
      kept.pages.withLock { [others] in $0 = (desk, others) }
    }
    return kept.pages.withLock { $0 }
  }

  /// Pages to which only a code or a link leads.
  private static func hosted(_ language: Language) throws -> [Page] {
    let holder = AccountPageService.Holder(institution: "Utopia Bank", email: "e…a@example.com")
    let states: [(String, UploadPageService.Photo.State)] = [
      ("BACK_IMAGE", .missing), ("SCREEN_IMAGE", .uploaded), ("FRONT_IMAGE", .refused),
    ]
    let photos = states.map { name, state in
      UploadPageService.Photo(
        name: name, title: name, guide: "Hold it straight.", isMandatory: true, state: state, reason: nil, isOpen: true)
    }
    let view = UploadPageService.View(
      device: "Utopia One", photos: photos, isDone: false, isAccepted: false, isOver: false)
    let pages: [(String, any Console.Page)] = [
      ("second-factor", SecondFactorPage(csrf: "0", key: nil, fault: Phrase("sign_in_wrong"))),
      ("recovery-codes", RecoveryCodesPage(codes: ["aaaa-bbbb", "cccc-dddd"])),
      ("reset", AccountPage.reset(holder, token: "0", problem: Phrase("problem_passwords_differ"))),
      ("verify", AccountPage.verifyEmail(holder, token: "0")), ("upload", UploadPage(view, token: "0")),
      ("approval", LinkApprovalPage()), ("nothing", NothingPage()),
      (
        "outbox",
        DevOutboxPage(rows: [
          .init(
            channel: "email", recipient: "erika@example.com", subject: "Your code",
            body: DevOutboxPage.pieces("Open https://bank.example/pages/verify-email/T0k3n to confirm."),
            data: ["kind: code"], sentAt: "2026-11-21T06:00:00Z")
        ])
      ),
    ]
    return try pages.map { ("\($0.0) \(language.rawValue)", try $0.1.html()) }
  }

  /// Every page there is, in the states that it comes in.
  private static func pages(_ console: ConsoleTestApp) async throws -> [(name: String, html: String)] {
    let visitor = console.browser()
    var pages = [("sign-in", try await visitor.open("/console").html)]
    let typed = ["email": ConsoleTestApp.agent, "password": ConsoleTestApp.password]
    pages.append(("not-admitted", try await visitor.submit("/console/sign-in", typed).html))
    let browser = try await console.signedIn()
    pages.append(("problem", try await browser.open("/console/webhooks/none").html))
    pages.append(("no-endpoint", try await browser.open("/console/webhooks").html))
    pages.append(("account", try await browser.open("/console/account").html))
    pages.append(("authenticator", try await browser.open("/console/second-factor/authenticator").html))
    for page in try await ConsoleCalendarTests.pages(console) { pages.append((page.name, page.html)) }
    for page in try await ConsoleRecordTests.pages(console) { pages.append((page.name, page.html)) }
    let casePath = try await ConsoleCaseTests.openHostile(console)
    try await ConsoleMessageTests.send(toPersonOf: casePath, console)
    for language in [Language.english, .arabic] {
      for path in [casePath, QueueRoutes.base, StatementPageRoutes.base] {
        let html = try await ConsoleCaseTests.page(path, in: language, console)
        pages.append(("\(path.replacing("/", with: "-"))-\(language.rawValue)", html))
      }
    }
    pages.append(("card-case", try await ConsoleCardTests.open(console).page.html))
    try await ConsoleFiguresTests.move(console, "one", "registered", "sessionOpened", "capturingSelfies")
    try await ConsoleFiguresTests.move(console, "one", "capturingSelfies", "lapsed", "expired", isLast: true)
    try await console.app.figures.addUp()
    pages.append(("figures", try await ConsoleFiguresTests.signedIn(console).open("/console/figures").html))

    for page in try await ConsoleChatTests.pages(console) { pages.append((page.name, page.html)) }
    try await ConsoleAuditTests.write(console)
    let auditor = try await ConsoleAuditTests.signedIn(console)
    pages.append(("audit", try await auditor.open("/console/audit?subject=one").html))
    let keeper = try await ConsoleAuditTests.signedIn(console, .init(rawValue: "manage:tenants"), "operator")
    pages.append(("templates", try await keeper.open("/console/templates?language=ar").html))
    pages.append(("policies", try await auditor.open("/console/policies").html))
    for page in try await ConsoleRightsTests.pages(console) { pages.append((page.name, page.html)) }
    for page in try await ConsoleDeadLetterTests.pages(console) { pages.append((page.name, page.html)) }
    _ = try await ConsoleApprovalTests.ask(console)
    pages.append(("approvals", try await ConsoleApprovalTests.signedIn(console).page.html))
    let long = "https://\(String(repeating: "w", count: 60)).example/\(String(repeating: "W", count: 200))"
    let endpoint = try await console.add(long, events: (1...20).map { "membership.status_changed_\($0)" })
    try await console.add("https://bank.example/hooks", tenant: TenantID("finaptic", "9"))
    try await console.add(
      "https://shop.example/gone", tenant: TenantID("oneassist", "shop-of-a-very-long-name-indeed-so-it-is"))
    console.then(410)
    try await console.publish("gone", tenant: TenantID("oneassist", "shop-of-a-very-long-name-indeed-so-it-is"))
    try await console.settle()
    console.then(503, 503, 503)
    let type = "membership.status_changed_1"
    for number in 1...60 {
      try await console.publish("evt_\(String(repeating: "0", count: 40))\(number)", type: type)
    }
    try await console.settle()
    pages.append(("endpoints", try await browser.open("/console/webhooks").html))
    pages.append(("log", try await browser.open("/console/webhooks/\(endpoint.id)").html))
    pages.append(("log-empty", try await browser.open("/console/webhooks/\(endpoint.id)?state=delivered").html))
    let delivery = try await console.delivery("evt_\(String(repeating: "0", count: 40))1")
    let path = WebhookDeliveryPage.path(delivery)
    let form = try #require(try await browser.open(path).hidden("\(path)/redeliver"))
    pages.append(("delivery", await browser.page.html))
    _ = try await browser.send("\(path)/redeliver", form)
    pages.append(("delivery-changed", try await browser.send("\(path)/redeliver", form).html))
    let gone = try await browser.open(WebhookDeliveryPage.path(try await console.delivery("gone")))
    pages.append(("delivery-disabled", gone.html))
    // Last: the agent is given a new password on one of them.
    for page in try await staffPages(console) { pages.append((page.name, page.html)) }
    return pages
  }

  private static func staffPages(_ console: ConsoleTestApp) async throws -> [(name: String, html: String)] {
    let boss = "boss-of-a-very-long-name-indeed@bank.example"
    try await console.app.staff.add(
      .init(
        tenant: "default", email: boss, name: "Bo Li", gender: .male, languages: ["en"],
        permissions: [.manageStaff, .redeliverWebhooks], password: ConsoleTestApp.password), by: "operator")
    let browser = console.browser()
    try await browser.open("/console/sign-in")
    try await browser.submit("/console/sign-in", ["email": boss, "password": ConsoleTestApp.password])
    var pages = [("staff", try await browser.open("/console/staff").html)]
    let agent = try #require(
      try await console.app.staff.list(tenant: "default").first { $0.email == ConsoleTestApp.agent })
    pages.append(("staff-member", try await browser.open("/console/staff/\(agent.id)").html))
    let done = try await browser.submit("/console/staff/\(agent.id)/password", ["reason": "security"])
    pages.append(("staff-link", done.html))
    let link = try #require(done.html.firstMatch(of: #/\/console\/invitation\/[0-9a-f]+/#)).output
    pages.append(("invitation", try await console.browser().open(String(link)).html))
    return pages
  }
}
