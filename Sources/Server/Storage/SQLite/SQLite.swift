// SPDX-License-Identifier: Apache-2.0

import CSQLiteLog
import Foundation
import GRDB
import Synchronization

/// The embedded engine: one SQLite file in WAL mode, every commit on disk before it is acknowledged.
package struct SQLite: SQLDatabase {
  /// How commits reach the disk before they are acknowledged.
  package enum Durability: String, Sendable, CaseIterable {
    /// The program's own syncs, outside of the transactions and shared by those that wait (`LogSyncer`), of a log that
    /// is written in long pieces (`CSQLiteLog`).
    case shared
    /// SQLite's own `synchronous = FULL`: nothing of this program stands between SQLite and the file.
    case full
  }

  private let engine: any DatabaseWriter
  /// For reads of one statement; none in memory, where there is one connection only.
  private let looks: IdleConnections?
  /// None in memory, where there is no log.
  private let checkpointer: Checkpointer?
  /// None either where SQLite syncs by itself: there a commit is seen once it is on the disk.
  private let syncer: LogSyncer?
  private let turns = WriteTurns()
  private let hub = SignalHub()
  /// For all files of this program, once.
  private static let gathersLogs: Void = csqlitelog_gather()

  /// Bytes of the write-ahead log; it grows for as long as a reader reads an older state, or it cannot be moved.
  package var logBytes: Int64 { checkpointer?.logSize ?? 0 }

  /// Opens or creates the file at `path`, readable by its owner only.
  /// - Parameters:
  ///   - durability: SQLite's own where the caller names none, as a backup and a restore do.
  ///   - sync: puts what was written to a file on its disk; 0, or the error's number when the disk refuses.
  /// - Throws: `SQLError.unreachable` when the disk refuses what the log has from before; `SQLError.busy` when another
  ///   program writes for too long.
  package init(
    path: String, durability: Durability = .full, sync: @escaping @Sendable (CInt) -> CInt = SQLite.sync
  ) throws {
    if durability == .shared { Self.gathersLogs }
    // Made only when it is not there, in one step: a second program that starts now must not empty what the first one
    // has begun to write.
    let made = Foundation.open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    if made >= 0 { _ = Foundation.close(made) }
    let checkpointer = Checkpointer(path: path)
    let engine = try Self.opening(path) {
      try Self.waiting { try DatabasePool(path: path, configuration: Self.configuration(readers: 4, checkpointer)) }
    }
    // The library sets NORMAL for a log, after everything that a configuration says.
    if durability == .full {
      try engine.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    }
    // Pages of a commit that the disk may not have must not go into the file: they would be there in part.
    let syncer = try LogSyncer(path: path, sync: sync) { checkpointer.stop() }
    try SQLiteTransaction.translating {
      try engine.writeWithoutTransaction { db in
        try db.inTransaction(.immediate) {
          try syncer.renew()
          return .commit
        }
      }
    }
    self.engine = engine
    self.syncer = durability == .shared ? syncer : nil
    looks = IdleConnections(path: path)
    self.checkpointer = checkpointer
  }

  /// What the system does for that.
  package static let sync: @Sendable (CInt) -> CInt = { file in
    while fdatasync(file) != 0 { if errno != EINTR { return errno } }
    return 0
  }

  /// Waits for who holds a lock, for about ten seconds. SQLite's own pauses grow to 100 ms: a commit that meets the end
  /// of a checkpoint would sleep on long after it.
  private static let waits: @Sendable (Int) -> Bool = { tries in
    usleep(tries < 200 ? 500 : 5000)
    return tries < 2200
  }

  /// An empty database in memory, gone with the value.
  package init() throws {
    engine = try DatabaseQueue(configuration: Self.configuration(readers: 1, nil))
    (looks, checkpointer, syncer) = (nil, nil, nil)
  }

  private static func configuration(readers: Int, _ checkpointer: Checkpointer?) -> GRDB.Configuration {
    var configuration = GRDB.Configuration()
    configuration.maximumReaderCount = readers
    // A second process (`gatehouse work`, `gatehouse staff`) may hold the write lock for a moment.
    configuration.busyMode = .callback(waits)
    configuration.foreignKeysEnabled = true
    configuration.prepareDatabase { db in
      // What was erased is overwritten, not only unlinked: a right of the customer (GDPR article 17).
      try db.execute(sql: "PRAGMA secure_delete = ON")
      guard !db.configuration.readonly else { return }
      // SQLite syncs the log before its pages go into the file, and its head when it begins anew; the rest is up to
      // `LogSyncer`, or to FULL, which is set once the log is there.
      try db.execute(sql: "PRAGMA synchronous = NORMAL")
      // Random keys touch random pages: the writer keeps 16 MiB of them instead of reading them again. Others are in
      // the system's cache, which is not the process's memory.
      try db.execute(sql: "PRAGMA cache_size = -16384")
      checkpointer?.watch(db.sqliteConnection)
    }
    return configuration
  }

  package func read<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value {
    try await settled {
      try await snapshot(body)
    } answering: {
      $0
    }
  }

  package var queryIsTrip: Bool { false }

  /// Answered on the caller's thread: a statement that finds its rows by their keys takes a few microseconds, which is
  /// less than it takes to wake another thread. No writer holds a reader up; where one must wait all the same, as while
  /// a log is recovered, the statement goes the longer way and waits there.
  package func query(_ statement: SQL) async throws -> [SQLRow] { try await query(statement) { $0 } }

  package func query<Answer>(
    _ statement: SQL, answering answer: ([SQLRow]) async throws -> Answer
  ) async throws -> Answer {
    guard statement.isSelect else { throw SQLError.notSelect }
    return try await settled {
      // Asked of each row, it is several statements.
      if statement.byRow != nil { return try await glance { try $0.query(statement) } }
      do { if let rows = try look(statement) { return rows } } catch SQLError.busy {}
      return try await snapshot { try $0.query(statement) }
    } answering: {
      try await answer($0)
    }
  }

  package func look<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value {
    try await settled {
      try await glance(body)
    } answering: {
      $0
    }
  }

  private func glance<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value {
    do {
      let seen = try SQLiteTransaction.translating {
        try looks?.with { try $0.unsafeRead { try SQLiteTransaction.glancing($0, body) } }
      }
      if let seen { return seen }
    } catch SQLError.busy {}
    return try await snapshot(body)
  }

  /// What `answer` makes of what was seen, or the error of either, once everything that was seen is on the disk. What
  /// others commit while it is made is not waited for.
  private func settled<Seen, Answer>(
    _ body: () async throws -> Seen, answering answer: (Seen) async throws -> Answer
  ) async throws -> Answer {
    let found: Result<Answer, any Error>
    let last: LogSyncer.Commit?
    do {
      let seen = try await body()
      last = syncer?.lastSeen
      do { found = .success(try await answer(seen)) } catch { found = .failure(error) }
    } catch {
      (found, last) = (.failure(error), syncer?.lastSeen)
    }
    if let last { try await syncer?.wait(forSeen: last) }
    return try found.get()
  }

  private func snapshot<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value {
    try await SQLiteTransaction.translating { try await engine.read { try SQLiteTransaction.reading($0, body) } }
  }

  private func look(_ statement: SQL) throws -> [SQLRow]? {
    // A statement by itself is a snapshot: it needs no transaction.
    try SQLiteTransaction.translating {
      try looks?.with { try $0.unsafeRead { try SQLiteTransaction($0, origin: nil).query(statement) } }
    }
  }

  /// There is one writer at a time, so every isolation is the strongest.
  package func write<Value: Sendable>(
    _ isolation: SQLIsolation, _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value {
    let origin = WorkOrigin.current
    let (value, signals, actions) = try await durably { db in
      let transaction = SQLiteTransaction(db, origin: origin)
      let value = try body(transaction)
      // A body that went on after a refused statement: the whole transaction is void, as its first error says.
      if let failure = transaction.failure { throw failure }
      return (value, transaction.signals, transaction.committedActions)
    }
    for signal in signals { hub.ring(signal) }
    for action in actions { action() }
    return value
  }

  /// Carries out a transaction; returns once it is on the disk.
  private func durably<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    guard let syncer else {
      return try await SQLiteTransaction.translating {
        do { return try await turns.write { try await engine.write(body) } } catch let error as DatabaseError
          where error.resultCode == .SQLITE_IOERR
        {
          // The log may hold the whole transaction all the same, and the next start would find it there.
          throw SQLError.uncertain
        }
      }
    }
    let done: (value: Value, commit: LogSyncer.Commit)
    do {
      // Who waits for a turn is a writer too: the next one writes while the disk is busy with the last.
      done = try await syncer.writing {
        try await turns.write {
          try await SQLiteTransaction.translating {
            try await engine.writeWithoutTransaction { try Self.commit($0, syncer, body) }
          }
        }
      }
    } catch {
      // Why it was refused may be what another caller has just written.
      try await syncer.waitForAllSeen()
      throw error
    }
    try await syncer.wait(for: done.commit)
    return done.value
  }

  private static func commit<Value>(
    _ db: Database, _ syncer: LogSyncer, _ body: (Database) throws -> Value
  ) throws -> (Value, LogSyncer.Commit) {
    try syncer.willWrite()
    var done: (value: Value, commit: LogSyncer.Commit)?
    defer { if let done { syncer.didCommit(done.commit) } }
    try db.inTransaction {
      done = (try body(db), syncer.willCommit())
      return .commit
    }
    guard let done else { preconditionFailure("A transaction that committed was carried out.") }
    return done
  }

  package func migrate(_ migrations: [Migration], onLeft: @escaping @Sendable (Int) -> Void) async throws {
    try await durably { db in
      try db.execute(
        sql: "CREATE TABLE IF NOT EXISTS schema_migration (id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL)")
      let applied = try Row.fetchAll(db, sql: "SELECT id, fingerprint FROM schema_migration ORDER BY id")
        .map { (id: $0["id"] as String, fingerprint: $0["fingerprint"] as String) }
      let pending = try Migration.pending(migrations, applied: applied)
      for (index, migration) in pending.enumerated() {
        onLeft(pending.count - index)
        try db.execute(sql: migration.statements(in: .sqlite))
        try db.execute(
          sql: "INSERT INTO schema_migration (id, fingerprint) VALUES (?, ?)",
          arguments: [migration.id, migration.fingerprint])
      }
      if !pending.isEmpty { onLeft(0) }
    }
  }

  package func signals(_ name: String) -> AsyncStream<Void> { hub.signals(name) }

  package func close() throws {
    hub.close()
    looks?.close()
    checkpointer?.close()
    syncer?.close()
    if syncer?.broken != nil {
      engine.writeWithoutTransaction { csqlitelog_keep(UnsafeMutableRawPointer($0.sqliteConnection)) }
    }
    try engine.close()
  }
}
