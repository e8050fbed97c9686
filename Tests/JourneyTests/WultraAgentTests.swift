// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Demonstration
@testable import GatehouseApp

@Suite("Journey: agents and Wultra's reviews")
struct WultraAgentTests {
  @Test("an agent of calls may decide, an officer may only look, and what is not there is not there")
  func permissions() async throws {
    try await JourneyTestApp.run { journey in
      let agent = try await journey.agent(DemoApp.agentEmail)
      #expect(try await !agent.decideReview(accepting: true))
      let officer = try await journey.agent(DemoApp.officerEmail)
      #expect(try await !officer.decideReview(accepting: true))
      let id = "0a1b2c3d-0000-4000-8000-00000000000f"
      for (agent, status) in [(agent, "404"), (officer, "403")] {
        await #expect {
          try await agent.decide(review: id, accepting: true)
        } throws: { "\($0)".contains(" \(status) ") }
      }
    }
  }
}
