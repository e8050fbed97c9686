// SPDX-License-Identifier: Apache-2.0

import Foundation
import Identity
import Kit
import Testing

@testable import Console
@testable import Demonstration
@testable import GatehouseApp

@Suite("Console: the calendar of calls, and links that open none", .onOneEngine, .serialized)
struct ConsoleCallTests {
  @Test("an agent sees a day and goes to others; who takes no calls, and who made a link up, sees none")
  func doors() async throws {
    try await ConsoleTestApp.run { console in
      func signedIn(_ email: String) async throws -> DemoBrowser {
        let browser = console.browser()
        try await browser.open("/console/sign-in")
        try await browser.submit("/console/sign-in", ["email": email, "password": ConsoleTestApp.password])
        return browser
      }
      let agent = try await signedIn(ConsoleTestApp.agent)
      let today = try await agent.open(AgentCallRoutes.base)
      #expect(today.title == "Calls" && today.html.contains("No calls on this day."))
      let day = try await agent.open("\(AgentCallRoutes.base)?day=2026-12-31")
      #expect(day.html.contains("?day=2026-12-30") && day.html.contains("?day=2027-01-01"))
      #expect(try await agent.open("\(AgentCallRoutes.base)?day=nonsense").title == "Calls")
      #expect(try await agent.open("\(AgentCallRoutes.base)/\(UUID().uuidString)").status == 404)
      let reader = try await signedIn(ConsoleTestApp.reader)
      #expect(try await reader.open(AgentCallRoutes.base).status == 403)
      #expect(try await console.send("GET", AgentCallRoutes.base).status == 303)
      for link in ["nothing", String(repeating: "0", count: 96)] {
        let page = try await console.send("GET", "/call/\(link)")
        #expect(page.status == 404 && page.headers["permissions-policy"] == "camera=(), microphone=()")
      }
    }
  }
}
