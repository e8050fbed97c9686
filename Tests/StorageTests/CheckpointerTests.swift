// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage
import Testing
import TestSupport

@Suite("Storage: SQLite's log", .timeLimit(.minutes(3)))
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

  @Test("a reader of an older moment keeps seeing it, and holds no commit up")
  func reader() async throws {
    let folder = try TestFolder()
    let path = folder.file("log.sqlite")
    let database = try SQLite(path: path, durability: .shared)
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
}
