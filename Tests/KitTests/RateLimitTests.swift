// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage
import Testing
import TestSupport

@Suite("Kit: limits counted in the store")
struct RateLimitTests {
  private static let limit = RateLimit("try", 3, per: .seconds(60))

  @Test("as many uses as the limit pass, the next is one too many", arguments: Engine.available)
  func counts(engine: Engine) async throws {
    let app = try await Counter(engine)
    let usages = try await app.count(Self.limit, times: 5)
    #expect(usages.map(\.remaining) == [2, 1, 0, 0, 0])
    #expect(usages.map(\.isExceeded) == [false, false, false, true, true])
    #expect(usages.allSatisfy { $0.limit == 3 })
  }

  @Test("a failure is counted before it is known to be one; who succeeds takes it back", .storeless)
  func reserved() throws {
    let clock = TestWorld()
    let rates = NodeRateLimits(world: clock.world)
    for _ in 0..<10 {
      try rates.reserve(Self.limit, by: "a")
      rates.giveBack(Self.limit, by: "a")
    }
    for _ in 0..<3 { try rates.reserve(Self.limit, by: "a") }
    for _ in 0..<5 { #expect(throws: Problem.self) { try rates.reserve(Self.limit, by: "a") } }
    try rates.reserve(Self.limit, by: "b")
    // One of the three was none.
    rates.giveBack(Self.limit, by: "a")
    try rates.reserve(Self.limit, by: "a")
    #expect(throws: Problem.self) { try rates.reserve(Self.limit, by: "a") }
    clock.advance(by: .seconds(60))
    try rates.reserve(Self.limit, by: "a")
    // What was counted in another window is not taken back from this one twice.
    for _ in 0..<5 { rates.giveBack(Self.limit, by: "a") }
    for _ in 0..<3 { try rates.reserve(Self.limit, by: "a") }
    #expect(throws: Problem.self) { try rates.reserve(Self.limit, by: "a") }
  }

  @Test("a window begins again at its boundary and not a millisecond before", arguments: Engine.available)
  func boundary(engine: Engine) async throws {
    let app = try await Counter(engine)  // the clock stands on a whole minute
    _ = try await app.count(Self.limit, times: 3)
    app.clock.advance(by: .milliseconds(59_999))
    let last = try await app.count(Self.limit, times: 1)
    #expect(last.map(\.isExceeded) == [true])
    #expect(last.map(\.resetSeconds) == [1])
    app.clock.advance(by: .milliseconds(1))
    let fresh = try await app.count(Self.limit, times: 1)
    #expect(fresh.map(\.remaining) == [2])
    #expect(fresh.map(\.resetSeconds) == [60])
  }

  @Test("other subjects and other limits are counted apart", arguments: Engine.available)
  func apart(engine: Engine) async throws {
    let app = try await Counter(engine)
    _ = try await app.count(Self.limit, times: 4)
    #expect(try await app.count(Self.limit, by: "bob", times: 1).map(\.remaining) == [2])
    #expect(try await app.count(RateLimit("send", 3, per: .seconds(60)), times: 1).map(\.remaining) == [2])
  }

  @Test(
    "spending one too many is a problem that says when to come back, and is not itself counted",
    arguments: Engine.available)
  func spend(engine: Engine) async throws {
    let app = try await Counter(engine)
    app.clock.advance(by: .milliseconds(500))
    for _ in 0..<3 { try await app.spend(Self.limit) }
    for _ in 0..<2 {
      let refusal = await #expect(throws: Problem.self) { try await app.spend(Self.limit) }
      #expect(refusal?.category == .rateLimited && refusal?.retryAfterSeconds == 60)
      #expect(
        refusal?.usage == .init(policy: Self.limit, remaining: 0, resetSeconds: 60, isExceeded: true))
    }
    #expect(try await app.used() == [3])
  }

