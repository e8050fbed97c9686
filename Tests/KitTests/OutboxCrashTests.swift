import Storage
import Testing
import TestSupport

@testable import Kit

@Suite("Kit: the outbox when a worker dies", .timeLimit(.minutes(1)))
struct OutboxCrashTests {
  @Test(
    "while a lease lasts nobody else takes the row; when it lapsed, another worker does", arguments: Engine.available)
  func lapsed(engine: Engine) async throws {
    let house = try await OutboxHouse(engine)
    try await house.enqueue("a")
    #expect(try await lease(house, by: "dead") == ["a"])
    house.clock.advance(by: OutboxWorker.leaseLifetime - .milliseconds(1))
    #expect(try await house.worker().runDue() == 0)
    house.clock.advance(by: .milliseconds(1))
    #expect(try await house.worker().runDue() == 1)
    #expect(house.effects.attempts == [1])
  }

  @Test("a crash after the effect and before its row is deleted repeats the effect", arguments: Engine.available)
  func repeated(engine: Engine) async throws {
    let house = try await OutboxHouse(engine)
    try await house.enqueue("a")
    let item = try #require(try await leased(house, by: "dead").first)
    // The effect of the worker that then died, before it could finish the row.
    house.effects.begin(item)
    house.clock.advance(by: OutboxWorker.leaseLifetime)
    try await house.worker().runDue()
    #expect(house.effects.subjects == ["a", "a"])
    #expect(house.effects.attempts == [0, 1])
    #expect(try await house.pending().isEmpty)
  }

  @Test("a worker that lost its lease can no longer finish, retry or park the row", arguments: Engine.available)
  func lost(engine: Engine) async throws {
    let house = try await OutboxHouse(engine)
    try await house.enqueue("a")
    let item = try #require(try await leased(house, by: "slow").first)
    house.clock.advance(by: OutboxWorker.leaseLifetime)
    #expect(try await lease(house, by: "fast") == ["a"])
    let now = house.clock.now
    let finished = try await house.database.write { tx in
      let store = OutboxStore(tx)
      try store.retry(item.id, by: "slow", dueAt: now)
      try store.park(item.id, by: "slow", reason: "late")
      return [try store.finish(item.id, by: "slow"), try store.finish(item.id, by: "fast")]
    }
    #expect(finished == [false, true])
    #expect(try await house.parked().isEmpty)
  }

  @Test("an effect whose every attempt kills its worker is parked, not begun without end", arguments: Engine.available)
  func deadly(engine: Engine) async throws {
    let house = try await OutboxHouse(engine)
    try await house.enqueue("deadly")
    for attempt in 0..<OutboxWorker.attemptsMax {
      #expect(try await lease(house, by: "victim \(attempt)") == ["deadly"])
      house.clock.advance(by: OutboxWorker.leaseLifetime)
    }
    try await house.worker().runDue()
    #expect(house.effects.subjects.isEmpty)
    #expect(try await house.parked().count == 1)
  }

  @Test("two workers that both see a lapsed lease do not both get it", arguments: Engine.available)
  func racingTakeover(engine: Engine) async throws {
    let house = try await OutboxHouse(engine)
    try await house.enqueue("a")
    _ = try await lease(house, by: "dead")
    house.clock.advance(by: OutboxWorker.leaseLifetime)
    let begun = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 { group.addTask { try await house.worker().runDue() } }
      return try await group.reduce(0, +)
    }
    #expect(begun == 1)
  }

  private func lease(_ house: OutboxHouse, by owner: String) async throws -> [String] {
    try await leased(house, by: owner).map(\.subject)
  }

  private func leased(_ house: OutboxHouse, by owner: String) async throws -> [OutboxItem] {
    let now = house.clock.now
    return try await house.database.write { tx in
      try OutboxStore(tx).lease(by: owner, until: now + OutboxWorker.leaseLifetime, now: now, limit: 10)
    }
  }
}
