// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage
import Testing

@testable import Scheduling

@Suite("Appointments: the last place (11. last place race)")
struct LastPlaceTests {
  @Test("of twenty customers who want the last two places at once, two get one and the others learn that it is taken")
  func race() async throws {
    let app = try await AppointmentsTestApp(at: "2026-11-21T06:00:00Z", policy: .test())
    let roster = AgentRoster(agents: [.amal, .badr])
    let outcomes = await withTaskGroup(of: String.self) { group in
      for customer in 0..<20 {
        group.addTask {
          do { return try await app.book("2026-11-22T05:00:00Z", for: "c\(customer)", roster: roster).agentID } catch {
            return (error as? Problem)?.code ?? "\(error)"
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.filter { $0 == "amal" }.count == 1)
    #expect(outcomes.filter { $0 == "badr" }.count == 1)
    #expect(outcomes.filter { $0 == "slot-taken" }.count == 18)
  }

  @Test(
    "after any walk of bookings, moves and calls off no agent has two calls at once and every place is counted",
    arguments: [1, 2, 3] as [UInt64])
  func walk(seed: UInt64) async throws {
    let app = try await AppointmentsTestApp(
      at: "2026-11-21T06:00:00Z", policy: .test(opens: "08:00", closes: "09:00"))
    let away = AgentLeave(
      id: .init(rawValue: "l"), agentID: "badr",
      time: Wall.instant("2026-11-22T05:00:00Z")..<Wall.instant("2026-11-22T05:20:00Z"))
    let roster = AgentRoster(agents: [.amal, .badr, .carl], leave: [away])
    let starts = SlotCalendar(.test(opens: "08:00", closes: "09:00")).starts(on: Wall.day("2026-11-22"))
    var randomness = seed
    func pick(_ bound: Int) -> Int {
      randomness = randomness &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((randomness >> 33) % UInt64(bound))
    }
    for _ in 0..<150 {
      let customer = "c\(pick(15))"
      do {
        if pick(4) == 0 {
          _ = try await app.database.write { try app.appointments.cancelCurrent(for: customer, in: $0) }
        } else {
          try await app.book(
            starts[pick(starts.count)].rfc3339, for: customer, gender: [nil, "F", "M"][pick(3)], roster: roster)
        }
      } catch is Problem {}
    }
    let live = try await app.database.read {
      try AppointmentStore($0, app.vault).booked(starts[0]..<Wall.instant("2026-11-23T00:00:00Z"))
    }
    #expect(Set(live).count == live.count)
    #expect(!live.contains { $0.agentID == "badr" && away.time.contains($0.start) })
    let slots = try await app.slots("2026-11-22", "2026-11-22", roster: roster)
    for start in starts {
      let onDuty = roster.onDuty(start..<(start + .minutes(15)), suiting: .anyone).count
      let left = slots.first { $0.start == start }?.capacityLeft ?? 0
      #expect(left + live.filter { $0.start == start }.count == onDuty)
    }
  }
}
