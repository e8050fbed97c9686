// SPDX-License-Identifier: Apache-2.0

import Storage
import Testing
import TestSupport

@testable import Kit

@Suite("Kit: the leases of the outbox", .timeLimit(.minutes(1)))
struct OutboxLeaseTests {
  @Test("a handler that takes longer than a lease keeps its row", arguments: Engine.available)
  func extended(engine: Engine) async throws {
    let app = try await OutboxTestApp(engine, isLive: true)
    var pace = OutboxPace()
    (pace.leaseLifetime, pace.pollInterval) = (.milliseconds(1500), .milliseconds(100))
    let (gate, second) = (Notifier(), try app.made.reopened())
    try await app.enqueue("slow")
    let wait: @Sendable (OutboxItem) async throws -> Void = { _ in await gate.wait() }
    try await app.run(app.worker(pace: pace, perform: wait), app.worker(on: second, pace: pace, perform: wait)) {
      var beats: Set<Int64> = []
      while beats.count < 5 {
        for lease in try await app.leases() { beats.insert(lease.beat) }
        await Notifier().wait(atMost: .milliseconds(20))
      }
      gate.notify()
    }
    #expect(app.effects.attempts == [0])
    #expect(try await app.pending().isEmpty)
    try second.close()
  }

  @Test(
    "a handler whose lease another worker has is cancelled, and the row is the other's", arguments: Engine.available)
  func lost(engine: Engine) async throws {
    let app = try await OutboxTestApp(engine)
    try await app.enqueue("a")
    var pace = OutboxPace()
    pace.leaseLifetime = .milliseconds(300)
    let worker = app.worker(pace: pace) { [database = app.database] _ in
      try await database.write { tx in
        let lease = try #require(try OutboxStore(tx).leases(of: ["test.do"]).first)
        _ = try OutboxStore(tx).takeOver(
          lease, by: "thief", until: Instant(milliseconds: 0), now: Instant(milliseconds: 0))
      }
      await Notifier().wait()  // no signal comes: only the cancellation ends it
      try Task.checkCancellation()
    }
    #expect(try await worker.runDue() == 1)
    #expect(try await app.leases().map(\.owner) == ["thief"])
  }

  @Test("a handler whose lease cannot be extended because the store is away is cancelled", arguments: Engine.available)
  func cutOff(engine: Engine) async throws {
    let app = try await OutboxTestApp(engine)
    try await app.enqueue("a")
    let flaky = FlakyDatabase(app.database)
    var pace = OutboxPace()
    (pace.leaseLifetime, pace.settleMax) = (.milliseconds(300), .zero)
    let worker = app.worker(on: flaky, pace: pace) { _ in
      flaky.refuse(.max)
      await Notifier().wait()
      try Task.checkCancellation()
    }
    #expect(try await worker.runDue() == 1)
    #expect(try await app.leases().count == 1)
  }

  @Test("a short absence of the store costs a handler nothing", arguments: Engine.available)
  func brief(engine: Engine) async throws {
    let app = try await OutboxTestApp(engine)
    try await app.enqueue("a")
    let flaky = FlakyDatabase(app.database)
    var pace = OutboxPace()
    pace.leaseLifetime = .seconds(3)
    let worker = app.worker(on: flaky, pace: pace) { [database = app.database] _ in
      let before = try await database.read { try OutboxStore($0).leases(of: ["test.do"]) }
      flaky.refuse(2)
      // Until the lease was extended once.
      while try await database.read({ try OutboxStore($0).leases(of: ["test.do"]) }) == before {
        try Task.checkCancellation()
        await Notifier().wait(atMost: .milliseconds(20))
      }
    }
    #expect(try await worker.runDue() == 1)
    #expect(try await app.pending().isEmpty)
  }

  @Test(
    "an effect that was performed while the store was away is crossed off when it is back, not repeated",
    arguments: Engine.available)
  func patient(engine: Engine) async throws {
    let app = try await OutboxTestApp(engine)
    try await app.enqueue("a")
    let flaky = FlakyDatabase(app.database)
    try await app.worker(on: flaky) { _ in flaky.refuse(2) }.runDue()
    #expect(app.effects.subjects == ["a"])
    #expect(try await app.pending().isEmpty)
  }

  @Test("an attempt that takes too long is cancelled and made again later", arguments: Engine.available)
  func overdue(engine: Engine) async throws {
    let app = try await OutboxTestApp(engine)
    try await app.enqueue("endless")
    var pace = OutboxPace()
    (pace.leaseLifetime, pace.attemptLifetimeMax) = (.milliseconds(1500), .seconds(1))
    let worker = app.worker(pace: pace) { item in
      guard item.attempts == 0 else { return }
      await Notifier().wait()
      try Task.checkCancellation()
    }
    #expect(try await worker.runDue() == 1)
    #expect(try await app.leases().isEmpty)
    #expect(try await worker.runDue() == 0)
    app.clock.advance(by: .seconds(1))
    #expect(try await worker.runDue() == 1)
    #expect(try await app.pending().isEmpty)
  }

  @Test(
    "a dead lease is found in little more than its life, a living one never, however the clocks are set", .storeless)
  func watched() {
    let pace = OutboxPace()
    for seed in 0..<200 {
      var randomness = SeededGenerator(seed: UInt64(seed))
      let watch = LeaseWatch(pace)
      let diesAt = Int.random(in: 0..<120, using: &randomness)
      // Another node's clock, hours off in either direction.
      let offset = Int64.random(in: -10_000_000...10_000_000, using: &randomness)
      var (now, lastBeat, found) = (0, 0, Int?.none)
      while now < 180_000 && found == nil {
        if now < diesAt * 1000, now - lastBeat >= 5000 { lastBeat = now }
        let lease = OutboxLease(id: .init(rawValue: "a"), owner: "b", beat: Int64(lastBeat) + offset)
        if !watch.lapsed(among: [lease], at: Instant(milliseconds: Int64(now))).isEmpty { found = now }
        now += Int.random(in: 500...2500, using: &randomness)
      }
      let after = (found ?? 0) - lastBeat
      #expect(after >= 15_000 && after <= 20_000, "seed \(seed): \(after) ms")
    }
  }
}
