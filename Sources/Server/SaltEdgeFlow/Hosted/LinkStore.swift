// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// A link that a bank made for its signed-in customer to connect a device by.
struct ConnectLinkGrant: Sendable {
  /// As the bank names them.
  let user: String
  /// Whether the bank is asked, and names to its customer what is being connected, before the device gets its token.
  let needsApproval: Bool
  /// The device that came with it and waits for that.
  let connection: SaltEdgeConnection.ID?
  let isApproved: Bool
}

/// Rows of `saltedge_link`, under the digest of their query.
package struct LinkStore {
  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, vault: Vault) { (self.tx, self.vault) = (tx, vault) }

  private static let columns: SQLColumns = "digest, user_id, needs_approval, connection_id, is_approved"

  package static let approvalMigration = Migration(
    "2026-11-24 saltedge link approval",
    """
    ALTER TABLE saltedge_link ADD COLUMN needs_approval BIGINT NOT NULL DEFAULT 0;
    ALTER TABLE saltedge_link ADD COLUMN connection_id TEXT;
    ALTER TABLE saltedge_link ADD COLUMN is_approved BIGINT NOT NULL DEFAULT 0;
    CREATE INDEX saltedge_link_connection ON saltedge_link (connection_id);
    """)

  /// An erasure finds the links of a customer by the customer's digest. Those from before lapse within minutes.
  package static let userMigration = Migration(
    "2026-11-26 saltedge link user",
    """
    ALTER TABLE saltedge_link ADD COLUMN user_digest TEXT;
    CREATE INDEX saltedge_link_user ON saltedge_link (user_digest);
    """)

  /// - Parameter userDigest: under which the customer's rows are looked up.
  func insert(
    _ digest: String, of provider: SaltEdgeProvider.ID, user: String, userDigest: String, needsApproval: Bool,
    until end: Instant
  ) throws {
    let subject = KeySubject(userDigest, of: KeySubject.tenant(of: provider))
    let sealed = try vault.seal(Data(user.utf8), context: Self.context(digest), of: subject, in: tx)
    try tx.execute(
      """
      INSERT INTO saltedge_link (digest, provider_id, user_id, user_digest, expires_at, needs_approval)
      VALUES (\(digest), \(provider), \(sealed), \(userDigest), \(end), \(needsApproval))
      """)
  }

  func has(user: String) throws -> Bool {
    try tx.first("SELECT 1 AS found FROM saltedge_link WHERE user_digest = \(user) LIMIT 1") != nil
  }

  /// A customer's, which lapse within minutes.
  func exported(user: String) throws -> [UserExport.Link] {
    try tx.query(
      "SELECT \(Self.columns), expires_at FROM saltedge_link WHERE user_digest = \(user) ORDER BY expires_at, digest"
    ).map { row in
      let end: Instant = try row.get("expires_at")
      return UserExport.Link(
        needsApproval: try row.get("needs_approval"), isApproved: try row.get("is_approved"), expiresAt: end.rfc3339)
    }
  }

  func deleteAll(user: String) throws {
    try tx.execute("DELETE FROM saltedge_link WHERE user_digest = \(user)")
  }

  /// Whose link it is, once: it is gone afterwards. Nil for one that is not there, that lapsed, that needs
  /// approval, or whose customer was erased.
  func take(_ digest: String, of provider: SaltEdgeProvider.ID, at now: Instant) throws -> String? {
    try tx.first(
      """
      DELETE FROM saltedge_link
      WHERE digest = \(digest) AND provider_id = \(provider) AND expires_at > \(now) AND needs_approval = 0
      RETURNING user_id
      """
    ).flatMap { try user($0.get("user_id"), digest) }
  }

  /// Binds a link that needs approval to the device that came with it first, for as long as that may wait.
  /// - Returns: false when there is no such link, or when another device came before.
  func bind(
    _ digest: String, of provider: SaltEdgeProvider.ID, to connection: SaltEdgeConnection, at now: Instant
  ) throws -> Bool {
    try tx.execute(
      """
      UPDATE saltedge_link SET connection_id = \(connection.id), expires_at = \(connection.enrolmentEndsAt)
      WHERE digest = \(digest) AND provider_id = \(provider) AND expires_at > \(now) AND needs_approval = 1
        AND connection_id IS NULL
      """) == 1
  }

  /// - Returns: false when no device waits for it any more.
  func approve(_ digest: String) throws -> Bool {
    try tx.execute(
      "UPDATE saltedge_link SET is_approved = 1 WHERE digest = \(digest) AND connection_id IS NOT NULL") == 1
  }

  func find(_ digest: String, of provider: SaltEdgeProvider.ID, at now: Instant) throws -> ConnectLinkGrant? {
    try tx.first(
      """
      SELECT \(Self.columns) FROM saltedge_link
      WHERE digest = \(digest) AND provider_id = \(provider) AND expires_at > \(now)
      """
    ).flatMap(grant)
  }

  /// The one that a device waits for.
  func find(on connection: SaltEdgeConnection.ID) throws -> ConnectLinkGrant? {
    try tx.first("SELECT \(Self.columns) FROM saltedge_link WHERE connection_id = \(connection)").flatMap(grant)
  }

  @discardableResult
  package static func sweep(before now: Instant, limit: Int = 1000, in tx: any SQLTransaction) throws -> Int {
    try tx.execute(
      """
      DELETE FROM saltedge_link WHERE digest IN
        (SELECT digest FROM saltedge_link WHERE expires_at <= \(now) LIMIT \(limit))
      """)
  }

  private func grant(_ row: SQLRow) throws -> ConnectLinkGrant? {
    guard let user = try user(row.get("user_id"), row.get("digest")) else { return nil }
    return ConnectLinkGrant(
      user: user, needsApproval: try row.get("needs_approval"),
      connection: try row.get("connection_id"), isApproved: try row.get("is_approved"))
  }

  private func user(_ sealed: Data, _ digest: String) throws -> String? {
    try vault.kept(sealed, context: Self.context(digest), in: tx).map { String(decoding: $0, as: UTF8.self) }
  }

  private static func context(_ digest: String) -> String { "saltedge_link.user_id:\(digest)" }
}
