// SPDX-License-Identifier: Apache-2.0

import Storage
import Testing
import TestSupport

@testable import Kit

@Suite("Kit: the outbox", .timeLimit(.minutes(1)))
struct OutboxTests {
  private struct ProviderDown: Error {}
  private struct Hopeless: FinalFailure {}

  @Test("an effect is owed when its transaction commits, and not when it rolls back", arguments: Engine.available)
  func commits(engine: Engine) async throws {
    let app = try await OutboxTestApp(engine)
    try? await app.database.write { [outbox = app.outbox] tx in
      try outbox.enqueue("test.do", subject: "undone", in: tx)
      throw ProviderDown()
    }
    #expect(try await app.pending().isEmpty)
    let listener = SignalListener(app.database, Outbox.signal)
    try await app.enqueue("done")
    #expect(try await app.pending().map(\.subject) == ["done"])
    // The commit rang: this returns.
    await listener.notifier.wait()
  }

  @Test("a due effect is performed once and then no longer owed", arguments: Engine.available)
  func performed(engine: Engine) async throws {
    let app = try await OutboxTestApp(engine)
    try await app.enqueue("a")
    let worker = app.worker()
    #expect(try await worker.runDue() == 1)
    #expect(try await worker.runDue() == 0)
    #expect(app.effects.subjects == ["a"])
    #expect(try await app.pending().isEmpty)
  }

  @Test("an effect waits for the instant it is due", arguments: Engine.available)
  func due(engine: Engine) async throws {
    let app = try await OutboxTestApp(engine)
    try await app.enqueue("later", dueAt: app.clock.now + .seconds(60))
    app.clock.advance(by: .milliseconds(59_999))
    #expect(try await app.worker().runDue() == 0)
    app.clock.advance(by: .milliseconds(1))
    #expect(try await app.worker().runDue() == 1)
  }

  @Test("what is owed at once begins before what was dated a moment earlier", arguments: Engine.available)
  func atOnceFirst(engine: Engine) async throws {
    let app = try await OutboxTestApp(engine)
    try await app.enqueue("dated", dueAt: app.clock.now + .seconds(60))
    app.clock.advance(by: .seconds(61))
    try await app.enqueue("at once")
    #expect(try await app.lease(by: "one", limit: 1).map(\.subject) == ["at once"])
    #expect(try await app.lease(by: "one", limit: 1).map(\.subject) == ["dated"])
  }

