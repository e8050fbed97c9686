// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB

/// Whole database files: copied while servers write to them, and examined at rest.
extension SQLite {
  private static let pagesOfStep: CInt = 100

  /// Copies one consistent snapshot of the database at `source` into a new file that stands alone. Writers go on; the
  /// write-ahead log cannot be shortened until the copy is made.
  /// - Parameter onStep: is called after each so many pages, with how many were copied and how many there are.
  /// - Throws: `SQLError`; of it `unreachable` with the path for a file that cannot be opened or has no room to grow.
  package static func copy(
    _ source: String, to target: String, onStep: @escaping @Sendable (_ done: Int, _ all: Int) -> Void = { _, _ in }
  ) async throws {
    _ = FileManager.default.createFile(atPath: target, contents: nil, attributes: [.posixPermissions: 0o600])
    try await onFile(source) { from in
      try opening(target) { () throws -> Void in
        let copy = try DatabaseQueue(path: target)
        defer { try? copy.close() }
        // The lock of a read transaction is what makes all pages be of one instant.
        try copy.inDatabase { to in
          try from.read { source in
            // A transaction shows the moment of its first statement; without one each step would have its own.
            _ = try Int.fetchOne(source, sql: "SELECT COUNT(*) FROM sqlite_master")
            try source.backup(to: to, pagesPerStep: pagesOfStep) { onStep($0.completedPageCount, $0.totalPageCount) }
          }
        }
      }
    }
    try await settle(target)
  }

  /// Folds the write-ahead log into the file, so that the file is all there is. No other process may have it open.
  package static func settle(_ path: String) async throws {
    try await onFile(path) { file in
      try file.inDatabase { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
    }
  }

  /// What is wrong with the file itself; empty when nothing is.
  package static func faults(_ path: String) async throws -> [String] {
    try await onFile(path) { file in
      try file.read { db in
        let pages = try String.fetchAll(db, sql: "PRAGMA integrity_check(20)").filter { $0 != "ok" }
        // Names of tables only: the rest of the row is a row number.
        let links = try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").prefix(20)
          .map { "a row of \($0[0] as String? ?? "a table") points at nothing" }
        return pages + links
      }
    }
  }

  /// What of a file runs by itself or stands for rows: a trigger or a view.
  package struct Code: Sendable, Hashable {
    package let name: String
    /// What SQLite runs; of a kind without a text the kind.
    package let text: String
  }

  /// The triggers and views of a file, ascending by their texts. What it is counts by its text: the kind beside it may
  /// be spelled otherwise, as in `TRIGGER`.
  package static func code(_ path: String) async throws -> [Code] {
    try await onFile(path) { file in
      try file.read { db in
        // As SQLite writes the texts of everything else.
        try Row.fetchAll(
          db,
          sql: """
            SELECT CAST(ifnull(name, '') AS TEXT) AS name, CAST(coalesce(sql, type, '') AS TEXT) AS code
            FROM sqlite_master
            WHERE type NOT IN ('table', 'index') OR sql NOT LIKE 'CREATE TABLE %' AND sql NOT LIKE 'CREATE INDEX %'
              AND sql NOT LIKE 'CREATE UNIQUE INDEX %'
            ORDER BY code, name
            """
        ).map { Code(name: $0["name"], text: $0["code"]) }
      }
    }
  }

  /// Ids of the migrations that the file has had, ascending.
  /// - Throws: `SQLError.schema` when one of them is unknown to this program or was edited since.
  package static func appliedMigrations(_ path: String, known: [Migration]) async throws -> [String] {
    try await onFile(path) { file in
      try file.read { db in
        let applied = try Row.fetchAll(db, sql: "SELECT id, fingerprint FROM schema_migration ORDER BY id")
          .map { (id: $0["id"] as String, fingerprint: $0["fingerprint"] as String) }
        _ = try Migration.pending(known, applied: applied)
        return applied.map(\.id)
      }
    }
  }

  /// Moves the write-ahead log into the file and empties it, so that no older page is left in it.
  /// - Returns: false when a reader still reads an older state; the log keeps it until its next turn.
  /// - Throws: `SQLError.unreachable` when there is no file, or it cannot be opened.
  package static func emptyLog(_ path: String) async throws -> Bool {
    try await onThread {
      guard FileManager.default.fileExists(atPath: path) else { throw SQLError.unreachable("there is no file") }
      var opened: LogCheckpoint?
      // For another's checkpoint SQLite does not wait, nor here for long where the file's last user closes it.
      let end = ContinuousClock.now + .seconds(5)
      while true {
        if opened == nil { opened = LogCheckpoint(path: path) }
        if let log = opened {
          // Beside the writer, who is held up for the rest alone.
          _ = log.move()
          if let (pages, moved) = log.moveAll(), moved == pages, log.empty() { return true }
        }
        guard ContinuousClock.now < end else { break }
        usleep(20_000)
      }
      guard opened != nil else { throw SQLError.unreachable("the file cannot be opened") }
      return false
    }
  }

  /// Runs `body` on a connection of its own, off the cooperative threads: every call in it blocks.
  private static func onFile<Value: Sendable>(
    _ path: String, _ body: @escaping @Sendable (DatabaseQueue) throws -> Value
  ) async throws -> Value {
    try await onThread {
      guard FileManager.default.fileExists(atPath: path) else {
        throw SQLError.unreachable("there is no file")
      }
      var configuration = GRDB.Configuration()
      configuration.busyMode = .timeout(60)
      return try SQLiteTransaction.translating { () throws -> Value in
        try opening(path) { () throws -> Value in
          let file = try DatabaseQueue(path: path, configuration: configuration)
          defer { try? file.close() }
          return try body(file)
        }
      }
    }
  }

  private static func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      files.async { continuation.resume(with: Result { try body() }) }
    }
  }

  private static let files = DispatchQueue(label: "gatehouse.sqlite.files", attributes: .concurrent)
}
