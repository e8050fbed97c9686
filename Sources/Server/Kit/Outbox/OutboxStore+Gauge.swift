import Storage

extension OutboxStore {
  /// How long the oldest effect that nobody performs has been due; zero when none is. Reads one entry of an index.
  package func lag(now: Instant) throws -> Duration {
    let oldest = try tx.first(
      """
      SELECT due_at FROM outbox
      WHERE parked_reason IS NULL AND due_at <= \(now) AND lease_owner IS NULL ORDER BY due_at, id LIMIT 1
      """)
    return try oldest.map { now - (try $0.get("due_at", as: Instant.self)) } ?? .zero
  }

  /// What is due, in hand or parked. Rows that wait for a day to come, of which there may be very many, are not read.
  package func gauge(now: Instant) throws -> OutboxGauge {
    let rows = try tx.query(
      """
      SELECT topic, attempts, state, COUNT(*) AS n FROM (
        SELECT topic, attempts,
          CASE WHEN parked_reason IS NOT NULL THEN 'parked' WHEN lease_owner IS NOT NULL THEN 'leased' ELSE 'due' END
            AS state
        FROM outbox
        WHERE parked_reason IS NOT NULL OR lease_owner IS NOT NULL OR (parked_reason IS NULL AND due_at <= \(now))
      ) AS owed
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
