// SPDX-License-Identifier: Apache-2.0

import Storage
import Synchronization
import Testing
import TestSupport

@testable import Kit

@Suite("Kit: the outbox under load", .timeLimit(.minutes(1)))
struct OutboxConcurrencyTests {
  @Test("a slow effect holds up no other", arguments: Engine.available)
  func slow(engine: Engine) async throws {
    let app = try await OutboxTestApp(engine)
    let (gate, done) = (Notifier(), AsyncStream.makeStream(of: String.self))
    var pace = OutboxPace()
    (pace.concurrencyMax, pace.topicShareMax) = (3, 3)
    let worker = app.worker(pace: pace) { item in
      if item.subject == "slow" { await gate.wait() }
      done.continuation.yield(item.subject)
    }
    try await app.enqueue("slow")
    for index in 0..<20 { try await app.enqueue("quick \(index)") }
    try await app.run(worker) {
      var ended: [String] = []
      for await subject in done.stream {
        ended.append(subject)
        if ended.count == 20 { gate.notify() }
        if ended.count == 21 { break }
      }
      #expect(ended.last == "slow")
    }
    #expect(try await app.pending().isEmpty)
  }

  @Test(
    "a worker has no more in hand than its maximum, of one topic no more than its share", arguments: Engine.available)
  func bounded(engine: Engine) async throws {
    let app = try await OutboxTestApp(engine)
    let inHand = Mutex<[String: Int]>([:])
    let other = Notifier()
    var pace = OutboxPace()
    (pace.concurrencyMax, pace.topicShareMax, pace.drainMax) = (4, 3, .zero)
    for index in 0..<40 { try await app.enqueue("flood \(index)", topic: "test.flood") }
    let worker = app.worker(pace: pace, topics: ["test.flood", "test.other"]) { item in
      inHand.withLock { $0[item.topic, default: 0] += 1 }
      if item.topic == "test.other" { other.notify() }
      await Notifier().wait()  // until the worker leaves
      try Task.checkCancellation()
    }
    try await app.run(worker) {
      try await app.enqueue("other", topic: "test.other")
      await other.wait()
    }
    #expect(inHand.withLock { $0 } == ["test.flood": 3, "test.other": 1])
    #expect(try await app.leases().isEmpty)
  }

  @Test("room is counted by topic, and at most one topic is left alone", .storeless)
  func capacity() {
    var pace = OutboxPace()
    (pace.concurrencyMax, pace.topicShareMax) = (8, 6)
    let slots = OutboxSlots(pace)
    func begin(_ count: Int, _ topic: String) -> [OutboxItem] {
      (0..<count).map { index in
        let item = OutboxItem(
          id: .init(rawValue: "\(topic) \(index)"), topic: topic, subject: "", payload: "", attempts: 0,
          enqueuedAt: Instant(milliseconds: 0), origin: nil)
        _ = slots.begin(item)
        return item
      }
    }
    #expect(slots.capacity == .init(limit: 6, saturated: nil))
    let flood = begin(5, "a")
    #expect(slots.capacity == .init(limit: 1, saturated: nil))
    _ = begin(6, "a")
    #expect(slots.capacity == .init(limit: 2, saturated: "a"))
    _ = begin(2, "b")
    #expect(slots.capacity == nil)
    slots.end(flood[0])
    #expect(slots.capacity == .init(limit: 1, saturated: nil))
  }

  @Test("an effect of later begins when it is due, not at the next poll", arguments: Engine.available)
  func punctual(engine: Engine) async throws {
    let app = try await OutboxTestApp(engine, isLive: true)
    var pace = OutboxPace()
    pace.pollInterval = .minutes(10)
    let began = Notifier()
    let started = Mutex(Instant(milliseconds: 0))
    let worker = app.worker(pace: pace) { _ in
      started.withLock { $0 = World.live.now() }
      began.notify()
    }
    let dueAt = World.live.now() + .milliseconds(400)
    try await app.run(worker) {
      try await app.enqueue("later", dueAt: dueAt)
      await began.wait()
    }
    let late = started.withLock { $0 } - dueAt
    #expect(late >= .zero && late < .seconds(10), "\(late)")
  }

  @Test("a failed effect is tried again when its backoff is over, not at the next poll", arguments: Engine.available)
  func retried(engine: Engine) async throws {
    struct Down: Error {}
    let app = try await OutboxTestApp(engine, isLive: true)
    var pace = OutboxPace()
    pace.pollInterval = .minutes(10)
    let done = Notifier()
    let worker = app.worker(pace: pace) { item in
      guard item.attempts > 0 else { throw Down() }
      done.notify()
    }
    try await app.enqueue("a")
    try await app.run(worker) { await done.wait() }
    #expect(app.effects.attempts == [0, 1])
  }

  @Test("after a pass that the store refused a worker looks again, not at the next poll", arguments: Engine.available)
  func refused(engine: Engine) async throws {
    let app = try await OutboxTestApp(engine, isLive: true)
    var pace = OutboxPace()
    pace.pollInterval = .minutes(10)
    let (flaky, done) = (FlakyDatabase(app.database), Notifier())
    let worker = app.worker(on: flaky, pace: pace) { _ in done.notify() }
    // There is no signal once the worker runs.
    try await app.enqueue("a")
    flaky.refuse(1)
    try await app.run(worker) { await done.wait() }
    #expect(app.effects.subjects == ["a"])
  }

  @Test(
    "half of all effects begin within 50 ms of their commit, without a poll, on PostgreSQL on another node",
    arguments: Engine.available)
  func latency(engine: Engine) async throws {
    let app = try await OutboxTestApp(engine, isLive: true)
    var pace = OutboxPace()
    pace.pollInterval = .minutes(10)
    let (clock, began) = (ContinuousClock(), AsyncStream.makeStream(of: ContinuousClock.Instant.self))
    let node = engine == .postgres ? try app.made.reopened() : app.database
    let worker = app.worker(on: node, pace: pace) { _ in began.continuation.yield(clock.now) }
    let samples = Mutex<[Duration]>([])
    try await app.run(worker) {
      var starts = began.stream.makeAsyncIterator()
      for index in 0..<101 {
        try await app.enqueue("s\(index)")
        let committed = clock.now
        guard let started = await starts.next() else { break }
        samples.withLock { $0.append(max(.zero, started - committed)) }
      }
    }
    let sorted = samples.withLock { $0.sorted() }
    try #require(sorted.count == 101)
    let figures = "median \(sorted[50]), 90th \(sorted[90]), worst \(sorted[100])"
    print("outbox on \(engine.rawValue): commit to start, \(figures)")
    #expect(sorted[50] < .milliseconds(50))
  }
}
