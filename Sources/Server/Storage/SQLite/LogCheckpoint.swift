// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDBSQLite

/// Moves pages of the write-ahead log into the file, by two connections: one moves, and the other reads meanwhile or
/// holds the writer up.
///
/// SQLite before 3.51.3 has the WAL-reset bug (sqlite.org/wal.html#walresetbug, test/walrestart.test): a pass reads how
/// long the log is and then how much of it is moved. Where a writer begins the log anew in between, the pass notes
/// pages of the new log as moved that are not, and the next passes leave them out. The other connection makes that
/// impossible (sqlite.org/walformat.html, section 2.3.1): while it reads pages of the log, it has one of the read locks
/// 1 to 4, all of which a writer needs who begins the log anew. Where everything is moved, it reads the file alone and
/// has the read lock 0, which a pass needs before it moves or notes anything (decision 205).
package final class LogCheckpoint {
  /// How long the writer is waited for, and held up.
  private static let patience = Duration.milliseconds(50)
  private static let pause = Duration.microseconds(200)

  /// The connection that moves pages. It never has a transaction.
  package let moving: OpaquePointer
  private let guarding: OpaquePointer

  /// - Returns: nil when the file cannot be opened and read, for a moment or at all.
  package init?(path: String) {
    guard let moving = Self.opened(path) else { return nil }
    guard let guarding = Self.opened(path) else {
      sqlite3_close_v2(moving)
      return nil
    }
    (self.moving, self.guarding) = (moving, guarding)
  }

  deinit {
    sqlite3_close_v2(moving)
    sqlite3_close_v2(guarding)
  }

  private static func opened(_ path: String) -> OpaquePointer? {
    var connection: OpaquePointer?
    guard sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
      sqlite3_close_v2(connection)
      return nil
    }
    // SQLite's own pauses grow to 100 ms, longer than the writer's pauses between two commits ever are.
    sqlite3_busy_handler(
      connection,
      { _, tries in
        usleep(200)
        return tries < CInt(LogCheckpoint.patience / LogCheckpoint.pause) ? 1 : 0
      }, nil)
    // It reads the file, too. A connection that never did knows of no log, and its passes would move nothing for ever.
    guard sqlite3_exec(connection, "PRAGMA synchronous = FULL", nil, nil, nil) == SQLITE_OK else {
      sqlite3_close_v2(connection)
      return nil
    }
    return connection
  }

  /// Pages of the log as a pass began, and how many of them are in the file.
  package typealias Progress = (pages: Int, moved: Int)

  /// Moves what no reader of an older moment needs, beside the writer, who goes on.
  /// - Returns: nil when another program does it, or the log could not be moved: it is still there.
  package func move() -> Progress? {
    guard let first = reading({ run(SQLITE_CHECKPOINT_PASSIVE) }) else { return nil }
    if first.moved == first.pages { return first }
    // What is committed between the beginning of the reading and that of the pass is left for another one.
    return reading { run(SQLITE_CHECKPOINT_PASSIVE) }
  }

  /// Moves what is left while no commit can begin, so that the next one begins the log anew. Waits a moment for readers
  /// of an older one.
  /// - Returns: nil too when the writer could not be held up.
  package func moveAll() -> Progress? {
    holdingWriter {
      for _ in 0..<Int(Self.patience / Self.pause) {
        guard let progress = run(SQLITE_CHECKPOINT_PASSIVE) else { return nil }
        if progress.moved == progress.pages { return progress }
        usleep(200)
      }
      return nil
    }
  }

  /// Gives the log's file back to the system, once everything is moved.
  /// - Returns: false when someone reads in it, or writes.
  package func empty() -> Bool {
    // Should SQLite not get the writer's lock, it makes a pass without it: that one needs the reader, too.
    reading { run(SQLITE_CHECKPOINT_TRUNCATE) } != nil
  }

  /// What `body` returns, carried out while no commit can begin; nil when the writer could not be held up.
  package func holdingWriter<Value>(_ body: () -> Value?) -> Value? { within("BEGIN IMMEDIATE", body) }

  private func reading<Value>(_ body: () -> Value?) -> Value? {
    // A transaction reads from its first statement on.
    within("BEGIN; SELECT 1 FROM sqlite_schema LIMIT 1", body)
  }

  private func within<Value>(_ begin: String, _ body: () -> Value?) -> Value? {
    defer { sqlite3_exec(guarding, "ROLLBACK", nil, nil, nil) }
    guard sqlite3_exec(guarding, begin, nil, nil, nil) == SQLITE_OK else { return nil }
    return body()
  }

  private func run(_ mode: CInt) -> Progress? {
    var (pages, moved): (CInt, CInt) = (-1, -1)
    guard sqlite3_wal_checkpoint_v2(moving, nil, mode, &pages, &moved) == SQLITE_OK, pages >= 0 else { return nil }
    return (Int(pages), Int(moved))
  }
}
