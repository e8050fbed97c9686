// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The engine for many nodes: PostgreSQL over libpq.
///
/// A transaction runs on one connection and its thread. One that lost a race (40001, 40P01) runs again, and so does
/// one whose connection was lost before it asked to commit: a server that restarts is a pause.
package struct Postgres: SQLDatabase {
  /// How often a transaction runs before its caller is told that others are always faster.
  private static let runsMax = 24
  /// How often a row may be there already before it is believed to have been there all along.
  private static let collisionsMax = 3
  /// Chosen by us; held while migrations are applied.
  private static let migrationLock: Int64 = 0x6761_7465_686f_7573

  private let settings: PostgresSettings
  private let pool: PostgresPool
  private let signals: PostgresSignals

  /// Connects when there is something to do.
  /// - Parameter application: what the server's list of connections shows.
  package init(_ settings: PostgresSettings, application: String = "gatehouse") {
    self.settings = settings
    pool = PostgresPool(settings, application: application)
    signals = PostgresSignals(settings, application: application)
  }

  package var use: PoolUse { pool.use }

  /// Connections that have listened for signals since the start: one, and one more for each that broke.
  package var listenings: Int { signals.listenings }

  package func read<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value {
    try await repeating { connection in
      do {
        return try Self.transaction(
          on: connection, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", origin: nil, body
        ).value
      } catch PostgresFailure.uncertain {
        // There was nothing to commit.
        throw PostgresFailure.lost("the connection ended")
      }
    }
  }

  package var queryIsTrip: Bool { true }

  package func query(_ statement: SQL) async throws -> [SQLRow] {
    guard statement.isSelect else { throw SQLError.notSelect }
    return try await repeating { try $0.run(statement).rows }
  }

  package func write<Value: Sendable>(
    _ isolation: SQLIsolation, _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value {
    let begin =
      switch isolation {
      case .snapshot: "BEGIN ISOLATION LEVEL REPEATABLE READ READ WRITE"
      case .serializable: "BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE"
      case .readCommitted: "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
      }
    let origin = WorkOrigin.current
    let done = try await repeating { try Self.transaction(on: $0, begin, origin: origin, body) }
    signals.send(done.signals)
    for action in done.actions { action() }
    return done.value
  }

  package func migrate(_ migrations: [Migration], onLeft: @escaping @Sendable (Int) -> Void) async throws {
    var (start, step) = (ContinuousClock.now, "")
    var refusals = 0
    while true {
      switch try await migrateFurther(migrations, onLeft) {
      case .done: return
      case .made: (start, refusals) = (.now, 0)
      case .notUnique(let error):
        refusals += 1
        guard refusals < Self.refusalsMax else { throw error }
      case .inUse(let id):
        // Others may have made steps meanwhile.
        if id != step { (start, step) = (.now, id) }
        guard start.duration(to: .now) < settings.schemaPatience else {
          throw SQLError.unreachable("other transactions hold a table that the step \(id) changes")
        }
      }
    }
  }

  private enum SchemaProgress: Sendable {
    case done, made
    /// A table of this step was held by others for too long.
    case inUse(String)
    /// Rows that this step had made unique were not any more when it made the index: other programs write meanwhile.
    case notUnique(SQLError)
  }

  /// How often a step may find rows that are not unique before it is given up.
  private static let refusalsMax = 5

  /// Makes one step of the schema, or all of them in an empty database. One by one, a table is held for no longer than
  /// its own step takes.
  private func migrateFurther(
    _ migrations: [Migration], _ onLeft: @escaping @Sendable (Int) -> Void
  ) async throws -> SchemaProgress {
    try await repeating { [settings] connection in
      try Self.transaction(on: connection, "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE", origin: nil) { tx in
        // Another node may be migrating for long; the lock ends with its transaction, however that ends.
        try connection.command("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")
        try connection.command("SELECT pg_advisory_xact_lock(\(Self.migrationLock))")
        try connection.command("SET LOCAL lock_timeout = \(settings.schemaLockTimeout.milliseconds)")
        if try connection.run("SELECT 1 AS one FROM pg_type WHERE typname = 'blob' AND pg_type_is_visible(oid)").rows
          .isEmpty
        {
          // The stores' word for bytes, which SQLite knows.
          try connection.command("CREATE DOMAIN blob AS bytea")
        }
        try connection.command(
          "CREATE TABLE IF NOT EXISTS schema_migration (id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL)")
        let applied = try tx.query("SELECT id, fingerprint FROM schema_migration ORDER BY id").map {
          (id: try $0.get("id", as: String.self), fingerprint: try $0.get("fingerprint", as: String.self))
        }
        let pending = try Migration.pending(migrations, applied: applied)
        let next = applied.isEmpty ? pending[...] : pending.prefix(1)
        for (index, migration) in next.enumerated() {
          onLeft(pending.count - index)
          try connection.command("SAVEPOINT step")
          do { try connection.command(migration.statements(in: .postgres)) } catch PostgresFailure.refused(.locked) {
            // Those who stood in line behind the step go first. No other node takes its place meanwhile: the advisory
            // lock is still held.
            try connection.command(
              """
              ROLLBACK TO SAVEPOINT step;
              SELECT pg_sleep(\(Double(settings.schemaLockTimeout.milliseconds) / 1000))
              """)
            return .inUse(migration.id)
          } catch PostgresFailure.refused(let error) where error.name == "notUnique" && !applied.isEmpty {
            try connection.command("ROLLBACK TO SAVEPOINT step")
            return .notUnique(error)
          }
          try tx.execute(
            "INSERT INTO schema_migration (id, fingerprint) VALUES (\(migration.id), \(migration.fingerprint))")
        }
        guard next.count == pending.count else { return .made }
        if !pending.isEmpty { onLeft(0) }
        return .done
      }.value
    }
  }

  package func signals(_ name: String) -> AsyncStream<Void> { signals.signals(name) }

  package func close() throws {
    // As long as a connection may take to fail, and some more.
    let patience = settings.connectTimeout + .seconds(1)
    signals.close(patience: patience)
    pool.close(patience: patience)
  }

  // MARK: Transactions

  private struct Done<Value: Sendable>: Sendable {
    let value: Value
    let signals: Set<String>
    let actions: [@Sendable () -> Void]
  }

  private static func transaction<Value: Sendable>(
    on connection: PostgresConnection, _ begin: String, origin: String?, _ body: (any SQLTransaction) throws -> Value
  ) throws -> Done<Value> {
    try connection.command(begin)
    let transaction = PostgresTransaction(connection, origin: origin)
    let value: Value
    do {
      value = try body(transaction)
      // A body that went on after a refused statement: here the whole transaction is void, as its first error says.
      if let failure = transaction.failure { throw PostgresTransaction.visible(failure) }
    } catch {
      if connection.isUsable { _ = try? connection.command("ROLLBACK") }
      // Whatever the body made of it, what the server said decides whether it may run again.
      switch transaction.failure {
      case .conflict, .lost, .uncertain: throw transaction.failure ?? error
      case .refused(.notUnique): throw PostgresFailure.collided(error)
      default: throw error
      }
    }
    do { try connection.command("COMMIT") } catch PostgresFailure.lost { throw PostgresFailure.uncertain }
    return Done(value: value, signals: transaction.signals, actions: transaction.committedActions)
  }

  /// Runs `body` until it succeeds, fails for good, or was tried for long enough.
  private func repeating<Value: Sendable>(
    _ body: @escaping @Sendable (PostgresConnection) throws -> Value
  ) async throws -> Value {
    let start = ContinuousClock.now
    var runs = 0
    var collisions = 0
    while true {
      runs += 1
      do { return try await pool.run(body) } catch let failure as PostgresFailure {
        switch failure {
        case .collided(let error):
          // Of two that looked, saw nothing and inserted, the second one sees the first when it looks again.
          collisions += 1
          guard collisions < Self.collisionsMax else { throw error }
        case .refused(let error): throw error
        case .uncertain: throw SQLError.uncertain
        case .conflict:
          guard runs < Self.runsMax else { throw SQLError.busy }
          try await Self.pause(milliseconds: 1 << min(runs, 6))
        case .lost(let reason):
          guard start.duration(to: .now) < settings.patience else { throw SQLError.unreachable(reason) }
          try await Self.pause(milliseconds: 50 << min(runs, 3))
        }
      }
    }
  }

  /// A random pause of up to so long, so that transactions that collided once do not collide again.
  private static func pause(milliseconds: Int) async throws {
    try await Task.sleep(for: .microseconds(Int.random(in: milliseconds * 250...milliseconds * 1000)))
  }
}
