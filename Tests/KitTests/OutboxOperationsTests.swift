// SPDX-License-Identifier: Apache-2.0

import Storage
import Testing
import TestSupport

@testable import Kit

@Suite("Kit: what an operator sees of the outbox", .timeLimit(.minutes(1)))
struct OutboxOperationsTests {
  private struct Hopeless: FinalFailure {}
  private struct Unwell: Error {}

  @Test("dead letters are listed with topic, subject, attempts, age and reason", arguments: Engine.available)
  func listed(engine: Engine) async throws {
    let app = try await deadLetters(engine, ["a", "b", "c"])
    let all = try await app.database.read { try OutboxStore($0).deadLetters(limit: 2) }
    #expect(all.map(\.subject) == ["a", "b"])
    #expect(all.map(\.reason) == ["Hopeless", "Hopeless"])
    #expect(all.map(\.attempts) == [1, 1])
    #expect(all.first.map { app.clock.now - $0.enqueuedAt } == .seconds(3))
    #expect(try await app.database.read { try OutboxStore($0).deadLetters(topic: "test.do").count } == 3)
    #expect(try await app.database.read { try OutboxStore($0).deadLetters(topic: "test.other").isEmpty })
  }

  @Test("a dead letter that an operator lets go runs again from its first attempt", arguments: Engine.available)
  func released(engine: Engine) async throws {
    let app = try await deadLetters(engine, ["a"])
    let now = app.clock.now
    let listener = SignalListener(app.database, Outbox.signal)
    let released = try await app.database.write { tx in
      let store = OutboxStore(tx)
      let id = try #require(try store.deadLetters().first).id
      return [try store.release(id, now: now), try store.release(id, now: now), try store.drop(id)]
    }
    #expect(released == [true, false, false])
    await listener.notifier.wait()
    try await app.worker().runDue()
    #expect(app.effects.attempts == [0, 0])
    #expect(try await app.deadLetters().isEmpty)
  }

  @Test("a dead letter that an operator drops is gone", arguments: Engine.available)
  func dropped(engine: Engine) async throws {
    let app = try await deadLetters(engine, ["a", "b"])
    let now = app.clock.now
    let dropped = try await app.database.write { tx in
      let store = OutboxStore(tx)
      let id = try #require(try store.deadLetters().first).id
      return [try store.drop(id), try store.drop(id), try store.release(id, now: now)]
    }
    #expect(dropped == [true, false, false])
    #expect(try await app.deadLetters() == ["b: Hopeless"])
  }

  @Test("the gauges tell what is due, how late, in hand, and dead letters by topic", arguments: Engine.available)
  func standing(engine: Engine) async throws {
    let app = try await deadLetters(engine, ["a", "b"])
    let none = try await app.database.read { [now = app.clock.now] in try OutboxStore($0).gauge(now: now) }
    #expect(
      none.count(.due) == 0 && none.lag == .zero && none.count(.leased) == 0 && none.deadLetters == ["test.do": 2])

    try await app.enqueue("failing")
    try await app.worker { _ in throw Unwell() }.runDue()
    let failing = try await app.database.read { [now = app.clock.now] in try OutboxStore($0).gauge(now: now) }
    #expect(failing.count(.failing) == 1 && failing.count(.due) == 0 && failing.lag == .zero)
    try await app.enqueue("in hand")
    _ = try await app.lease(by: "somebody")
    try await app.enqueue("due")
    app.clock.advance(by: .seconds(7))
    try await app.enqueue("due since now")
    try await app.enqueue("later", dueAt: app.clock.now + .seconds(1))
    let gauge = try await app.database.read { [now = app.clock.now] in try OutboxStore($0).gauge(now: now) }
    #expect(gauge.count(.due) == 2 && gauge.lag == .seconds(7) && gauge.count(.leased) == 1)
    #expect(gauge.count(.failing) == 1 && gauge.failing == ["test.do": .seconds(7)])
    // Also while it is tried once more.
    let again = try await app.lease(by: "somebody")
    #expect(again.map(\.subject).contains("failing"))
    let trying = try await app.database.read { [now = app.clock.now] in try OutboxStore($0).gauge(now: now) }
    #expect(trying.count(.failing) == 0 && trying.failing == ["test.do": .seconds(7)])
    #expect(gauge.deadLetters == ["test.do": 2])
  }

  @Test(
    "effects are unattended when no worker has any of their topic in hand, not when a worker is slow",
    arguments: Engine.available)
  func idle(engine: Engine) async throws {
    let app = try await OutboxTestApp(engine)
    func idleLag(_ topics: String...) async throws -> Duration {
      try await app.database.read { [now = app.clock.now] in try OutboxStore($0).idleLag(now: now, of: topics) }
    }
    for subject in ["a", "b"] { try await app.enqueue(subject) }
    try await app.enqueue("newer", topic: "test.new")
    app.clock.advance(by: .minutes(10))
    #expect(try await idleLag("test.do") == .minutes(10))
    #expect(try await app.lease(by: "slow", limit: 1).count == 1)
    #expect(try await idleLag("test.do") == .zero)
    #expect(try await idleLag("test.do", "test.new") == .minutes(10))
    // The lease is not extended and not taken over.
    app.clock.advance(by: .minutes(3))
    #expect(try await idleLag("test.do") == .minutes(13))
  }

  @Test("subjects of a topic are told once each: owed, in hand or dead letters", arguments: Engine.available)
  func subjects(engine: Engine) async throws {
    let app = try await deadLetters(engine, ["dead"])
    func subjects(limit: Int) async throws -> Set<String> {
      try await app.database.read { try OutboxStore($0).subjects(of: "test.do", limit: limit) }
    }
    try await app.enqueue("in hand")
    _ = try await app.lease(by: "somebody")
    for subject in ["owed", "owed", "dead"] { try await app.enqueue(subject) }
    try await app.enqueue("another topic's", topic: "test.other")
    #expect(try await subjects(limit: 10) == ["dead", "in hand", "owed"])
    #expect(try await subjects(limit: 2).count == 2)
  }

  /// One effect after the other, a second apart, each beyond cure.
  private func deadLetters(_ engine: Engine, _ subjects: [String]) async throws -> OutboxTestApp {
    let app = try await OutboxTestApp(engine)
    let worker = app.worker { _ in throw Hopeless() }
    for subject in subjects {
      try await app.enqueue(subject)
      try await worker.runDue()
      app.clock.advance(by: .seconds(1))
    }
    return app
  }
}
