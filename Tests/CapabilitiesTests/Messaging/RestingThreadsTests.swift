// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Kit
import Synchronization
import TestSupport
import Testing

@testable import Delivery

@Suite("Delivery: threads that rest after what was compared in vain", .timeLimit(.minutes(5)))
struct RestingThreadsTests {
  private let rests = Rests()

  private func pool() -> BlockingThreadPool {
    BlockingThreadPool("test", width: 1, isYielding: true, pausing: { [rests] in rests.take($0) })
  }

  @Test("what does not match is noted, and rests seven times as long where it must; what matches does neither")
  func rest() async throws {
    let pool = pool()
    rests.open()
    for mustRest in [false, true] {
      let wrong = RequestComputing(mustRest: mustRest)
      #expect(try await Self.compare(on: pool, wrong, with: false) == false)
      #expect(wrong.inVain >= 20)
      let right = RequestComputing(mustRest: mustRest)
      #expect(try await Self.compare(on: pool, right, with: true))
      #expect(right.ofUse >= 20 && right.inVain == 0)
    }
    // The thread rests behind the answer, and begins the next comparison after it.
    let last = RequestComputing(mustRest: true)
    #expect(try await Self.compare(on: pool, last, with: true))
    #expect(rests.all.count == 1)
    #expect(try #require(rests.all.first) >= .milliseconds(7 * 20))
  }

  @Test("what throws was in vain")
  func broken() async throws {
    let pool = pool()
    rests.open()
    let computing = RequestComputing(mustRest: true)
    await #expect(throws: Broken.self) {
      try await RequestComputing.$current.withValue(computing) {
        try await pool.compare {
          Self.compute()
          throw Broken()
        }
      }
    }
    #expect(computing.inVain >= 20)
  }

  @Test("others do not wait for a thread that rests, and those who must rest do")
  func apart() async throws {
    let pool = pool()
    #expect(try await Self.compare(on: pool, RequestComputing(mustRest: true), with: false) == false)
    let next = Task { try await Self.compare(on: pool, RequestComputing(mustRest: true), with: true) }
    try await waitUntil("the thread rests, and the next one waits") {
      rests.all.count == 1 && pool.resting?.state.withLock { $0.waiting.count } == 1
    }
    #expect(try await Self.compare(on: pool, RequestComputing(mustRest: false), with: true))
    #expect(try await Self.compare(on: pool, nil, with: true))
    #expect(pool.restingUse == .init(waiting: 1, came: 2, refused: 0))
    #expect(pool.use == .init(waiting: 0, came: 2, refused: 0))
    rests.open()
    #expect(try await next.value)
  }

  @Test("what waits behind a rest for too long is refused when that ends, and others go on")
  func late() async throws {
    let time = Time()
    let pool = BlockingThreadPool(
      "test", width: 1, isYielding: true, patience: .seconds(10), now: { time.now.withLock { $0 } },
      pausing: { [rests] in rests.take($0) })
    #expect(try await Self.compare(on: pool, RequestComputing(mustRest: true), with: false) == false)
    let late = Task { try await Self.compare(on: pool, RequestComputing(mustRest: true), with: true) }
    try await waitUntil("it waits") { pool.resting?.state.withLock { $0.waiting.count } == 1 }
    time.now.withLock { $0 += .seconds(11) }
    rests.open()
    await #expect(throws: BlockingThreadPoolFull.self) { try await late.value }
    #expect(pool.restingUse.refused == 1 && pool.use.refused == 0)
    #expect(try await Self.compare(on: pool, RequestComputing(mustRest: true), with: true))
    try await waitUntil("every place is free") { pool.resting?.state.withLock { $0.pending } == 0 }
  }

  @Test("where another secret than the present is asked for, the present one was in vain")
  func other() async throws {
    let pool = pool()
    for isSame in [true, false] {
      let computing = RequestComputing(mustRest: false)
      let answer = try await RequestComputing.$current.withValue(computing) {
        try await pool.compare(expecting: false) {
          Self.compute()
          return isSame
        }
      }
      #expect(answer == isSame)
      #expect((isSame ? computing.inVain : computing.ofUse) >= 20)
    }
  }

  @Test("where threads are shared with other calls, those who must rest have no others")
  func plain() async throws {
    let pool = BlockingThreadPool("test", width: 1, pausing: { [rests] in rests.take($0) })
    let computing = RequestComputing(mustRest: true)
    #expect(try await Self.compare(on: pool, computing, with: false) == false)
    #expect(computing.inVain >= 20)
    #expect(rests.all == [])
  }

  private static func compare(
    on pool: BlockingThreadPool, _ computing: RequestComputing?, with outcome: Bool
  ) async throws -> Bool {
    try await RequestComputing.$current.withValue(computing) {
      try await pool.compare {
        compute()
        return outcome
      }
    }
  }

  /// Takes 20 milliseconds of a processor.
  private static func compute() {
    let begun = YieldingThread.processorTime
    while YieldingThread.processorTime - begun < .milliseconds(21) {}
  }

  private struct Broken: Error {}

  /// The time that a pool sees.
  private final class Time: Sendable {
    let now = Mutex(ContinuousClock.now)
  }
}

/// What threads rest for; they go on when it is opened.
private final class Rests: Sendable {
  private let kept = Mutex<[Duration]>([])
  private let gate = DispatchSemaphore(value: 0)

  var all: [Duration] { kept.withLock { $0 } }

  func take(_ rest: Duration) {
    kept.withLock { $0.append(rest) }
    gate.wait()
    gate.signal()
  }

  func open() { gate.signal() }
}
