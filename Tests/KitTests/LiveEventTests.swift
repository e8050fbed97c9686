// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage
import Testing
import TestSupport

@testable import Kit

@Suite("Kit: live events", .timeLimit(.minutes(1)))
struct LiveEventTests {
  private struct Undone: Error {}

  @Test(
    "events of a topic are numbered from one, apart from other topics, and read in order", arguments: Engine.available)
  func ordered(engine: Engine) async throws {
    let app = try await LiveTestApp(engine)
    #expect(try await app.publish("a", "b", "c", to: "one") == [1, 2, 3])
    #expect(try await app.publish("x", to: "two") == [1])
    let read = try await app.read("one", after: nil, count: 3)
    #expect(read.map(\.kind) == ["a", "b", "c"])
    #expect(read.map(\.sequence) == [1, 2, 3])
    #expect(read.allSatisfy { $0.topic == "one" && $0.publishedAt == app.clock.now })
    #expect(try await app.read("one", after: 2, count: 1).map(\.kind) == ["c"])
    #expect(try await app.read("two", after: 0, count: 1).map(\.payload) == [Data("x".utf8)])
  }

  @Test(
    "an event of a transaction that rolls back never was, and its number is given again", arguments: Engine.available)
  func undone(engine: Engine) async throws {
    let app = try await LiveTestApp(engine)
    try? await app.database.write { [events = app.events] tx in
      try events.publish("undone", to: "t", in: tx)
      throw Undone()
    }
    #expect(try await app.publish("done", to: "t") == [1])
    #expect(try await app.read("t", after: nil, count: 1).map(\.kind) == ["done"])
  }

  @Test("a reader that has seen everything is woken by the next event", arguments: Engine.available)
  func woken(engine: Engine) async throws {
    // There is no poll within the test's time.
    let app = try await LiveTestApp(engine, pollInterval: .minutes(10))
    try await app.publish("first", to: "t")
    let seen = Notifier()
    // On PostgreSQL the reader is on another node.
    let events = engine == .postgres ? app.node(try app.made.reopened()) : app.events
    let reading = Task {
      var kinds: [String] = []
      for try await case .event(let event) in events.subscribe("t", after: nil) {
        kinds.append(event.kind)
        seen.notify()
        if kinds.count == 4 { break }
      }
      return kinds
    }
    for kind in ["second", "third", "fourth"] {
      await seen.wait()
      try await app.publish(kind, to: "t")
    }
    #expect(try await reading.value == ["first", "second", "third", "fourth"])
  }

  @Test("where a transaction is several trips, a reader who has seen everything asks one question")
  func oneTrip() async throws {
    let app = try await LiveTestApp(.sqlite)
    let far = DistantDatabase(app.database)
    let events = app.node(far)
    for topic in ["never had one", "t"] {
      if topic == "t" { try await app.publish("a", "b", to: topic) }
      let last = try await events.page(topic, after: topic == "t" ? 1 : nil).position
      let reads = far.reads.count
      #expect(try await events.page(topic, after: last).page == .events([]))
      #expect(far.reads.count == reads)
    }
    #expect(try await events.page("t", after: 1).page != .events([]))
    // Ahead of the topic, as after a restore: not the same as up to date.
    #expect(try await events.page("t", after: 3).page == .expired)
    #expect(LiveEvents(database: far, world: app.clock.world).pollInterval == .seconds(10))
    #expect(LiveEvents(database: app.database, world: app.clock.world).pollInterval == .seconds(2))
  }

  @Test("a topic may be followed before it has an event", arguments: Engine.available)
  func early(engine: Engine) async throws {
    let app = try await LiveTestApp(engine)
    let events = app.events
    async let first = events.wait("t", after: nil, atMost: .seconds(50))
    async let second = events.wait("t", after: 0, atMost: .seconds(50))
    try await app.publish("a", to: "t")
    for page in [try await first, try await second] {
      guard case .events(let found) = page else {
        Issue.record("expired")
        continue
      }
      #expect(found.map(\.sequence) == [1])
    }
  }

  @Test("a reader who waits for events gets none when the time is over", arguments: Engine.available)
  func quiet(engine: Engine) async throws {
    let app = try await LiveTestApp(engine)
    try await app.publish("a", to: "t")
    #expect(try await app.events.wait("t", after: 1, atMost: .milliseconds(5)) == .events([]))
  }

  @Test("a cancelled reader's sequence ends", arguments: Engine.available)
  func cancelled(engine: Engine) async throws {
    let app = try await LiveTestApp(engine)
    try await app.publish("a", to: "t")
    let (events, seen) = (app.events, Notifier())
    let reading = Task {
      var count = 0
      for try await _ in events.subscribe("t", after: nil) {
        count += 1
        seen.notify()
      }
      return count
    }
    await seen.wait()
    reading.cancel()
    #expect(try await reading.value == 1)
  }

  @Test("a long topic is read page by page", arguments: Engine.available)
  func paged(engine: Engine) async throws {
    let app = try await LiveTestApp(engine)
    let count = LiveEvents.pageMax * 2 + 7
    try await app.database.write { [events = app.events] tx in
      for index in 0..<count { try events.publish("\(index)", to: "t", in: tx) }
    }
    let read = try await app.read("t", after: nil, count: count)
    #expect(read.map(\.sequence) == Array(1...Int64(count)))
    let page = try await app.events.page("t", after: 3)
    #expect(page.position == Int64(LiveEvents.pageMax) + 3)
  }

