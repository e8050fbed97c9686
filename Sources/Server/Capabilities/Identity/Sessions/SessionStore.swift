// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Kit
import Storage

/// All tokens that descend from one sign-in on one device.
package struct SessionFamily: Sendable {
  package typealias ID = Identifier<SessionFamily>
  package enum RevokedReason: String, SQLConvertible { case logout, reuse, superseded }

  package let id: ID
  package let tenant: String
  /// Whose tokens they are: a customer or an agent.
  package let subject: String
  /// Keyed digest of the device id.
  let device: String
  package let expiresAt: Instant
  package let revokedReason: RevokedReason?
}

/// What decides whether a session still speaks.
package struct SessionState: Sendable {
  package let subject: String
  package let isRevoked: Bool
  package let expiresAt: Instant

  package init(subject: String, isRevoked: Bool, expiresAt: Instant) {
    self.subject = subject
    self.isRevoked = isRevoked
    self.expiresAt = expiresAt
  }
}

/// One sign-in as its subject may be told of it.
package struct SessionRecord: Sendable {
  package let id: String
  package let createdAt: Instant
  package let expiresAt: Instant
  package let revokedAt: Instant?
  package let revokedReason: String?
}

/// A refresh token as it is kept: by its digest only.
struct RefreshToken: Sendable {
  let digest: String
  let family: SessionFamily.ID
  let issuedAt: Instant
  let expiresAt: Instant
  let spentAt: Instant?
  let successor: String?
}

/// SHA-256 is enough for 256 random bits: there is nothing to guess.
func tokenDigest(_ token: String) -> String { SHA256.hash(data: Data(token.utf8)).hex }

