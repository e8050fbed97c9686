// SPDX-License-Identifier: Apache-2.0

import Storage

/// How often something may happen: a fixed window counted in the store, so that every node counts the same.
package struct RateLimit: Sendable, Hashable {
  package let name: String
  package let count: Int
  package let window: Duration

  package init(_ name: String, _ count: Int, per window: Duration) {
    self.name = name
    self.count = count
    self.window = window
  }

  /// For load tests and shared networks.
  package func times(_ factor: Int) -> RateLimit { RateLimit(name, count * factor, per: window) }

  /// Where a subject stands after one more use.
  package struct Usage: Sendable, Equatable {
    /// What it is that is counted.
    package let policy: RateLimit
    package var limit: Int { policy.count }
    package let remaining: Int
    /// Until the window ends.
    package let resetSeconds: Int
    package let isExceeded: Bool
    /// Whether this use was the first of its window.
    package var isFirst: Bool { remaining == limit - 1 }

    package init(policy: RateLimit, remaining: Int, resetSeconds: Int, isExceeded: Bool) {
      self.policy = policy
      self.remaining = remaining
      self.resetSeconds = resetSeconds
      self.isExceeded = isExceeded
    }
  }
}

package struct RateLimits: Sendable {
  let world: World

  package init(world: World) { self.world = world }

  /// Counts one use by `subject`, which must not be personal data: digest it first.
  /// - Parameter isTold: whether the subject is the caller, who may know what is left; see `RateUsage`.
  package func count(
    _ limit: RateLimit, by subject: String, isTold: Bool = true, in tx: any SQLTransaction
  ) throws -> RateLimit.Usage {
    let now = world.now().milliseconds
    let width = limit.window.milliseconds
    let start = now - now % width
    let used = try RateCounterStore(tx).increment(
      "\(limit.name) \(subject)", window: Instant(milliseconds: start), expiresAt: Instant(milliseconds: start + width))
    let usage = RateLimit.Usage(
      policy: limit, remaining: max(0, limit.count - used),
      resetSeconds: Int((start + width - now + 999) / 1000), isExceeded: used > limit.count)
    // By then it is the request's own task again.
    if isTold { tx.afterCommit { RateUsage.current?.note(usage) } }
    return usage
  }

  /// Uses up what is good for one use until `end`. No window is asked: one that begins meanwhile, as a day does at
  /// midnight, would allow a second use.
  /// - Parameter name: of the kind of thing.
  /// - Returns: false when it was used before.
  package func useUp(_ name: String, _ thing: String, until end: Instant, in tx: any SQLTransaction) throws -> Bool {
    try RateCounterStore(tx).increment("\(name) \(thing)", window: end, expiresAt: end + World.clocksApartMax) == 1
  }

  /// Whether as many uses as are allowed were counted in this window; counts none.
  package func isSpent(_ limit: RateLimit, by subject: String, in tx: any SQLTransaction) throws -> Bool {
    let now = world.now().milliseconds
    let start = Instant(milliseconds: now - now % limit.window.milliseconds)
    return try RateCounterStore(tx).used("\(limit.name) \(subject)", window: start) >= limit.count
  }

  /// - Throws: `Problem` rate-limited when as many uses as are allowed were counted in this window; counts none.
  package func require(_ limit: RateLimit, by subject: String, in tx: any SQLTransaction) throws {
    guard try isSpent(limit, by: subject, in: tx) else { return }
    let left = limit.window.milliseconds - world.now().milliseconds % limit.window.milliseconds
    throw Problem.rateLimited(retryAfterSeconds: Int((left + 999) / 1000))
  }

  /// Counts one use and throws when it is one too many.
  /// - Parameter isTold: whether the subject is the caller, and no other caller's use is counted with theirs.
  /// - Throws: `Problem` rate-limited, with its usage where that is told. The count itself rolls back with the caller's
  ///   transaction, which keeps a refused caller at the limit instead of ever further beyond it.
  @discardableResult
  package func spend(
    _ limit: RateLimit, by subject: String, isTold: Bool = true, in tx: any SQLTransaction
  ) throws -> RateLimit.Usage {
    let usage = try count(limit, by: subject, isTold: isTold, in: tx)
    guard !usage.isExceeded else {
      throw isTold ? Problem.rateLimited(usage) : .rateLimited(retryAfterSeconds: usage.resetSeconds)
    }
    return usage
  }
}

extension Problem {
  /// Of a limit that is the caller's own.
  package static func rateLimited(_ usage: RateLimit.Usage) -> Problem {
    rateLimited(retryAfterSeconds: usage.resetSeconds).with { $0.usage = usage }
  }

  /// Of a limit of which no more is told.
  package static func rateLimited(retryAfterSeconds: Int) -> Problem {
    Problem(.rateLimited, "rate-limited", "Too many requests; try again later.")
      .with { $0.retryAfterSeconds = retryAfterSeconds }
  }
}

/// Rows of `rate_counter`.
package struct RateCounterStore {
  let tx: any SQLTransaction

  package init(_ tx: any SQLTransaction) { self.tx = tx }

  package static let migration = Migration(
    "2026-11-21 rate counter",
    """
    CREATE TABLE rate_counter (
      subject TEXT NOT NULL,
      window_start BIGINT NOT NULL,
      used BIGINT NOT NULL CHECK (used > 0),
      expires_at BIGINT NOT NULL,
      PRIMARY KEY (subject, window_start)
    );
    CREATE INDEX rate_counter_expiry ON rate_counter (expires_at);
    """)

  func increment(_ subject: String, window: Instant, expiresAt: Instant) throws -> Int {
    try tx.first(
      """
      INSERT INTO rate_counter (subject, window_start, used, expires_at)
      VALUES (\(subject), \(window), 1, \(expiresAt))
      ON CONFLICT (subject, window_start) DO UPDATE SET used = rate_counter.used + 1
      RETURNING used
      """)?.get("used") ?? 1
  }

  func used(_ subject: String, window: Instant) throws -> Int {
    try tx.first("SELECT used FROM rate_counter WHERE subject = \(subject) AND window_start = \(window)")?
      .get("used") ?? 0
  }

  /// Forgets every count of a subject. Reads the whole table, which holds a day.
  /// - Precondition: the id is a UUID, so that nothing in it is a wildcard.
  package func forget(_ id: String) throws {
    try tx.execute("DELETE FROM rate_counter WHERE subject LIKE \("%\(id)%")")
  }

  package func sweep(before now: Instant, limit: Int = 1000) throws -> Int {
    try tx.execute(
      """
      DELETE FROM rate_counter WHERE (subject, window_start) IN
        (SELECT subject, window_start FROM rate_counter WHERE expires_at <= \(now) LIMIT \(limit))
      """)
  }
}
