// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB

/// GRDB's connection seen through the engine-neutral protocol.
final class SQLiteTransaction: SQLTransaction {
  private let db: GRDB.Database
  private(set) var signals: Set<String> = []
  private(set) var committedActions: [@Sendable () -> Void] = []
  /// The first refusal. Everything after it is refused too, as on the other engine, so that a change row by row that
  /// ended in the middle never commits.
  private(set) var failure: (any Error)?

  let origin: String?

  init(_ db: GRDB.Database, origin: String?) {
    self.db = db
    self.origin = origin
  }

  /// What a body that only reads found; void, as a change would be, when it went on after a refused statement.
  static func reading<Value>(
    _ db: GRDB.Database, _ body: (any SQLTransaction) throws -> Value
  ) throws -> Value {
    let transaction = SQLiteTransaction(db, origin: nil)
    let value = try body(transaction)
    if let failure = transaction.failure { throw failure }
    return value
  }

  /// The same in a snapshot of a connection that only reads. The library begins and ends one by statements that it
  /// prepares anew each time, which takes longer than to find a row.
  static func glancing<Value>(
    _ db: GRDB.Database, _ body: (any SQLTransaction) throws -> Value
  ) throws -> Value {
    _ = try db.cachedStatement(sql: "BEGIN").changed()
    do {
      let value = try reading(db, body)
      _ = try db.cachedStatement(sql: "COMMIT").changed()
      return value
    } catch {
      _ = try? db.cachedStatement(sql: "ROLLBACK").changed()
      throw error
    }
  }

  func query(_ statement: SQL) throws -> [SQLRow] {
    try failing {
      if let question = statement.byRow { return try query(question) }
      let prepared = try prepare(statement)
      if statement.isSelect, let rows = prepared.selected() { return rows }
      let (columns, cursor) = (prepared.columnNames, try Row.fetchCursor(prepared))
      var rows: [SQLRow] = []
      while let row = try cursor.next() { rows.append(SQLRow(columns, row.databaseValues.map(Self.value))) }
      return rows
    }
  }

  func execute(_ statement: SQL) throws -> Int {
    try failing {
      if let change = statement.byRow { return try execute(change) }
      try prepare(statement).execute()
      return db.changesCount
    }
  }

  // Once for each row, which costs less here than to write all of them as one parameter and to read that.

  private func query(_ question: SQL.ByRow) throws -> [SQLRow] {
    let prepared = try db.cachedStatement(sql: question.text)
    return try (0..<question.rows.count).flatMap { number in
      try prepared.bind(question.rows.row(number))
      guard let rows = prepared.selected() else { throw prepared.error }
      return rows
    }
  }

  private func execute(_ change: SQL.ByRow) throws -> Int {
    let prepared = try db.cachedStatement(sql: change.text)
    return try (0..<change.rows.count).reduce(0) { changed, number in
      try prepared.bind(change.rows.row(number))
      return changed + (try prepared.changed())
    }
  }

  func signal(_ name: String) { signals.insert(name) }

  func afterCommit(_ action: @escaping @Sendable () -> Void) { committedActions.append(action) }

  private func prepare(_ statement: SQL) throws -> Statement {
    let prepared = try db.cachedStatement(sql: statement.text(in: .sqlite))
    prepared.setUncheckedArguments(StatementArguments())
    try prepared.bind(statement.values(in: .sqlite))
    return prepared
  }

  private func failing<Value>(_ body: () throws -> Value) throws -> Value {
    if let failure { throw failure }
    do { return try Self.translating(body) } catch {
      failure = error
      throw error
    }
  }

  private static func value(_ value: DatabaseValue) -> SQLValue {
    switch value.storage {
    case .null: .null
    case .int64(let number): .integer(number)
    case .double(let number): .real(number)
    case .string(let text): .text(text)
    case .blob(let data): .blob(data)
    }
  }

  static func translating<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as DatabaseError { throw translated(error) }
  }

  static func translating<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
    do { return try await body() } catch let error as DatabaseError { throw translated(error) }
  }

  /// Keeps the engine's message, which names columns, and drops its arguments, which may be personal data.
  private static func translated(_ error: DatabaseError) -> any Error {
    switch error.extendedResultCode {
    case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY: return SQLError.notUnique(error.message ?? "")
    default: break
    }
    switch error.resultCode {
    case .SQLITE_CONSTRAINT: return SQLError.constraint(error.message ?? "")
    case .SQLITE_BUSY, .SQLITE_LOCKED: return SQLError.busy
    // What was begun is rolled back, and works again once the disk has room: callers may repeat it.
    case .SQLITE_FULL: return SQLError.unreachable(error.message ?? "database or disk is full")
    // Only the library interrupts, when a task is cancelled.
    case .SQLITE_INTERRUPT: return CancellationError()
    default: return SQLError.engine(error.message ?? "SQLite error \(error.resultCode.rawValue)")
    }
  }
}
