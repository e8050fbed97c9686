// SPDX-License-Identifier: Apache-2.0

import Storage

/// What operators and metrics ask of the outbox.
extension OutboxStore {
  /// What is still owed, oldest first; for tests and the console.
  package func pending(limit: Int = 100) throws -> [OutboxItem] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM outbox
      WHERE parked_reason IS NULL ORDER BY enqueued_at, id LIMIT \(limit)
      """
    ).map { try Self.item($0) }
  }

  /// Effects that were given up, oldest first.
  /// - Parameter topic: nil is every topic.
  package func deadLetters(topic: String? = nil, limit: Int = 100) throws -> [DeadLetter] {
    let rows = try tx.query(
      """
      SELECT id, topic, subject, attempts, enqueued_at, parked_reason FROM outbox
      WHERE parked_reason IS NOT NULL AND topic = COALESCE(\(topic), topic) ORDER BY enqueued_at, id LIMIT \(limit)
      """)
    return try rows.map { row in
      DeadLetter(
        id: try row.get("id"), topic: try row.get("topic"), subject: try row.get("subject"),
        attempts: try row.get("attempts"), enqueuedAt: try row.get("enqueued_at"), reason: try row.get("parked_reason"))
    }
  }

  /// What effects of a topic are about: those that are owed, and dead letters. Each subject once, in no order.
  /// Each part has an index of its own, so that what other topics owe is not read.
  package func subjects(of topic: String, limit: Int) throws -> Set<String> {
    let rows = try tx.query(
      """
      SELECT subject FROM outbox WHERE topic = \(topic) AND parked_reason IS NOT NULL
      UNION SELECT subject FROM outbox WHERE topic = \(topic) AND parked_reason IS NULL AND lease_owner IS NULL
      UNION SELECT subject FROM outbox WHERE topic = \(topic) AND lease_owner IS NOT NULL
      LIMIT \(limit)
      """)
    return Set(try rows.map { try $0.get("subject") })
  }

  /// Lets a dead letter run again, from its first attempt.
  /// - Returns: false when there is no such dead letter.
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

  /// Lets every dead letter run again, as after a gateway was away for long.
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

  /// Gives up effects that have been due for long and that no running program can perform, also when the last program
  /// that could has died while it held their lease.
  /// - Parameters:
  ///   - topics: those that this program performs.
  ///   - instant: effects that have been due since before it, and are not leased.
  /// - Returns: how many.
  package func deadLetterOrphans(besides topics: [String], dueBefore instant: Instant) throws -> Int {
    try tx.execute(
      """
      UPDATE outbox SET parked_reason = 'NoHandler', lease_owner = NULL, lease_until = 0
      WHERE parked_reason IS NULL AND lease_until < \(instant) AND due_at < \(instant) AND enqueued_at < \(instant)
        AND NOT (topic || '' IN \(list: topics))
      """)
  }

  /// Deletes a dead letter: its effect will not happen.
  /// - Returns: false when there is no such dead letter.
  @discardableResult
  package func drop(_ id: OutboxItem.ID) throws -> Bool {
    try tx.execute("DELETE FROM outbox WHERE id = \(id) AND parked_reason IS NOT NULL") == 1
  }

  /// Deletes every effect about a subject, leased ones too. A worker that is performing one finds no row to delete.
  @discardableResult
  package func forget(subject: String) throws -> Int {
    try tx.execute("DELETE FROM outbox WHERE subject = \(subject)")
  }

  /// Whether an effect is still to be performed.
  package func isOwed(_ id: OutboxItem.ID) throws -> Bool {
    try tx.first("SELECT id FROM outbox WHERE id = \(id) AND parked_reason IS NULL") != nil
  }
}

/// An effect that was given up and waits for an operator. Without its payload, which operators must not see.
package struct DeadLetter: Sendable {
  package let id: OutboxItem.ID
  package let topic: String
  package let subject: String
  /// How often it was begun.
  package let attempts: Int
  package let enqueuedAt: Instant
  /// The type of the last error.
  package let reason: String
}
