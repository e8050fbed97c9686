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
    let house = try await OutboxHouse(engine)
    try? await house.database.write { [outbox = house.outbox] tx in
      try outbox.enqueue("test.do", subject: "undone", in: tx)
      throw ProviderDown()
    }
    #expect(try await house.pending().isEmpty)
    let ear = SignalEar(house.database, Outbox.signal)
    try await house.enqueue("done")
    #expect(try await house.pending().map(\.subject) == ["done"])
    // The commit rang: this returns.
    await ear.bell.wait()
  }

  @Test("a due effect is performed once and then no longer owed", arguments: Engine.available)
  func performed(engine: Engine) async throws {
    let house = try await OutboxHouse(engine)
    try await house.enqueue("a")
    let worker = house.worker()
    #expect(try await worker.runDue() == 1)
    #expect(try await worker.runDue() == 0)
    #expect(house.effects.subjects == ["a"])
    #expect(try await house.pending().isEmpty)
  }

  @Test("an effect waits for the instant it is due", arguments: Engine.available)
  func due(engine: Engine) async throws {
    let house = try await OutboxHouse(engine)
    try await house.enqueue("later", dueAt: house.clock.now + .seconds(60))
    house.clock.advance(by: .milliseconds(59_999))
    #expect(try await house.worker().runDue() == 0)
    house.clock.advance(by: .milliseconds(1))
    #expect(try await house.worker().runDue() == 1)
  }

  @Test("workers that run at once share the rows: each effect is performed exactly once", arguments: Engine.available)
  func exclusive(engine: Engine) async throws {
    let house = try await OutboxHouse(engine)
    let subjects = (0..<60).map { "s\($0)" }
    for subject in subjects { try await house.enqueue(subject) }
    let second = try house.made.reopened()
    let workers = [house.worker(), house.worker(on: second), house.worker(), house.worker(on: second)]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in workers { group.addTask { while try await worker.runDue() > 0 {} } }
      try await group.waitForAll()
    }
    #expect(house.effects.subjects.sorted() == subjects.sorted())
    #expect(try await house.pending().isEmpty)
    try second.close()
  }

  @Test("one pass takes no more than its maximum", arguments: Engine.available)
  func batch(engine: Engine) async throws {
    let house = try await OutboxHouse(engine)
    let most = OutboxPace().concurrencyMax
    for index in 0..<(most + 3) { try await house.enqueue("s\(index)") }
    #expect(try await house.worker().runDue() == most)
    #expect(try await house.worker().runDue() == 3)
  }

  @Test("a failed effect is tried again after its backoff, and not before", arguments: Engine.available)
  func retried(engine: Engine) async throws {
    let house = try await OutboxHouse(engine)
    try await house.enqueue("a")
    let worker = house.worker { if $0.attempts < 2 { throw ProviderDown() } }
    #expect(try await worker.runDue() == 1)
    #expect(try await worker.runDue() == 0)
    house.clock.advance(by: .seconds(1))
    #expect(try await worker.runDue() == 1)
    house.clock.advance(by: .seconds(2))
    #expect(try await worker.runDue() == 1)
    #expect(house.effects.attempts == [0, 1, 2])
    #expect(try await house.pending().isEmpty)
  }

  @Test("the wait before an attempt doubles up to its maximum and is shortened by less than a quarter")
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
    "an effect that always fails is parked after its last attempt, with the kind of error", arguments: Engine.available)
  func exhausted(engine: Engine) async throws {
    let house = try await OutboxHouse(engine)
    try await house.enqueue("poison")
    let worker = house.worker { _ in throw ProviderDown() }
    for _ in 0..<OutboxWorker.attemptsMax {
      #expect(try await worker.runDue() == 1)
      house.clock.advance(by: OutboxWorker.backoffMax)
    }
    #expect(try await worker.runDue() == 0)
    #expect(house.effects.attempts == Array(0..<OutboxWorker.attemptsMax))
    #expect(try await house.parked() == ["poison: ProviderDown"])
    #expect(try await house.pending().isEmpty)
  }

  @Test(
    "a failure that no repetition cures is parked at once, and so is a topic that nobody handles",
    arguments: Engine.available)
  func final(engine: Engine) async throws {
    let house = try await OutboxHouse(engine)
    try await house.enqueue("hopeless")
    try await house.worker { _ in throw Hopeless() }.runDue()
    house.clock.advance(by: .seconds(1))
    try await house.enqueue("orphan", topic: "test.unknown")
    try await house.worker().runDue()
    #expect(try await house.parked() == ["hopeless: Hopeless", "orphan: NoHandler"])
  }

  @Test("one effect's failure does not hold up the others of its pass", arguments: Engine.available)
  func independent(engine: Engine) async throws {
    let house = try await OutboxHouse(engine)
    for subject in ["a", "bad", "c"] { try await house.enqueue(subject) }
    try await house.worker { if $0.subject == "bad" { throw ProviderDown() } }.runDue()
    #expect(try await house.pending().map(\.subject) == ["bad"])
  }
}
