// SPDX-License-Identifier: Apache-2.0

import Foundation
import Identity
import Kit
import RubixFlow
import Scheduling
import Testing

@testable import Console
@testable import Demonstration
@testable import GatehouseApp

@Suite("Console: the calendar of agents", .onOneEngine, .serialized)
struct ConsoleCalendarTests {
  private static let (base, lead) = (CalendarRoutes.base, "lead@bank.example")
  private static let script = "<script>alert(1)</script>"

  private static func signedIn(_ email: String, _ console: ConsoleTestApp) async throws -> DemoBrowser {
    let browser = console.browser()
    try await browser.open("/console/sign-in")
    try await browser.submit("/console/sign-in", ["email": email, "password": ConsoleTestApp.password])
    return browser
  }

  /// Somebody who looks after the staff and takes no calls.
  private static func leading(_ console: ConsoleTestApp) async throws -> DemoBrowser {
    try await console.app.staff.add(
      NewStaffMember(
        tenant: "default", email: lead, name: "Lea", gender: .female, languages: ["en"], permissions: [.manageStaff],
        password: ConsoleTestApp.password), by: "operator")
    return try await signedIn(lead, console)
  }

  /// An application that asks for a call, of a person whose name is markup.
  private static func customer(_ console: ConsoleTestApp) async throws -> String {
    let (app, now) = (console.app, console.clock.now)
    var applicant = Applicant(
      deviceID: "device", platform: "ios", contactNo: "+96550001234", email: "erika@example.com", consents: [])
    applicant.firstName = script
    let application = RubixFlow.Application(
      id: .init(console.clock.world), tenant: "default", phase: .awaitingAppointment, applicant: applicant,
      createdAt: now, updatedAt: now, expiresAt: now + .days(90))
    try await app.database.write { try ApplicationStore($0, vault: app.vault).insert(application) }
    return application.id.rawValue
  }

  /// Books the first free time of tomorrow.
  /// - Returns: the page of the call.
  private static func book(_ customer: String, _ browser: DemoBrowser) async throws -> DemoPage {
    let offer = try await browser.open("\(base)/book?customer=\(customer)&day=2026-11-22")
    let start = try #require(offer.html.firstMatch(of: #/<option value="(2026-11-2[0-9T:.]+Z)"/#)).output.1
    return try await browser.submit("\(base)/book", ["start": String(start), "why": "customer_request"])
  }

