// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage

/// Rows of `live_event`, and one row a topic that numbers them.
package struct LiveEventStore {
  let tx: any SQLTransaction

  package init(_ tx: any SQLTransaction) { self.tx = tx }

  /// A topic's row outlives its events until it is forgotten; see `forgettingMigration`.
  package static let migration = Migration(
    "2026-11-22 live events",
    """
    CREATE TABLE live_topic (
      topic TEXT PRIMARY KEY,
      sequence BIGINT NOT NULL CHECK (sequence >= 1),
      swept_through BIGINT NOT NULL DEFAULT 0 CHECK (swept_through <= sequence)
    );
    CREATE TABLE live_event (
      topic TEXT NOT NULL REFERENCES live_topic (topic),
      sequence BIGINT NOT NULL,
      kind TEXT NOT NULL,
      payload BLOB NOT NULL,
      published_at BIGINT NOT NULL,
      PRIMARY KEY (topic, sequence)
    );
    CREATE INDEX live_event_age ON live_event (published_at, topic, sequence);
    """)

  /// One row: the highest number of any topic that was forgotten. Whatever begins later begins above it, so that a
  /// number is never given twice, and nothing else has to be remembered of a topic.
  package static let forgettingMigration = Migration(
    "2026-11-22 live events forgotten",
    """
    CREATE TABLE live_floor (id BIGINT PRIMARY KEY CHECK (id = 1), sequence BIGINT NOT NULL CHECK (sequence >= 0));
    INSERT INTO live_floor (id, sequence) VALUES (1, 0);
    CREATE INDEX live_topic_empty ON live_topic (topic) WHERE swept_through = sequence;
    """)

  /// The topic's row is locked from here to the commit: number n + 1 cannot be given before n can be seen
  /// by every reader, or was rolled back and is given again. So a reader who saw n never finds a new row at or below n.
  func insert(_ kind: String, payload: Data, to topic: String, at now: Instant) throws -> Int64 {
    let sequence = try next(of: topic) ?? begin(topic)
    try tx.execute(
      """
      INSERT INTO live_event (topic, sequence, kind, payload, published_at)
      VALUES (\(topic), \(sequence), \(kind), \(payload), \(now))
      """)
    return sequence
  }

  private func next(of topic: String) throws -> Int64? {
    try tx.first("UPDATE live_topic SET sequence = sequence + 1 WHERE topic = \(topic) RETURNING sequence")?
      .get("sequence")
  }

  /// The first number of a topic that is not there. The floor stays where it is until the commit: the topic may have
  /// been forgotten a moment ago, or be forgotten a moment from now.
  private func begin(_ topic: String) throws -> Int64 {
    let floor = try tx.first("SELECT sequence FROM live_floor WHERE id = 1 \(.forShare)")
    guard let floor = try floor?.get("sequence", as: Int64.self) else {
      throw SQLError.unreadable("live events without a floor")
    }
    // Another call may have begun it meanwhile.
    let head = try tx.first(
      """
      INSERT INTO live_topic (topic, sequence, swept_through) VALUES (\(topic), \(floor + 1), \(floor))
      ON CONFLICT (topic) DO UPDATE SET sequence = live_topic.sequence + 1 RETURNING sequence
      """)
    guard let sequence = try head?.get("sequence", as: Int64.self) else {
      throw SQLError.unreadable("a topic without a number")
    }
    return sequence
  }

  /// The last number that was given, and the last that is not kept any more. A topic that is not there stands at the
  /// floor, whether it was forgotten or never had an event: a reader below the floor cannot know what they missed.
  func head(of topic: String) throws -> (sequence: Int64, sweptThrough: Int64) {
    try tx.first(Self.headQuestion(topic)).map(Self.head) ?? (0, 0)
  }

  static func headQuestion(_ topic: String) -> SQL {
    """
    SELECT COALESCE(t.sequence, f.sequence) AS sequence, COALESCE(t.swept_through, f.sequence) AS swept_through
    FROM live_floor AS f LEFT JOIN live_topic AS t ON t.topic = \(topic) WHERE f.id = 1
    """
  }

  static func head(_ row: SQLRow) throws -> (sequence: Int64, sweptThrough: Int64) {
    (try row.get("sequence"), try row.get("swept_through"))
  }

  /// - Returns: what comes after a position, and the position behind it.
  func page(of topic: String, after position: Int64?, limit: Int) throws -> (page: LivePage, position: Int64) {
    let head = try head(of: topic)
    let position = position ?? head.sweptThrough
    // A position ahead of the topic was given by another store, or by this one before it was restored.
    guard position >= head.sweptThrough, position <= head.sequence else { return (.expired, position) }
    guard position < head.sequence else { return (.events([]), position) }
    let events = try tx.query(
      """
      SELECT sequence, kind, payload, published_at FROM live_event
      WHERE topic = \(topic) AND sequence > \(position) ORDER BY sequence LIMIT \(limit)
      """
    ).map { row in
      LiveEvent(
        topic: topic, sequence: try row.get("sequence"), kind: try row.get("kind"), payload: try row.get("payload"),
        publishedAt: try row.get("published_at"))
    }
    return (.events(events), events.last?.sequence ?? position)
  }

  // MARK: Sweeping

  /// Topics with events from before an instant, and the number of the last of those. The clocks of nodes differ, so
  /// numbers decide what goes, not instants.
  func old(before instant: Instant, limit: Int) throws -> [(topic: String, sequence: Int64)] {
    try tx.query(
      """
      SELECT topic, MAX(sequence) AS sequence FROM live_event WHERE published_at < \(instant)
      GROUP BY topic ORDER BY topic LIMIT \(limit)
      """
    ).map { (try $0.get("topic"), try $0.get("sequence")) }
  }

  func delete(_ topic: String, through sequence: Int64) throws {
    try tx.execute(
      """
      UPDATE live_topic SET swept_through = \(sequence) WHERE topic = \(topic) AND swept_through < \(sequence)
      """)
    try tx.execute("DELETE FROM live_event WHERE topic = \(topic) AND sequence <= \(sequence)")
  }

  /// Topics of which every event was swept.
  func empty(limit: Int) throws -> [String] {
    try tx.query("SELECT topic FROM live_topic WHERE swept_through = sequence ORDER BY topic LIMIT \(limit)")
      .map { try $0.get("topic") }
  }

  /// Deletes a topic with its row. The row is locked first, so that no publisher is between its number and its event.
  /// - Parameter onlyEmpty: leaves alone a topic that has had an event since it was swept.
  /// - Returns: whether it was there.
  func forget(_ topic: String, onlyEmpty: Bool) throws -> Bool {
    let head = try tx.first(
      """
      UPDATE live_topic SET swept_through = sequence
      WHERE topic = \(topic) AND (swept_through = sequence OR \(onlyEmpty ? 0 : 1) = 1) RETURNING sequence
      """)
    guard let sequence = try head?.get("sequence", as: Int64.self) else { return false }
    try tx.execute("DELETE FROM live_event WHERE topic = \(topic)")
    try tx.execute("UPDATE live_floor SET sequence = \(sequence) WHERE id = 1 AND sequence < \(sequence)")
    try tx.execute("DELETE FROM live_topic WHERE topic = \(topic)")
    return true
  }
}
