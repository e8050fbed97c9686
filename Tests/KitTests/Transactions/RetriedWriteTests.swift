// SPDX-License-Identifier: Apache-2.0

import Storage
import Testing
import TestSupport

@testable import Kit

@Suite("Kit: writes that run again")
struct RetriedWriteTests {
  @Test("a write runs again while others are faster", arguments: Engine.available)
  func retried(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine, [Self.migration])
    let tries = Counter()
    let value = try await made.database.write(retrying: .outdated) { tx in
      let number = tries.next()
      try tx.execute("INSERT INTO attempt (number) VALUES (\(number))")
      guard number == 3 else { throw SQLError.outdated }
      return "done"
    }
    #expect(value == "done" && tries.count == 3)
    // What was done by the tries before is undone.
    #expect(try await Self.numbers(made) == [3])
  }

  @Test(
    "a write that others always beat is unavailable after ten tries", arguments: Engine.available,
    [WriteConflict.outdated, .outdatedOrDuplicate])
  func exhausted(engine: Engine, conflict: WriteConflict) async throws {
    let made = try await TestDatabase.make(engine, [Self.migration])
    let tries = Counter()
    await #expect(throws: Problem.unavailable) {
      try await made.database.write(retrying: conflict) { tx in
        try tx.execute("INSERT INTO attempt (number) VALUES (\(tries.next()))")
        throw SQLError.outdated
      }
    }
    #expect(tries.count == 10)
    #expect(try await Self.numbers(made).isEmpty)
  }

  @Test("a duplicate is tried again where the next try finds the row", arguments: Engine.available)
  func duplicates(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine, [Self.migration])
    let tries = Counter()
    try await made.database.write(retrying: .outdatedOrDuplicate) { tx in
      let number = tries.next()
      _ = try tx.execute("INSERT INTO attempt (number) VALUES (\(number))")
      if number == 1 { throw SQLError.notUnique("attempt.number") }
    }
    #expect(try await Self.numbers(made) == [2])
  }

  @Test("a duplicate is an error where it is no expected conflict", arguments: Engine.available)
  func duplicateOnly(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine, [Self.migration])
    try await made.database.write { _ = try $0.execute("INSERT INTO attempt (number) VALUES (1)") }
    // PostgreSQL looks again by itself, as another transaction may have been faster.
    let (plain, outdated, both) = (Counter(), Counter(), Counter())
    @Sendable func insert(counting runs: Counter, in tx: any SQLTransaction) throws {
      _ = runs.next()
      _ = try tx.execute("INSERT INTO attempt (number) VALUES (1)")
    }
    let database = made.database
    await #expect(throws: SQLError.self) { try await database.write { try insert(counting: plain, in: $0) } }
    await #expect(throws: SQLError.self) {
      try await database.write(retrying: .outdated) { try insert(counting: outdated, in: $0) }
    }
    await #expect(throws: Problem.unavailable) {
      try await database.write(retrying: .outdatedOrDuplicate) { try insert(counting: both, in: $0) }
    }
    #expect(outdated.count == plain.count && both.count == 10 * plain.count)
  }

  @Test("what is no conflict is thrown at once", arguments: Engine.available)
  func others(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine, [Self.migration])
    for error in [SQLError.busy, .locked, .uncertain, .unreachable("away")] {
      let tries = Counter()
      await #expect(throws: error) {
        try await made.database.write(retrying: .outdatedOrDuplicate) { _ in
          _ = tries.next()
          throw error
        }
      }
      #expect(tries.count == 1)
    }
  }

  private static let migration = Migration("2026-11-24 attempt", "CREATE TABLE attempt (number BIGINT PRIMARY KEY)")

  private static func numbers(_ made: TestDatabase) async throws -> [Int] {
    try await made.database.read { tx in
      try tx.query("SELECT number FROM attempt ORDER BY number").map { try $0.get("number") }
    }
  }
}