  @Test(
    "what a caller may know of their own limits is on the ledger of their request, once it is durable",
    arguments: Engine.available)
  func ledger(engine: Engine) async throws {
    let app = try await Counter(engine)
    let limits = RateLimits(world: app.clock.world)
    let ledger = RateUsage()
    try await RateUsage.$current.withValue(ledger) {
      for _ in 0..<2 { try await app.spend(Self.limit) }
      try await app.made.database.write { tx in
        _ = try limits.count(RateLimit("of others", 9, per: .minutes(1)), by: "s", isTold: false, in: tx)
      }
      try? await app.made.database.write { tx in
        try limits.spend(RateLimit("undone", 9, per: .minutes(1)), by: "s", in: tx)
        throw CancellationError()
      }
      try NodeRateLimits(world: app.clock.world).spend(RateLimit("a read", 5, per: .minutes(1)), by: "s")
    }
    #expect(ledger.usages.map(\.policy.name) == ["a read", Self.limit.name])
    #expect(ledger.usages.map(\.remaining) == [4, 1])
  }

  @Test("uses that race are counted exactly", arguments: Engine.available)
  func racing(engine: Engine) async throws {
    let app = try await Counter(engine)
    let other = try app.made.reopened()
    let limits = RateLimits(world: app.clock.world)
    let passed = try await withThrowingTaskGroup(of: Bool.self) { group in
      for index in 0..<40 {
        group.addTask {
          try await (index.isMultiple(of: 2) ? app.made.database : other).write {
            try !limits.count(RateLimit("race", 7, per: .hours(1)), by: "ann", in: $0).isExceeded
          }
        }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(passed == 7)
    #expect(try await app.used() == [40])
    try other.close()
  }

  @Test("what is good once is used up until it is over, whichever window begins meanwhile", arguments: Engine.available)
  func usedUp(engine: Engine) async throws {
    let app = try await Counter(engine)
    let limits = RateLimits(world: app.clock.world)
    let end = app.clock.now + .minutes(10)
    func use(_ thing: String) async throws -> Bool {
      try await app.made.database.write { try limits.useUp("ticket", thing, until: end, in: $0) }
    }
    func sweep(at now: Instant) async throws -> Int {
      try await app.made.database.write { try RateCounterStore($0).sweep(before: now) }
    }
    #expect(try await use("a"))
    #expect(try await !use("a"))
    #expect(try await use("b"))
    app.clock.advance(by: .days(1))
    #expect(try await !use("a"))
    // A node whose clock is ahead does not forget it before its end by the clock of another.
    #expect(try await sweep(at: end + .seconds(30)) == 0)
    #expect(try await sweep(at: end + World.clocksApartMax) == 2)
  }

  @Test("a sweep removes ended windows only", arguments: Engine.available)
  func sweep(engine: Engine) async throws {
    let app = try await Counter(engine)
    _ = try await app.count(Self.limit, times: 2)
    app.clock.advance(by: .seconds(60))
    _ = try await app.count(Self.limit, times: 1)
    let now = app.clock.now
    #expect(try await app.made.database.write { try RateCounterStore($0).sweep(before: now) } == 1)
    #expect(try await app.used() == [1])
  }
}

private struct Counter {
  let made: TestDatabase
  let clock = TestWorld()

  init(_ engine: Engine) async throws { made = try await TestDatabase.make(engine, [RateCounterStore.migration]) }

  func count(_ limit: RateLimit, by subject: String = "ann", times: Int) async throws -> [RateLimit.Usage] {
    let limits = RateLimits(world: clock.world)
    return try await made.database.write { tx in
      try (0..<times).map { _ in try limits.count(limit, by: subject, in: tx) }
    }
  }

  func spend(_ limit: RateLimit) async throws {
    let limits = RateLimits(world: clock.world)
    try await made.database.write { _ = try limits.spend(limit, by: "ann", in: $0) }
  }

  func used() async throws -> [Int] {
    try await made.database.read { try $0.query("SELECT used FROM rate_counter").map { try $0.get("used") } }
  }
}
