// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Kit
import Storage
import TestSupport
import Testing

@testable import Scheduling

@Suite("Appointments: the hours of agents")
struct AgentHoursTests {
  private static let morning = WorkingWeek.Hours("08:00", "12:00")

  private func away(
    _ hours: AgentHours, _ from: String, _ until: String, zone: String = "Asia/Kuwait"
  ) throws -> [String] {
    let clock = try #require(LocalTime(zone: zone))
    return hours.away(within: Wall.instant(from)..<Wall.instant(until), by: clock)
      .map { "\($0.lowerBound.rfc3339) \($0.upperBound.rfc3339)" }
  }

  @Test("an agent is away outside of the week's hours, on days without any, and as a single day says", .storeless)
  func rules() throws {
    let monday = AgentHours(week: WorkingWeek([1: try #require(Self.morning)]))
    let (from, until) = ("2026-11-22T21:00:00Z", "2026-11-24T20:59:59Z")
    #expect(
      try away(monday, from, until) == [
        "2026-11-22T21:00:00Z 2026-11-23T05:00:00Z", "2026-11-23T09:00:00Z 2026-11-23T21:00:00Z",
        "2026-11-23T21:00:00Z 2026-11-24T21:00:00Z",
      ])
    var apart = monday
    apart.days = [Wall.day("2026-11-23"): nil, Wall.day("2026-11-24"): .fullDay]
    #expect(try away(apart, from, until) == ["2026-11-22T21:00:00Z 2026-11-23T21:00:00Z"])
    #expect(try away(AgentHours(), from, until).isEmpty, "whenever the institution is open")
    // Clocks go back on 25 October: the day lasts 25 hours, and its hours are meant by the wall.
    let sunday = AgentHours(week: WorkingWeek([7: try #require(Self.morning)]))
    #expect(
      try away(sunday, "2026-10-24T22:00:00Z", "2026-10-25T22:59:59Z", zone: "Europe/Berlin")
        == ["2026-10-24T22:00:00Z 2026-10-25T07:00:00Z", "2026-10-25T11:00:00Z 2026-10-25T23:00:00Z"])
  }

  @Test("hours are kept, replaced and forgotten, and take places away")
  func kept() async throws {
    let app = try await AppointmentsTestApp(at: "2026-11-21T00:00:00Z", policy: .test())
    let (morning, day) = (try #require(Self.morning), Wall.day("2026-11-22"))
    let store = try await TestDatabase.make(.current, [AgentHoursStore.migration, AgentLeaveStore.migration])
    func all(_ from: String = "2026-11-21") async throws -> [String: AgentHours] {
      try await store.database.read { try AgentHoursStore($0).all(from: Wall.day(from)) }
    }
    try await store.database.write { tx in
      try AgentHoursStore(tx).set([1: .fullDay, 2: .fullDay], of: "amal")
      try AgentHoursStore(tx).set([7: morning], of: "amal")
      try AgentHoursStore(tx).set(.some(nil), on: day, of: "amal")
      try AgentHoursStore(tx).set(.some(WorkingWeek.Hours.fullDay), on: day, of: "badr")
    }
    #expect(
      try await all() == [
        "amal": AgentHours(week: WorkingWeek([7: morning]), days: [day: nil]),
        "badr": AgentHours(days: [day: .fullDay]),
      ])
    #expect(try await all("2026-11-23") == ["amal": AgentHours(week: WorkingWeek([7: morning]))])
    let clock = app.appointments.policy.localTime
    let time = Wall.instant("2026-11-21T00:00:00Z")..<Wall.instant("2026-11-24T00:00:00Z")
    let roster = try await store.database.read {
      try AgentRoster([.amal, .badr], within: time, by: clock, in: $0)
    }
    let slots = try await app.slots("2026-11-22", "2026-11-22", roster: roster)
    #expect(!slots.isEmpty && slots.allSatisfy { $0.capacityLeft == 1 }, "only the other one is there")
    try await store.database.write { tx in
      try AgentHoursStore(tx).set([:], of: "amal")
      try AgentHoursStore(tx).set(nil, on: day, of: "amal")
      try AgentHoursStore(tx).prune(before: Wall.day("2026-11-23"), of: "badr")
    }
    #expect(try await all() == [:])
  }
}
