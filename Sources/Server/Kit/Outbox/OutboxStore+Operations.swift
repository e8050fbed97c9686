import Storage

/// What people and gauges ask of the outbox.
extension OutboxStore {
  /// What is still owed, oldest first; for tests and the console.
  package func pending(limit: Int = 100) throws -> [OutboxItem] {
    try tx.query(
      """
      SELECT id, topic, subject, payload, attempts, enqueued_at, tried_since, takeovers, origin FROM outbox
      WHERE parked_reason IS NULL ORDER BY enqueued_at, id LIMIT \(limit)
      """
    ).map { try Self.item($0) }
  }

  /// Rows that no repetition will cure, oldest first.
  /// - Parameter topic: nil is every topic.
  package func parked(topic: String? = nil, limit: Int = 100) throws -> [ParkedEffect] {
    let rows =
      if let topic {
        try tx.query(
          """
          SELECT id, topic, subject, attempts, enqueued_at, parked_reason FROM outbox
          WHERE parked_reason IS NOT NULL AND topic = \(topic) ORDER BY enqueued_at, id LIMIT \(limit)
          """)
      } else {
        try tx.query(
          """
          SELECT id, topic, subject, attempts, enqueued_at, parked_reason FROM outbox
          WHERE parked_reason IS NOT NULL ORDER BY enqueued_at, id LIMIT \(limit)
          """)
      }
    return try rows.map { row in
      ParkedEffect(
        id: try row.get("id"), topic: try row.get("topic"), subject: try row.get("subject"),
        attempts: try row.get("attempts"), enqueuedAt: try row.get("enqueued_at"), reason: try row.get("parked_reason"))
    }
  }

  /// Lets a parked row run again, from its first attempt.
  /// - Returns: false when there is no such row, or it is not parked.
  @discardableResult
  package func release(_ id: OutboxItem.ID, now: Instant) throws -> Bool {
    tx.signal(Outbox.signal)
    return try tx.execute(
      """
      UPDATE outbox SET parked_reason = NULL, attempts = 0, takeovers = 0, tried_since = NULL, due_at = \(now),
        leeway = \(Self.leeway)
      WHERE id = \(id) AND parked_reason IS NOT NULL
      """) == 1
  }

  /// Lets every parked row run again, as after a gateway was away for long.
  /// - Parameter topic: nil is every topic.
  /// - Returns: how many there were.
  package func releaseAll(of topic: String?, now: Instant) throws -> Int {
    tx.signal(Outbox.signal)
    return try tx.execute(
      """
      UPDATE outbox SET parked_reason = NULL, attempts = 0, takeovers = 0, tried_since = NULL, due_at = \(now),
        leeway = \(Self.leeway)
      WHERE parked_reason IS NOT NULL AND topic = COALESCE(\(topic), topic)
      """)
  }

  /// Sets aside what has been owed for long and no running program knows how to perform, also when one that did has died
  /// over it.
  /// - Parameters:
  ///   - topics: those that this program performs.
  ///   - instant: what has been due since before it, and in nobody's hands.
  /// - Returns: how many.
  package func parkOrphans(besides topics: [String], dueBefore instant: Instant) throws -> Int {
    try tx.execute(
      """
      UPDATE outbox SET parked_reason = 'NoHandler', lease_owner = NULL, lease_until = 0
      WHERE parked_reason IS NULL AND lease_until < \(instant) AND due_at < \(instant) AND enqueued_at < \(instant)
        AND NOT (topic || '' IN \(list: topics))
      """)
  }

  /// Forgets a parked row: its effect will not happen.
  /// - Returns: false when there is no such row, or it is not parked.
  @discardableResult
  package func drop(_ id: OutboxItem.ID) throws -> Bool {
    try tx.execute("DELETE FROM outbox WHERE id = \(id) AND parked_reason IS NOT NULL") == 1
  }

  /// Whether an effect is there and not parked.
  package func isOwed(_ id: OutboxItem.ID) throws -> Bool {
    try tx.first("SELECT id FROM outbox WHERE id = \(id) AND parked_reason IS NULL") != nil
  }
}

/// An effect that waits for an operator. Without its payload, which is nobody's to read.
package struct ParkedEffect: Sendable {
  package let id: OutboxItem.ID
  package let topic: String
  package let subject: String
  /// How often it was begun.
  package let attempts: Int
  package let enqueuedAt: Instant
  /// The type of the last error.
  package let reason: String
}
