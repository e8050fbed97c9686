// SPDX-License-Identifier: Apache-2.0

import Storage

extension OutboxStore {
  /// How long the oldest effect that is due and not begun has been due; zero without one.
  package func lag(now: Instant) throws -> Duration {
    let oldest: Instant? = try tx.first(
      """
      SELECT due_at FROM outbox
      WHERE parked_reason IS NULL AND lease_owner IS NULL AND attempts = 0 AND due_at <= \(now)
      ORDER BY due_at, id LIMIT 1
      """)?.get("due_at")
    return oldest.map { now - $0 } ?? .zero
  }

  /// How long the oldest effect has been due among the topics of which no worker performs anything: no worker runs, or
  /// none that can perform them. A worker that is occupied, as with a gateway that does not answer, is at work.
  /// - Parameter topics: only these.
  package func idleLag(now: Instant, of topics: [String]) throws -> Duration {
    let busy: [String] = try tx.query(
      """
      SELECT DISTINCT topic FROM outbox WHERE lease_owner IS NOT NULL AND lease_until > \(now - Self.leaseBelieved)
      """
    ).map { try $0.get("topic") }
    let oldest: Instant? = try tx.first(
      """
      SELECT MIN(due_at) AS due_at FROM outbox
      WHERE parked_reason IS NULL AND lease_owner IS NULL AND due_at <= \(now)
        AND topic IN \(list: topics.filter { !busy.contains($0) })
      """)?.get("due_at")
    return oldest.map { now - $0 } ?? .zero
  }

  /// How long after its end a lease still counts as held, because the holder's clock may be behind.
  private static let leaseBelieved = Duration.minutes(2)

  /// By topic, since when the oldest effect that has failed before has been tried: it shows how long a gateway or a
  /// bank's server has been away. It counts also while it is being tried once more.
  private func failingSince() throws -> [(topic: String, since: Instant)] {
    try tx.query(
      """
      SELECT topic, MIN(since) AS since FROM (
        SELECT topic, COALESCE(tried_since, enqueued_at) AS since FROM outbox
        WHERE parked_reason IS NULL AND lease_owner IS NULL AND attempts > 0
        UNION ALL
        SELECT topic, COALESCE(tried_since, enqueued_at) AS since FROM outbox
        WHERE lease_owner IS NOT NULL AND attempts > 1
      ) AS failed
      GROUP BY topic ORDER BY topic
      """
    ).map { (try $0.get("topic"), try $0.get("since")) }
  }

  /// What is due, leased, failing or dead-lettered. Rows that are due later, of which there may be very many, are not
  /// read.
  package func gauge(now: Instant) throws -> OutboxGauge {
    let rows = try tx.query(
      """
      SELECT topic, attempts, state, COUNT(*) AS n FROM (
        SELECT topic, attempts, 'parked' AS state FROM outbox WHERE parked_reason IS NOT NULL
        UNION ALL
        SELECT topic, attempts, 'leased' AS state FROM outbox WHERE parked_reason IS NULL AND lease_owner IS NOT NULL
        UNION ALL
        SELECT topic, attempts, 'due' AS state FROM outbox
        WHERE parked_reason IS NULL AND lease_owner IS NULL AND due_at <= \(now) AND attempts + 0 = 0
        UNION ALL
        SELECT topic, attempts, 'failing' AS state FROM outbox
        WHERE parked_reason IS NULL AND lease_owner IS NULL AND attempts > 0
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
