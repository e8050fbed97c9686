// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import Identity
import Kit
import Testing

@testable import Demonstration
@testable import GatehouseApp

/// Walks over the routes as the router has them, so that a call that is added is tried, too. `ConsoleDoorsTests` does
/// so with pages.
@Suite("Staff: each look over the API is in the audit log (issue 24)", .onOneEngine)
struct AgentLookTests {
  private static let base = "/api/v1/onboarding/"
  /// What customers ask with a token of theirs, and the live events of the queue, which do not end by themselves.
  private static let others: Set<String> = [
    "agents/appointments/current", "agents/available", "agents/slots", "agents/case-events",
  ]

  @Test("each list that a member of staff reads over the API leaves a line of who looked and why")
  func lists() async throws {
    try await JourneyTestApp.run { journey in
      let email = "all@bank.example"
      try await journey.addOfficer(email, may: StaffRole.permissions(of: Set(StaffRole.allCases)))
      let agent = try await journey.agent(email)
      let members = try await journey.app.staff.list(tenant: "default")
      let actor = try #require(members.first { $0.email == email }).actor
      func looks() async throws -> [String] {
        try await journey.app.database.read { tx in
          try tx.query("SELECT action, facts FROM audit_line WHERE actor = \(actor) ORDER BY at, action").map {
            "\(try $0.get("action", as: String.self)) \(try $0.get("facts", as: String.self))"
          }
        }
      }
      let paths = journey.app.router().routes.filter { $0.method == .get }.map(\.path.description)
      let own = paths.filter { $0.hasPrefix(Self.base) && !$0.contains("{") }
      let names = own.map { String($0.dropFirst(Self.base.count)) }
      let lists = Set(names).filter { $0.hasPrefix("agents/") || $0 == "customers" }
      var looked = 0
      for list in lists where !Self.others.contains(list) {
        let before = try await looks()
        #expect(try await agent.send("GET", list, body: EmptyBody?.none).status == 200, "\(list)")
        let new = try await looks().count - before.count
        #expect(new == 1, "\(list) leaves \(new) lines")
        looked += 1
      }
      #expect(looked > 6)
      let lines = try await looks().filter { !$0.hasPrefix("agent.signed_in") }
      #expect(lines.allSatisfy { $0.contains("\"why\"") }, "\(lines)")
    }
  }
}
