import Storage
import Testing
import TestSupport

@testable import Kit

@Suite("Kit: the outbox when a worker dies", .timeLimit(.minutes(1)))
struct OutboxCrashTests {
  private let pace = OutboxPace()

  @Test(
    "while a lease may be alive nobody else takes the row; when it stood still for its life, another worker does",
    arguments: Engine.available)
  func lapsed(engine: Engine) async throws {
    let house = try await OutboxHouse(engine)
    try await house.enqueue("a")
    #expect(try await house.lease(by: "dead").map(\.subject) == ["a"])
    let worker = house.worker()
    #expect(try await worker.runDue() == 0)
    for _ in 0..<pace.leaseLifetime.wholeSeconds {
      #expect(try await worker.runDue() == 0)
      house.clock.advance(by: .seconds(1))
    }
    #expect(try await worker.runDue() == 1)
    #expect(house.effects.attempts == [1])
  }

  @Test("a lease that moves is alive, whatever the clocks of the two nodes say", arguments: Engine.available)
  func skewed(engine: Engine) async throws {
    let house = try await OutboxHouse(engine)
    try await house.enqueue("a")
    let item = try #require(try await house.lease(by: "slow clock").first)
    let worker = house.worker()
    for beat in 0..<20 {
      let extended = try await house.database.write { [then = house.clock.now - .hours(3)] tx in
        try OutboxStore(tx).extend(item, by: "slow clock", until: then)
      }
      #expect(extended)
      #expect(try await worker.runDue() == 0, "after \(beat) beats")
      house.clock.advance(by: pace.beat)
    }
    #expect(house.effects.subjects.isEmpty)
  }

  @Test("a worker that could not look for a while takes nothing over at its first look", arguments: Engine.available)
  func outage(engine: Engine) async throws {
    let house = try await OutboxHouse(engine)
    try await house.enqueue("a")
    _ = try await house.lease(by: "cut off")
    let worker = house.worker()
    #expect(try await worker.runDue() == 0)
    house.clock.advance(by: .minutes(10))
    #expect(try await worker.runDue() == 0)
  }

  @Test("a crash after the effect and before its row is deleted repeats the effect", arguments: Engine.available)
  func repeated(engine: Engine) async throws {
    let house = try await OutboxHouse(engine)
    try await house.enqueue("a")
    let item = try #require(try await house.lease(by: "dead").first)
    // The effect of the worker that then died, before it could finish the row.
    house.effects.begin(item)
    try await outlive(house, house.worker())
    #expect(house.effects.subjects == ["a", "a"])
    #expect(house.effects.attempts == [0, 1])
    #expect(try await house.pending().isEmpty)
  }

  @Test(
    "a worker that lost its lease can no longer extend, finish, retry or dead-letter the row",
    arguments: Engine.available)
  func lost(engine: Engine) async throws {
    let house = try await OutboxHouse(engine)
    try await house.enqueue("a")
    let item = try #require(try await house.lease(by: "slow").first)
    let lease = try #require(try await house.leases().first)
    let now = house.clock.now
    let outcomes = try await house.database.write { tx in
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
    #expect(try await house.deadLetters().isEmpty)
  }

  @Test(
    "an effect whose every attempt kills its worker becomes a dead letter, not begun without end",
    arguments: Engine.available)
  func deadly(engine: Engine) async throws {
    let house = try await OutboxHouse(engine)
    try await house.enqueue("deadly")
    _ = try await house.lease(by: "victim")
    for attempt in 1..<OutboxWorker.takeoversMax {
      let lease = try #require(try await house.leases().first)
      let now = house.clock.now
      let taken = try await house.database.write { tx in
        try OutboxStore(tx).takeOver(lease, by: "victim \(attempt)", until: now, now: now)
      }
      #expect(taken?.attempts == attempt)
    }
    try await outlive(house, house.worker())
    #expect(house.effects.subjects.isEmpty)
    #expect(try await house.deadLetters() == ["deadly: AttemptsSpent"])
  }

  @Test(
    "deaths in a row are counted: one attempt that is heard to end, and they are forgotten", arguments: Engine.available
  )
  func deathsInARow(engine: Engine) async throws {
    let house = try await OutboxHouse(engine)
    for end in ["failed", "given back"] {
      try await house.enqueue(end)
      _ = try await house.lease(by: "victim")
      let lease = try #require(try await house.leases().first)
      let now = house.clock.now
      let after = try await house.database.write { tx in
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
    let house = try await OutboxHouse(engine)
    try await house.enqueue("a")
    _ = try await house.lease(by: "dead")
    let second = try house.made.reopened()
    let workers = (0..<8).map { house.worker(on: $0.isMultiple(of: 2) ? house.database : second) }
    var begun = 0
    for _ in 0...(pace.leaseLifetime.wholeSeconds / 5) {
      begun += try await withThrowingTaskGroup(of: Int.self) { group in
        for worker in workers { group.addTask { try await worker.runDue() } }
        return try await group.reduce(0, +)
      }
      house.clock.advance(by: .seconds(5))
    }
    #expect(begun == 1)
    try second.close()
  }

  @Test("a living worker takes over from a dead one in little more than a lease", arguments: Engine.available)
  func live(engine: Engine) async throws {
    let house = try await OutboxHouse(engine, isLive: true)
    try await house.enqueue("a")
    _ = try await house.lease(by: "dead")
    var pace = OutboxPace()
    (pace.leaseLifetime, pace.pollInterval) = (.milliseconds(300), .milliseconds(50))
    let done = Notifier()
    try await house.run(house.worker(pace: pace) { _ in done.notify() }) { await done.wait() }
    #expect(house.effects.attempts == [1])
  }

  /// Runs a worker for as long as it takes to be sure that a lease is dead.
  private func outlive(_ house: OutboxHouse, _ worker: OutboxWorker) async throws {
    for _ in 0...(pace.leaseLifetime.wholeSeconds / 5) {
      try await worker.runDue()
      house.clock.advance(by: .seconds(5))
    }
  }
}
