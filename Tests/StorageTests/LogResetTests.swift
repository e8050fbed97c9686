// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDBSQLite
import Storage
import TestSupport
import Testing

/// SQLite's own test of the bug (test/walrestart.test of its sources, 3 March 2026) stops a pass of its checkpoint where
/// it has read how long the log is, and not yet how much of it is moved. There SQLite gives mapped pages of the file
/// back, so a layer over its file system can stop it in the same place.
@Suite("Storage: a log that begins anew beside a checkpoint", .ownFile, .timeLimit(.minutes(3)))
struct LogResetTests {
  /// Carries something out once in the middle of a pass.
  private final class Interruption {
    private struct Methods {
      /// First, so that SQLite finds them where it looks.
      var own: sqlite3_io_methods
      let below: UnsafePointer<sqlite3_io_methods>
      let owner: Unmanaged<Interruption>
    }

    var action: (() throws -> Void)?
    private(set) var failure: (any Error)?
    /// Stays open for as long as this value is there.
    private let log: LogCheckpoint
    private let file: UnsafeMutablePointer<sqlite3_file>
    private let methods: UnsafeMutablePointer<Methods>

    init(_ log: LogCheckpoint) throws {
      var found: UnsafeMutablePointer<sqlite3_file>?
      sqlite3_file_control(log.moving, "main", SQLITE_FCNTL_FILE_POINTER, &found)
      let file = try #require(found)
      let below = try #require(file.pointee.pMethods)
      let methods = UnsafeMutablePointer<Methods>.allocate(capacity: 1)
      (self.log, self.file, self.methods) = (log, file, methods)
      methods.initialize(to: Methods(own: below.pointee, below: below, owner: .passUnretained(self)))
      methods.pointee.own.xUnfetch = { file, place, bytes in
        guard let methods = file?.pointee.pMethods.map({ UnsafeRawPointer($0).assumingMemoryBound(to: Methods.self) })
        else { return SQLITE_ERROR }
        let interruption = methods.pointee.owner.takeUnretainedValue()
        let action = interruption.action
        interruption.action = nil
        do { try action?() } catch { interruption.failure = error }
        return methods.pointee.below.pointee.xUnfetch(file, place, bytes)
      }
      file.pointee.pMethods = UnsafeRawPointer(methods).assumingMemoryBound(to: sqlite3_io_methods.self)
    }

    deinit {
      file.pointee.pMethods = methods.pointee.below
      methods.deallocate()
    }
  }

  private static let rows = 200
  /// All rows anew, as many pages as there are.
  private static let all = "UPDATE line SET filling = randomblob(600)"
  private static let few = "UPDATE line SET filling = randomblob(600) WHERE n < 5"

  /// A file of which everything is moved, so that the next commit begins the log anew.
  private func moved(_ path: String, by move: () -> LogCheckpoint.Progress?) throws -> PlainSQLite {
    let writer = try PlainSQLite(path)
    try writer.run(
      """
      CREATE TABLE line (n INTEGER PRIMARY KEY, filling BLOB);
      WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < \(Self.rows))
      INSERT INTO line SELECT NULL, randomblob(600) FROM s;
      CREATE INDEX filling ON line (filling);
      """)
    for _ in 0..<2 {
      let progress = try #require(move())
      #expect(progress.pages > 40 && progress.moved == progress.pages)
      try writer.run(Self.all)
    }
    let progress = try #require(move())
    #expect(progress.moved == progress.pages)
    return writer
  }

  /// What later passes make of it, read by a program that begins anew.
  private func isWhole(_ path: String, _ writer: PlainSQLite, _ move: () -> LogCheckpoint.Progress?) throws -> Bool {
    // Longer than the log was that the interrupted pass knew.
    try writer.run(Self.all)
    let progress = try #require(move())
    #expect(progress.moved == progress.pages)
    let copy = "\(path)-copy"
    // Without the log, of which all is said to be moved.
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    do { return try PlainSQLite(copy).isWhole() } catch is PlainSQLite.Mistake { return false }
  }