/// Rows of `session_family` and `refresh_token`.
package struct SessionStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  package static let migration = Migration(
    "2026-11-21 session",
    """
    CREATE TABLE session_family (
      id TEXT PRIMARY KEY,
      tenant_id TEXT NOT NULL,
      subject_id TEXT NOT NULL,
      device_digest TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL,
      revoked_at BIGINT,
      revoked_reason TEXT CHECK (revoked_reason IN ('logout', 'reuse', 'superseded'))
    );
    CREATE INDEX session_family_subject ON session_family (subject_id);
    CREATE TABLE refresh_token (
      digest TEXT PRIMARY KEY,
      family_id TEXT NOT NULL REFERENCES session_family (id),
      issued_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL,
      spent_at BIGINT,
      successor_digest TEXT
    );
    CREATE INDEX refresh_token_family ON refresh_token (family_id);
    """)

  func insert(_ family: SessionFamily, at now: Instant) throws {
    try tx.execute(
      """
      INSERT INTO session_family (id, tenant_id, subject_id, device_digest, created_at, expires_at)
      VALUES (\(family.id), \(family.tenant), \(family.subject), \(family.device), \(now), \(family.expiresAt))
      """)
  }

  func family(_ id: SessionFamily.ID) throws -> SessionFamily? {
    try tx.first(
      """
      SELECT id, tenant_id, subject_id, device_digest, expires_at, revoked_reason FROM session_family WHERE id = \(id)
      """
    ).map {
      SessionFamily(
        id: try $0.get("id"), tenant: try $0.get("tenant_id"), subject: try $0.get("subject_id"),
        device: try $0.get("device_digest"), expiresAt: try $0.get("expires_at"),
        revokedReason: try $0.get("revoked_reason"))
    }
  }

  /// What those who need nothing else are asked of sessions, by their ids.
  static func states(in database: any SQLDatabase) -> SharedQuery<SessionFamily.ID, SessionState> {
    SharedQuery(in: database) { ids in
      "SELECT id, subject_id, expires_at, revoked_reason FROM session_family WHERE id IN \(list: Array(ids))"
    } reading: { rows, _ in
      try rows.reduce(into: [:]) { states, row in
        states[try row.get("id")] = SessionState(
          subject: try row.get("subject_id"), isRevoked: try row.get("revoked_reason", as: String?.self) != nil,
          expiresAt: try row.get("expires_at"))
      }
    }
  }

  func insert(_ token: RefreshToken) throws {
    try tx.execute(
      """
      INSERT INTO refresh_token (digest, family_id, issued_at, expires_at)
      VALUES (\(token.digest), \(token.family), \(token.issuedAt), \(token.expiresAt))
      """)
  }

  func refreshToken(_ digest: String) throws -> RefreshToken? {
    try tx.first(
      """
      SELECT digest, family_id, issued_at, expires_at, spent_at, successor_digest FROM refresh_token WHERE digest = \(digest)
      """
    ).map {
      RefreshToken(
        digest: try $0.get("digest"), family: try $0.get("family_id"), issuedAt: try $0.get("issued_at"),
        expiresAt: try $0.get("expires_at"), spentAt: try $0.get("spent_at"), successor: try $0.get("successor_digest"))
    }
  }

  /// - Returns: false when it was spent meanwhile: of two racing callers exactly one spends.
  func spend(_ token: RefreshToken, successor: String, at now: Instant) throws -> Bool {
    try tx.execute(
      """
      UPDATE refresh_token SET spent_at = \(now), successor_digest = \(successor)
      WHERE digest = \(token.digest) AND spent_at IS NULL
      """) == 1
  }

  /// - Returns: false for one that was revoked before.
  @discardableResult
  func revoke(_ family: SessionFamily.ID, reason: SessionFamily.RevokedReason, at now: Instant) throws -> Bool {
    try tx.execute(
      """
      UPDATE session_family SET revoked_at = \(now), revoked_reason = \(reason)
      WHERE id = \(family) AND revoked_at IS NULL
      """) == 1
  }

  /// For the end of a change whose beginning took long in a session, such as comparing a password: the session may have
  /// been ended meanwhile, by a person who wants to keep that very change out. The row is written, so that of this and
  /// whatever ends the session at the same moment one runs again and sees the other.
  /// - Parameter now: by the machine's time, as sessions end.
  /// - Throws: `Problem` token-revoked.
  func requireOpen(_ family: SessionFamily.ID, at now: Instant) throws {
    let open = try tx.execute(
      """
      UPDATE session_family SET expires_at = expires_at
      WHERE id = \(family) AND revoked_at IS NULL AND expires_at > \(now)
      """)
    guard open == 1 else { throw Problem.unauthenticated("token-revoked", "This session has ended.") }
  }

  /// - Parameter family: is left alone.
  func revokeAll(of subject: String, except family: SessionFamily.ID? = nil, at now: Instant) throws {
    try tx.execute(
      """
      UPDATE session_family SET revoked_at = \(now), revoked_reason = \(SessionFamily.RevokedReason.superseded)
      WHERE subject_id = \(subject) AND id <> \(family?.rawValue ?? "") AND revoked_at IS NULL
      """)
  }

  /// What is known of a subject's sessions, oldest first; no token and no digest.
  func records(of subject: String) throws -> [SessionRecord] {
    try tx.query(
      """
      SELECT id, created_at, expires_at, revoked_at, revoked_reason FROM session_family
      WHERE subject_id = \(subject) ORDER BY created_at, id LIMIT 1000
      """
    ).map {
      SessionRecord(
        id: try $0.get("id"), createdAt: try $0.get("created_at"), expiresAt: try $0.get("expires_at"),
        revokedAt: try $0.get("revoked_at"),
        revokedReason: try $0.get("revoked_reason", as: SessionFamily.RevokedReason?.self)?.rawValue)
    }
  }

  /// Ends every session of a subject by forgetting it: a family that is not there speaks no more.
  func deleteAll(of subject: String) throws {
    try tx.execute(
      "DELETE FROM refresh_token WHERE family_id IN (SELECT id FROM session_family WHERE subject_id = \(subject))")
    try tx.execute("DELETE FROM session_family WHERE subject_id = \(subject)")
  }

  /// Every pass of every worker looks for those that lapsed.
  package static let expiryMigration = Migration(
    "2026-11-23 session expiry", "CREATE INDEX session_family_expiry ON session_family (expires_at, id);")

  /// Sessions of staff that were opened when they lasted as long as those of customers end with the upgrade.
  package static let staffMigration = Migration(
    "2026-11-24 staff sessions",
    """
    UPDATE session_family SET revoked_at = created_at, revoked_reason = 'superseded'
    WHERE revoked_at IS NULL AND subject_id IN (SELECT id FROM staff);
    """)

  /// Families of one transaction of a sweep: each may have thousands of spent tokens.
  package static let sweepBatch = 100

  /// Deletes up to `limit` families, with their tokens, that outlived their life and cannot be used any more.
  /// - Returns: how many families.
  package static func sweep(before now: Instant, limit: Int, in tx: any SQLTransaction) throws -> Int {
    try tx.execute(
      """
      DELETE FROM refresh_token WHERE family_id IN
        (SELECT id FROM session_family WHERE expires_at <= \(now) ORDER BY expires_at, id LIMIT \(limit))
      """)
    return try tx.execute(
      """
      DELETE FROM session_family WHERE id IN
        (SELECT id FROM session_family WHERE expires_at <= \(now) ORDER BY expires_at, id LIMIT \(limit))
      """)
  }
}
