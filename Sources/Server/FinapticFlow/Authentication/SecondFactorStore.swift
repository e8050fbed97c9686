// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Rows of `finaptic_factor`: second factors that users enrolled.
package struct SecondFactorStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  enum Kind: String, SQLConvertible, CaseIterable {
    /// Codes of an authenticator app; sealed is its secret.
    case totp
    /// Codes by SMS; sealed is the number.
    case sms
  }

  package static let migration = Migration(
    "2026-11-22 finaptic 04 factor",
    """
    CREATE TABLE finaptic_factor (
      user_id TEXT NOT NULL REFERENCES finaptic_user (id),
      kind TEXT NOT NULL CHECK (kind IN ('totp', 'sms')),
      sealed BLOB,
      pending BLOB,
      last_step BIGINT,
      confirmed_at BIGINT,
      PRIMARY KEY (user_id, kind)
    );
    """)

  /// What a user confirmed, in the order in which it is preferred.
  func confirmed(of user: FinapticUser.ID) throws -> [Kind] {
    let kinds = try tx.query(
      "SELECT kind FROM finaptic_factor WHERE user_id = \(user) AND sealed IS NOT NULL"
    ).map { try $0.get("kind", as: Kind.self) }
    return Kind.allCases.filter(kinds.contains)
  }

  struct Factor: Sendable {
    /// Nil until it was confirmed.
    let sealed: Data?
    /// What takes its place once it is confirmed.
    let pending: Data?
    let lastStep: Int64?
  }

  func find(_ kind: Kind, of user: FinapticUser.ID) throws -> Factor? {
    try tx.first(
      "SELECT sealed, pending, last_step FROM finaptic_factor WHERE user_id = \(user) AND kind = \(kind)"
    ).map { Factor(sealed: try $0.get("sealed"), pending: try $0.get("pending"), lastStep: try $0.get("last_step")) }
  }

  func propose(_ kind: Kind, _ pending: Data, of user: FinapticUser.ID) throws {
    try tx.execute(
      """
      INSERT INTO finaptic_factor (user_id, kind, pending) VALUES (\(user), \(kind), \(pending))
      ON CONFLICT (user_id, kind) DO UPDATE SET pending = excluded.pending
      """)
  }

  /// Takes back what was proposed and not confirmed: who proposed it may have been another person.
  func withdraw(of user: FinapticUser.ID) throws {
    try tx.execute("DELETE FROM finaptic_factor WHERE user_id = \(user) AND sealed IS NULL")
    try tx.execute("UPDATE finaptic_factor SET pending = NULL WHERE user_id = \(user) AND pending IS NOT NULL")
  }

  /// - Parameter step: of the code that confirmed it; nil for other kinds.
  func confirm(_ kind: Kind, step: Int64?, of user: FinapticUser.ID, at now: Instant) throws -> Bool {
    try tx.execute(
      """
      UPDATE finaptic_factor SET sealed = pending, pending = NULL, last_step = \(step), confirmed_at = \(now)
      WHERE user_id = \(user) AND kind = \(kind) AND pending IS NOT NULL
      """) == 1
  }

  /// - Returns: false when that step or a later one was used before: no code counts twice.
  func useStep(_ step: Int64, of user: FinapticUser.ID) throws -> Bool {
    try tx.execute(
      """
      UPDATE finaptic_factor SET last_step = \(step)
      WHERE user_id = \(user) AND kind = 'totp' AND (last_step IS NULL OR last_step < \(step))
      """) == 1
  }

  func delete(_ kind: Kind, of user: FinapticUser.ID) throws -> Bool {
    try tx.execute("DELETE FROM finaptic_factor WHERE user_id = \(user) AND kind = \(kind)") == 1
  }
}
