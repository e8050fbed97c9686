// SPDX-License-Identifier: Apache-2.0

import GRDBSQLite
import Testing

/// A connection by SQLite's own interface, which leaves its log to who uses it.
final class PlainSQLite {
  struct Mistake: Error { let code: CInt, message: String }

  private var connection: OpaquePointer?

  /// - Parameter layer: the name of SQLite's own one; nil for the one that the program opens files by.
  init(_ path: String, layer: String? = nil, cachePages: Int = 2000) throws {
    let code = sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, layer)
    guard code == SQLITE_OK else { throw Mistake(code: code, message: "") }
    try run("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = \(cachePages)")
  }

  deinit { sqlite3_close_v2(connection) }

  func run(_ statements: String) throws {
    let code = sqlite3_exec(connection, statements, nil, nil, nil)
    guard code == SQLITE_OK else { throw Mistake(code: code, message: String(cString: sqlite3_errmsg(connection))) }
  }

  /// Every line by its number.
  func lines() throws -> [Int: Int] {
    var lines: [Int: Int] = [:]
    try query("SELECT n, value, LENGTH(filling) FROM line") { row in
      let value = Int(sqlite3_column_int64(row, 1))
      #expect(sqlite3_column_int64(row, 2) == value % 3000)
      lines[Int(sqlite3_column_int64(row, 0))] = value
    }
    return lines
  }

  func isWhole() throws -> Bool {
    var answers: [String] = []
    try query("PRAGMA integrity_check") { answers.append(String(cString: sqlite3_column_text($0, 0))) }
    return answers == ["ok"]
  }

  private func query(_ text: String, _ row: (OpaquePointer?) -> Void) throws {
    var statement: OpaquePointer?
    sqlite3_prepare_v2(connection, text, -1, &statement, nil)
    defer { sqlite3_finalize(statement) }
    var code = sqlite3_step(statement)
    while code == SQLITE_ROW {
      row(statement)
      code = sqlite3_step(statement)
    }
    guard code == SQLITE_DONE else { throw Mistake(code: code, message: String(cString: sqlite3_errmsg(connection))) }
  }
}