  /// Calendar, booking and calls in the states that they come in, for the tests that look at every page.
  static func pages(_ console: ConsoleTestApp) async throws -> [(name: String, html: String)] {
    let (agent, boss, customer) = (
      try await signedIn(ConsoleTestApp.agent, console), try await leading(console), try await customer(console)
    )
    var pages = [(name: "calendar-all", html: try await boss.open("\(base)?agent=all").html)]
    pages.append(("call-booked", try await book(customer, agent).html))
    pages.append(("booking-moves", try await agent.open("\(base)/book?customer=\(customer)").html))
    try await agent.open(base)
    try await agent.submit("\(base)/leave", ["from": "2026-11-22", "until": "2026-12-24"])
    pages.append(("calendar-leave", await agent.page.html))
    let refused = try await agent.submit("\(base)/hours", ["opens_1": "16:00", "closes_1": "08:00"])
    pages.append(("calendar-refused", refused.html))
    pages.append(("calls", try await agent.open("\(AgentCallRoutes.base)?day=2026-11-22").html))
    let cookie = try #require(await agent.cookie)
    for path in [base, "\(AgentCallRoutes.base)?day=2026-11-22"] {
      let arabic = try await console.send("GET", path, headers: ["cookie": "\(cookie); gatehouse_display=ar."])
      pages.append(("\(path) ar", String(decoding: arabic.body, as: UTF8.self)))
    }
    let calendar = try console.app.rubix.applications.appointments(of: console.app.tenants.find(nil))
    let call = try #require(
      try await console.app.database.read { try calendar.current(for: customer, in: $0) })
    let link = try await console.send("GET", "/call/\(CallLink.token(of: call.id, console.app.vault))")
    pages.append(("call-customer", String(decoding: link.body, as: UTF8.self)))
    return pages
  }

  @Test("an agent books, moves and calls off for a customer with a reason, and enters hours and leave of their own")
  func own() async throws {
    try await ConsoleTestApp.run { console in
      let (agent, customer) = (
        try await Self.signedIn(ConsoleTestApp.agent, console), try await Self.customer(console)
      )
      let call = try await Self.book(customer, agent)
      #expect(call.status == 200 && call.html.contains("Move the call"))
      // A browser keeps titles in its history, for those who use it later.
      #expect(call.html.contains("<title>Calls, ") && !call.html.contains(#/<title>[^<]*alert/#))
      let path = String(
        try #require(call.html.firstMatch(of: #/\/console\/calls\/[0-9a-f-]{36}/#)).output)
      let typed = ["verdict": "FAILED", "face-matches-document": "no", "notes": "Two faces."]
      let refused = try await agent.submit("\(path)/verdict", typed)
      #expect(refused.status == 422 && refused.html.contains(">Two faces.</textarea>"))
      #expect(refused.html.contains("name=\"face-matches-document\" value=\"no\" required checked>"))
      let week = try await agent.open("\(Self.base)?week=2026-11-22")
      #expect(week.title?.hasPrefix("Calendar") == true && week.html.contains(path))
      // A long name, or one that is written from right to left, keeps to itself.
      #expect(week.html.contains("<bdi>&lt;script&gt;"))
      let moved = try await Self.book(customer, agent)
      #expect(moved.html.contains("Move the call"), "the first free time is another one now")
      let next = String(
        try #require(moved.html.firstMatch(of: #/\/console\/calls\/[0-9a-f-]{36}/#)).output)
      #expect(next != path)
      let unreasoned = try await agent.submit("\(next)/cancel")
      #expect(unreasoned.status == 422 && unreasoned.html.contains("Choose why."))
      #expect(try await agent.submit("\(next)/cancel", ["why": "technical"]).title == "Calls")

      try await agent.open(Self.base)
      let hours = try await agent.submit("\(Self.base)/hours", ["opens_1": "08:00", "closes_1": "09:00"])
      #expect(hours.html.contains("The hours are saved.") && hours.html.contains("value=\"08:00\""))
      let day = try await agent.submit("\(Self.base)/day", ["day": "2026-11-21", "opens": "10:00", "closes": "11:30"])
      #expect(day.html.contains("10:00–11:30") && day.html.contains("set for this day"))
      let leave = try await agent.submit("\(Self.base)/leave", ["from": "2026-11-21", "until": "2026-11-22"])
      #expect(leave.html.contains("The leave is entered."))
      #expect(try await agent.submit("\(Self.base)/leave/remove").html.contains("The leave is removed."))
      let late = try await agent.submit("\(Self.base)/leave", ["from": "2026-11-22", "until": "2026-11-21"])
      #expect(late.status == 422 && late.html.contains("role=\"alert\""))
      let offer = try await agent.open("\(Self.base)/book?customer=\(customer)&day=2026-11-22")
      #expect(offer.html.contains("No time is free on this day."))
      for page in console.pages {
        #expect(page.body.count < 100 * 1024)
        #expect(!String(decoding: page.body, as: UTF8.self).contains(Self.script))
      }
    }
  }

  @Test("only who manages staff sees and changes the calendars of others, and no form comes from elsewhere")
  func others() async throws {
    try await ConsoleTestApp.run { console in
      let (agent, boss) = (try await Self.signedIn(ConsoleTestApp.agent, console), try await Self.leading(console))
      let members = try await console.app.staff.list(tenant: "default")
      let id = try #require(members.first { $0.email == ConsoleTestApp.agent }).id.rawValue
      let all = try await boss.open(Self.base)
      #expect(all.html.contains("Ada &lt;b&gt;Anyder") && all.html.contains("agent=\(id)"))
      try await boss.open("\(Self.base)?agent=\(id)")
      let leave = try await boss.submit("\(Self.base)/leave", ["from": "2026-11-23", "until": "2026-11-23"])
      #expect(leave.html.contains("The leave is entered."))
      #expect(try await boss.open("\(Self.base)/book?customer=\(UUID().uuidString)").status == 403)
      let colleague = try #require(members.first { $0.email == Self.lead }).id.rawValue
      for path in ["?agent=all", "?agent=\(colleague)"] {
        #expect(try await agent.open(Self.base + path).status == 403)
      }
      #expect(try await agent.open("\(Self.base)/book?customer=nonsense").status == 404)
      #expect(try await agent.open("\(Self.base)/book?customer=\(UUID().uuidString)").status == 404)
      #expect(try await agent.send("\(Self.base)/leave", ["csrf": "x", "from": "2026-11-23"]).status == 403)
      #expect(try await Self.signedIn(ConsoleTestApp.reader, console).open(Self.base).status == 403)
      #expect(try await console.send("GET", Self.base).status == 303)
    }
  }
}
