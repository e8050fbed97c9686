import Storage

extension OutboxStore {
  /// How long the oldest effect that nobody performs has been due; zero when none is. Reads two entries of an index.
  /// - Parameter topics: only these; nil is every topic.
  package func lag(now: Instant, of topics: [String]? = nil) throws -> Duration {
    let all = topics == nil ? 1 : 0
    let since: Instant? = try tx.first(
      """
      SELECT MIN(since) AS since FROM (
        SELECT since FROM (
          SELECT enqueued_at AS since FROM outbox
          WHERE parked_reason IS NULL AND lease_owner IS NULL AND due_at = 0
            AND (\(all) = 1 OR topic || '' IN \(list: topics ?? []))
          ORDER BY due_at, enqueued_at, id LIMIT 1) AS at_once
        UNION ALL
        SELECT since FROM (
          SELECT due_at AS since FROM outbox
          WHERE parked_reason IS NULL AND lease_owner IS NULL AND due_at > 0 AND due_at <= \(now)
            AND (\(all) = 1 OR topic || '' IN \(list: topics ?? []))
          ORDER BY due_at, enqueued_at, id LIMIT 1) AS dated) AS oldest
      """)?.get("since")
    // Another node's clock may be ahead.
    return since.map { max(.zero, now - $0) } ?? .zero
  }

  /// Since when the oldest effect is owed that was begun, failed and waits for its next attempt, by topic: how long a
  /// gateway has been away, or a bank's server.
  private func failingSince() throws -> [(topic: String, since: Instant)] {
    try tx.query(
      """
      SELECT topic, MIN(due_since) AS since FROM outbox
      WHERE parked_reason IS NULL AND lease_owner IS NULL AND attempts > 0 AND due_since IS NOT NULL
      GROUP BY topic ORDER BY topic
      """
    ).map { (try $0.get("topic"), try $0.get("since")) }
  }

  /// What is due, in hand, failing or parked. Rows that wait for a day to come, of which there may be very many, are not
  /// read: `due_at + 0` is in no index, so that the one of failing rows is taken.
  package func gauge(now: Instant) throws -> OutboxGauge {
    let rows = try tx.query(
      """
      SELECT topic, attempts, state, COUNT(*) AS n FROM (
        SELECT topic, attempts, 'parked' AS state FROM outbox WHERE parked_reason IS NOT NULL
        UNION ALL
        SELECT topic, attempts, 'leased' AS state FROM outbox WHERE parked_reason IS NULL AND lease_owner IS NOT NULL
        UNION ALL
        SELECT topic, attempts, 'due' AS state FROM outbox
        WHERE parked_reason IS NULL AND lease_owner IS NULL AND due_at <= \(now)
        UNION ALL
        SELECT topic, attempts, 'failing' AS state FROM outbox
        WHERE parked_reason IS NULL AND lease_owner IS NULL AND attempts > 0 AND due_at + 0 > \(now)
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
    return OutboxGauge(
      groups: groups, lag: try lag(now: now),
      failing: try failingSince().reduce(into: [:]) { $0[$1.topic] = max(.zero, now - $1.since) })
  }
}
