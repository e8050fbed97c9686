// SPDX-License-Identifier: Apache-2.0

import ServiceLifecycle
import ServiceLifecycleTestKit
import Storage
import Synchronization
import Testing
import TestSupport

@testable import Kit

@Suite("Kit: the outbox worker as a service", .timeLimit(.minutes(1)))
struct OutboxShutdownTests {
  @Test("it performs what is owed when it is rung, and ends at a graceful shutdown", arguments: Engine.available)
  func runs(engine: Engine) async throws {
    let app = try await OutboxTestApp(engine)
    let done = Notifier()
    try await app.run(app.worker { _ in done.notify() }) {
      try await app.enqueue("a")
      await done.wait()
    }
    #expect(app.effects.subjects == ["a"])
    #expect(try await app.pending().isEmpty)
  }

  @Test(
    "a graceful shutdown lets the effect in hand come to its end, so that it is not repeated",
    arguments: Engine.available)
  func finishes(engine: Engine) async throws {
    let app = try await OutboxTestApp(engine)
    try await app.enqueue("a")
    try await testGracefulShutdown { trigger in
      try await app.worker { _ in
        trigger.triggerGracefulShutdown()
        // What a real effect does last: something that a cancelled task could not.
        try Task.checkCancellation()
      }.run()
    }
    #expect(app.effects.subjects == ["a"])
    #expect(try await app.pending().isEmpty)
  }

  @Test(
    "what does not end within the limit is interrupted, and its row is there for the others at once, as if untried",
    arguments: Engine.available)
  func interrupted(engine: Engine) async throws {
    let app = try await OutboxTestApp(engine)
    try await app.enqueue("endless")
    let begun = Notifier()
    var pace = OutboxPace()
    pace.drainMax = .milliseconds(10)
    let worker = app.worker(pace: pace) { _ in
      begun.notify()
      await Notifier().wait()
      try Task.checkCancellation()
    }
    try await app.run(worker) { await begun.wait() }
    #expect(try await app.leases().isEmpty)
    #expect(try await app.worker().runDue() == 1)
    #expect(app.effects.attempts == [0, 0])
  }

  @Test("however many restarts interrupt an effect, they do not dead-letter it", arguments: Engine.available)
  func manyRestarts(engine: Engine) async throws {
    let app = try await OutboxTestApp(engine)
    try await app.enqueue("slow")
    var pace = OutboxPace()
    pace.drainMax = .milliseconds(1)
    for _ in 0...OutboxWorker.takeoversMax {
      let begun = Notifier()
      let worker = app.worker(pace: pace) { _ in
        begun.notify()
        await Notifier().wait()
        try Task.checkCancellation()
      }
      try await app.run(worker) { await begun.wait() }
    }
    #expect(try await app.pending().map(\.attempts) == [0])
    #expect(try await app.worker().runDue() == 1)
    #expect(try await app.pending().isEmpty)
  }

  @Test(
    "a handler that does not heed the interruption keeps no lease, and what it did late changes nothing",
    arguments: Engine.available)
  func deaf(engine: Engine) async throws {
    let app = try await OutboxTestApp(engine)
    try await app.enqueue("deaf")
    let begun = Notifier()
    let hold = Mutex<CheckedContinuation<Void, Never>?>(nil)
    var pace = OutboxPace()
    (pace.drainMax, pace.interruptMax) = (.milliseconds(10), .milliseconds(10))
    let worker = app.worker(pace: pace) { _ in
      await withCheckedContinuation { continuation in
        hold.withLock { $0 = continuation }
        begun.notify()
      }
    }
    try await testGracefulShutdown { trigger in
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await worker.run() }
        await begun.wait()
        trigger.triggerGracefulShutdown()
        // Ends within the time limit, or the lease was kept.
        let listener = SignalListener(app.database, Outbox.signal)
        while try await !app.leases().isEmpty { await listener.notifier.wait(atMost: .milliseconds(20)) }
        hold.withLock { $0 }?.resume()
        try await group.waitForAll()
      }
    }
    #expect(try await app.pending().map(\.attempts) == [1])
  }
}
