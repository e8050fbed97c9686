// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Rows of `finaptic_guard`: consecutive wrong guesses, by the account that they were made at.
package struct GuardStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  /// What became of an attempt.
  enum Outcome: Sendable, Equatable {
    /// - isLast: whether it locks unless it is right.
    case counted(isLast: Bool)
    /// It does not count.
    case locked(until: Instant)
  }

  /// Counts a try as a failure before it is compared, so that tries side by side cannot pass the limit; the last one
  /// that is allowed locks.
  func count(_ account: String, max: Int, lock: Duration, at now: Instant) throws -> Outcome {
    // Taking the row first makes tries side by side wait for each other on every engine.
    let row = try tx.first(
      """
      INSERT INTO finaptic_guard (account, failures, locked_until, touched_at) VALUES (\(account), 0, NULL, \(now))
      ON CONFLICT (account) DO UPDATE SET touched_at = excluded.touched_at
      RETURNING failures, locked_until
      """)
    let lockedUntil: Instant? = try row?.get("locked_until")
    if let lockedUntil, lockedUntil > now { return .locked(until: lockedUntil) }
    // A lock that is over took its failures with it.
    let failures = (lockedUntil == nil ? try row?.get("failures") ?? 0 : 0) + 1
    let until: Instant? = failures >= max ? now + lock : nil
    try tx.execute(
      "UPDATE finaptic_guard SET failures = \(failures), locked_until = \(until) WHERE account = \(account)")
    return .counted(isLast: until != nil)
  }

  /// Takes a try back that was counted and then not compared, for want of a thread, or was no guess.
  func takeBack(_ counted: Outcome, of account: String) throws {
    guard case .counted(let isLast) = counted else { return }
    try tx.execute(
      "UPDATE finaptic_guard SET failures = failures - 1 WHERE account = \(account) AND failures > 0")
    if isLast { try tx.execute("UPDATE finaptic_guard SET locked_until = NULL WHERE account = \(account)") }
  }

  /// Forgets the failures and the lock of an account, after a right answer.
  func forgive(_ account: String) throws {
    try tx.execute("DELETE FROM finaptic_guard WHERE account = \(account)")
  }

  /// Failures in a row and until when the account is locked.
  func state(of account: String) throws -> (failures: Int, lockedUntil: Instant?) {
    let row = try tx.first("SELECT failures, locked_until FROM finaptic_guard WHERE account = \(account)")
    return (try row?.get("failures") ?? 0, try row?.get("locked_until"))
  }

  /// Deletes up to `limit` rows that were not touched since `horizon`.
  static func sweep(before horizon: Instant, limit: Int, in tx: any SQLTransaction) throws -> Int {
    try tx.execute(
      """
      DELETE FROM finaptic_guard WHERE account IN
        (SELECT account FROM finaptic_guard WHERE touched_at <= \(horizon) LIMIT \(limit))
      """)
  }
}
