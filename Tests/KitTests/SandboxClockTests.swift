// SPDX-License-Identifier: Apache-2.0

import Storage
import Testing
import TestSupport

@testable import Kit

@Suite("Kit: the clock of a sandbox")
struct SandboxClockTests {
  private static let schema = [SandboxClockStore.migration, SandboxClockStore.customersMigration]

  @Test(
    "it goes ahead of the machine for every process with its store, and the machine's time stays",
    arguments: Engine.available)
  func advance(engine: Engine) async throws {
    let (store, machine) = (try await TestDatabase.make(engine, Self.schema), TestWorld())
    let (clock, other) = (SandboxClock(), SandboxClock())
    let (world, neighbour) = (clock.world(over: machine.world), other.world(over: machine.world))
    try await clock.refresh(from: store.database)
    #expect(world.now() == machine.now)

    for days in [91, 1] { try await clock.advance(by: .days(days), in: store.database) }
    #expect(world.now() == machine.now + .days(92))
    #expect(world.wall() == machine.now && world.machine.now() == machine.now)
    #expect(neighbour.now() == machine.now, "it was not told yet")
    try await other.refresh(from: store.database)
    #expect(neighbour.now() == world.now())
    machine.advance(by: .hours(1))
    #expect(neighbour.now() == machine.now + .days(92))
  }

  @Test("who does not know how far it is ahead cannot move it, and what is written with a move goes with it")
  func race() async throws {
    let store = try await TestDatabase.make(.current, Self.schema)
    let (first, second) = (SandboxClock(), SandboxClock())
    try await first.advance(by: .days(1), in: store.database)
    for _ in 1...2 {
      let problem = await #expect(throws: Problem.self) {
        try await second.advance(by: .days(1), in: store.database)
      }
      #expect(problem?.code == "clock-moved")
      try await first.advance(by: .days(1), in: store.database)
    }
    #expect(second.lead == .zero)
    struct Unwritten: Error {}
    await #expect(throws: Unwritten.self) {
      try await first.advance(by: .days(1), in: store.database) { _ in throw Unwritten() }
    }
    #expect(first.lead == .days(3))
    #expect(try await store.database.read { try SandboxClockStore($0).lead() } == .days(3))
  }

  @Test(
    "the clock of a store with customers never moves, and a store that was moved gets none",
    arguments: Engine.available)
  func customers(engine: Engine) async throws {
    for isMoved in [false, true] {
      let (database, clock) = (try await TestDatabase.make(engine, Self.schema), SandboxClock())
      if isMoved { try await clock.advance(by: .days(1), in: database.database) }
      for _ in 1...2 {
        #expect(try await database.database.write { try SandboxClockStore($0).keepForCustomers() } == !isMoved)
        #expect(try await database.database.read { try SandboxClockStore($0).hasCustomers() } == !isMoved)
      }
      guard !isMoved else { continue }
      // Also in a process that was there before.
      let problem = await #expect(throws: Problem.self) { try await clock.advance(by: .days(1), in: database.database) }
      #expect(problem?.category == .notFound && clock.lead == .zero)
      #expect(try await database.database.read { try SandboxClockStore($0).lead() } == .zero)
    }
  }

  @Test("what was read before a move does not take it back, and one journey goes on at a time")
  func order() async throws {
    let store = try await TestDatabase.make(.current, Self.schema)
    let (clock, before) = (SandboxClock(), try await TestDatabase.make(.current, Self.schema))
    try await clock.advance(by: .days(2), in: store.database)
    try await clock.refresh(from: before.database)
    #expect(clock.lead == .days(2))
    let problem = await #expect(throws: Problem.self) {
      try await clock.advance(by: .days(1), from: .days(1), in: store.database)
    }
    #expect(problem?.code == "clock-moved")

    try await clock.alone {
      let second = await #expect(throws: Problem.self) { try await clock.alone {} }
      #expect(second?.code == "clock-moved")
    }
    #expect(try await clock.alone { 7 } == 7)
  }

  @Test(
    "a span is a number and a unit",
    arguments: [
      ("45s", Duration.seconds(45)), ("90m", .minutes(90)), ("36h", .hours(36)), ("91d", .days(91)), ("2w", .days(14)),
      ("400d", .days(400)), ("401d", nil), ("999999999w", nil), ("0d", nil), ("", nil), ("d", nil), ("91", nil),
      ("91 d", nil), ("-1d", nil), ("1.5d", nil), ("1d ", nil), ("1D", nil), ("٩١d", nil), ("9999999999d", nil),
    ] as [(String, Duration?)])
  func spelled(text: String, duration: Duration?) {
    #expect(Duration(spelled: text, atMost: .days(400)) == duration)
  }
}
