// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage
import Synchronization
import Testing
import TestSupport

@Suite("Storage: a transaction is whole or never was")
struct TransactionTests {
  private struct ChangedMind: Error {}

  @Test("what was written before a throw is not there", arguments: Engine.available)
  func rollback(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine, [thing])
    await #expect(throws: ChangedMind.self) {
      try await made.database.write { tx in
        try tx.execute("INSERT INTO thing (id) VALUES (1)")
        throw ChangedMind()
      }
    }
    #expect(try await ids(made.database).isEmpty)
  }

  @Test("a refused statement takes the statements before it along", arguments: Engine.available)
  func rollbackOnConstraint(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine, [thing])
    await #expect(throws: SQLError.self) {
      try await made.database.write { tx in
        try tx.execute("INSERT INTO thing (id) VALUES (1)")
        try tx.execute("INSERT INTO thing (id, amount) VALUES (2, \(-1))")
      }
    }
    #expect(try await ids(made.database).isEmpty)
  }

  @Test("a look sees one moment, changes nothing and passes on what its body throws", arguments: Engine.available)
  func look(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine, [thing])
    try await made.database.write { _ = try $0.execute("INSERT INTO thing (id, text) VALUES (1, 'there')") }
    let seen = try await made.database.look { tx in
      (
        try tx.first("SELECT text FROM thing WHERE id = 1")?.get("text", as: String.self),
        try tx.first("SELECT text FROM thing WHERE id = 2")?.get("text", as: String.self)
      )
    }
    #expect(seen == ("there", nil))
    await #expect(throws: SQLError.self) {
      try await made.database.look { _ = try $0.execute("INSERT INTO thing (id) VALUES (2)") }
    }
    await #expect(throws: ChangedMind.self) { try await made.database.look { _ in throw ChangedMind() } }
    #expect(try await ids(made.database) == [1])
    // Many at once, more than there are connections for it.
    let all = try await withThrowingTaskGroup(of: [Int].self) { group in
      for _ in 0..<50 {
        group.addTask {
          try await made.database.look { try $0.query("SELECT id FROM thing").map { try $0.get("id") } }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(all == Array(repeating: [1], count: 50))
  }

  @Test("an action after commit runs once, after the commit, and in order", arguments: Engine.available)
  func afterCommit(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine, [thing])
    let steps = Steps()
    try await made.database.write { tx in
      tx.afterCommit { steps.add("first") }
      tx.afterCommit { steps.add("second") }
      try tx.execute("INSERT INTO thing (id) VALUES (1)")
      steps.add("body")
    }
    #expect(steps.all == ["body", "first", "second"])
  }

  @Test("an action after commit does not run when the transaction rolls back", arguments: Engine.available)
  func noActionAfterRollback(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine, [thing])
    let steps = Steps()
    try? await made.database.write { tx in
      tx.afterCommit { steps.add("rung") }
      throw ChangedMind()
    }
    #expect(steps.all.isEmpty)
  }

  @Test("a transaction that rolls back sends no signal", arguments: Engine.available)
  func noSignalAfterRollback(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine, [thing])
    var heard = made.database.signals("undone").makeAsyncIterator()
    // On PostgreSQL a new listener is notified once: signals before it may have been missed.
    if engine == .postgres { await heard.next() }
    var later = made.database.signals("done").makeAsyncIterator()
    try? await made.database.write { tx in
      tx.signal("undone")
      throw ChangedMind()
    }
    try await made.database.write { $0.signal("done") }
    await later.next()
    // A stream that ends gives what it still holds first.
    try made.database.close()
    #expect(await heard.next() == nil)
  }

  @Test("a reader writes nothing", arguments: Engine.available)
  func readOnly(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine, [thing])
    await #expect(throws: SQLError.self) {
      try await made.database.read { try $0.execute("INSERT INTO thing (id) VALUES (1)") }
    }
    #expect(try await ids(made.database).isEmpty)
  }

  @Test("a write answers how many rows it changed", arguments: Engine.available)
  func changes(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine, [thing])
    let counts = try await made.database.write { tx in
      [
        try tx.execute("INSERT INTO thing (id, amount) VALUES (1, 1), (2, 1), (3, 2)"),
        try tx.execute("UPDATE thing SET amount = 5 WHERE amount = 1"),
        try tx.execute("UPDATE thing SET amount = 6 WHERE amount = 99"),
        try tx.execute("INSERT INTO thing (id) VALUES (1) ON CONFLICT (id) DO NOTHING"),
        try tx.execute("DELETE FROM thing WHERE id > 1"),
      ]
    }
    #expect(counts == [3, 2, 0, 0, 2])
  }

  @Test("a broken rule is reported as what a caller can act on", arguments: Engine.available)
  func constraints(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine, [thing])
    try await made.database.write { _ = try $0.execute("INSERT INTO thing (id, text) VALUES (1, 'one')") }
    let refusals: [(SQL, Bool)] = [
      ("INSERT INTO thing (id) VALUES (1)", true), ("INSERT INTO thing (id, text) VALUES (2, 'one')", true),
      ("INSERT INTO thing (id, amount) VALUES (3, -1)", false),
      ("INSERT INTO part (id, thing_id) VALUES (1, 77)", false),
      ("INSERT INTO part (id, thing_id) VALUES (1, NULL)", false),
    ]
    for (statement, isUniqueness) in refusals {
      let error = await #expect(throws: SQLError.self) {
        try await made.database.write { _ = try $0.execute(statement) }
      }
      switch error {
      case .notUnique: #expect(isUniqueness)
      case .constraint: #expect(!isUniqueness)
      default: Issue.record("\(String(describing: error))")
      }
    }
  }

  @Test("no error quotes a value", arguments: Engine.available)
  func errorsWithoutValues(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine, [thing])
    let secret = "hunter2@example.org"
    try await made.database.write { _ = try $0.execute("INSERT INTO thing (id, text) VALUES (1, \(secret))") }
    let statements: [SQL] = [
      "INSERT INTO thing (id, text) VALUES (2, \(secret))", "INSERT INTO thing (id, amount) VALUES (2, \(-424_242))",
      "INSERT INTO nowhere (text) VALUES (\(secret))", "UPDATE thing SET text = \(secret) WHERE",
      "INSERT INTO part (id, thing_id) VALUES (1, \(424_242))",
    ]
    for statement in statements {
      let error = await #expect(throws: SQLError.self) {
        try await made.database.write { _ = try $0.execute(statement) }
      }
      for text in ["\(String(describing: error))", "\(String(reflecting: error))"] {
        #expect(!text.contains("hunter2") && !text.contains("424242"))
      }
    }
  }

  private func ids(_ database: any SQLDatabase) async throws -> [Int] {
    try await database.read { try $0.query("SELECT id FROM thing ORDER BY id").map { try $0.get("id") } }
  }
}

/// What happened, in order.
final class Steps: Sendable {
  private let steps = Mutex<[String]>([])
  func add(_ step: String) { steps.withLock { $0.append(step) } }
  var all: [String] { steps.withLock { $0 } }
}
