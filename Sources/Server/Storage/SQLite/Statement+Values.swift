// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import GRDBSQLite

/// Values on their way to SQLite and back by its C interface. The library's own way makes boxes and arrays of each value,
/// which a batch of transfers notices.
extension Statement {
  /// SQLite copies what it is given.
  private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  /// Binds values to the parameters, in their order. For a run by the library, `setUncheckedArguments` with none comes
  /// before it: then there is nothing more to bind.
  /// - Throws: `SQLError.textHoldsNUL`.
  func bind(_ values: some Collection<SQLValue>) throws {
    precondition(values.count == Int(sqlite3_bind_parameter_count(sqliteStatement)), "A value for each parameter.")
    var place: CInt = 0
    for value in values {
      place += 1
      let code =
        switch value {
        case .null: sqlite3_bind_null(sqliteStatement, place)
        case .integer(let number): sqlite3_bind_int64(sqliteStatement, place, number)
        case .real(let number): sqlite3_bind_double(sqliteStatement, place, number)
        case .text(let text): try bind(text, at: place)
        case .blob(let data):
          data.withUnsafeBytes { bytes in
            // No address would be NULL.
            bytes.baseAddress.map { sqlite3_bind_blob64(sqliteStatement, place, $0, UInt64(bytes.count), Self.copied) }
              ?? sqlite3_bind_zeroblob(sqliteStatement, place, 0)
          }
        }
      guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
  }

  private func bind(_ text: String, at place: CInt) throws -> CInt {
    guard !text.holdsNUL else { throw SQLError.textHoldsNUL }
    var text = text
    return text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        bytes.baseAddress.map {
          sqlite3_bind_text64(sqliteStatement, place, $0, UInt64(bytes.count), Self.copied, UInt8(SQLITE_UTF8))
        } ?? sqlite3_bind_text(sqliteStatement, place, "", 0, Self.copied)
      }
    }
  }

  /// The answer of a SELECT whose values are bound.
  /// - Returns: nil when it did not come to its end; the library finds out why when it runs the statement again.
  func selected() -> [SQLRow]? {
    defer { sqlite3_reset(sqliteStatement) }
    let columns = columnNames
    var rows: [SQLRow] = []
    while true {
      switch sqlite3_step(sqliteStatement) {
      case SQLITE_ROW: rows.append(SQLRow(columns, (0..<CInt(columns.count)).map(value)))
      case SQLITE_DONE: return rows
      default: return nil
      }
    }
  }

  /// Runs a statement that changes rows and answers none, and whose values are bound.
  /// - Returns: rows changed.
  func changed() throws -> Int {
    defer { sqlite3_reset(sqliteStatement) }
    guard sqlite3_step(sqliteStatement) == SQLITE_DONE else { throw error }
    return Int(sqlite3_changes(sqlite3_db_handle(sqliteStatement)))
  }

  /// What SQLite says of the statement's last run.
  var error: DatabaseError {
    let connection = sqlite3_db_handle(sqliteStatement)
    return DatabaseError(
      resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
      message: String(cString: sqlite3_errmsg(connection)))
  }

  private func value(_ column: CInt) -> SQLValue {
    switch sqlite3_column_type(sqliteStatement, column) {
    case SQLITE_INTEGER: .integer(sqlite3_column_int64(sqliteStatement, column))
    case SQLITE_FLOAT: .real(sqlite3_column_double(sqliteStatement, column))
    case SQLITE_TEXT:
      // The text first: asking for it decides how many bytes it has.
      .text(
        String(
          decoding: UnsafeRawBufferPointer(
            start: sqlite3_column_text(sqliteStatement, column),
            count: Int(sqlite3_column_bytes(sqliteStatement, column))), as: UTF8.self))
    case SQLITE_BLOB:
      .blob(
        sqlite3_column_blob(sqliteStatement, column).map {
          Data(bytes: $0, count: Int(sqlite3_column_bytes(sqliteStatement, column)))
        } ?? Data())
    default: .null
    }
  }
}
