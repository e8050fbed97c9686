// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage
import Synchronization
import TestSupport
import Testing

@Suite("Group commit: together, and each for itself", .storeless)
struct GroupCommitTests {
  private struct Bad: Error {}

  private static func limits(_ change: (inout GroupCommit<Int, Int>.Limits) -> Void = { _ in })
    -> GroupCommit<Int, Int>.Limits
  {
    var limits = GroupCommit<Int, Int>.Limits(workersMax: 1)
    change(&limits)
    return limits
  }

  @Test("everyone gets their own outcome, in far fewer commits than there are callers")
  func joined() async throws {
    let commits = Counter()
    let group = GroupCommit<Int, Int>(Self.limits()) { batch in
      _ = commits.next()
      return batch.work().map { $0 * 2 }
    }
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      for number in 0..<500 {
        tasks.addTask {
          let outcome = try await group(number)
          #expect(outcome == number * 2)
        }
      }
      try await tasks.waitForAll()
    }
    #expect(commits.count < 500 && group.waitingCount == 0)
  }

  @Test("work of others does not wait because the work of the one who leads is of low priority")
  func priority() async throws {
    let group = GroupCommit<Int, WorkPriority>(.init(workersMax: 1)) { batch in
      batch.work().map { _ in WorkPriority.current }
    }
    let priority = try await WorkPriority.$current.withValue(.low) { try await group(1) }
    #expect(priority == .usual)
  }

  @Test(
    "of a commit that fails each goes alone, and only the bad one fails",
    arguments: [Bad(), SQLError.locked] as [any Error])
  func neighbours(error: any Error) async throws {
    let group = GroupCommit<Int, Int>(Self.limits()) { batch in
      let work = batch.work()
      guard !work.contains(13) else { throw error }
      return work
    }
    let failed = await withTaskGroup(of: Int?.self) { tasks in
      for number in 0..<100 {
        tasks.addTask { (try? await group(number)) == nil ? number : nil }
      }
      return await tasks.reduce(into: [Int]()) { if let number = $1 { $0.append(number) } }
    }
    #expect(failed == [13])
  }

  @Test("no commit takes more than it may, and no more wait than may")
  func bounds() async throws {
    let largest = Mutex(0)
    let gate = TaskGate()
    let group = GroupCommit<Int, Int>(
      Self.limits {
        $0.batchMax = 4
        $0.waitingMax = 8
      }
    ) { batch in
      let work = batch.work()
      largest.withLock { $0 = max($0, work.count) }
      await gate.pass()
      return work
    }
    let refused = try await withThrowingTaskGroup(of: Bool.self) { tasks in
      tasks.addTask { (try? await group(0)) == nil }
      try await gate.reached()
      defer { gate.open() }
      for number in 1...20 { tasks.addTask { (try? await group(number)) == nil } }
      var refused = 0
      // Eight wait, twelve hear at once that too many do.
      for try await isRefused in tasks {
        refused += isRefused ? 1 : 0
        if refused == 12 { gate.open() }
      }
      return refused
    }
    #expect(refused == 12 && largest.withLock { $0 } == 4)
  }

  @Test("who comes while a commit waits for its transaction goes along with it")
  func late() async throws {
    let gate = TaskGate()
    let sizes = Mutex<[Int]>([])
    let group = GroupCommit<Int, Int>(Self.limits()) { batch in
      await gate.pass()
      let work = batch.work()
      sizes.withLock { $0.append(work.count) }
      // A transaction that runs again has the same work.
      #expect(batch.work() == work)
      return work
    }
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      let ask: @Sendable (Int) async throws -> Void = { number in
        let outcome = try await group(number)
        #expect(outcome == number)
      }
      tasks.addTask { try await ask(0) }
      try await gate.reached()
      defer { gate.open() }
      for number in 1...10 { tasks.addTask { try await ask(number) } }
      try await waitUntil("10 wait") { group.waitingCount >= 10 }
      gate.open()
      try await tasks.waitForAll()
    }
    #expect(sizes.withLock { $0 } == [11] && group.waitingCount == 0)
  }

  @Test(
    "a store that does not answer is told of at once to all who wait, though none of them was taken yet",
    arguments: [SQLError.busy, .unreachable("gone")])
  func awayBeforeWork(error: SQLError) async throws {
    let (gate, commits) = (TaskGate(), Counter())
    let group = GroupCommit<Int, Int>(Self.limits()) { _ in
      _ = commits.next()
      await gate.pass()
      throw error
    }
    try await withThrowingTaskGroup(of: SQLError?.self) { tasks in
      let ask: @Sendable (Int) async -> SQLError? = { number in
        do {
          _ = try await group(number)
          return nil
        } catch { return error as? SQLError }
      }
      tasks.addTask { await ask(0) }
      try await gate.reached()
      defer { gate.open() }
      for number in 1...10 { tasks.addTask { await ask(number) } }
      try await waitUntil("10 wait") { group.waitingCount >= 10 }
      gate.open()
      for try await heard in tasks { #expect(heard == error) }
    }
    #expect(commits.count == 1 && group.waitingCount == 0)
  }

  @Test("who has waited for too long is told to come again when the next one comes")
  func overdue() async throws {
    let gate = TaskGate()
    let clock = Mutex(Duration.zero)
    let group = GroupCommit<Int, Int>(Self.limits(), ticks: { clock.withLock { $0 } }) { batch in
      await gate.pass()
      return batch.work()
    }
    let first = Task { try await group(0) }
    try await gate.reached()
    defer { gate.open() }
    let late = Task { try await group(1) }
    try await waitUntil("1 wait") { group.waitingCount >= 1 }
    clock.withLock { $0 += .seconds(10) }
    let next = Task { try await group(2) }
    await #expect(throws: SQLError.busy) { _ = try await late.value }
    gate.open()
    #expect(try await first.value == 0)
    #expect(try await next.value == 2)
  }

  @Test("who is cancelled while they lead gives up their own work, not that of the others")
  func cancelled() async throws {
    let gate = TaskGate()
    let group = GroupCommit<Int, Int>(Self.limits()) { batch in
      let work = batch.work()
      await gate.pass()
      try Task.checkCancellation()
      return work
    }
    try await withThrowingTaskGroup(of: (Int, Bool).self) { tasks in
      let leader = Task { try await group(0) }
      try await gate.reached()
      defer { gate.open() }
      for number in 1...10 { tasks.addTask { (number, (try? await group(number)) == number) } }
      leader.cancel()
      gate.open()
      await #expect(throws: CancellationError.self) { _ = try await leader.value }
      for try await (number, isDone) in tasks { #expect(isDone, "\(number)") }
    }
  }

  @Test("work that may have been committed with a cancelled caller's is uncertain when it cannot be asked for")
  func uncertain() async throws {
    let gate = TaskGate()
    let group = GroupCommit<Int, Int>(Self.limits()) { batch in
      let work = batch.work()
      await gate.pass()
      try Task.checkCancellation()
      guard !work.contains(0) else { return work }
      throw SQLError.unreachable("gone")
    }
    try await withThrowingTaskGroup(of: SQLError?.self) { tasks in
      // The first goes alone; who comes while it is on its way goes with the second.
      let first = Task { try await group(0) }
      try await gate.reached()
      defer { gate.open() }
      let leader = Task { try await group(1) }
      try await waitUntil("1 wait") { group.waitingCount >= 1 }
      for number in 2...4 {
        tasks.addTask {
          do { _ = try await group(number) } catch { return error as? SQLError }
          return nil
        }
      }
      try await waitUntil("4 wait") { group.waitingCount >= 4 }
      leader.cancel()
      gate.open()
      #expect(try await first.value == 0)
      await #expect(throws: CancellationError.self) { _ = try await leader.value }
      for try await error in tasks { #expect(error == .uncertain) }
    }
  }
}
