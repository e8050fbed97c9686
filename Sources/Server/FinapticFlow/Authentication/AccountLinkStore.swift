// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Rows of `finaptic_link`: what mail lets its reader do, once.
package struct AccountLinkStore {
  let tx: any SQLTransaction

  private static let columns: SQLColumns =
    "id, tenant_id, user_id, purpose, sealed, expires_at, used_at"

  init(_ tx: any SQLTransaction) { self.tx = tx }

  struct Link: Sendable {
    typealias ID = Identifier<Link>
    enum Purpose: String, SQLConvertible { case verifyEmail, resetPassword }

    let id: ID
    let tenant: Int
    /// Nil until it is known who has the address, if anybody.
    let user: FinapticUser.ID?
    let purpose: Purpose
    /// Address and token, while the mail is on its way.
    let sealed: Data?
    let expiresAt: Instant
    /// Followed, or of no use any more.
    let usedAt: Instant?
  }

  package static let migration = Migration(
    "2026-11-22 finaptic 03 link",
    """
    CREATE TABLE finaptic_link (
      id TEXT PRIMARY KEY,
      tenant_id BIGINT NOT NULL REFERENCES finaptic_tenant (id),
      user_id TEXT REFERENCES finaptic_user (id),
      purpose TEXT NOT NULL CHECK (purpose IN ('verifyEmail', 'resetPassword')),
      digest TEXT NOT NULL UNIQUE,
      sealed BLOB,
      created_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL,
      used_at BIGINT
    );
    CREATE INDEX finaptic_link_user ON finaptic_link (user_id);
    CREATE INDEX finaptic_link_expiry ON finaptic_link (expires_at);
    """)

  func insert(_ link: Link, digest: String, at now: Instant) throws {
    try tx.execute(
      """
      INSERT INTO finaptic_link (id, tenant_id, user_id, purpose, digest, sealed, created_at, expires_at)
      VALUES (\(link.id), \(link.tenant), \(link.user), \(link.purpose), \(digest), \(link.sealed), \(now),
        \(link.expiresAt))
      """)
  }

  func find(_ id: Link.ID) throws -> Link? {
    try tx.first(
      "SELECT \(Self.columns) FROM finaptic_link WHERE id = \(id)"
    ).map(Self.link)
  }

  func find(digest: String) throws -> Link? {
    try tx.first(
      "SELECT \(Self.columns) FROM finaptic_link WHERE digest = \(digest)"
    ).map(Self.link)
  }

  func setUser(_ user: FinapticUser.ID, of id: Link.ID) throws {
    try tx.execute("UPDATE finaptic_link SET user_id = \(user) WHERE id = \(id)")
  }

  /// The mail was sent: its address is deleted.
  func sent(_ id: Link.ID) throws {
    try tx.execute("UPDATE finaptic_link SET sealed = NULL WHERE id = \(id)")
  }

  /// - Returns: false when it was used before: of two racing readers one uses it.
  func use(_ id: Link.ID, at now: Instant) throws -> Bool {
    try tx.execute(
      "UPDATE finaptic_link SET used_at = \(now), sealed = NULL WHERE id = \(id) AND used_at IS NULL") == 1
  }

  /// Ends every link of a user for a purpose.
  func endAll(_ purpose: Link.Purpose, of user: FinapticUser.ID, at now: Instant) throws {
    try tx.execute(
      """
      UPDATE finaptic_link SET used_at = \(now), sealed = NULL
      WHERE user_id = \(user) AND purpose = \(purpose) AND used_at IS NULL
      """)
  }

  func delete(_ id: Link.ID) throws { try tx.execute("DELETE FROM finaptic_link WHERE id = \(id)") }

  /// Deletes up to `limit` links that ended before `horizon`.
  static func sweep(before horizon: Instant, limit: Int, in tx: any SQLTransaction) throws -> Int {
    try tx.execute(
      """
      DELETE FROM finaptic_link WHERE id IN
        (SELECT id FROM finaptic_link WHERE expires_at <= \(horizon) LIMIT \(limit))
      """)
  }

  private static func link(_ row: SQLRow) throws -> Link {
    Link(
      id: try row.get("id"), tenant: try row.get("tenant_id"), user: try row.get("user_id"),
      purpose: try row.get("purpose"), sealed: try row.get("sealed"), expiresAt: try row.get("expires_at"),
      usedAt: try row.get("used_at"))
  }
}