  private func checkpoint(_ durability: SQLite.Durability, _ folder: TestFolder) throws -> (String, LogCheckpoint) {
    // Opening one puts the layer in that gathers a log's pages.
    try SQLite(path: folder.file("any.sqlite"), durability: durability).close()
    let path = folder.file("log.sqlite")
    try PlainSQLite(path).run("CREATE TABLE first (n INTEGER)")
    return (path, try #require(LogCheckpoint(path: path)))
  }

  @Test("SQLite by itself takes pages of the new log for moved, unless it has the mend of 3.51.3")
  func alone() throws {
    let folder = try TestFolder()
    let (path, log) = try checkpoint(.full, folder)
    func pass() -> LogCheckpoint.Progress? {
      var (pages, moved): (CInt, CInt) = (-1, -1)
      let code = sqlite3_wal_checkpoint_v2(log.moving, nil, SQLITE_CHECKPOINT_PASSIVE, &pages, &moved)
      return code == SQLITE_OK ? (Int(pages), Int(moved)) : nil
    }
    let writer = try moved(path, by: pass)
    let interruption = try Interruption(log)
    interruption.action = { try writer.run(Self.few) }
    let progress = try #require(pass())
    #expect(interruption.action == nil && interruption.failure == nil)
    // Some releases before 3.51.3 have the mend as well, and a distribution may add it to any.
    let isMended = progress.moved == 0
    #expect(isMended || sqlite3_libversion_number() < 3_051_003)
    #expect(try isWhole(path, writer, pass) == isMended)
    withExtendedLifetime(interruption) {}
  }

  @Test("our passes do not, no matter who writes meanwhile", arguments: SQLite.Durability.allCases)
  func beside(durability: SQLite.Durability) throws {
    let folder = try TestFolder()
    let (path, log) = try checkpoint(durability, folder)
    let writer = try moved(path, by: log.move)
    let interruption = try Interruption(log)
    interruption.action = { try writer.run(Self.few) }
    _ = log.move()
    #expect(interruption.action == nil && interruption.failure == nil)
    #expect(try isWhole(path, writer, log.move))
    withExtendedLifetime(interruption) {}
  }

  @Test(
    "nor does the emptying of the log, which makes a pass without the writer's lock where it does not get it",
    arguments: SQLite.Durability.allCases)
  func emptying(durability: SQLite.Durability) throws {
    let folder = try TestFolder()
    let (path, log) = try checkpoint(durability, folder)
    let writer = try moved(path, by: log.move)
    let interruption = try Interruption(log)
    try writer.run("BEGIN IMMEDIATE; \(Self.few)")
    interruption.action = { try writer.run("COMMIT") }
    #expect(!log.empty())
    #expect(interruption.action == nil && interruption.failure == nil)
    #expect(try isWhole(path, writer, log.move))
    withExtendedLifetime(interruption) {}
  }

  @Test("while everything is moved no commit begins, and then the log begins anew or is emptied")
  func whole() throws {
    let folder = try TestFolder()
    let (path, log) = try checkpoint(.full, folder)
    let writer = try moved(path, by: log.moveAll)
    let interruption = try Interruption(log)
    try writer.run(Self.all)
    interruption.action = { try writer.run(Self.few) }
    let progress = try #require(log.moveAll())
    #expect(progress.moved == progress.pages)
    #expect((interruption.failure as? PlainSQLite.Mistake)?.code == SQLITE_BUSY)
    #expect(log.empty())
    #expect(try FileManager.default.attributesOfItem(atPath: "\(path)-wal")[.size] as? Int == 0)
    #expect(try isWhole(path, writer, log.move))
    withExtendedLifetime(interruption) {}
  }

  @Test("a file that cannot be read for a moment is not taken for one without a log")
  func locked() throws {
    let folder = try TestFolder()
    let path = folder.file("log.sqlite")
    let other = try PlainSQLite(path)
    try other.run("CREATE TABLE first (n INTEGER); PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE")
    let isOpened = LogCheckpoint(path: path) != nil
    #expect(!isOpened)
    try other.run("COMMIT; PRAGMA journal_mode = WAL; INSERT INTO first VALUES (1)")
    let log = try #require(LogCheckpoint(path: path))
    let progress = try #require(log.move())
    #expect(progress.pages > 0 && progress.moved == progress.pages)
  }
}
