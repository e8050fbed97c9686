// SPDX-License-Identifier: Apache-2.0

import Kit
import Synchronization
import TestSupport
import Testing

@Suite("Group commit: slow disks", .storeless)
struct SlowCommitTests {
  @Test("where the store is slow one leads at a time, and everyone gets their own outcome")
  func slow() async throws {
    var limits = GroupCommit<Int, Int>.Limits(workersMax: 2)
    limits.slowMin = .zero
    let running = Mutex((now: 0, most: 0))
    let group = GroupCommit<Int, Int>(limits) { batch in
      running.withLock { ($0.now, $0.most) = ($0.now + 1, max($0.most, $0.now + 1)) }
      defer { running.withLock { $0.now -= 1 } }
      let outcomes = batch.carryOut { $0.map { $0 * 2 } }
      await Task.yield()
      return outcomes
    }
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      for client in 0..<20 {
        tasks.addTask {
          for round in 0..<20 {
            let outcome = try await group(client * 100 + round)
            #expect(outcome == (client * 100 + round) * 2)
          }
        }
      }
      try await tasks.waitForAll()
    }
    #expect(running.withLock { $0.most } == 1 && group.waitingCount == 0)
  }

  @Test("a slow disk is waited for by a second leader where more wait than one commit takes")
  func crowded() async throws {
    var limits = GroupCommit<Int, Int>.Limits(workersMax: 2)
    (limits.slowMin, limits.batchMax) = (.zero, 2)
    let gate = TaskGate()
    let running = Mutex(0)
    let group = GroupCommit<Int, Int>(limits) { batch in
      running.withLock { $0 += 1 }
      await gate.pass()
      return batch.work()
    }
    try await withThrowingTaskGroup(of: Bool.self) { tasks in
      tasks.addTask { try await group(0) == 0 }
      try await gate.reached()
      defer { gate.open() }
      for number in 1...2 {
        tasks.addTask { try await group(number) == number }
        try await waitUntil("\(number) wait") { group.waitingCount >= number }
      }
      #expect(running.withLock { $0 } == 1)
      tasks.addTask { try await group(3) == 3 }
      try await waitUntil("a second one leads") { group.waitingCount >= 3 || running.withLock { $0 } >= 2 }
      #expect(running.withLock { $0 } == 2 && group.waitingCount == 2)
      gate.open()
      for try await isOwn in tasks { #expect(isOwn) }
    }
    #expect(group.waitingCount == 0)
  }

  /// A group whose syncs take 8 ms by its own clock, and what it did.
  private final class SlowGroup: Sendable {
    let clock = Mutex(Duration.zero)
    let sizes = Mutex<[Int]>([])
    let pauses = Counter()
    /// Holds the first commit, and the pause of that number.
    let (first, held) = (TaskGate(), TaskGate())

    func group(holdingPause number: Int, ticking: Bool = true) -> GroupCommit<Int, Int> {
      let pause: @Sendable (Duration) async throws -> Void = { [self] duration in
        if ticking { clock.withLock { $0 += duration } }
        if pauses.next() == number { await held.pass() }
      }
      return GroupCommit(.init(workersMax: 1), ticks: { [self] in clock.withLock { $0 } }, pausing: pause) {
        [self] batch in
        await first.pass()
        let outcomes = batch.carryOut { $0 }
        sizes.withLock { $0.append(outcomes.count) }
        clock.withLock { $0 += .milliseconds(8) }
        return outcomes
      }
    }
  }

  /// Three callers who share a commit.
  private static func three(_ group: GroupCommit<Int, Int>, oneBefore gate: TaskGate) async throws {
    try await withThrowingTaskGroup(of: Int.self) { tasks in
      tasks.addTask { try await group(0) }
      try await gate.reached()
      defer { gate.open() }
      for number in 1...2 { tasks.addTask { try await group(number) } }
      try await waitUntil("two wait") { group.waitingCount >= 2 }
      gate.open()
      let answers = try await tasks.reduce(into: Set()) { $0.insert($1) }
      #expect(answers == [0, 1, 2])
    }
  }

  @Test("on a slow disk a commit waits for as many as the last one answered, for a quarter of a sync")
  func gathering() async throws {
    let slow = SlowGroup()
    let group = slow.group(holdingPause: 1)
    try await Self.three(group, oneBefore: slow.first)
    // The others come during the first pause, so there is no second one.
    try await Self.three(group, oneBefore: slow.held)
    #expect(slow.sizes.withLock { $0 } == [3, 3] && slow.pauses.count == 1)
    // No one else comes: 2 ms of pauses of 250 µs. After that one is all who are expected.
    #expect(try await group(3) == 3)
    #expect(slow.pauses.count == 9)
    #expect(try await group(4) == 4)
    #expect(slow.sizes.withLock { $0 } == [3, 3, 1, 1] && slow.pauses.count == 9)
  }

  @Test("a clock that stands still holds no commit up")
  func standing() async throws {
    let slow = SlowGroup()
    let group = slow.group(holdingPause: 0, ticking: false)
    try await Self.three(group, oneBefore: slow.first)
    #expect(try await group(3) == 3)
    #expect(slow.sizes.withLock { $0 } == [3, 1] && slow.pauses.count == 20)
  }
}
