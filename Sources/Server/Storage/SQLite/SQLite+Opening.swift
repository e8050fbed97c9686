// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB

extension SQLite {
  /// A file that cannot be opened has to do with the disk, its rights or its room, and is told with its path.
  /// - Throws: `SQLError.unreachable` for that; `SQLError.busy` when another program held the file for too long.
  static func opening<Value>(_ path: String, _ open: () throws -> Value) throws -> Value {
    do { return try open() } catch let error as DatabaseError {
      switch error.resultCode {
      // Of a disk without any room SQLite tells an error of input and output: it cannot make its index of the log.
      case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_FULL, .SQLITE_PERM, .SQLITE_IOERR:
        let words = error.message ?? "SQLite error \(error.resultCode.rawValue)"
        throw SQLError.unreachable("\(path): \(words)\(disk(of: path).map { " (\($0))" } ?? "")")
      case .SQLITE_BUSY: throw SQLError.busy
      case .SQLITE_NOTADB: throw SQLError.schema("\(path) is no database of SQLite")
      default: throw error
      }
    }
  }

  /// Two programs that begin a file at once meet at the switch to its log, where SQLite does not wait by itself. Where
  /// it does wait, one time is enough: a program that holds the file for longer may hold it all night.
  static func waiting<Value>(_ open: () throws -> Value) throws -> Value {
    let end = ContinuousClock.now + .seconds(2)
    while true {
      do { return try open() } catch let error as DatabaseError
        where error.resultCode == .SQLITE_BUSY && ContinuousClock.now < end
      {
        usleep(10_000)
      }
    }
  }

  /// Bytes that SQLite needs beside a file before it writes anything: a page of the index of its log, twice.
  private static let roomMin: UInt64 = 64 << 10

  /// Why nothing can be written beside a file, where its disk tells.
  private static func disk(of path: String) -> String? {
    var disk = statvfs()
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard statvfs(folder, &disk) == 0 else { return nil }
    if UInt64(disk.f_flag) & UInt64(ST_RDONLY) != 0 { return "its disk is mounted for reading only" }
    return UInt64(disk.f_bavail) * UInt64(disk.f_frsize) < roomMin ? "its disk is full" : nil
  }
}
