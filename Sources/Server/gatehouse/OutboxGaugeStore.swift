import HTTP
import Kit
import Storage

/// Counts over the rows of `outbox`, for operators.
struct OutboxGaugeStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  /// How long the oldest effect that nobody performs has been due; zero when none is. Reads one entry of an index.
  func lag(now: Instant) throws -> Duration {
    let oldest = try tx.first(
      """
      SELECT due_at FROM outbox
      WHERE parked_reason IS NULL AND due_at <= \(now) AND lease_owner IS NULL ORDER BY due_at, id LIMIT 1
      """)
    return try oldest.map { now - (try $0.get("due_at", as: Instant.self)) } ?? .zero
  }

  /// Reads every owed row.
  func gauge(now: Instant) throws -> OutboxGauge {
    let rows = try tx.query(
      """
      SELECT topic, attempts, state, COUNT(*) AS n FROM (
        SELECT topic, attempts,
          CASE WHEN parked_reason IS NOT NULL THEN 'parked' WHEN lease_owner IS NOT NULL THEN 'leased'
            WHEN due_at <= \(now) THEN 'due' ELSE 'waiting' END AS state
        FROM outbox) AS owed
      GROUP BY topic, attempts, state ORDER BY topic, attempts, state
      """)
    let groups = try rows.map { row in
      guard let state = OutboxGauge.State(rawValue: try row.get("state")) else {
        throw SQLError.unreadable("state of an owed effect")
      }
      return OutboxGauge.Group(
        topic: try row.get("topic"), state: state, attempts: try row.get("attempts"), count: try row.get("n"))
    }
    return OutboxGauge(groups: groups, lag: try lag(now: now))
  }
}

/// Which steps of the schema were made.
struct SchemaStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  /// Whether every step that this program knows was made. A newer program may have made more.
  func holds(_ migrations: [Migration]) throws -> Bool {
    let applied = Set(try tx.query("SELECT id FROM schema_migration").map { try $0.get("id", as: String.self) })
    return migrations.allSatisfy { applied.contains($0.id) }
  }
}
