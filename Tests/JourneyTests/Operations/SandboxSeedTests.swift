// SPDX-License-Identifier: Apache-2.0

import Identity
import RubixOnboarding
import TestSupport
import Testing

@testable import GatehouseApp

@Suite("Operations: what a newcomer finds in a sandbox", .onOneEngine)
struct SandboxSeedTests {
  @Test("it is seeded once, and a newcomer's journey goes to a booked call with the agent who was added")
  func newcomer() async throws {
    try await JourneyTestApp.run { journey in
      let seed = try #require(SandboxSeed(journey.app))
      let made = try await seed.run(tenant: "default", by: "test")
      #expect(made.count == 4 && made.allSatisfy { $0.made != nil })
      let again = try await seed.run(tenant: "default", by: "test")
      #expect(again.map(\.what) == made.map(\.what) && again.allSatisfy { $0.made == nil })

      let phone = JourneyPhone(journey)
      try await phone.matchedByPassport()
      try await phone.contacts()
      try await phone.screened()
      try await phone.forms()
      // The other agents of this installation speak no French.
      let slots = try await phone.app.slots(from: journey.today, to: journey.today, language: "fr").slots
      let slot = try #require(slots.first)
      _ = try await phone.app.book(AppointmentRequest(callTime: slot.start, language: "fr"))
      try await phone.expect(.agentVerificationScheduled, next: nil)
      let members = try await journey.app.staff.list(tenant: "default")
      let agent = try #require(members.first { $0.email == SandboxSeed.agentEmail })
      #expect(agent.permissions.contains(.attendVideo))

      // An agent whom an earlier release seeded gets the permissions of this release, and keeps its others.
      let (staff, former) = (journey.app.staff, agent.permissions.subtracting([.postMoney]).union([.manageStaff]))
      try await journey.app.database.write { try staff.setPermissions(former, of: agent.id, by: "test", in: $0) }
      let mended = try await seed.run(tenant: "default", by: "test")
      #expect(mended.map { $0.made != nil } == [true, false, false, false])
      #expect(try await staff.find(agent.id).permissions == agent.permissions.union([.manageStaff]))
    }
  }

  @Test("an installation with customers is seeded with nothing, and has no pages to name")
  func customers() async throws {
    try await JourneyTestApp.run(documents: .standard) { journey in
      let seed = SandboxSeed(journey.app)
      #expect(seed == nil && journey.app.sandboxPages(port: 8080) == nil)
    }
    try await JourneyTestApp.run { journey in
      let pages = try #require(journey.app.sandboxPages(port: 8080)).map(\.address)
      #expect(
        pages.map { $0.dropFirst("http://localhost:8080".count) } == [
          "/", "/console", "/dev/outbox", "/demo-bank", "/api-description", "/dev/clock",
        ])
    }
  }
}