  @Test("the position that is read with a state is where to follow on from it", arguments: Engine.available)
  func position(engine: Engine) async throws {
    let app = try await LiveTestApp(engine)
    let events = app.events
    func position() async throws -> Int64 { try await app.database.read { try events.position(of: "t", in: $0) } }
    #expect(try await position() == 0)
    try await app.publish("a", "b", to: "t")
    #expect(try await position() == 2)
  }

  @Test("old events go, numbers go on, and who asks for what is gone is told so", arguments: Engine.available)
  func swept(engine: Engine) async throws {
    let app = try await LiveTestApp(engine)
    try await app.publish("a", "b", to: "t")
    try await app.publish("elsewhere", to: "u")
    app.clock.advance(by: LiveEvents.lifetime)
    #expect(try await app.events.sweep() == 0)
    try await app.publish("c", to: "t")
    app.clock.advance(by: .milliseconds(1))
    #expect(try await app.events.sweep() == 2)
    #expect(try await app.events.sweep() == 0)

    for gone in [Int64(0), 1] {
      var reader = app.events.subscribe("t", after: gone).makeAsyncIterator()
      #expect(try await reader.next() == .expired)
      #expect(try await reader.next() == nil)
      #expect(try await app.events.wait("t", after: gone, atMost: .seconds(50)) == .expired)
    }
    #expect(try await app.read("t", after: 2, count: 1).map(\.kind) == ["c"])
    // Without a position one begins with what is kept.
    #expect(try await app.read("t", after: nil, count: 1).map(\.kind) == ["c"])
    #expect(try await app.publish("d", to: "u") == [2])
    #expect(try await app.read("u", after: 1, count: 1).map(\.kind) == ["d"])
  }

  @Test("a topic that was swept empty can be followed without a position", arguments: Engine.available)
  func sweptEmpty(engine: Engine) async throws {
    let app = try await LiveTestApp(engine)
    try await app.publish("a", to: "t")
    app.clock.advance(by: LiveEvents.lifetime + .milliseconds(1))
    try await app.events.sweep()
    async let next = app.read("t", after: nil, count: 1)
    try await app.publish("b", to: "t")
    #expect(try await next.map(\.sequence) == [2])
  }

  @Test("a reader that falls behind the sweep is told so", arguments: Engine.available)
  func overtaken(engine: Engine) async throws {
    let app = try await LiveTestApp(engine)
    try await app.publish("a", to: "t")
    var reader = app.events.subscribe("t", after: nil).makeAsyncIterator()
    guard case .event = try await reader.next() else {
      Issue.record("no event")
      return
    }
    try await app.publish("b", to: "t")
    app.clock.advance(by: LiveEvents.lifetime + .milliseconds(1))
    try await app.events.sweep()
    #expect(try await reader.next() == .expired)
  }

  @Test(
    "of a forgotten topic nothing is left, who had seen all of it follows on, and who had not is told so",
    arguments: Engine.available)
  func forgotten(engine: Engine) async throws {
    let app = try await LiveTestApp(engine)
    let events = app.events
    func position(_ topic: String) async throws -> Int64 {
      try await app.database.read { try events.position(of: topic, in: $0) }
    }
    try await app.publish("a", "b", "c", to: "t")
    try await app.publish("x", to: "short")
    async let waiting = events.wait("t", after: 3, atMost: .seconds(50))
    for topic in ["t", "short", "never there"] {
      try await app.database.write { try events.forget(topic, in: $0) }
    }
    #expect(try await app.rows() == [0, 0])
    #expect(try await position("t") == 3)
    #expect(try await app.publish("d", to: "t") == [4])
    guard case .events(let found) = try await waiting else {
      Issue.record("a reader who had seen everything missed nothing")
      return
    }
    #expect(found.map(\.kind) == ["d"])
    for gone in [Int64(0), 1, 2] {
      #expect(try await events.wait("t", after: gone, atMost: .seconds(50)) == .expired)
    }
    #expect(try await app.read("t", after: nil, count: 1).map(\.kind) == ["d"])
    // A number that was given in the topic before is not given again in the one that follows it.
    #expect(try await app.publish("y", to: "short") == [4])
    #expect(try await events.wait("short", after: 1, atMost: .seconds(50)) == .expired)
  }

  @Test("a forgetting that is undone leaves the topic as it was", arguments: Engine.available)
  func notForgotten(engine: Engine) async throws {
    let app = try await LiveTestApp(engine)
    try await app.publish("a", to: "t")
    try? await app.database.write { [events = app.events] tx in
      try events.forget("t", in: tx)
      throw Undone()
    }
    #expect(try await app.publish("b", to: "t") == [2])
    #expect(try await app.read("t", after: 0, count: 2).map(\.kind) == ["a", "b"])
  }

  @Test(
    "the sweep leaves nothing of a topic that is over, and its numbers are not given again", arguments: Engine.available
  )
  func sweptAway(engine: Engine) async throws {
    let app = try await LiveTestApp(engine)
    try await app.publish("a", "b", to: "t")
    try await app.publish("c", to: "u")
    app.clock.advance(by: LiveEvents.lifetime)
    try await app.publish("young", to: "u")
    app.clock.advance(by: .milliseconds(1))
    #expect(try await app.events.sweep() == 2)
    #expect(try await app.rows() == [1, 1])
    #expect(try await app.publish("d", to: "t") == [3])
    #expect(try await app.read("u", after: 1, count: 1).map(\.kind) == ["young"])
  }

  @Test("a position that the topic has not reached is not believed", arguments: Engine.available)
  func future(engine: Engine) async throws {
    let app = try await LiveTestApp(engine)
    try await app.publish("a", to: "t")
    for position in [Int64(2), .max, -1] {
      #expect(try await app.events.wait("t", after: position, atMost: .seconds(50)) == .expired)
    }
  }
}
