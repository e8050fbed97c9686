// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization
import Testing
import TestSupport

@testable import Storage

@Suite("Storage: who is given to SQLite's one writer", .storeless, .timeLimit(.minutes(1)))
struct WriteTurnsTests {
  private struct Broken: Error {}

  private let turns = WriteTurns()
  private let begun = Begun()

  @Test("writes of usual priority wait for none")
  func usual() async throws {
    let gate = TaskGate()
    let low = write(.low, "low", gate)
    try await gate.reached()
    let others = (0..<3).map { write(.usual, "usual \($0)", gate) }
    try await gate.reached(4)
    gate.open()
    for task in [low] + others { try await task.value }
  }

  @Test("writes of low priority wait for those of usual priority, and for one another, in their order")
  func low() async throws {
    let (gate, last) = (TaskGate(), TaskGate())
    let usual = write(.usual, "usual", gate)
    try await gate.reached()
    var low: [Task<Void, any Error>] = []
    for number in 0..<3 {
      low.append(write(.low, "low \(number)", last))
      try await waitUntil("it waits") { turns.waiting == number + 1 }
    }
    #expect(begun.names == ["usual"])
    gate.open()
    try await usual.value
    try await last.reached()
    #expect(turns.waiting == 2)
    last.open()
    for task in low { try await task.value }
    #expect(begun.names == ["usual", "low 0", "low 1", "low 2"])
  }

  @Test("a write of low priority has its turn after so many others, although these do not end")
  func passing() async throws {
    let gate = TaskGate()
    let first = write(.usual, "first", gate)
    try await gate.reached()
    let low = write(.low, "low", gate)
    try await waitUntil("it waits") { turns.waiting == 1 }
    var others: [Task<Void, any Error>] = []
    for number in 1..<WriteTurns.passingMax { others.append(write(.usual, "usual \(number)", gate)) }
    try await gate.reached(WriteTurns.passingMax)
    #expect(turns.waiting == 1 && !begun.names.contains("low"))
    others.append(write(.usual, "one more", gate))
    try await gate.reached(WriteTurns.passingMax + 2)
    #expect(begun.names.contains("low"))
    gate.open()
    for task in [first, low] + others { try await task.value }
  }

  @Test("a write that fails or is cancelled gives the next one its turn", arguments: [WorkPriority.usual, .low])
  func failing(priority: WorkPriority) async throws {
    let gate = TaskGate()
    let failing = Task {
      try await turns.write(priority) { () async throws -> Void in
        await gate.pass()
        throw Broken()
      }
    }
    try await gate.reached()
    let low = write(.low, "low", nil)
    try await waitUntil("it waits") { turns.waiting == 1 }
    low.cancel()
    gate.open()
    await #expect(throws: Broken.self) { try await failing.value }
    try await low.value
    try await write(.low, "next", nil).value
    #expect(begun.names == ["low", "next"])
  }

  @Test("SQLite carries out every one of many writes of both priorities", arguments: SQLite.Durability.allCases)
  func stored(durability: SQLite.Durability) async throws {
    let folder = try TestFolder()
    let store = try SQLite(path: folder.file("turns.sqlite"), durability: durability)
    try await store.migrate([Migration("2026-01-01 n", "CREATE TABLE n (n BIGINT NOT NULL);")])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask {
          try await WorkPriority.$current.withValue(number.isMultiple(of: 3) ? .usual : .low) {
            try await store.write { _ = try $0.execute("INSERT INTO n (n) VALUES (\(number))") }
          }
        }
      }
      try await group.waitForAll()
    }
    let rows = try await store.query("SELECT count(DISTINCT n) AS count FROM n")
    #expect(try rows.first?.get("count", as: Int.self) == 200)
    try store.close()
  }

  @Test("writes of low priority go on while the disk is busy with those before them, and share a sync")
  func shared() async throws {
    let folder = try TestFolder()
    let syncs = Atomic(0)
    let written = DispatchSemaphore(value: 0)
    let store = try SQLite(path: folder.file("syncs.sqlite"), durability: .shared) { _ in
      // A disk that is ready when eight more were written, or after a while: those that it keeps waiting write nothing.
      for _ in 0..<8 { _ = written.wait(timeout: .now() + .milliseconds(5)) }
      syncs.add(1, ordering: .relaxed)
      return 0
    }
    try await store.migrate([Migration("2026-01-01 n", "CREATE TABLE n (n BIGINT NOT NULL);")])
    let before = syncs.load(ordering: .relaxed)
    try await WorkPriority.$current.withValue(.low) {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<64 {
          group.addTask {
            try await store.write {
              _ = try $0.execute("INSERT INTO n (n) VALUES (\(number))")
              written.signal()
            }
          }
        }
        try await group.waitForAll()
      }
    }
    let count = syncs.load(ordering: .relaxed) - before
    #expect((1..<48).contains(count), "\(count) syncs of 64 writes")
    try store.close()
  }

  private func write(_ priority: WorkPriority, _ name: String, _ gate: TaskGate?) -> Task<Void, any Error> {
    Task { [turns, begun] in
      await turns.write(priority) {
        begun.add(name)
        await gate?.pass()
      }
    }
  }
}

private final class Begun: Sendable {
  private let kept = Mutex<[String]>([])
  var names: [String] { kept.withLock { $0 } }
  func add(_ name: String) { kept.withLock { $0.append(name) } }
}
