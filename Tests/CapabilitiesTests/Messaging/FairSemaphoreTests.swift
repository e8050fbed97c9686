// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import Delivery

@Suite("Delivery: turns that threads of several pools share", .storeless)
struct FairSemaphoreTests {
  private final class Turns: Sendable {
    let names = Mutex<[String]>([])
    let working = Atomic(0)
    func add(_ name: String) { names.withLock { $0.append(name) } }
  }

  @Test("a pool that waits has the next turn, and no more of them work at once than there are turns")
  func turns() async throws {
    let shared = FairSemaphore(value: 1)
    let pools = ["a", "b"].map { BlockingThreadPool($0, width: 1, isYielding: true, turns: shared) }
    let taken = Turns()
    let gate = DispatchSemaphore(value: 0)
    let first = Task {
      try await pools[0].run {
        taken.working.add(1, ordering: .relaxed)
        gate.wait()
        taken.working.subtract(1, ordering: .relaxed)
      }
    }
    try await waitUntil("the first has its turn") { taken.working.load(ordering: .relaxed) == 1 }
    let rest = Task {
      try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<40 {
          group.addTask {
            try await pools[number % 2].run(for: "\(number)") {
              defer { taken.working.subtract(1, ordering: .relaxed) }
              taken.add(number.isMultiple(of: 2) ? "a" : "b")
              return taken.working.add(1, ordering: .relaxed).newValue
            }
          }
        }
        return try await group.reduce(0) { max($0, $1) }
      }
    }
    try await waitUntil("all wait") {
      pools.map { pool in pool.state.withLock { $0.pending } } == [21, 20] && shared.waiting == 1
    }
    gate.signal()
    try await first.value
    #expect(try await rest.value == 1)
    let names = taken.names.withLock { $0 }
    #expect(names.count == 40)
    // The other pool waited, and so has the next turn, though the first one has more to do.
    #expect(names.first == "b")
  }

  @Test("threads go on in the order in which they came")
  func order() async throws {
    let semaphore = FairSemaphore(value: 1)
    semaphore.wait()
    let (taken, done) = (Turns(), DispatchGroup())
    for number in 0..<8 {
      done.enter()
      DispatchQueue(label: "\(number)").async {
        semaphore.wait()
        taken.add("\(number)")
        semaphore.signal()
        done.leave()
      }
      try await waitUntil("thread \(number) waits") { semaphore.waiting == number + 1 }
    }
    semaphore.signal()
    #expect(
      await withCheckedContinuation { continuation in
        done.notify(queue: .global()) { continuation.resume(returning: taken.names.withLock { $0 }) }
      } == (0..<8).map { "\($0)" })
    #expect(semaphore.waiting == 0)
  }
}
