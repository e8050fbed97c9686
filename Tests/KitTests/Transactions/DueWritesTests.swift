// SPDX-License-Identifier: Apache-2.0

import Storage
import Synchronization
import TestSupport
import Testing

@testable import Kit

@Suite("Kit: what is due, many items in a transaction")
struct DueWritesTests {
  private struct Failure: Error, Equatable { let item: Int }

  /// Items that were tried, in transactions that were committed or not, and those that were done.
  private final class Log: Sendable {
    let tried = Mutex<[Int]>([])
    let done = Mutex<[Int]>([])

    func work(_ item: Int, in tx: any SQLTransaction) {
      tried.withLock { $0.append(item) }
      tx.afterCommit { [self] in done.withLock { $0.append(item) } }
    }
  }

  /// A table of what is due: numbers from 1 on.
  private static func database(_ engine: Engine, to count: Int) async throws -> TestDatabase {
    let made = try await TestDatabase.make(
      engine, [Migration("2027-01-01 due", "CREATE TABLE due (id BIGINT PRIMARY KEY CHECK (id <> 120))")])
    try await made.database.write { tx in
      for id in 1...count where id != 120 { try tx.execute("INSERT INTO due (id) VALUES (\(id))") }
    }
    return made
  }

  private static func page(_ page: DuePage<Int>, _ tx: any SQLTransaction) throws -> [Int] {
    try tx.query("SELECT id FROM due WHERE id > \(page.last ?? 0) ORDER BY id LIMIT \(page.limit)")
      .map { try $0.get("id") }
  }

  private static func rest(_ database: any SQLDatabase) async throws -> [Int] {
    try await database.read { tx in try tx.query("SELECT id FROM due ORDER BY id").map { try $0.get("id") } }
  }

  @Test("twenty-five items are one transaction, in their order", arguments: Engine.available)
  func grouped(engine: Engine) async throws {
    let made = try await Self.database(engine, to: 110)
    let database = CountingDatabase(made.database)
    let log = Log()
    try await database.writeEachDue(paging: .behindLast, retrying: .outdated, Self.page) { item, tx in
      try tx.execute("DELETE FROM due WHERE id = \(item)")
      log.work(item, in: tx)
    }
    #expect(database.writes == 5)
    #expect(log.done.withLock { $0 } == Array(1...110))
    #expect(try await Self.rest(database).isEmpty)
  }

  @Test(
    "an item that fails holds up no other of its transaction, whether the work or the store refuses it",
    arguments: Engine.available, [true, false])
  func failing(engine: Engine, byStore: Bool) async throws {
    let made = try await Self.database(engine, to: 60)
    let database = CountingDatabase(made.database)
    let log = Log()
    await #expect(throws: (any Error).self) {
      try await database.writeEachDue(paging: .behindLast, retrying: .outdated, Self.page) { item, tx in
        // Of a row that the store refuses, PostgreSQL voids the transaction.
        if item == 13, byStore { try tx.execute("UPDATE due SET id = 120 WHERE id = \(item)") }
        if item == 13 { throw Failure(item: item) }
        try tx.execute("DELETE FROM due WHERE id = \(item)")
        log.work(item, in: tx)
      }
    }
    #expect(log.tried.withLock { $0 } == Array(1...12) + Array(1...12) + Array(14...60))
    #expect(log.done.withLock { $0 } == Array(1...12) + Array(14...60))
    #expect(try await Self.rest(database) == [13])
    #expect(database.writes == 3 + 25)
  }

  @Test("a store that does not answer, and a cancellation, end the run at once", arguments: Engine.available)
  func ended(engine: Engine) async throws {
    let made = try await Self.database(engine, to: 60)
    let database = made.database
    let log = Log()
    await #expect(throws: SQLError.unreachable("away")) {
      try await database.writeEachDue(paging: .behindLast, retrying: .outdated, Self.page) { item, tx in
        if item == 30 { throw SQLError.unreachable("away") }
        try tx.execute("DELETE FROM due WHERE id = \(item)")
        log.work(item, in: tx)
      }
    }
    #expect(log.done.withLock { $0 } == Array(1...25))
    await #expect(throws: CancellationError.self) {
      try await database.writeEachDue(paging: .behindLast, retrying: .outdated, Self.page) { item, _ in
        throw CancellationError()
      }
    }
    #expect(try await Self.rest(database) == Array(26...60))
  }

  @Test("a conflict lets the transaction run again, and not each item by itself", arguments: Engine.available)
  func conflict(engine: Engine) async throws {
    let made = try await Self.database(engine, to: 20)
    let database = CountingDatabase(made.database)
    let (log, tries) = (Log(), Counter())
    try await database.writeEachDue(paging: .behindLast, retrying: .outdated, Self.page) { item, tx in
      if item == 7, tries.next() == 1 { throw SQLError.outdated }
      try tx.execute("DELETE FROM due WHERE id = \(item)")
      log.work(item, in: tx)
    }
    #expect(database.writes == 2 && log.done.withLock { $0 } == Array(1...20))
  }
}
