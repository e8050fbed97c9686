// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Rows of `finaptic_card_token`.
package struct CardTokenStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  struct Token: Sendable {
    let digest: String
    let card: PaymentCard.ID
    let user: FinapticUser.ID
    let key: FinapticClientKey.ID
    /// The session that it was made in.
    let session: String
    let expiresAt: Instant
  }

  package static let migration = Migration(
    "2026-11-22 finaptic 42 card token",
    """
    CREATE TABLE finaptic_card_token (
      digest TEXT PRIMARY KEY,
      card_id TEXT NOT NULL REFERENCES finaptic_card (id),
      user_id TEXT NOT NULL,
      key_id TEXT NOT NULL,
      session_id TEXT NOT NULL,
      expires_at BIGINT NOT NULL,
      used_at BIGINT
    );
    CREATE INDEX finaptic_card_token_expiry ON finaptic_card_token (expires_at);
    """)

  func insert(_ token: Token) throws {
    try tx.execute(
      """
      INSERT INTO finaptic_card_token (digest, card_id, user_id, key_id, session_id, expires_at)
      VALUES (\(token.digest), \(token.card), \(token.user), \(token.key), \(token.session), \(token.expiresAt))
      """)
  }

  /// One that was not used.
  func find(_ digest: String) throws -> Token? {
    try tx.first(
      """
      SELECT digest, card_id, user_id, key_id, session_id, expires_at FROM finaptic_card_token
      WHERE digest = \(digest) AND used_at IS NULL
      """
    ).map {
      Token(
        digest: try $0.get("digest"), card: try $0.get("card_id"), user: try $0.get("user_id"),
        key: try $0.get("key_id"), session: try $0.get("session_id"), expiresAt: try $0.get("expires_at"))
    }
  }

  /// - Returns: false when it was used meanwhile: of two racing callers exactly one sees the card.
  func use(_ digest: String, at now: Instant) throws -> Bool {
    try tx.execute(
      "UPDATE finaptic_card_token SET used_at = \(now) WHERE digest = \(digest) AND used_at IS NULL") == 1
  }

  func deleteAll(of user: FinapticUser.ID) throws {
    try tx.execute("DELETE FROM finaptic_card_token WHERE user_id = \(user)")
  }

  /// - Parameter user: an id; nil for every user of the tenant.
  func deleteAll(of user: String?, tenant: Int) throws {
    guard let user else {
      try tx.execute(
        """
        DELETE FROM finaptic_card_token WHERE user_id IN (SELECT id FROM finaptic_user WHERE tenant_id = \(tenant))
        """)
      return
    }
    try tx.execute(
      """
      DELETE FROM finaptic_card_token
      WHERE user_id IN (SELECT id FROM finaptic_user WHERE id = \(user) AND tenant_id = \(tenant))
      """)
  }

  /// Deletes up to `limit` that ended before `horizon`.
  func sweep(before horizon: Instant, limit: Int) throws -> Int {
    try tx.execute(
      """
      DELETE FROM finaptic_card_token WHERE digest IN
        (SELECT digest FROM finaptic_card_token WHERE expires_at <= \(horizon) LIMIT \(limit))
      """)
  }
}
