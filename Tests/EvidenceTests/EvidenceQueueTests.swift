// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization
import Testing

@testable import Evidence

@Suite("Evidence: work beside the cooperative pool", .timeLimit(.minutes(5)))
struct EvidenceQueueTests {
  @Test("no more than the maximum runs at once, and all of it runs")
  func bounded() async throws {
    let queue = EvidenceQueue(concurrencyMax: 2)
    let running = Counter()
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<20 {
        group.addTask {
          try await queue.run {
            running.enter()
            defer { running.leave() }
            return number
          }
        }
      }
      var seen: Set<Int> = []
      for try await number in group { seen.insert(number) }
      #expect(seen.count == 20)
    }
    #expect(running.most <= 2)
  }

  @Test("work that has to be alone runs beside no other, and all of it runs")
  func alone() async throws {
    let queue = EvidenceQueue(concurrencyMax: 4, waitingMax: 400)
    let met = Meetings()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<300 {
        let isAlone = number % 3 == 0
        group.addTask {
          try await queue.run(isAlone: { isAlone }) {
            met.enter(alone: isAlone)
            // So long that others would begin meanwhile.
            _ = (0..<20_000).reduce(number) { $0 ^ ($1 &* 31) }
            met.leave(alone: isAlone)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(met.counts == (met: 0, done: 300))
  }

  @Test("what the work throws comes out, and the place is free again")
  func errors() async throws {
    let queue = EvidenceQueue(concurrencyMax: 1, waitingMax: 0)
    await #expect(throws: ImageProblem.empty) { try await queue.run { throw ImageProblem.empty } }
    #expect(try await queue.run { 1 } == 1)
  }

  @Test("a full queue refuses instead of growing")
  func full() async throws {
    let queue = EvidenceQueue(concurrencyMax: 1, waitingMax: 0)
    let gate = DispatchSemaphore(value: 0)
    let (started, signal) = AsyncStream.makeStream(of: Void.self)
    async let first = queue.run {
      signal.yield()
      gate.wait()
      return 1
    }
    for await _ in started { break }
    let asked = Counter()
    await #expect(throws: EvidenceQueue.Busy.self) {
      let isAlone: @Sendable () -> Bool = {
        asked.enter()
        return true
      }
      _ = try await queue.run(isAlone: isAlone) { 2 }
    }
    #expect(asked.most == 0, "what is refused is not looked into")
    #expect(queue.use == (waiting: 0, refused: 1))
    gate.signal()
    #expect(try await first == 1)
    #expect(try await queue.run { 3 } == 3)
  }

  private final class Counter: Sendable {
    private let state = Mutex((now: 0, most: 0))

    func enter() {
      state.withLock {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
    }

    func leave() { state.withLock { $0.now -= 1 } }

    var most: Int { state.withLock { $0.most } }
  }

  /// How often work that has to be alone met other work.
  private final class Meetings: Sendable {
    private let state = Mutex((now: 0, isAlone: false, met: 0, done: 0))

    func enter(alone: Bool) {
      state.withLock {
        if $0.isAlone || alone && $0.now > 0 { $0.met += 1 }
        $0.now += 1
        if alone { $0.isAlone = true }
      }
    }

    func leave(alone: Bool) {
      state.withLock {
        $0.now -= 1
        $0.done += 1
        if alone { $0.isAlone = false }
      }
    }

    var counts: (met: Int, done: Int) { state.withLock { ($0.met, $0.done) } }
  }
}
