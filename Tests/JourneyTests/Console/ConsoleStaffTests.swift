// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import Identity
import Kit
import Testing

@testable import Console
@testable import Demonstration
@testable import GatehouseApp

@Suite("Console: administrators look after the staff, on pages", .onOneEngine, .serialized)
struct ConsoleStaffTests {
  private static let boss = "boss@bank.example"
  private static let base = "/console/staff"

  private func signedIn(_ console: ConsoleTestApp) async throws -> DemoBrowser {
    try await console.app.staff.add(
      NewStaffMember(
        tenant: "default", email: Self.boss, name: "Bo Li", gender: .male, languages: ["en"],
        permissions: [.manageStaff, .redeliverWebhooks], password: ConsoleTestApp.password), by: "operator")
    let browser = console.browser()
    try await browser.open("/console/sign-in")
    try await browser.submit("/console/sign-in", ["email": Self.boss, "password": ConsoleTestApp.password])
    try #require(try await browser.open(Self.base).title == "Staff")
    return browser
  }

  private func member(_ email: String, _ console: ConsoleTestApp) async throws -> StaffMember {
    try #require(try await console.app.staff.list(tenant: "default").first { $0.email == email })
  }

  @Test("an invitation is shown once as a link, sets a password, and the new member signs in")
  func invite() async throws {
    try await ConsoleTestApp.run { console in
      let browser = try await signedIn(console)
      let typed = [
        "email": "new@bank.example", "name": "Cy Dee", "gender": "F", "languages": "en, ar", "role_agent": "on",
        "reason": "joined",
      ]
      let refused = try await browser.submit(Self.base, typed.merging(["reason": ""]) { $1 })
      #expect(refused.status == 422 && refused.html.contains("Choose a reason.") && refused.html.contains("Cy Dee"))
      try await browser.open(Self.base)
      let done = try await browser.submit(Self.base, typed)
      let link = try #require(done.html.firstMatch(of: #/\/console\/invitation\/[0-9a-f]{64}/#)).output
      #expect(try await !browser.open(Self.base).html.contains(link))

      let guest = console.browser()
      #expect(try await guest.open(String(link)).title == "Set your password")
      let short = try await guest.submit(String(link), ["password": "short", "repeated": "short"])
      #expect(short.status == 422 && short.html.contains("at least 15 characters"))
      let new = "utopia lies westward 9"
      let set = try await guest.submit(String(link), ["password": new, "repeated": new])
      #expect(set.html.contains("Cy Dee, the password is set.") && set.html.contains("<code>"))
      #expect(try await guest.open(String(link)).status == 410)
      try await guest.open("/console/sign-in")
      let home = try await guest.submit("/console/sign-in", ["email": "new@bank.example", "password": new])
      #expect(home.title == "Work queue")
      let roles = try await member("new@bank.example", console).roles
      #expect(roles == [.agent])
    }
  }

  @Test("roles, suspension, leave, sessions and resets are forms, and each is a line with who and why")
  func changes() async throws {
    try await ConsoleTestApp.run { console in
      let (browser, agent) = (try await signedIn(console), try await member(ConsoleTestApp.agent, console))
      let path = "\(Self.base)/\(agent.id)"
      func change(_ name: String, _ fields: [String: String]) async throws -> DemoPage {
        try await browser.open(path)
        return try await browser.submit(
          "\(path)/\(name)", fields.merging(["reason": "correction", "reference": "HR-1"]) { $1 })
      }
      #expect(try await change("roles", ["role_support": "on"]).html.contains("The roles are set"))
      #expect(try await member(ConsoleTestApp.agent, console).roles.contains(.support))
      let backwards = try await change("leave", ["from": "2026-12-24", "until": "2026-12-20"])
      #expect(backwards.status == 422)
      #expect(try await change("leave", ["from": "2026-12-20", "until": "2026-12-24"]).html.contains("is entered"))
      #expect(try await change("sessions", [:]).html.contains("Ended."))
      #expect(try await change("factors", [:]).html.contains("Hand this code over."))
      #expect(try await change("password", [:]).html.contains("/console/invitation/"))
      #expect(try await change("suspend", [:]).html.contains("is suspended"))
      #expect(try await change("resume", [:]).html.contains("is active again"))

      let boss = try await member(Self.boss, console)
      let lines = try await console.app.database.read { try AuditStore($0).lines(of: agent.id.rawValue) }
      for action in [
        "staff.permissions_set", "staff.leave_added", "staff.sessions_ended", "staff.factors_reset",
        "staff.password_reset", "staff.suspended", "staff.resumed",
      ] {
        let line = try #require(lines.first { $0.action == action }, "\(action)")
        #expect(line.actor == boss.actor && line.facts["reason"] == "correction", "\(action)")
        #expect(line.facts["reference"] == "HR-1", "\(action)")
      }
      #expect(lines.contains { $0.action == "staff.looked_at" && $0.actor == boss.actor })
    }
  }

  @Test("without the permission there is no page, and a form without the session's token changes nothing")
  func closed() async throws {
    try await ConsoleTestApp.run { console in
      let agent = try await member(ConsoleTestApp.agent, console)
      let reader = try await console.signedIn(ConsoleTestApp.reader)
      for path in [Self.base, "\(Self.base)/\(agent.id)"] {
        let page = try await reader.open(path)
        #expect(page.status == 403 && page.title == "Not for you", "\(path)")
      }
      #expect(try await !reader.open("/console/account").html.contains(Self.base))
      let browser = try await signedIn(console)
      for csrf in ["", String(repeating: "0", count: 64)] {
        let page = try await browser.send(
          "\(Self.base)/\(agent.id)/suspend", ["csrf": csrf, "reason": "left"])
        #expect(page.status == 403 && page.title == "Once more, please")
      }
      let boss = try await member(Self.boss, console)
      #expect(try await member(ConsoleTestApp.agent, console).isActive)
      let own = try await browser.open("\(Self.base)/\(boss.id)")
      #expect(own.status == 200 && !own.actions.contains("\(Self.base)/\(boss.id)/suspend"))
    }
  }

  @Test("a page that was not used locks the session, and tells why")
  func lock() async throws {
    try await ConsoleTestApp.run { console in
      let browser = try await console.signedIn(ConsoleTestApp.reader)
      let form = try #require(await browser.page.hidden("/console/sign-out"))
      let page = try await browser.send("/console/lock", form)
      #expect(page.title == "Sign in" && page.html.contains("The page was locked"))
      #expect(try await browser.open("/console/account").title == "Sign in")
    }
  }
}
