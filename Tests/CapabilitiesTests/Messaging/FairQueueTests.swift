// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Delivery

@Suite("Delivery: callers take turns at threads", .storeless)
struct FairQueueTests {
  /// Whose calls ran, in their order.
  private final class Served: Sendable {
    let callers = Mutex<[String]>([])
  }

  /// The time that a pool sees.
  private final class Time: Sendable {
    let now = Mutex(ContinuousClock.now)
  }

  @Test("who asks for one thing waits behind one of each other caller, and not behind all of theirs")
  func turns() {
    var queue = FairQueue<Int>()
    for number in 0..<100 { queue.append(number, for: "203.0.113.0/24") }
    queue.append(1000, for: "198.51.100.0/24")
    queue.append(1001, for: "198.51.100.0/24")
    #expect((0..<5).map { _ in queue.next() } == [0, 1000, 1, 1001, 2])
    for number in 3..<100 { #expect(queue.next() == number) }
    #expect(queue.next() == nil)
  }

  @Test("the last element of the caller who has most gives way, and nothing does where all have as much")
  func giveWay() {
    var queue = FairQueue<Int>()
    #expect(queue.giveWay(to: "a") == nil)
    for number in 0..<3 { queue.append(number, for: "a") }
    // Their own caller gains nothing by asking for more.
    #expect(queue.giveWay(to: "a") == nil)
    #expect(queue.giveWay(to: "b") == 2)
    queue.append(10, for: "b")
    #expect(queue.giveWay(to: "c") == 1)
    queue.append(20, for: "c")
    #expect(queue.giveWay(to: "d") == nil)
    #expect((0..<4).map { _ in queue.next() } == [0, 10, 20, nil])
  }

  @Test("what leaves out of its turn takes nothing from others")
  func removeAll() {
    var queue = FairQueue<Int>()
    for (number, caller) in [(1, "a"), (2, "a"), (3, "b"), (4, "c")] { queue.append(number, for: caller) }
    #expect(queue.removeAll { $0 > 4 } == [])
    #expect(queue.removeAll { $0.isMultiple(of: 2) || $0 == 3 } == [2, 3, 4])
    #expect(queue.count(of: "b") == 0)
    #expect(queue.count == 1)
    queue.append(5, for: "c")
    #expect((0..<3).map { _ in queue.next() } == [1, 5, nil])
  }

  @Test(
    "a call that has no turn in time is refused when a thread is free, and the threads go on with others",
    arguments: [true, false])
  func patience(isYielding: Bool) async throws {
    let time = Time()
    let threads = BlockingThreadPool(
      "test", width: 1, pendingMax: 8, isYielding: isYielding, patience: .seconds(10),
      now: { time.now.withLock { $0 } })
    let gate = DispatchSemaphore(value: 0)
    @Sendable func isHeld(_ count: Int) async throws {
      try await waitUntil("\(count) run or wait") { threads.state.withLock { $0.pending } >= count }
    }
    // Nothing waits, so that it runs however long that takes.
    let running = Task { try await threads.run(for: "flood") { gate.wait() } }
    try await isHeld(1)
    let late = (0..<6).map { number in Task { try await threads.run(for: "\(number / 2)") { number } } }
    try await isHeld(7)
    time.now.withLock { $0 += .seconds(1) }
    let intime = Task { try await threads.run(for: "2") { 6 } }
    try await isHeld(8)
    time.now.withLock { $0 += .seconds(9.5) }
    gate.signal()
    try await running.value
    for call in late { await #expect(throws: BlockingThreadPoolFull.self) { try await call.value } }
    #expect(try await intime.value == 6)
    #expect(try await threads.run(for: "staff") { 2 } == 2)
    // Every place is free again.
    #expect(threads.state.withLock { $0.pending } == 0)
  }

  @Test("a call that has no turn in time is refused when another one comes, while no thread is free")
  func patienceOfMany() async throws {
    let time = Time()
    let threads = BlockingThreadPool(
      "test", width: 1, pendingMax: 4, patience: .seconds(10), now: { time.now.withLock { $0 } })
    let gate = DispatchSemaphore(value: 0)
    @Sendable func isHeld(_ count: Int) async throws {
      try await waitUntil("\(count) run or wait") { threads.state.withLock { $0.pending } == count }
    }
    let running = Task { try await threads.run(for: "flood") { gate.wait() } }
    try await isHeld(1)
    let late = Task { try await threads.run(for: "a") { 1 } }
    try await isHeld(2)
    time.now.withLock { $0 += .seconds(6) }
    let next = Task { try await threads.run(for: "b") { 2 } }
    try await isHeld(3)
    time.now.withLock { $0 += .seconds(6) }
    // In the place of the one that is late, while no thread is free.
    let last = Task { try await threads.run(for: "c") { 3 } }
    await #expect(throws: BlockingThreadPoolFull.self) { try await late.value }
    try await isHeld(3)
    gate.signal()
    try await running.value
    #expect(try await next.value == 2)
    #expect(try await last.value == 3)
  }

  @Test("a flood of one network is refused what others ask for, and others are served", arguments: [true, false])
  func flood(isYielding: Bool) async throws {
    let threads = BlockingThreadPool("test", width: 1, pendingMax: 8, isYielding: isYielding)
    let gate = DispatchSemaphore(value: 0)
    let served = Served()
    @Sendable func ask(_ caller: String) -> Task<Bool, any Error> {
      Task {
        do {
          try await threads.run(for: caller) { served.callers.withLock { $0.append(caller) } }
          return true
        } catch is BlockingThreadPoolFull { return false }
      }
    }
    /// Until that many run or wait: a call takes its place a moment after it was made.
    @Sendable func isHeld(_ count: Int) async throws {
      try await waitUntil("\(count) run or wait") { threads.state.withLock { $0.pending } >= count }
    }
    let first = Task { try await threads.run(for: "flood") { gate.wait() } }
    try await isHeld(1)
    let flood = (0..<7).map { _ in ask("flood") }
    try await isHeld(8)
    // The ninth: there is no room, and the flood has all of it.
    #expect(try await ask("flood").value == false)
    let staff = ask("staff")
    try await waitUntil("the staff's call waits") { threads.state.withLock { $0.waiting.count(of: "staff") } > 0 }
    gate.signal()
    try await first.value
    #expect(try await staff.value)
    var answered: [Bool] = []
    for task in flood { answered.append(try await task.value) }
    // One of the flood learned that it has to come again.
    #expect(answered.filter { !$0 }.count == 1)
    // It had the second turn behind what ran already, or the first where that began late.
    let turn = try #require(served.callers.withLock { $0.firstIndex(of: "staff") })
    #expect(turn <= 1)
    #expect(served.callers.withLock { $0.count } == 7)
    // Every place is free again.
    #expect(threads.state.withLock { $0.pending } == 0)
  }
}