  @Test("workers that run at once share the rows: each effect is performed exactly once", arguments: Engine.available)
  func exclusive(engine: Engine) async throws {
    let app = try await OutboxTestApp(engine)
    let subjects = (0..<60).map { "s\($0)" }
    for subject in subjects { try await app.enqueue(subject) }
    let second = try app.made.reopened()
    let workers = [app.worker(), app.worker(on: second), app.worker(), app.worker(on: second)]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in workers { group.addTask { while try await worker.runDue() > 0 {} } }
      try await group.waitForAll()
    }
    #expect(app.effects.subjects.sorted() == subjects.sorted())
    #expect(try await app.pending().isEmpty)
    try second.close()
  }

  @Test("one pass takes no more than its maximum", arguments: Engine.available)
  func batch(engine: Engine) async throws {
    let app = try await OutboxTestApp(engine)
    let most = OutboxPace().concurrencyMax
    for index in 0..<(most + 3) { try await app.enqueue("s\(index)") }
    #expect(try await app.worker().runDue() == most)
    #expect(try await app.worker().runDue() == 3)
  }

  @Test("a failed effect is tried again after its backoff, and not before", arguments: Engine.available)
  func retried(engine: Engine) async throws {
    let app = try await OutboxTestApp(engine)
    try await app.enqueue("a")
    let worker = app.worker { if $0.attempts < 2 { throw ProviderDown() } }
    #expect(try await worker.runDue() == 1)
    #expect(try await worker.runDue() == 0)
    app.clock.advance(by: .seconds(1))
    #expect(try await worker.runDue() == 1)
    app.clock.advance(by: .seconds(2))
    #expect(try await worker.runDue() == 1)
    #expect(app.effects.attempts == [0, 1, 2])
    #expect(try await app.pending().isEmpty)
  }

  @Test("the wait before an attempt doubles up to its maximum and is shortened by less than a quarter", .storeless)
  func backoff() {
    let world = TestWorld().world
    for attempt in 1...40 {
      let whole = min(Duration.seconds(1 << min(attempt - 1, 20)), OutboxWorker.backoffMax)
      let least = whole * 3 / 4
      for _ in 0..<50 {
        let wait = OutboxWorker.backoff(attempt: attempt, world: world)
        #expect(wait <= whole && wait > least)
      }
    }
  }

  @Test(
    "an effect that always fails is tried for a day and then dead-lettered, with the kind of error",
    arguments: Engine.available)
  func exhausted(engine: Engine) async throws {
    let app = try await OutboxTestApp(engine)
    try await app.enqueue("later", dueAt: app.clock.now + .days(2))
    app.clock.advance(by: .days(2))
    try await app.enqueue("poison")
    let worker = app.worker { _ in throw ProviderDown() }
    let rounds = OutboxWorker.patience / OutboxWorker.backoffMax
    for round in 0..<Int(rounds) {
      #expect(try await worker.runDue() == 2)
      app.clock.advance(by: OutboxWorker.backoffMax)
      #expect(try await app.deadLetters().isEmpty, "after round \(round)")
    }
    #expect(try await worker.runDue() == 2)
    #expect(try await app.deadLetters().sorted() == ["later: ProviderDown", "poison: ProviderDown"])
    #expect(try await app.pending().isEmpty)
    // Let go by an operator it has a day again.
    let now = app.clock.now
    #expect(try await app.database.write { try OutboxStore($0).releaseAll(of: "test.other", now: now) } == 0)
    #expect(try await app.database.write { try OutboxStore($0).releaseAll(of: "test.do", now: now) } == 2)
    #expect(try await app.database.read { try OutboxStore($0).lag(now: now) } == .zero)
    #expect(try await worker.runDue() == 2)
    #expect(try await app.deadLetters().isEmpty)
  }

  @Test("a failure that no repetition cures is dead-lettered at once", arguments: Engine.available)
  func final(engine: Engine) async throws {
    let app = try await OutboxTestApp(engine)
    try await app.enqueue("hopeless")
    try await app.worker { _ in throw Hopeless() }.runDue()
    #expect(try await app.deadLetters() == ["hopeless: Hopeless"])
  }

  @Test(
    "a topic that only a newer program performs is left to it, also when that one dies; orphans are given up after a day",
    arguments: Engine.available)
  func newer(engine: Engine) async throws {
    let app = try await OutboxTestApp(engine)
    let (old, new) = (app.worker(), app.worker(topics: ["test.do", "test.new"]))
    let most = OutboxPace().concurrencyMax
    for index in 0...most { try await app.enqueue("new \(index)", topic: "test.new") }
    try await app.enqueue("known")
    // The newer one dies with more of its own in hand than anybody has slots, and with one that both know.
    #expect(try await app.lease(by: "dead", of: "test.new", limit: most + 1).count == most + 1)
    #expect(try await app.lease(by: "dead").count == 1)
    var begun = 0
    for _ in 0..<6 {
      begun += try await old.runDue()
      app.clock.advance(by: .seconds(5))
    }
    #expect(begun == 1 && app.effects.subjects == ["known"])
    for _ in 0..<6 {
      begun += try await new.runDue()
      app.clock.advance(by: .seconds(5))
    }
    #expect(begun == most + 2)

    // And for good, and they are not taken over.
    try await app.enqueue("orphan", topic: "test.new")
    #expect(try await app.lease(by: "dead", of: "test.new").count == 1)

    try await app.enqueue("nobody's", topic: "test.gone")
    try await app.enqueue("later", topic: "test.gone", dueAt: app.clock.now + .days(2))
    app.clock.advance(by: OutboxWorker.patience)
    let now = app.clock.now
    try await old.deadLetterOrphans()
    #expect(try await app.deadLetters().isEmpty)
    #expect(try await app.database.read { try OutboxStore($0).lag(now: now) } == OutboxWorker.patience)
    #expect(try await app.database.read { try OutboxStore($0).idleLag(now: now, of: old.handled) } == .zero)
    app.clock.advance(by: .minutes(1))
    try await old.deadLetterOrphans()
    #expect(try await app.deadLetters().sorted() == ["nobody's: NoHandler", "orphan: NoHandler"])
    #expect(try await app.leases(of: "test.new").isEmpty)
  }

  @Test("patience begins with the first attempt, however long ago an effect was asked for", arguments: Engine.available)
  func patience(engine: Engine) async throws {
    let app = try await OutboxTestApp(engine)
    let (now, asked) = (app.clock.now, app.clock.now - .days(30))
    // As a program writes it that knows nothing of patience: one of them failed there before.
    try await app.database.write { tx in
      for (id, attempts) in [("a", 0), ("b", 3)] {
        try tx.execute(
          """
          INSERT INTO outbox (id, topic, subject, payload, attempts, enqueued_at, due_at)
          VALUES (\(id), 'test.do', \(id), '', \(attempts), \(asked), \(now))
          """)
      }
    }
    #expect(try await app.worker { _ in throw ProviderDown() }.runDue() == 2)
    #expect(try await app.deadLetters().isEmpty)
    #expect(try await app.pending().map(\.triedSince) == [now, now])
  }

  @Test(
    "what is due at once is begun at once by a node whose clock is behind, in the order in which it was asked for",
    arguments: Engine.available)
  func skewed(engine: Engine) async throws {
    let app = try await OutboxTestApp(engine)
    let behind = TestWorld()
    app.clock.advance(by: .minutes(5))
    for subject in ["c", "a", "b"] {
      try await app.enqueue(subject)
      app.clock.advance(by: .milliseconds(1))
    }
    try await app.enqueue("dated", dueAt: app.clock.now)
    var pace = OutboxPace()
    (pace.concurrencyMax, pace.topicShareMax) = (1, 1)
    let worker = app.worker(by: behind, pace: pace)
    for _ in 0..<3 { #expect(try await worker.runDue() == 1) }
    #expect(try await worker.runDue() == 0)
    #expect(app.effects.subjects == ["c", "a", "b"])
    #expect(try await app.database.read { try OutboxStore($0).lag(now: behind.now) } == .zero)
  }

  @Test("one effect's failure does not hold up the others of its pass", arguments: Engine.available)
  func independent(engine: Engine) async throws {
    let app = try await OutboxTestApp(engine)
    for subject in ["a", "bad", "c"] { try await app.enqueue(subject) }
    try await app.worker { if $0.subject == "bad" { throw ProviderDown() } }.runDue()
    #expect(try await app.pending().map(\.subject) == ["bad"])
  }
}
