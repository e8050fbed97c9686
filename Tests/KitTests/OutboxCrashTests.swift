// SPDX-License-Identifier: Apache-2.0

import Storage
import Testing
import TestSupport

@testable import Kit

@Suite("Kit: the outbox when a worker dies", .timeLimit(.minutes(1)))
struct OutboxCrashTests {
  private let pace = OutboxPace()

  @Test(
    "while a lease may be alive no other worker takes the row; when it was not extended for its lifetime, one does",
    arguments: Engine.available)
  func lapsed(engine: Engine) async throws {
    let app = try await OutboxTestApp(engine)
    try await app.enqueue("a")
    #expect(try await app.lease(by: "dead").map(\.subject) == ["a"])
    let worker = app.worker()
    #expect(try await worker.runDue() == 0)
    for _ in 0..<pace.leaseLifetime.wholeSeconds {
      #expect(try await worker.runDue() == 0)
      app.clock.advance(by: .seconds(1))
    }
    #expect(try await worker.runDue() == 1)
    #expect(app.effects.attempts == [1])
  }

  @Test("a lease that moves is alive, whatever the clocks of the two nodes say", arguments: Engine.available)
  func skewed(engine: Engine) async throws {
    let app = try await OutboxTestApp(engine)
    try await app.enqueue("a")
    let item = try #require(try await app.lease(by: "slow clock").first)
    let worker = app.worker()
    for beat in 0..<20 {
      let extended = try await app.database.write { [then = app.clock.now - .hours(3)] tx in
        try OutboxStore(tx).extend(item, by: "slow clock", until: then)
      }
      #expect(extended)
      #expect(try await worker.runDue() == 0, "after \(beat) beats")
      app.clock.advance(by: pace.beat)
    }
    #expect(app.effects.subjects.isEmpty)
  }

  @Test("a worker that could not look for a while takes nothing over at its first look", arguments: Engine.available)
  func outage(engine: Engine) async throws {
    let app = try await OutboxTestApp(engine)
    try await app.enqueue("a")
    _ = try await app.lease(by: "cut off")
    let worker = app.worker()
    #expect(try await worker.runDue() == 0)
    app.clock.advance(by: .minutes(10))
    #expect(try await worker.runDue() == 0)
  }

  @Test("a crash after the effect and before its row is deleted repeats the effect", arguments: Engine.available)
  func repeated(engine: Engine) async throws {
    let app = try await OutboxTestApp(engine)
    try await app.enqueue("a")
    let item = try #require(try await app.lease(by: "dead").first)
    // The effect of the worker that then died, before it could finish the row.
    app.effects.begin(item)
    try await outlive(app, app.worker())
    #expect(app.effects.subjects == ["a", "a"])
    #expect(app.effects.attempts == [0, 1])
    #expect(try await app.pending().isEmpty)
  }

  @Test(
    "a worker that lost its lease can no longer extend, finish, retry or dead-letter the row",
    arguments: Engine.available)
  func lost(engine: Engine) async throws {
    let app = try await OutboxTestApp(engine)
    try await app.enqueue("a")
    let item = try #require(try await app.lease(by: "slow").first)
    let lease = try #require(try await app.leases().first)
    let now = app.clock.now
    let outcomes = try await app.database.write { tx in
      let store = OutboxStore(tx)
      // The same name, too: a lease is one attempt, not one worker.
      let taken = try #require(try store.takeOver(lease, by: "slow", until: now + .seconds(1), now: now))
      return [
        try store.takeOver(lease, by: "late", until: now, now: now) != nil,
        try store.extend(item, by: "slow", until: now),
        try store.retry(item, by: "slow", dueAt: now), try store.deadLetter(item, by: "slow", reason: "late"),
        try store.finish(item, by: "slow"), try store.finish(taken, by: "fast"), try store.finish(taken, by: "slow"),
      ]
    }
    #expect(outcomes == [false, false, false, false, false, false, true])
    #expect(try await app.deadLetters().isEmpty)
  }

  @Test(
    "an effect whose every attempt kills its worker becomes a dead letter, not begun without end",
    arguments: Engine.available)
  func deadly(engine: Engine) async throws {
    let app = try await OutboxTestApp(engine)
    try await app.enqueue("deadly")
    _ = try await app.lease(by: "victim")
    for attempt in 1..<OutboxWorker.takeoversMax {
      let lease = try #require(try await app.leases().first)
      let now = app.clock.now
      let taken = try await app.database.write { tx in
        try OutboxStore(tx).takeOver(lease, by: "victim \(attempt)", until: now, now: now)
      }
      #expect(taken?.attempts == attempt)
    }
    try await outlive(app, app.worker())
    #expect(app.effects.subjects.isEmpty)
    #expect(try await app.deadLetters() == ["deadly: AttemptsSpent"])
  }

  @Test(
    "deaths in a row are counted: one attempt that is heard to end, and they are forgotten", arguments: Engine.available
  )
  func deathsInARow(engine: Engine) async throws {
    let app = try await OutboxTestApp(engine)
    for end in ["failed", "given back"] {
      try await app.enqueue(end)
      _ = try await app.lease(by: "victim")
      let lease = try #require(try await app.leases().first)
      let now = app.clock.now
      let after = try await app.database.write { tx in
        let store = OutboxStore(tx)
        let item = try #require(try store.takeOver(lease, by: "heir", until: now, now: now))
        #expect(item.takeovers == 1)
        if end == "failed" {
          try store.retry(item, by: "heir", dueAt: now + .hours(1))
        } else {
          try store.giveBack(item, by: "heir", dueAt: now)
        }
        return try store.pending().first { $0.subject == end }?.takeovers
      }
      #expect(after == 0)
    }
  }

  @Test("of workers that all see a dead lease, one gets the row", arguments: Engine.available)
  func racingTakeover(engine: Engine) async throws {
    let app = try await OutboxTestApp(engine)
    try await app.enqueue("a")
    _ = try await app.lease(by: "dead")
    let second = try app.made.reopened()
    let workers = (0..<8).map { app.worker(on: $0.isMultiple(of: 2) ? app.database : second) }
    var begun = 0
    for _ in 0...(pace.leaseLifetime.wholeSeconds / 5) {
      begun += try await withThrowingTaskGroup(of: Int.self) { group in
        for worker in workers { group.addTask { try await worker.runDue() } }
        return try await group.reduce(0, +)
      }
      app.clock.advance(by: .seconds(5))
    }
    #expect(begun == 1)
    try second.close()
  }

  @Test("a living worker takes over from a dead one in little more than a lease", arguments: Engine.available)
  func live(engine: Engine) async throws {
    let app = try await OutboxTestApp(engine, isLive: true)
    try await app.enqueue("a")
    _ = try await app.lease(by: "dead")
    var pace = OutboxPace()
    (pace.leaseLifetime, pace.pollInterval) = (.milliseconds(300), .milliseconds(50))
    let done = Notifier()
    try await app.run(app.worker(pace: pace) { _ in done.notify() }) { await done.wait() }
    #expect(app.effects.attempts == [1])
  }

  /// Runs a worker for as long as it takes to be sure that a lease is dead.
  private func outlive(_ app: OutboxTestApp, _ worker: OutboxWorker) async throws {
    for _ in 0...(pace.leaseLifetime.wholeSeconds / 5) {
      try await worker.runDue()
      app.clock.advance(by: .seconds(5))
    }
  }
}
