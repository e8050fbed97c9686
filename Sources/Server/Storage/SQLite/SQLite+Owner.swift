// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDBSQLite

/// Whose a file is, seen before it is opened for writing, which gives it a log.
extension SQLite {
  package enum Owner: Sendable {
    /// There is no file, or nothing is in it.
    case empty
    /// It has the table that was asked for.
    case this
    /// It has tables, and not that one.
    case other
  }

  /// How long another program is waited for that has the file to itself.
  private static let patienceMilliseconds: CInt = 10_000

  /// Looks at a file with a connection that only reads, and leaves nothing beside it but the index (`-shm`) of a log
  /// that was copied without one: SQLite reads no log without it.
  /// - Parameter table: what only a database of this program has.
  /// - Returns: nil when it cannot be told, as of what is no database, of a file that this user cannot read, and of one
  ///   that a writer has to repair first.
  package static func owner(of path: String, by table: String) -> Owner? {
    var entry = stat()
    guard stat(path, &entry) == 0 else { return errno == ENOENT ? .empty : nil }
    guard entry.st_size > 0 else { return .empty }
    // SQLite follows links, and has its log beside the file that they lead to.
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    let path = String(cString: real)
    // A file with nothing beside it is all there is, and without this word a log would be made for looking.
    let isAlone = !["-wal", "-journal"].contains { FileManager.default.fileExists(atPath: path + $0) }
    let address = URL(filePath: path).absoluteString + (isAlone ? "?immutable=1" : "")
    var connection: OpaquePointer?
    defer { sqlite3_close_v2(connection) }
    guard sqlite3_open_v2(address, &connection, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nil) == SQLITE_OK else {
      return nil
    }
    sqlite3_busy_timeout(connection, patienceMilliseconds)
    var names: OpaquePointer?
    defer { sqlite3_finalize(names) }
    // SQLite keeps tables of its own in every database.
    let statement = "SELECT name FROM sqlite_master WHERE name NOT LIKE 'sqlite|_%' ESCAPE '|'"
    guard sqlite3_prepare_v2(connection, statement, -1, &names, nil) == SQLITE_OK else { return nil }
    var owner = Owner.empty
    while true {
      switch sqlite3_step(names) {
      case SQLITE_ROW:
        guard sqlite3_column_text(names, 0).map({ String(cString: $0) }) != table else { return .this }
        owner = .other
      case SQLITE_DONE: return owner
      default: return nil
      }
    }
  }
}
