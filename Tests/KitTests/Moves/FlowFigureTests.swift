// SPDX-License-Identifier: Apache-2.0

import Storage
import TestSupport
import Testing

@testable import Kit

@Suite("Moves: the figures of flows")
struct FlowFigureTests {
  private struct Book {
    let made: TestDatabase
    let clock = TestWorld()
    let figures: FlowFigures

    init(_ engine: Engine) async throws {
      made = try await TestDatabase.make(engine, [FlowFigureStore.migration, FlowFigureStore.tenantMigration])
      figures = FlowFigures(database: made.database, world: clock.world, flows: ["parcel", "letter"])
    }

    /// One move of a flow, in a transaction of its own.
    func move(
      _ story: String?, _ from: String, _ event: String, _ to: String, flow: String = "parcel", isLast: Bool = false,
      tenant: String? = nil
    ) async throws {
      let move = FlowMove(
        flow: flow, from: from, event: event, to: to, story: story, isLast: isLast, tenant: tenant)
      try await made.database.write { [figures] in try figures.note(move, in: $0) }
    }

    /// As one line a row.
    func lines(days: Int = 30, of tenant: String? = nil) async throws -> [String] {
      try await figures.rows(of: FlowFigures.days(ending: clock.now, count: days), tenant: tenant).map {
        "\($0.flow) \($0.from) \($0.event) \($0.to)\($0.isLast ? " last" : "") \($0.moves) \($0.timed) "
          + "\($0.time.wholeSeconds)"
      }
    }

    func count(_ table: String) async throws -> Int {
      try await made.database.read { tx in
        let isMove = table == "flow_move"
        let moves: Int? = try tx.first("SELECT COUNT(*) AS n FROM flow_move")?.get("n")
        let places: Int? = try tx.first("SELECT COUNT(*) AS n FROM flow_place")?.get("n")
        return (isMove ? moves : places) ?? 0
      }
    }
  }

  @Test(
    "moves are added up by row of the table, with the time in the step before where it is known",
    arguments: Engine.available)
  func adding(engine: Engine) async throws {
    let book = try await Book(engine)
    try await book.move("one", "packed", "handedOver", "sent")
    book.clock.advance(by: .seconds(60))
    try await book.move("two", "packed", "handedOver", "sent")
    try await book.figures.addUp()
    book.clock.advance(by: .seconds(40))
    try await book.move("one", "sent", "asked", "sent")
    try await book.move("one", "sent", "came", "there", isLast: true)
    try await book.move("two", "sent", "missed", "lost", isLast: true)
    try await book.move(nil, "sent", "missed", "lost", isLast: true)
    // A flow that is not counted.
    try await book.move("one", "a", "b", "c", flow: "case")
    try await book.figures.addUp()
    let expected = [
      "parcel packed handedOver sent 2 0 0", "parcel sent asked sent 1 1 100", "parcel sent came there last 1 1 100",
      "parcel sent missed lost last 2 1 40",
    ]
    #expect(try await book.lines() == expected)
    // Nothing waits, no id is kept of what has ended, and nothing is counted twice.
    try await book.figures.addUp()
    #expect(try await book.lines() == expected)
    let left = try await (book.count("flow_move"), book.count("flow_place"))
    #expect(left.0 == 0 && left.1 == 0)
  }

  @Test(
    "a day's figures are those of the day, and old ones and what stands still are deleted",
    arguments: Engine.available)
  func days(engine: Engine) async throws {
    let book = try await Book(engine)
    try await book.move("one", "packed", "handedOver", "sent")
    book.clock.advance(by: .days(7))
    try await book.move("two", "packed", "handedOver", "sent")
    try await book.figures.addUp()
    #expect(try await book.lines(days: 7) == ["parcel packed handedOver sent 1 0 0"])
    #expect(try await book.lines(days: 8) == ["parcel packed handedOver sent 2 0 0"])
    #expect(try await book.figures.recent().map(\.moves) == [2])
    book.clock.advance(by: FlowFigures.lifetime - .days(6))
    let swept = try await book.made.database.write { [figures = book.figures] in
      try figures.sweep(limit: 100, in: $0)
    }
    #expect(swept == 2)
    #expect(try await book.lines(days: 800) == ["parcel packed handedOver sent 1 0 0"])
    #expect(try await book.count("flow_place") == 1)
  }

  @Test("the figures of an institution are its own, and those of all hold them", arguments: Engine.available)
  func tenants(engine: Engine) async throws {
    let book = try await Book(engine)
    for (story, tenant) in [("1", "bank"), ("2", "bank"), ("3", "other"), ("4", nil)] {
      try await book.move(story, "packed", "sent", "away", tenant: tenant)
      book.clock.advance(by: .seconds(10))
      try await book.move(story, "away", "arrived", "home", isLast: true, tenant: tenant)
      try await book.figures.addUp()
    }
    #expect(try await book.lines() == ["parcel away arrived home last 4 4 40", "parcel packed sent away 4 0 0"])
    #expect(
      try await book.lines(of: "bank") == ["parcel away arrived home last 2 2 20", "parcel packed sent away 2 0 0"])
    #expect(try await book.lines(of: "nowhere").isEmpty)
    #expect(
      try await book.figures.tenants(of: FlowFigures.days(ending: book.clock.now, count: 7)) == ["bank", "other"])
  }

  @Test(
    "many moves are added up in batches, and a move that is rolled back counts nothing", arguments: Engine.available)
  func batches(engine: Engine) async throws {
    struct Undone: Error {}
    let book = try await Book(engine)
    let figures = book.figures
    let count = FlowFigures.batchMax + 20
    try await book.made.database.write { tx in
      for number in 0..<count {
        let move = FlowMove(
          flow: "letter", from: "written", event: "sent", to: "away", story: "\(number)", isLast: false)
        try figures.note(move, in: tx)
      }
    }
    await #expect(throws: Undone.self) {
      try await book.made.database.write { tx in
        try figures.note(
          FlowMove(flow: "letter", from: "written", event: "sent", to: "away", story: "x", isLast: false), in: tx)
        throw Undone()
      }
    }
    try await figures.addUp()
    #expect(try await book.lines() == ["letter written sent away \(count) 0 0"])
    #expect(try await book.count("flow_place") == count)
  }
}
