import Foundation
import GRDB
import Synchronization

/// The embedded engine: one SQLite file in WAL mode, every commit on disk before it is acknowledged.
package struct SQLite: SQLDatabase {
  private let engine: any DatabaseWriter
  /// For reads of one statement; none in memory, where there is one connection only.
  private let looks: IdleConnections?
  /// None in memory, where there is no log.
  private let checkpointer: Checkpointer?
  private let hub = SignalHub()

  /// Opens or creates the file at `path`, readable by its owner only.
  package init(path: String) throws {
    // Made only when it is not there, in one step: a second program that starts now must not empty what the first one
    // has begun to write.
    let made = Foundation.open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    if made >= 0 { _ = Foundation.close(made) }
    let checkpointer = Checkpointer(path: path)
    engine = try Self.waiting {
      try DatabasePool(path: path, configuration: Self.configuration(readers: 4, checkpointer))
    }
    // Only now: the library sets what it thinks right when it begins the log, after the configuration was heard. WAL
    // alone may lose the last commits at power loss; FULL syncs the log at every commit.
    try engine.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    looks = IdleConnections(path: path)
    self.checkpointer = checkpointer
  }

  /// Two programs that begin a file at once meet at the switch to its log, where SQLite does not wait by itself.
  private static func waiting<Value>(_ open: () throws -> Value) throws -> Value {
    for _ in 0..<200 {
      do { return try open() } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
        usleep(10_000)
      }
    }
    return try open()
  }

  /// An empty database in memory, gone with the value.
  package init() throws {
    engine = try DatabaseQueue(configuration: Self.configuration(readers: 1, nil))
    (looks, checkpointer) = (nil, nil)
  }

  private static func configuration(readers: Int, _ checkpointer: Checkpointer?) -> GRDB.Configuration {
    var configuration = GRDB.Configuration()
    configuration.maximumReaderCount = readers
    // A second process (`gatehouse work`, `gatehouse staff`) may hold the write lock for a moment.
    configuration.busyMode = .timeout(10)
    configuration.foreignKeysEnabled = true
    configuration.prepareDatabase { db in
      // What was erased is overwritten, not only unlinked: a right of the customer (GDPR article 17).
      try db.execute(sql: "PRAGMA secure_delete = ON")
      guard !db.configuration.readonly else { return }
      // Random keys touch random pages: the writer keeps 64 MiB of them instead of reading them again.
      try db.execute(sql: "PRAGMA cache_size = -65536")
      // A log that begins anew writes over the old one: what stands behind its usual end would stay there for ever.
      try db.execute(sql: "PRAGMA journal_size_limit = \(Checkpointer.logSize)")
      checkpointer?.watch(db.sqliteConnection)
    }
    return configuration
  }

  package func read<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value {
    try await SQLiteTransaction.translating { try await engine.read { try body(SQLiteTransaction($0, origin: nil)) } }
  }

  package var queryIsTrip: Bool { false }

  /// Answered on the caller's thread: a statement that finds its rows by their keys takes a few microseconds, which is
  /// less than it takes to wake another thread. No writer holds a reader up; where somebody does all the same, as while
  /// a log is recovered, the statement goes the longer way and waits there.
  package func query(_ statement: SQL) async throws -> [SQLRow] {
    guard statement.isSelect else { throw SQLError.notSelect }
    do { if let rows = try look(statement) { return rows } } catch SQLError.busy {}
    return try await read { try $0.query(statement) }
  }

  package func look<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value {
    do {
      let seen = try SQLiteTransaction.translating {
        try looks?.with { try $0.read { try body(SQLiteTransaction($0, origin: nil)) } }
      }
      if let seen { return seen }
    } catch SQLError.busy {}
    return try await read(body)
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
    let (value, signals, actions) = try await SQLiteTransaction.translating {
      try await engine.write { db in
        let transaction = SQLiteTransaction(db, origin: origin)
        return (try body(transaction), transaction.signals, transaction.committedActions)
      }
    }
    for signal in signals { hub.ring(signal) }
    for action in actions { action() }
    return value
  }

  package func migrate(_ migrations: [Migration]) async throws {
    try await SQLiteTransaction.translating {
      try await engine.write { db in
        try db.execute(
          sql: "CREATE TABLE IF NOT EXISTS schema_migration (id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL)")
        let applied = try Row.fetchAll(db, sql: "SELECT id, fingerprint FROM schema_migration ORDER BY id")
          .map { (id: $0["id"] as String, fingerprint: $0["fingerprint"] as String) }
        for migration in try Migration.pending(migrations, applied: applied) {
          try db.execute(sql: migration.statements(in: .sqlite))
          try db.execute(
            sql: "INSERT INTO schema_migration (id, fingerprint) VALUES (?, ?)",
            arguments: [migration.id, migration.fingerprint])
        }
      }
    }
  }

  package func signals(_ name: String) -> AsyncStream<Void> { hub.signals(name) }

  package func close() throws {
    hub.close()
    looks?.close()
    checkpointer?.close()
    try engine.close()
  }
}

/// GRDB's connection seen through the engine-neutral protocol.
private final class SQLiteTransaction: SQLTransaction {
  private let db: GRDB.Database
  private(set) var signals: Set<String> = []
  private(set) var committedActions: [@Sendable () -> Void] = []

  let origin: String?

  init(_ db: GRDB.Database, origin: String?) {
    self.db = db
    self.origin = origin
  }

  func query(_ statement: SQL) throws -> [SQLRow] {
    try Self.translating {
      let prepared = try prepare(statement)
      if statement.isSelect, let rows = prepared.selected() { return rows }
      let (columns, cursor) = (prepared.columnNames, try Row.fetchCursor(prepared))
      var rows: [SQLRow] = []
      while let row = try cursor.next() { rows.append(SQLRow(columns, row.databaseValues.map(Self.value))) }
      return rows
    }
  }

  func execute(_ statement: SQL) throws -> Int {
    try Self.translating {
      if let change = statement.changeByRows { return try execute(statement, change) }
      try prepare(statement).execute()
      return db.changesCount
    }
  }

  /// The statement once for each row, which costs less here than to write all of them as one text and to read that.
  private func execute(
    _ statement: SQL, _ change: (before: [SQLValue], rows: SQLRows, after: [SQLValue])
  ) throws -> Int {
    guard change.rows.count > 0 else { return 0 }
    let prepared = try db.cachedStatement(sql: statement.text(in: .sqliteByRow))
    var changed = 0
    // A row that is refused takes back the others of its statement.
    try db.inSavepoint {
      for number in 0..<change.rows.count {
        try prepared.bind(change.before + change.rows.row(number) + change.after)
        try prepared.execute()
        changed += db.changesCount
      }
      return .commit
    }
    return changed
  }

  func signal(_ name: String) { signals.insert(name) }

  func afterCommit(_ action: @escaping @Sendable () -> Void) { committedActions.append(action) }

  private func prepare(_ statement: SQL) throws -> Statement {
    let prepared = try db.cachedStatement(sql: statement.text(in: .sqlite))
    try prepared.bind(statement.values(in: .sqlite))
    return prepared
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
  private static func translated(_ error: DatabaseError) -> SQLError {
    switch error.extendedResultCode {
    case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY: return .notUnique(error.message ?? "")
    default: break
    }
    switch error.resultCode {
    case .SQLITE_CONSTRAINT: return .constraint(error.message ?? "")
    case .SQLITE_BUSY, .SQLITE_LOCKED: return .busy
    default: return .engine(error.message ?? "SQLite error \(error.resultCode.rawValue)")
    }
  }
}
