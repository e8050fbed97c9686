import Kit
import ServiceLifecycle
import ServiceLifecycleTestKit
import Storage
import Testing
import TestSupport

@Suite("Kit: the outbox worker as a service", .timeLimit(.minutes(1)))
struct OutboxShutdownTests {
  @Test("it performs what is owed when it is rung, and ends at a graceful shutdown", arguments: Engine.available)
  func runs(engine: Engine) async throws {
    let house = try await OutboxHouse(engine)
    let done = WorkBell()
    try await testGracefulShutdown { trigger in
      let worker = house.worker { _ in done.ring() }
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await worker.run() }
        try await house.enqueue("a")
        await done.wait()
        trigger.triggerGracefulShutdown()
        try await group.waitForAll()
      }
    }
    #expect(house.effects.subjects == ["a"])
  }

  @Test(
    "a graceful shutdown lets the effect in hand come to its end, so that it is not repeated",
    arguments: Engine.available)
  func finishes(engine: Engine) async throws {
    let house = try await OutboxHouse(engine)
    try await house.enqueue("a")
    try await testGracefulShutdown { trigger in
      try await house.worker { _ in
        trigger.triggerGracefulShutdown()
        // What a real effect does last: something that a cancelled task could not.
        try Task.checkCancellation()
      }.run()
    }
    #expect(house.effects.subjects == ["a"])
    #expect(try await house.pending().isEmpty)
  }
}
