// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import OneAssistCore
import Storage

/// Rows of `oneassist_link`: every link that was ever asked for, so that limits count exactly and an old one is known
/// for what it is.
package struct LinkStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  struct Link: Sendable {
    typealias ID = Identifier<Link>
    let id: ID
    let membership: Membership.ID
    let createdAt: Instant
    let expiresAt: Instant
    /// Replaced, or its membership ended.
    let withdrawnAt: Instant?
    /// Token and number, while the message is on its way.
    let sealed: Data?
  }

  package static let migration = Migration(
    "2026-11-22 oneassist 4 link",
    """
    CREATE TABLE oneassist_link (
      id TEXT PRIMARY KEY,
      membership_id TEXT NOT NULL REFERENCES oneassist_membership (id),
      digest TEXT NOT NULL UNIQUE,
      number_digest TEXT NOT NULL,
      sealed BLOB,
      created_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL,
      withdrawn_at BIGINT,
      refused_at BIGINT
    );
    CREATE INDEX oneassist_link_membership ON oneassist_link (membership_id, created_at);
    """)

  private static let columns: SQLColumns =
    "id, membership_id, sealed, created_at, expires_at, withdrawn_at"

  func insert(_ link: Link, digest: String, number: String) throws {
    try tx.execute(
      """
      INSERT INTO oneassist_link (id, membership_id, digest, number_digest, sealed, created_at, expires_at)
      VALUES (\(link.id), \(link.membership), \(digest), \(number), \(link.sealed), \(link.createdAt),
        \(link.expiresAt))
      """)
  }

  func find(_ id: Link.ID) throws -> Link? {
    try tx.first(
      """
      SELECT \(Self.columns) FROM oneassist_link WHERE id = \(id)
      """
    ).map(Self.link)
  }

  func find(digest: String) throws -> Link? {
    try tx.first(
      """
      SELECT \(Self.columns) FROM oneassist_link
      WHERE digest = \(digest)
      """
    ).map(Self.link)
  }

  /// An earlier link and how it ended, without its secret and its recipient.
  struct Record: Sendable {
    let createdAt: Instant
    let expiresAt: Instant
    let withdrawnAt: Instant?
    /// When its message was refused for good.
    let refusedAt: Instant?
  }

  /// Every link of a membership, the oldest first.
  func records(of membership: Membership.ID) throws -> [Record] {
    try tx.query(
      """
      SELECT created_at, expires_at, withdrawn_at, refused_at FROM oneassist_link
      WHERE membership_id = \(membership) ORDER BY created_at, id LIMIT 1000
      """
    ).map {
      Record(
        createdAt: try $0.get("created_at"), expiresAt: try $0.get("expires_at"),
        withdrawnAt: try $0.get("withdrawn_at"), refusedAt: try $0.get("refused_at"))
    }
  }

  /// When links were asked for, the newest first.
  func times(of membership: Membership.ID, limit: Int) throws -> [Instant] {
    try tx.query(
      """
      SELECT created_at FROM oneassist_link WHERE membership_id = \(membership)
      ORDER BY created_at DESC LIMIT \(limit)
      """
    ).map { try $0.get("created_at") }
  }

  /// Ends every link of a membership.
  func withdraw(of membership: Membership.ID, at now: Instant) throws {
    try tx.execute(
      """
      UPDATE oneassist_link SET withdrawn_at = \(now), sealed = NULL
      WHERE membership_id = \(membership) AND withdrawn_at IS NULL
      """)
  }

  /// The message was taken: whom it went to is not kept.
  func sent(_ id: Link.ID) throws {
    try tx.execute("UPDATE oneassist_link SET sealed = NULL WHERE id = \(id)")
  }

  /// The message was refused for good: the link is withdrawn.
  func refused(_ id: Link.ID, at now: Instant) throws {
    try tx.execute(
      "UPDATE oneassist_link SET sealed = NULL, refused_at = \(now), withdrawn_at = \(now) WHERE id = \(id)")
  }

  /// When the newest link was asked for whose message was not refused.
  func lastUsable(of membership: Membership.ID) throws -> Instant? {
    try tx.first(
      """
      SELECT created_at FROM oneassist_link WHERE membership_id = \(membership) AND refused_at IS NULL
      ORDER BY created_at DESC LIMIT 1
      """
    ).map { try $0.get("created_at") }
  }

  func deleteAll(of membership: Membership.ID) throws {
    try tx.execute("DELETE FROM oneassist_link WHERE membership_id = \(membership)")
  }

  private static func link(_ row: SQLRow) throws -> Link {
    Link(
      id: try row.get("id"), membership: try row.get("membership_id"), createdAt: try row.get("created_at"),
      expiresAt: try row.get("expires_at"), withdrawnAt: try row.get("withdrawn_at"), sealed: try row.get("sealed"))
  }
}
