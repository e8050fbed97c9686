// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage
import Testing
import TestSupport

@Suite("Storage: SQLite's log", .ownFile, .timeLimit(.minutes(3)))
struct CheckpointerTests {
  private static let big = Migration(
    "2026-11-22 big", "CREATE TABLE big (id BIGINT PRIMARY KEY, filling BLOB NOT NULL)")

  private func write(_ rows: Range<Int>, to database: SQLite) async throws {
    for row in rows {
      try await database.write { tx in
        let filling = Data(repeating: UInt8(truncatingIfNeeded: row), count: 200_000)
        try tx.execute(
          """
          INSERT INTO big (id, filling) VALUES (\(row % 5), \(filling))
          ON CONFLICT (id) DO UPDATE SET filling = excluded.filling
          """)
      }
    }
  }

  private func size(_ path: String) throws -> Int {
    (try FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.intValue ?? 0
  }

  @Test("is moved into the file while commits go on, and begins anew: it does not grow without end")
  func bounded() async throws {
    let folder = try TestFolder()
    let path = folder.file("log.sqlite")
    let database = try SQLite(path: path, durability: .shared)
    try await database.migrate([Self.big])
    // 100 MB of commits over one megabyte of rows.
    try await write(0..<500, to: database)
    #expect(try size("\(path)-wal") < 80_000_000)
    #expect(try size(path) < 10_000_000)
    let fillings = try await database.read {
      try $0.query("SELECT filling FROM big ORDER BY id").map { try $0.get("filling", as: Data.self).first }
    }
    #expect(fillings == (495..<500).map { UInt8(truncatingIfNeeded: $0) })
    try database.close()
    #expect(try await SQLite.faults(path).isEmpty)
  }

  @Test("a reader of an older moment keeps seeing it, and holds no commit up", arguments: SQLite.Durability.allCases)
  func reader(durability: SQLite.Durability) async throws {
    let folder = try TestFolder()
    let path = folder.file("log.sqlite")
    let database = try SQLite(path: path, durability: durability)
    try await database.migrate([Self.big])
    try await write(0..<5, to: database)
    let (begun, done) = (AsyncStream.makeStream(of: Void.self), DispatchSemaphore(value: 0))
    async let seen = database.read { tx in
      let first = try tx.first("SELECT filling FROM big WHERE id = 0")?.get("filling", as: Data.self).first
      begun.continuation.yield()
      done.wait()
      let second = try tx.first("SELECT filling FROM big WHERE id = 0")?.get("filling", as: Data.self).first
      return [first, second]
    }
    for await _ in begun.stream { break }
    try await write(5..<405, to: database)
    done.signal()
    #expect(try await seen == [0, 0])
    #expect(try size("\(path)-wal") > 70_000_000)
    // Once he is gone it begins anew, and is no longer than usual.
    var row = 405
    while database.logBytes > 70_000_000 {
      try await write(row..<(row + 10), to: database)
      row += 10
    }
    #expect(try Int(database.logBytes) == size("\(path)-wal"))
    try database.close()
    #expect(try await SQLite.faults(path).isEmpty)
  }

  @Test("is emptied once commits end, without any further one: what stands in it may be erased")
  func emptied() async throws {
    let folder = try TestFolder()
    let path = folder.file("log.sqlite")
    let database = try SQLite(path: path)
    try await database.migrate([Self.big])
    // 50 MB, in which the log begins anew at least once; what is written after that need not be due by itself.
    try await write(0..<255, to: database)
    // A slow disk has it emptied within the commits, too: then the last of them may leave less than is due.
    let notDue = 1000 * (4096 + 24) + 32
    try await waitUntil("the log is emptied") { database.logBytes < notDue }
    #expect(try size("\(path)-wal") < notDue)
    try database.close()
    #expect(try await SQLite.faults(path).isEmpty)
  }

  @Test("a commit that a lock holds up goes on when the lock ends, and does not sleep on", .timeLimit(.minutes(1)))
  func pauses() async throws {
    let folder = try TestFolder()
    let path = folder.file("log.sqlite")
    let (database, other) = (try SQLite(path: path), try SQLite(path: path))
    try await database.migrate([Self.big])
    var late: [Duration] = []
    for _ in 0..<5 {
      let (begun, done) = (AsyncStream.makeStream(of: Void.self), DispatchSemaphore(value: 0))
      let holding = Task {
        try await other.write { tx in
          begun.continuation.yield()
          done.wait()
          return ContinuousClock.now
        }
      }
      for await _ in begun.stream { break }
      let waiting = Task { try await database.write { _ in ContinuousClock.now } }
      // SQLite's own pauses end 228 and 328 ms after the first try.
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(260)) { done.signal() }
      late.append(try await holding.value.duration(to: waiting.value))
    }
    // The best of five, as other programs use the processors too.
    #expect(try #require(late.min()) < .milliseconds(40))
    try database.close()
    try other.close()
  }
}
