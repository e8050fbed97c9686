// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Rows of `staff_openid_account` and `staff_openid_state`.
struct StaffOpenIDStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  /// An account is a keyed digest of institution, issuer and subject; a state is a digest, kept while its sign-in could
  /// come again. With `ended:` before it, a digest is of an account or session that a logout token ended.
  static let migration = Migration(
    "2026-11-29 staff openid",
    """
    CREATE TABLE staff_openid_account (
      account TEXT PRIMARY KEY,
      staff_id TEXT NOT NULL REFERENCES staff (id),
      joined_at BIGINT NOT NULL
    );
    CREATE INDEX staff_openid_account_staff ON staff_openid_account (staff_id);

    CREATE TABLE staff_openid_state (
      digest TEXT PRIMARY KEY,
      expires_at BIGINT NOT NULL
    );
    CREATE INDEX staff_openid_state_expiry ON staff_openid_state (expires_at);
    """)

  /// Which session at a provider is whose, by a keyed digest.
  static let sessionMigration = Migration(
    "2026-12-01 staff openid session",
    """
    CREATE TABLE staff_openid_session (
      digest TEXT PRIMARY KEY,
      staff_id TEXT NOT NULL REFERENCES staff (id),
      expires_at BIGINT NOT NULL
    );
    CREATE INDEX staff_openid_session_expiry ON staff_openid_session (expires_at);
    """)

  func member(ofSession digest: String) throws -> StaffMember.ID? {
    try tx.first("SELECT staff_id FROM staff_openid_session WHERE digest = \(digest)")?.get("staff_id")
  }

  /// A provider's session of the member, until then.
  func keepSession(_ digest: String, of member: StaffMember.ID, until expiry: Instant) throws {
    try tx.execute(
      """
      INSERT INTO staff_openid_session (digest, staff_id, expires_at) VALUES (\(digest), \(member), \(expiry))
      ON CONFLICT (digest) DO UPDATE SET staff_id = excluded.staff_id, expires_at = excluded.expires_at
      """)
  }

  func member(of account: String) throws -> StaffMember.ID? {
    try tx.first("SELECT staff_id FROM staff_openid_account WHERE account = \(account)")?.get("staff_id")
  }

  /// - Throws: `SQLError.notUnique` for an account that was joined before.
  func join(_ account: String, to member: StaffMember.ID, at now: Instant) throws {
    try tx.execute(
      "INSERT INTO staff_openid_account (account, staff_id, joined_at) VALUES (\(account), \(member), \(now))")
  }

  /// Keeps that what an account or a session at the provider had been given by then was ended.
  /// - Parameter forgotten: later for a later end.
  func end(_ name: String, until forgotten: Instant) throws {
    try tx.execute(
      """
      INSERT INTO staff_openid_state (digest, expires_at) VALUES (\(Self.ended(name)), \(forgotten))
      ON CONFLICT (digest) DO UPDATE SET expires_at = excluded.expires_at
      WHERE excluded.expires_at > staff_openid_state.expires_at
      """)
  }

  /// Whether an account or a session at the provider was ended so that it is forgotten then or later.
  func isEnded(_ name: String, until forgotten: Instant) throws -> Bool {
    try tx.first(
      "SELECT digest FROM staff_openid_state WHERE digest = \(Self.ended(name)) AND expires_at >= \(forgotten)") != nil
  }

  private static func ended(_ name: String) -> String { "ended:\(name)" }

  /// - Returns: false for a state that was spent before.
  func spend(_ digest: String, until expiry: Instant) throws -> Bool {
    try tx.execute(
      """
      INSERT INTO staff_openid_state (digest, expires_at) VALUES (\(digest), \(expiry))
      ON CONFLICT (digest) DO NOTHING
      """) == 1
  }

  func sweep(before now: Instant, limit: Int) throws -> Int {
    let sessions = try tx.execute(
      """
      DELETE FROM staff_openid_session WHERE digest IN
        (SELECT digest FROM staff_openid_session WHERE expires_at <= \(now) LIMIT \(limit))
      """)
    return try sessions
      + tx.execute(
        """
        DELETE FROM staff_openid_state WHERE digest IN
          (SELECT digest FROM staff_openid_state WHERE expires_at <= \(now) LIMIT \(limit))
        """)
  }
}
