import Storage

/// Rows of `outbox`. A leased row belongs to one worker until `lease_until`; a parked row waits for an operator.
package struct OutboxStore {
  let tx: any SQLTransaction

  package init(_ tx: any SQLTransaction) { self.tx = tx }

  package static let migration = Migration(
    "2026-11-21 outbox",
    """
    CREATE TABLE outbox (
      id TEXT PRIMARY KEY,
      topic TEXT NOT NULL,
      subject TEXT NOT NULL,
      payload TEXT NOT NULL,
      attempts BIGINT NOT NULL DEFAULT 0 CHECK (attempts >= 0),
      enqueued_at BIGINT NOT NULL,
      due_at BIGINT NOT NULL,
      lease_owner TEXT,
      lease_until BIGINT NOT NULL DEFAULT 0,
      parked_reason TEXT
    );
    CREATE INDEX outbox_due ON outbox (due_at) WHERE parked_reason IS NULL;
    """)

  func insert(_ item: OutboxItem, dueAt: Instant) throws {
    try tx.execute(
      """
      INSERT INTO outbox (id, topic, subject, payload, attempts, enqueued_at, due_at)
      VALUES (\(item.id), \(item.topic), \(item.subject), \(item.payload), 0, \(item.enqueuedAt), \(dueAt))
      """)
  }

  /// Takes up to `limit` due rows for `owner`; each begun attempt is counted before it is made.
  func lease(by owner: String, until: Instant, now: Instant, limit: Int) throws -> [OutboxItem] {
    try tx.query(
      """
      UPDATE outbox SET lease_owner = \(owner), lease_until = \(until), attempts = attempts + 1
      WHERE id IN (
        SELECT id FROM outbox
        WHERE parked_reason IS NULL AND due_at <= \(now) AND lease_until <= \(now)
        ORDER BY due_at, id LIMIT \(limit))
      RETURNING id, topic, subject, payload, attempts, enqueued_at
      """
    ).map(Self.item)
  }

  /// - Returns: false when the lease was lost to another worker meanwhile.
  @discardableResult
  func finish(_ id: OutboxItem.ID, by owner: String) throws -> Bool {
    try tx.execute("DELETE FROM outbox WHERE id = \(id) AND lease_owner = \(owner)") == 1
  }

  func retry(_ id: OutboxItem.ID, by owner: String, dueAt: Instant) throws {
    try tx.execute(
      """
      UPDATE outbox SET lease_owner = NULL, lease_until = 0, due_at = \(dueAt)
      WHERE id = \(id) AND lease_owner = \(owner)
      """)
  }

  func park(_ id: OutboxItem.ID, by owner: String, reason: String) throws {
    try tx.execute(
      """
      UPDATE outbox SET lease_owner = NULL, lease_until = 0, parked_reason = \(reason)
      WHERE id = \(id) AND lease_owner = \(owner)
      """)
  }

  /// Lets a parked row run again, from its first attempt.
  @discardableResult
  package func release(_ id: OutboxItem.ID, dueAt: Instant) throws -> Bool {
    try tx.execute(
      """
      UPDATE outbox SET parked_reason = NULL, attempts = 0, due_at = \(dueAt)
      WHERE id = \(id) AND parked_reason IS NOT NULL
      """) == 1
  }

  /// Topics still owed, oldest first; for tests and the console.
  package func pending(limit: Int = 100) throws -> [OutboxItem] {
    try tx.query(
      """
      SELECT id, topic, subject, payload, attempts, enqueued_at FROM outbox
      WHERE parked_reason IS NULL ORDER BY enqueued_at, id LIMIT \(limit)
      """
    ).map(Self.item)
  }

  package func parked(limit: Int = 100) throws -> [(item: OutboxItem, reason: String)] {
    try tx.query(
      """
      SELECT id, topic, subject, payload, attempts, enqueued_at, parked_reason FROM outbox
      WHERE parked_reason IS NOT NULL ORDER BY enqueued_at, id LIMIT \(limit)
      """
    ).map { (try Self.item($0), try $0.get("parked_reason")) }
  }

  private static func item(_ row: SQLRow) throws -> OutboxItem {
    OutboxItem(
      id: try row.get("id"), topic: try row.get("topic"), subject: try row.get("subject"),
      payload: try row.get("payload"), attempts: try row.get("attempts", as: Int.self) - 1,
      enqueuedAt: try row.get("enqueued_at"))
  }
}
