// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage
import Synchronization
import TestSupport
import Testing

@Suite("Storage: SQLite's log on the disk", .ownFile, .timeLimit(.minutes(3)))
struct LogSyncerTests {
  private static let line = Migration(
    "2026-11-23 line",
    """
    CREATE TABLE line (n BIGINT PRIMARY KEY, task BIGINT NOT NULL);
    CREATE TABLE part (
      n BIGINT PRIMARY KEY, line BIGINT NOT NULL REFERENCES line (n) DEFERRABLE INITIALLY DEFERRED
    );
    """)

  /// A disk that has what was synced and nothing else: a power loss leaves the copy that the last sync ended with.
  private final class Disk: Sendable {
    private let path: String
    private let copying = Mutex(0)
    private let whole = Atomic(0)

    init(_ path: String) { self.path = path }

    /// How many copies are whole. Asked without waiting for one that is being made.
    var count: Int { whole.load(ordering: .sequentiallyConsistent) }

    /// Two threads may sync at once; each makes a copy of its own, and the later one has all that the earlier one has.
    func sync() -> CInt {
      copying.withLock { count in
        let copy = "\(path)-disk-\(count + 1)"
        for end in ["", "-wal"] {
          try? FileManager.default.copyItem(atPath: path + end, toPath: copy + end)
          // As slow as a disk is, so that an answer that does not wait for it is found.
          let file = open(copy + end, O_RDONLY)
          _ = SQLite.sync(file)
          close(file)
        }
        count += 1
        whole.store(count, ordering: .sequentiallyConsistent)
      }
      return 0
    }

    /// What a program that starts after the power loss finds.
    func lines(ofCopy number: Int) async throws -> Set<Int> {
      let found = try SQLite(path: "\(path)-disk-\(number)", durability: .shared)
      defer { try? found.close() }
      return Set(try await found.read { try $0.query("SELECT n FROM line").map { try $0.get("n", as: Int.self) } })
    }
  }

  /// Something that was heard: lines that were there, and how many copies the disk had by then.
  private struct Heard: Sendable {
    let lines: [Int]
    let copies: Int
  }

