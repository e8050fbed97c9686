// SPDX-License-Identifier: Apache-2.0

import Storage

/// Rows of `outbox`. A row with a `lease_owner` is being performed by that worker, and every extension changes its
/// `lease_until`. A row with a `parked_reason` is a dead letter.
package struct OutboxStore {
  static let columns: SQLColumns =
    "id, topic, subject, payload, attempts, enqueued_at, tried_since, takeovers, origin"

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

  /// Free rows, leased rows and dead letters each have an index, so that many of one kind do not slow the others.
  package static let leaseMigration = Migration(
    "2026-11-22 outbox leases",
    """
    DROP INDEX outbox_due;
    CREATE INDEX outbox_free ON outbox (due_at, id) WHERE parked_reason IS NULL AND lease_owner IS NULL;
    CREATE INDEX outbox_free_topic ON outbox (topic, due_at, id) WHERE parked_reason IS NULL AND lease_owner IS NULL;
    CREATE INDEX outbox_leased ON outbox (lease_owner) WHERE lease_owner IS NOT NULL;
    CREATE INDEX outbox_parked ON outbox (topic, enqueued_at) WHERE parked_reason IS NOT NULL;
    """)

  /// Which span owes the effect: a `traceparent`, or nothing.
  package static let originMigration = Migration(
    "2026-11-22 outbox origin", "ALTER TABLE outbox ADD COLUMN origin TEXT;")

  /// Since when a row is tried, which decides when it is given up; how often in a row it was left by those who died; and
  /// by how much `due_at` may be ahead of a clock by which it is due all the same.
  package static let patienceMigration = Migration(
    "2026-11-23 outbox patience",
    """
    ALTER TABLE outbox ADD COLUMN tried_since BIGINT;
    ALTER TABLE outbox ADD COLUMN takeovers BIGINT NOT NULL DEFAULT 0;
    ALTER TABLE outbox ADD COLUMN leeway BIGINT NOT NULL DEFAULT 0;
    CREATE INDEX outbox_failing ON outbox (topic, tried_since)
      WHERE parked_reason IS NULL AND lease_owner IS NULL AND attempts > 0;
    """)

  /// What may begin is found by the instant at which it may, however much becomes due soon after it: while a gateway is
  /// away, nearly everything that failed.
  package static let readyMigration = Migration(
    "2026-11-24 outbox ready",
    """
    DROP INDEX outbox_free_topic;
    CREATE INDEX outbox_ready ON outbox ((due_at - leeway), id) WHERE parked_reason IS NULL AND lease_owner IS NULL;
    CREATE INDEX outbox_ready_topic ON outbox (topic, (due_at - leeway), id)
      WHERE parked_reason IS NULL AND lease_owner IS NULL;
    """)

  /// How far the clock of the node that says "at once" may be ahead of that of the node that begins, in milliseconds.
  static let leeway = Duration.minutes(15).milliseconds

  /// - Parameter dueAt: nil is at once.
  func insert(_ item: OutboxItem, dueAt: Instant?) throws {
    try tx.execute(
      """
      INSERT INTO outbox (id, topic, subject, payload, attempts, enqueued_at, due_at, leeway, origin)
      VALUES (
        \(item.id), \(item.topic), \(item.subject), \(item.payload), 0, \(item.enqueuedAt), \(dueAt ?? item.enqueuedAt),
        \(dueAt == nil ? Self.leeway : 0), \(item.origin))
      """)
  }

  // MARK: Taking

  /// Takes up to `limit` due rows for `owner`; each begun attempt is counted before it is made. The subquery is
  /// materialized because PostgreSQL may otherwise run it more than once and take more than the limit.
  ///
  /// `topic || ''` is in no index: all topics are read in the order in which rows may begin, not one by one and
  /// sorted.
  /// - Parameter topics: those that the worker can perform. A newer program's are left to the newer program.
  func lease(of topics: [String], by owner: String, until: Instant, now: Instant, limit: Int) throws -> [OutboxItem] {
    try tx.query(
      """
      WITH taken AS MATERIALIZED (
        SELECT id FROM outbox
        WHERE parked_reason IS NULL AND lease_owner IS NULL AND due_at - leeway <= \(now)
          AND topic || '' IN \(list: topics)
        ORDER BY due_at - leeway, id LIMIT \(limit) \(.forUpdateSkipLocked))
      UPDATE outbox SET lease_owner = \(owner), lease_until = \(until), attempts = attempts + 1,
        tried_since = COALESCE(tried_since, \(now))
      WHERE id IN (SELECT id FROM taken)
      RETURNING \(Self.columns)
      """
    ).map(Self.begun)
  }

  /// As above, of one topic only.
  func lease(
    _ topic: String, by owner: String, until: Instant, now: Instant, limit: Int
  ) throws -> [OutboxItem] {
    try tx.query(
      """
      WITH taken AS MATERIALIZED (
        SELECT id FROM outbox
        WHERE parked_reason IS NULL AND lease_owner IS NULL AND topic = \(topic) AND due_at - leeway <= \(now)
        ORDER BY due_at - leeway, id LIMIT \(limit) \(.forUpdateSkipLocked))
      UPDATE outbox SET lease_owner = \(owner), lease_until = \(until), attempts = attempts + 1,
        tried_since = COALESCE(tried_since, \(now))
      WHERE id IN (SELECT id FROM taken)
      RETURNING \(Self.columns)
      """
    ).map(Self.begun)
  }

  /// The next instant at which a row becomes due; nil when none will.
  func nextDue(after now: Instant) throws -> Instant? {
    try tx.first(
      """
      SELECT due_at FROM outbox WHERE parked_reason IS NULL AND lease_owner IS NULL AND due_at > \(now)
      ORDER BY due_at, id LIMIT 1
      """)?.get("due_at")
  }

  /// The leases that there are: no more than the workers have slots.
  /// - Parameter topics: those that the worker can perform.
  func leases(of topics: [String], limit: Int = 10_000) throws -> [OutboxLease] {
    try tx.query(
      """
      SELECT id, lease_owner, lease_until FROM outbox WHERE lease_owner IS NOT NULL AND topic || '' IN \(list: topics)
      ORDER BY lease_owner LIMIT \(limit)
      """
    ).map {
      OutboxLease(id: try $0.get("id"), owner: try $0.get("lease_owner"), beat: try $0.get("lease_until"))
    }
  }

  /// Takes a row from a worker that does not extend its lease any more.
  /// - Returns: nil when the lease changed since it was looked at.
  func takeOver(_ lease: OutboxLease, by owner: String, until: Instant, now: Instant) throws -> OutboxItem? {
    try tx.first(
      """
      UPDATE outbox SET lease_owner = \(owner), lease_until = \(until), attempts = attempts + 1,
        takeovers = takeovers + 1, tried_since = COALESCE(tried_since, \(now))
      WHERE id = \(lease.id) AND lease_owner = \(lease.owner) AND lease_until = \(lease.beat)
      RETURNING \(Self.columns)
      """
    ).map(Self.begun)
  }

  // MARK: Holding. The owner and the count of attempts name one lease: a worker that lost it changes nothing any more.

  /// Shows the others that the worker is alive: the beat grows even where the owner's clock goes back.
  /// - Returns: false when the lease was lost to another worker.
  func extend(_ item: OutboxItem, by owner: String, until: Instant) throws -> Bool {
    try tx.execute(
      """
      UPDATE outbox SET lease_until = CASE WHEN lease_until >= \(until) THEN lease_until + 1 ELSE \(until) END
      WHERE id = \(item.id) AND lease_owner = \(owner) AND attempts = \(item.attempts + 1)
      """) == 1
  }

  @discardableResult
  func finish(_ item: OutboxItem, by owner: String) throws -> Bool {
    try tx.execute(
      "DELETE FROM outbox WHERE id = \(item.id) AND lease_owner = \(owner) AND attempts = \(item.attempts + 1)") == 1
  }

  @discardableResult
  func retry(_ item: OutboxItem, by owner: String, dueAt: Instant) throws -> Bool {
    // The worker that sleeps until something else is due learns of the row.
    tx.signal(Outbox.signal)
    return try tx.execute(
      """
      UPDATE outbox SET lease_owner = NULL, lease_until = 0, due_at = \(dueAt), leeway = 0, takeovers = 0
      WHERE id = \(item.id) AND lease_owner = \(owner) AND attempts = \(item.attempts + 1)
      """) == 1
  }

  @discardableResult
  func deadLetter(_ item: OutboxItem, by owner: String, reason: String) throws -> Bool {
    try tx.execute(
      """
      UPDATE outbox SET lease_owner = NULL, lease_until = 0, parked_reason = \(reason)
      WHERE id = \(item.id) AND lease_owner = \(owner) AND attempts = \(item.attempts + 1)
      """) == 1
  }

  /// Gives a row back whose attempt was cut short because its worker leaves: due at once, and not counted, or so many
  /// restarts would dead-letter what never failed. The worker takes nothing any more, so the lease's name is not
  /// used again.
  @discardableResult
  func giveBack(_ item: OutboxItem, by owner: String, dueAt: Instant) throws -> Bool {
    tx.signal(Outbox.signal)
    return try tx.execute(
      """
      UPDATE outbox SET lease_owner = NULL, lease_until = 0, due_at = \(dueAt), leeway = \(Self.leeway), takeovers = 0,
        attempts = attempts - 1, tried_since = CASE WHEN attempts > 1 THEN tried_since ELSE NULL END
      WHERE id = \(item.id) AND lease_owner = \(owner) AND attempts = \(item.attempts + 1)
      """) == 1
  }

  /// Gives back whatever a worker still has in hand when it leaves. Those attempts count: their handlers still run.
  @discardableResult
  func giveBack(by owner: String) throws -> Int {
    tx.signal(Outbox.signal)
    return try tx.execute("UPDATE outbox SET lease_owner = NULL, lease_until = 0 WHERE lease_owner = \(owner)")
  }

  /// A row as it was before the attempt that was just counted.
  private static func begun(_ row: SQLRow) throws -> OutboxItem { try item(row, begunBefore: -1) }

  static func item(_ row: SQLRow, begunBefore offset: Int = 0) throws -> OutboxItem {
    OutboxItem(
      id: try row.get("id"), topic: try row.get("topic"), subject: try row.get("subject"),
      payload: try row.get("payload"), attempts: try row.get("attempts", as: Int.self) + offset,
      enqueuedAt: try row.get("enqueued_at"), triedSince: try row.get("tried_since"),
      takeovers: try row.get("takeovers"), origin: try row.get("origin"))
  }
}
