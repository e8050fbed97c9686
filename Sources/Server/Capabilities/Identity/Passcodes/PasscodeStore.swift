// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Rows of `passcode`, and of the two tables that limit it: `passcode_event` remembers each send and each wrong try,
/// `passcode_guard` has one row for whom they are counted, which is held while counting and carries the lock.
struct PasscodeStore {
  static let columns: SQLColumns =
    "id, channel, destination_digest, subject, purpose, state, tries, requested_at, expires_at"

  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  /// A request's code digest and its tries, the one being made included.
  struct Attempt {
    let codeDigest: String
    let tries: Int
  }

  func insert(_ passcode: Passcode) throws {
    try tx.execute(
      """
      INSERT INTO passcode (id, channel, destination_digest, subject, purpose, state, tries, requested_at)
      VALUES (\(passcode.id), \(passcode.channel), \(passcode.destinationDigest), \(passcode.subject),
        \(passcode.purpose), \(passcode.state), \(passcode.tries), \(passcode.requestedAt))
      """)
  }

  func find(_ id: Passcode.ID) throws -> Passcode? {
    try tx.first("SELECT \(Self.columns) FROM passcode WHERE id = \(id)").map(passcode)
  }

  /// The issued code that waits to be typed; the schema allows one.
  func waiting(_ channel: PasscodeChannel, subject: String, purpose: String) throws -> Passcode? {
    try tx.first(
      """
      SELECT \(Self.columns) FROM passcode
      WHERE subject = \(subject) AND channel = \(channel) AND purpose = \(purpose) AND state = 'issued'
      """
    ).map(passcode)
  }

  /// The same, and the code whose message has not left.
  func promised(_ channel: PasscodeChannel, subject: String, purpose: String) throws -> Passcode? {
    try tx.first(
      """
      SELECT \(Self.columns) FROM passcode
      WHERE subject = \(subject) AND channel = \(channel) AND purpose = \(purpose)
        AND state IN ('requested', 'issued')
      """
    ).map(passcode)
  }

  /// - Returns: false when the request is past being issued.
  func issue(_ id: Passcode.ID, codeDigest: String, at now: Instant, expiresAt: Instant) throws -> Bool {
    try tx.execute(
      """
      UPDATE passcode SET state = 'issued', code_digest = \(codeDigest), issued_at = \(now), expires_at = \(expiresAt)
      WHERE id = \(id) AND state IN ('requested', 'issued')
      """) == 1
  }

  /// - Returns: nil when another call used, voided or exhausted the code first.
  func countTry(_ id: Passcode.ID, now: Instant, triesMax: Int) throws -> Attempt? {
    try tx.first(
      """
      UPDATE passcode SET tries = tries + 1
      WHERE id = \(id) AND state = 'issued' AND tries < \(triesMax) AND expires_at > \(now)
      RETURNING code_digest, tries
      """
    ).map { Attempt(codeDigest: try $0.get("code_digest"), tries: try $0.get("tries")) }
  }

  /// Of two racing right codes one changes the row.
  func use(_ id: Passcode.ID) throws -> Bool {
    try tx.execute(
      "UPDATE passcode SET state = 'used', code_digest = NULL WHERE id = \(id) AND state = 'issued'") == 1
  }

  func void(_ id: Passcode.ID) throws {
    try tx.execute(
      """
      UPDATE passcode SET state = 'void', code_digest = NULL
      WHERE id = \(id) AND state IN ('requested', 'issued')
      """)
  }

  func void(_ channel: PasscodeChannel, subject: String, purpose: String) throws {
    try tx.execute(
      """
      UPDATE passcode SET state = 'void', code_digest = NULL
      WHERE subject = \(subject) AND channel = \(channel) AND purpose = \(purpose)
        AND state IN ('requested', 'issued')
      """)
  }

  func voidAll(_ channel: PasscodeChannel, subject: String) throws {
    try tx.execute(
      """
      UPDATE passcode SET state = 'void', code_digest = NULL
      WHERE subject = \(subject) AND channel = \(channel) AND state IN ('requested', 'issued')
      """)
  }

  /// Takes the row that stands for everything counted under a name, until the transaction ends.
  /// - Returns: until when it is locked; nil when it is not.
  func hold(_ name: String, now: Instant) throws -> Instant? {
    let lockedUntil: Instant? = try tx.first(
      """
      INSERT INTO passcode_guard (name, held_at, locked_until) VALUES (\(name), \(now), NULL)
      ON CONFLICT (name) DO UPDATE SET held_at = excluded.held_at
      RETURNING locked_until
      """)?.get("locked_until")
    return lockedUntil.flatMap { $0 > now ? $0 : nil }
  }

  /// Locks and forgets what led to it, so that the next window starts clean.
  func lock(_ name: String, until: Instant) throws {
    try tx.execute("UPDATE passcode_guard SET locked_until = \(until) WHERE name = \(name)")
    try tx.execute("DELETE FROM passcode_event WHERE guard_name = \(name)")
  }

  func record(_ name: String, at now: Instant, id: String) throws {
    try tx.execute("INSERT INTO passcode_event (id, guard_name, happened_at) VALUES (\(id), \(name), \(now))")
  }

  /// Oldest first.
  func events(of name: String, after instant: Instant) throws -> [Instant] {
    try tx.query(
      """
      SELECT happened_at FROM passcode_event
      WHERE guard_name = \(name) AND happened_at > \(instant) ORDER BY happened_at, id
      """
    ).map { try $0.get("happened_at") }
  }

  /// What was promised to a subject, oldest first; no code and no digest.
  func records(of subject: String) throws -> [PasscodeRecord] {
    try tx.query(
      """
      SELECT channel, purpose, state, tries, requested_at, issued_at FROM passcode
      WHERE subject = \(subject) ORDER BY requested_at, id LIMIT 1000
      """
    ).map {
      PasscodeRecord(
        channel: try $0.get("channel"), purpose: try $0.get("purpose"), state: try $0.get("state"),
        tries: try $0.get("tries"), requestedAt: try $0.get("requested_at"), issuedAt: try $0.get("issued_at"))
    }
  }

  func deleteAll(of subject: String, guards: [String]) throws {
    try tx.execute("DELETE FROM passcode WHERE subject = \(subject)")
    for name in guards {
      try tx.execute("DELETE FROM passcode_event WHERE guard_name = \(name)")
      try tx.execute("DELETE FROM passcode_guard WHERE name = \(name)")
    }
  }

  func sweep(before horizon: Instant, now: Instant, limit: Int) throws -> Int {
    let events = try tx.execute(
      """
      DELETE FROM passcode_event WHERE id IN
        (SELECT id FROM passcode_event WHERE happened_at <= \(horizon) LIMIT \(limit))
      """)
    let guards = try tx.execute(
      """
      DELETE FROM passcode_guard WHERE name IN
        (SELECT name FROM passcode_guard
         WHERE held_at <= \(horizon) AND (locked_until IS NULL OR locked_until <= \(now)) LIMIT \(limit))
      """)
    let passcodes = try tx.execute(
      """
      DELETE FROM passcode WHERE id IN
        (SELECT id FROM passcode WHERE requested_at <= \(horizon) LIMIT \(limit))
      """)
    return events + guards + passcodes
  }

  private func passcode(_ row: SQLRow) throws -> Passcode {
    Passcode(
      id: try row.get("id"), channel: try row.get("channel"), destinationDigest: try row.get("destination_digest"),
      subject: try row.get("subject"), purpose: try row.get("purpose"), state: try row.get("state"),
      tries: try row.get("tries"), requestedAt: try row.get("requested_at"), expiresAt: try row.get("expires_at"))
  }
}