  @Test("every acknowledgement, and every read, tells only of what a power loss leaves", arguments: [1, 2, 12])
  func powerLoss(tasks: Int) async throws {
    let folder = try TestFolder()
    let path = folder.file("log.sqlite")
    let disk = Disk(path)
    let database = try SQLite(path: path, durability: .shared) { _ in disk.sync() }
    try await database.migrate([Self.line])
    let heard = try await withThrowingTaskGroup(of: [Heard].self) { group in
      for task in 0..<tasks {
        group.addTask {
          var heard: [Heard] = []
          for number in 0..<12 {
            let line = task / 2 * 100 + number
            // Every other one hears that another thread syncs already, which tells him of it as well.
            do {
              try await database.write { _ = try $0.execute("INSERT INTO line (n, task) VALUES (\(line), \(task))") }
            } catch SQLError.notUnique {}
            heard.append(Heard(lines: [line], copies: disk.count))
          }
          return heard
        }
      }
      for kind in 0..<4 {
        group.addTask {
          var heard: [Heard] = []
          for _ in 0..<12 {
            let all: SQL = "SELECT n FROM line"
            let rows =
              switch kind {
              case 0: try await database.query(all)
              case 1: try await database.look { try $0.query(all) }
              case 2: try await database.query(all) { $0 }
              default: try await database.read { try $0.query(all) }
              }
            heard.append(Heard(lines: try rows.map { try $0.get("n") }, copies: disk.count))
          }
          return heard
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    try database.close()
    #expect(heard.count == (tasks + 4) * 12)
    var copies: [Int: Set<Int>] = [:]
    for one in heard {
      let copy = if let known = copies[one.copies] { known } else { try await disk.lines(ofCopy: one.copies) }
      copies[one.copies] = copy
      #expect(copy.isSuperset(of: one.lines))
    }
  }

  @Test("who goes on by what they saw has it while the disk works, and is answered after it")
  func goesOn() async throws {
    let folder = try TestFolder()
    let isSlow = Atomic(false)
    let done = Atomic(false)
    let goesOn = DispatchSemaphore(value: 0)
    let (works, working) = AsyncStream.makeStream(of: Void.self)
    let database = try SQLite(path: folder.file("log.sqlite"), durability: .shared) { file in
      if isSlow.exchange(false, ordering: .sequentiallyConsistent) {
        working.yield()
        goesOn.wait()
        let error = SQLite.sync(file)
        done.store(true, ordering: .sequentiallyConsistent)
        return error
      }
      return SQLite.sync(file)
    }
    try await database.migrate([Self.line])
    isSlow.store(true, ordering: .sequentiallyConsistent)
    async let written: Void = database.write { _ = try $0.execute("INSERT INTO line (n, task) VALUES (1, 1)") }
    for await _ in works { break }
    // Were the rows held back until the disk has them, the disk would never go on.
    let count = try await database.query("SELECT n FROM line") { rows in
      goesOn.signal()
      return rows.count
    }
    #expect(count == 1 && done.load(ordering: .sequentiallyConsistent))
    try await written
    try database.close()
  }

  @Test("what is synced is the log")
  func file() async throws {
    let folder = try TestFolder()
    let path = folder.file("log.sqlite")
    let (wrong, syncs) = (Counter(), Counter())
    let database = try SQLite(path: path, durability: .shared) { file in
      var (synced, log) = (stat(), stat())
      guard fstat(file, &synced) == 0, stat("\(path)-wal", &log) == 0, synced.st_ino == log.st_ino else {
        return CInt(wrong.next())
      }
      _ = syncs.next()
      return SQLite.sync(file)
    }
    try await database.migrate([Self.line])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for line in 0..<20 {
        group.addTask {
          try await database.write { _ = try $0.execute("INSERT INTO line (n, task) VALUES (\(line), 1)") }
        }
      }
      try await group.waitForAll()
    }
    #expect(wrong.count == 0 && syncs.count > 2)
    try database.close()
  }

  @Test("what the log has from before is on the disk before anybody is answered")
  func before() async throws {
    let folder = try TestFolder()
    let (path, copy) = (folder.file("log.sqlite"), folder.file("copy.sqlite"))
    let database = try SQLite(path: path, durability: .shared)
    try await database.migrate([Self.line])
    try await database.write { _ = try $0.execute("INSERT INTO line (n, task) VALUES (1, 1)") }
    // As after a kill.
    for end in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + end, toPath: copy + end) }
    try database.close()
    #expect { try SQLite(path: copy, durability: .shared) { _ in EIO } } throws: {
      if case SQLError.unreachable(let why) = $0 { why.contains("error 5") } else { false }
    }
    let syncs = Counter()
    let again = try SQLite(path: copy, durability: .shared) { file in
      _ = syncs.next()
      return SQLite.sync(file)
    }
    #expect(syncs.count == 1)
    #expect(try await again.query("SELECT n FROM line").count == 1)
    try again.close()
    #expect(try await SQLite.faults(copy).isEmpty)
  }

  /// Runs a task on a thread of its own, and says when the task has come to its first wait.
  private final class FirstWait: TaskExecutor {
    private let queue = DispatchQueue(label: "first wait")
    private let (waits, reached) = AsyncStream.makeStream(of: Void.self)

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { [self] in
        job.runSynchronously(on: asUnownedTaskExecutor())
        reached.yield()
      }
    }

    /// To be called once.
    func isReached() async {
      for await _ in waits { return }
    }
  }

  /// The thread on which a transaction was carried out.
  private final class Writer: Sendable {
    private let thread = Mutex<pthread_t?>(nil)

    func begin() { thread.withLock { $0 = pthread_self() } }

    /// Whether the transaction has begun, on another thread than the one that asks.
    var isAnotherThread: Bool { thread.withLock { $0.map { pthread_equal($0, pthread_self()) == 0 } ?? false } }
  }

  @Test("while the disk is busy the next transaction is carried out")
  func meanwhile() async throws {
    let folder = try TestFolder()
    let (begun, first) = (AsyncStream.makeStream(of: Void.self), DispatchSemaphore(value: 0))
    let (syncs, busy, free) = (Counter(), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let writer = Writer()
    let database = try SQLite(path: folder.file("log.sqlite"), durability: .shared) { _ in
      // Threads are told apart by their ids: under load Foundation may lose the name of one that has just begun.
      guard writer.isAnotherThread, syncs.next() == 1 else { return 0 }
      busy.signal()
      free.wait()
      return 0
    }
    try await database.migrate([Self.line])
    let executor = FirstWait()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await database.write { tx in
          try tx.execute("INSERT INTO line (n, task) VALUES (1, 1)")
          writer.begin()
          begun.continuation.yield()
          first.wait()
        }
      }
      for await _ in begun.stream { break }
      group.addTask(executorPreference: executor) {
        try await database.write { tx in
          // The disk is at work on the first transaction's commit, and stays so until this one is carried out.
          busy.wait()
          try tx.execute("INSERT INTO line (n, task) VALUES (2, 2)")
          free.signal()
        }
      }
      // The second one has asked to write before the first one commits. However the machine shares its processors out,
      // the commit is left to the thread that syncs.
      await executor.isReached()
      first.signal()
      try await group.waitForAll()
    }
    #expect(syncs.count > 0)
    #expect(try await database.query("SELECT n FROM line").count == 2)
    try database.close()
  }

  @Test("a disk that refuses is told as such, and nothing is written or read any more until the next start")
  func refused() async throws {
    let folder = try TestFolder()
    let path = folder.file("log.sqlite")
    let syncs = Counter()
    // The system may say later that all is well, and have dropped what it refused.
    let database = try SQLite(path: path, durability: .shared) { _ in syncs.next() == 4 ? EIO : 0 }
    try await database.migrate([Self.line])
    try await database.write { _ = try $0.execute("INSERT INTO line (n, task) VALUES (1, 1)") }
    // It may have happened.
    await #expect(throws: SQLError.uncertain) {
      try await database.write { _ = try $0.execute("INSERT INTO line (n, task) VALUES (2, 1)") }
    }
    #expect(syncs.count == 4)
    let bodies = Counter()
    for attempt in [
      { @Sendable in
        try await database.write { tx in
          _ = bodies.next()
          try tx.execute("INSERT INTO line (n, task) VALUES (3, 1)")
        }
      },
      { _ = try await database.read { try $0.query("SELECT n FROM line") } },
      { _ = try await database.look { try $0.query("SELECT n FROM line") } },
      { _ = try await database.query("SELECT n FROM line") },
    ] {
      await #expect { try await attempt() } throws: { if case SQLError.unreachable = $0 { true } else { false } }
    }
    #expect(bodies.count == 0)
    try database.close()
    let again = try SQLite(path: path, durability: .shared)
    let lines = try await again.query("SELECT n FROM line ORDER BY n").map { try $0.get("n", as: Int.self) }
    #expect(lines == [1, 2])
    try again.close()
  }

  @Test("a failed transaction delays no other one, and syncs nothing")
  func rolledBack() async throws {
    let folder = try TestFolder()
    let syncs = Counter()
    let database = try SQLite(path: folder.file("log.sqlite"), durability: .shared) { _ in syncs.next() > 0 ? 0 : EIO }
    try await database.migrate([Self.line])
    try await database.write { _ = try $0.execute("INSERT INTO line (n, task) VALUES (1, 1)") }
    let before = syncs.count
    await #expect(throws: SQLError.self) {
      try await database.write { _ = try $0.execute("INSERT INTO line (n, task) VALUES (1, 2)") }
    }
    #expect(try await database.query("SELECT n FROM line").count == 1)
    #expect(syncs.count == before)
    // Refused by the commit itself.
    await #expect(throws: SQLError.self) {
      try await database.write { try $0.execute("INSERT INTO part (n, line) VALUES (1, 2)") }
    }
    #expect(try await database.query("SELECT n FROM part").isEmpty)
    try database.close()
  }
}
