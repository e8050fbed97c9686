// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage
import Testing
import TestSupport

@Suite("Storage: many at once")
struct ConcurrencyTests {
  private static let counter = Migration(
    "2026-01-01 counter",
    "CREATE TABLE counter (id BIGINT PRIMARY KEY, n BIGINT NOT NULL); INSERT INTO counter VALUES (1, 0);")

  @Test("every one of many concurrent writers succeeds and no increment is lost", arguments: Engine.available)
  func writers(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine, [Self.counter])
    let other = try made.reopened()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<60 {
        group.addTask { try await Self.increment(index.isMultiple(of: 2) ? made.database : other) }
      }
      try await group.waitForAll()
    }
    #expect(try await Self.value(made.database) == 60)
    #expect(try await Self.value(other) == 60)
    try other.close()
  }

  @Test("a reader sees one moment, whatever is written meanwhile", arguments: Engine.available)
  func snapshot(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine, [Self.counter])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { try await Self.increment(made.database) } }
      for _ in 0..<20 {
        group.addTask {
          let pair = try await made.database.read { tx in (try Self.current(tx), try Self.current(tx)) }
          #expect(pair.0 == pair.1)
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("of many guarded updates on one version exactly one changes the row", arguments: Engine.available)
  func oneWinner(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine, [Self.counter])
    let other = try made.reopened()
    let winners = try await withThrowingTaskGroup(of: Int.self) { group in
      for index in 0..<30 {
        group.addTask {
          try await (index.isMultiple(of: 2) ? made.database : other).write { tx in
            try tx.execute("UPDATE counter SET n = 1 WHERE id = 1 AND n = 0")
          }
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(winners == 1)
    try other.close()
  }

  private static func increment(_ database: any SQLDatabase) async throws {
    try await database.write { tx in
      let n = try current(tx)
      try tx.execute("UPDATE counter SET n = \(n + 1) WHERE id = 1")
    }
  }

  private static func value(_ database: any SQLDatabase) async throws -> Int {
    try await database.read { try current($0) }
  }

  private static func current(_ tx: any SQLTransaction) throws -> Int {
    try tx.first("SELECT n FROM counter WHERE id = 1")?.get("n") ?? -1
  }
}
