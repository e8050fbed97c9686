// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage
import TestSupport
import Testing

@testable import Scheduling

@Suite("Appointments: booking, moving, calling off (11. reschedule limit)")
struct AppointmentsTests {
  let roster = AgentRoster(agents: [.amal, .badr])

  func app() async throws -> AppointmentsTestApp {
    try await AppointmentsTestApp(at: "2026-11-21T06:00:00Z", policy: .test())
  }

  func problem(_ body: () async throws -> Void) async throws -> String? {
    do { try await body() } catch let problem as Problem { return problem.code }
    return nil
  }

  @Test("a booking takes a place, is found again and names its agent")
  func booking() async throws {
    let app = try await app()
    let booked = try await app.book("2026-11-22T05:00:00Z", for: "c1", phone: "+96550001234", roster: roster)
    #expect(booked.status == .scheduled)
    let found = try await app.database.read { try app.appointments.current(for: "c1", in: $0) }
    #expect(found == booked)
    #expect(found?.phone == "+96550001234")
    #expect(try await app.slots("2026-11-22", "2026-11-22", roster: roster).first?.capacityLeft == 1)
    let calls = try await app.database.read {
      try app.appointments.calls(
        of: booked.agentID, within: Wall.instant("2026-11-22T00:00:00Z")..<Wall.instant("2026-11-23T00:00:00Z"),
        in: $0)
    }
    #expect(calls == [booked])
  }

  @Test("the number to call is sealed where it lies")
  func sealed() async throws {
    let app = try await app()
    try await app.book("2026-11-22T05:00:00Z", for: "c1", phone: "+96550001234", roster: roster)
    let stored = try await app.database.read {
      try $0.first("SELECT phone FROM appointment")?.get("phone", as: Data.self)
    }
    #expect(stored?.range(of: Data("50001234".utf8)) == nil)
  }

  @Test("the same wish again gives the same appointment and counts as no move")
  func repeated() async throws {
    let app = try await app()
    let first = try await app.book("2026-11-22T05:00:00Z", for: "c1", roster: roster)
    #expect(try await app.book("2026-11-22T05:00:00Z", for: "c1", roster: roster) == first)
    app.clock.set("2026-11-22T04:59:00Z")  // within the lead time by now
    #expect(try await app.book("2026-11-22T05:00:00Z", for: "c1", roster: roster) == first)
  }

  @Test(
    "past, too soon, too far and closed times are told apart",
    arguments: [
      ("2026-11-20T05:00:00Z", "slot-expired"), ("2026-11-21T06:15:00Z", "slot-expired"),
      ("2026-12-10T05:00:00Z", "validation-failed"), ("2026-11-22T04:45:00Z", "validation-failed"),
      ("2026-11-22T05:05:00Z", "validation-failed"),
    ])
  func refusedTimes(start: String, code: String) async throws {
    let app = try await app()
    #expect(try await problem { try await app.book(start, for: "c1", roster: roster) } == code)
  }

  @Test("a place is gone once every suitable agent has a call, and comes back when one is called off")
  func taken() async throws {
    let app = try await app()
    try await app.book("2026-11-22T05:00:00Z", for: "c1", gender: "F", roster: roster)
    #expect(
      try await problem { try await app.book("2026-11-22T05:00:00Z", for: "c2", gender: "F", roster: roster) }
        == "slot-taken")
    try await app.book("2026-11-22T05:00:00Z", for: "c2", roster: roster)
    #expect(
      try await problem { try await app.book("2026-11-22T05:00:00Z", for: "c3", roster: roster) } == "slot-taken")
    let off = try await app.database.write { try app.appointments.cancelCurrent(for: "c1", in: $0) }
    #expect(off.status == .cancelled)
    #expect(try await app.book("2026-11-22T05:00:00Z", for: "c3", roster: roster).agentID == "amal")
    #expect(
      try await problem {
        _ = try await app.database.write { try app.appointments.cancelCurrent(for: "c1", in: $0) }
      } == "not-found")
  }

  @Test("a customer without wishes does not take the agent that others can only have")
  func leastMissed() async throws {
    let app = try await app()
    let roster = AgentRoster(agents: [.amal, .badr, .carl])
    #expect(try await app.book("2026-11-22T05:00:00Z", for: "c1", roster: roster).agentID == "badr")
    #expect(try await app.book("2026-11-22T05:00:00Z", for: "c2", gender: "F", roster: roster).agentID == "amal")
  }

  @Test("an appointment is moved three times, each time releasing its place, and not a fourth time")
  func reschedules() async throws {
    let app = try await app()
    let roster = AgentRoster(agents: [.amal])
    let times = ["2026-11-22T05:00:00Z", "2026-11-22T05:15:00Z", "2026-11-22T05:30:00Z", "2026-11-22T05:45:00Z"]
    for (moves, time) in times.enumerated() {
      #expect(try await app.book(time, for: "c1", roster: roster).reschedules == moves)
    }
    #expect(
      try await problem { try await app.book("2026-11-22T06:00:00Z", for: "c1", roster: roster) }
        == "step-already-completed")
    let current = try await app.database.read { try app.appointments.current(for: "c1", in: $0) }
    #expect(current?.callTime == Wall.instant("2026-11-22T05:45:00Z"))
    #expect(try await app.slots("2026-11-22", "2026-11-22", roster: roster).count == 31)
  }

  @Test("a move that fails leaves the appointment where it was")
  func failedMove() async throws {
    let app = try await app()
    let roster = AgentRoster(agents: [.amal])
    try await app.book("2026-11-22T05:00:00Z", for: "c1", roster: roster)
    let before = try await app.book("2026-11-22T05:15:00Z", for: "c2", roster: roster)
    #expect(
      try await problem { try await app.book("2026-11-22T05:00:00Z", for: "c2", roster: roster) } == "slot-taken")
    #expect(try await app.database.read { try app.appointments.current(for: "c2", in: $0) } == before)
  }

  @Test("a running call can be neither moved nor called off, and ends as done")
  func runningCall() async throws {
    let app = try await app()
    let booked = try await app.book("2026-11-22T05:00:00Z", for: "c1", roster: roster)
    let running = try await app.database.write {
      try app.appointments.advance(booked.id, on: .callStarted, in: $0)
    }
    #expect(running.status == .inCall)
    #expect(
      try await problem { try await app.book("2026-11-22T06:00:00Z", for: "c1", roster: roster) }
        == "step-in-progress")
    #expect(
      try await problem {
        _ = try await app.database.write { try app.appointments.cancelCurrent(for: "c1", in: $0) }
      } == "step-in-progress")
    let done = try await app.database.write { try app.appointments.advance(booked.id, on: .callEnded, in: $0) }
    #expect(done.status == .done)
    #expect(try await app.database.read { try app.appointments.current(for: "c1", in: $0) } == nil)
    #expect(try await app.database.read { try app.appointments.latest(for: "c1", in: $0) } == done)
    // After a failed call the next appointment starts its own count.
    #expect(try await app.book("2026-11-22T06:00:00Z", for: "c1", roster: roster).reschedules == 0)
  }

  @Test("a call that never began is missed a quarter of an hour after its end, swept or not, and frees the customer")
  func missed() async throws {
    let app = try await app()
    let swept = try await app.book("2026-11-22T05:00:00Z", for: "c1", roster: roster)
    let unswept = try await app.book("2026-11-22T05:15:00Z", for: "c2", roster: roster)
    func sweep() async throws -> [Appointment.ID] {
      try await app.database.write { try app.appointments.sweep(in: $0).missed.map(\.id) }
    }
    app.clock.set("2026-11-22T05:30:00Z")
    #expect(try await sweep().isEmpty)
    app.clock.set("2026-11-22T05:30:01Z")
    #expect(try await sweep() == [swept.id])
    #expect(try await sweep().isEmpty)
    #expect(try await app.database.read { try app.appointments.find(swept.id, in: $0)?.status } == .noShow)
    app.clock.set("2026-11-22T06:00:00Z")
    let again = try await app.book("2026-11-22T08:00:00Z", for: "c2", roster: roster)
    #expect(again.reschedules == 0)
    #expect(again.replaces == nil)
    #expect(try await app.database.read { try app.appointments.find(unswept.id, in: $0)?.status } == .noShow)
  }

  @Test("a customer has one live call for each reason, and each is moved and called off by itself")
  func reasons() async throws {
    let app = try await app()
    let verification = try await app.book("2026-11-22T05:00:00Z", for: "c1", roster: roster)
    let help = try await app.book("2026-11-22T05:15:00Z", for: "c1", reason: .help, roster: roster)
    let moved = try await app.book("2026-11-22T05:30:00Z", for: "c1", reason: .help, roster: roster)
    #expect(moved.replaces == help.id && moved.reschedules == 1)
    let live = try await app.database.read { tx in
      try Appointment.Reason.allCases.map { try app.appointments.current(for: "c1", reason: $0, in: tx)?.id }
    }
    #expect(live == [verification.id, moved.id])
    let off = try await app.database.write { try app.appointments.cancelCurrent(for: "c1", reason: .help, in: $0) }
    #expect(off.id == moved.id)
    #expect(try await app.database.read { try app.appointments.current(for: "c1", in: $0) } == verification)
  }

  @Test("a live call for help from before this version goes on as the call of the verification")
  func upgraded() async throws {
    let store = try await TestDatabase.make(.current, [Appointments.migrations[0]])
    for (id, reason, status) in [("a1", "help", "SCHEDULED"), ("a2", "help", "DONE")] {
      _ = try await store.database.write {
        try $0.execute(
          """
          INSERT INTO appointment (id, customer_id, agent_id, call_time, reason, status, created_at)
          VALUES (\(id), 'c1', 'amal', 0, \(reason), \(status), 0)
          """)
      }
    }
    try await store.database.migrate(Appointments.migrations)
    let reasons = try await store.database.read {
      try $0.query("SELECT reason FROM appointment ORDER BY id").map { try $0.get("reason", as: String.self) }
    }
    #expect(reasons == ["verification", "help"])
  }

  @Test("every status and event is a row of the table or a refusal", arguments: Appointment.Status.allCases)
  func lifecycle(status: Appointment.Status) {
    let final: Set<Appointment.Status> = [.done, .noShow, .cancelled]
    let allowed = Appointment.Event.allCases.filter { Appointment.lifecycle.allows($0, from: status) }
    #expect(allowed.isEmpty == final.contains(status))
  }

  @Test("leave is kept, found by overlap and taken back")
  func leave() async throws {
    let app = try await app()
    let leave = AgentLeave(
      id: .init(rawValue: "l1"), agentID: "amal",
      time: Wall.instant("2026-11-22T00:00:00Z")..<Wall.instant("2026-11-23T00:00:00Z"))
    try await app.database.write { try AgentLeaveStore($0).insert(leave) }
    func overlapping(_ from: String, _ until: String) async throws -> [AgentLeave] {
      try await app.database.read { try AgentLeaveStore($0).overlapping(Wall.instant(from)..<Wall.instant(until)) }
    }
    #expect(try await overlapping("2026-11-22T23:59:00Z", "2026-11-25T00:00:00Z") == [leave])
    #expect(try await overlapping("2026-11-23T00:00:00Z", "2026-11-25T00:00:00Z").isEmpty)
    #expect(try await overlapping("2026-11-21T00:00:00Z", "2026-11-22T00:00:00Z").isEmpty)
    let away = AgentRoster(
      agents: [.amal], leave: try await overlapping("2026-11-21T00:00:00Z", "2026-12-21T00:00:00Z"))
    #expect(try await problem { try await app.book("2026-11-22T05:00:00Z", for: "c1", roster: away) } == "slot-taken")
    #expect(try await app.database.write { try AgentLeaveStore($0).delete(leave.id) })
    #expect(try await app.database.write { try AgentLeaveStore($0).delete(leave.id) } == false)
  }
}
