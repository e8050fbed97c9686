// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Rows of `oneassist_token`: what apps call with, as digests.
package struct TokenStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  struct Token: Sendable {
    let digest: String
    let partner: Partner.ID
    let customer: String
    let expiresAt: Instant
    /// Beyond this no use prolongs it.
    let endsAt: Instant
  }

  package static let migration = Migration(
    "2026-11-22 oneassist 3 token",
    """
    CREATE TABLE oneassist_token (
      digest TEXT PRIMARY KEY,
      partner_id TEXT NOT NULL REFERENCES oneassist_partner (id),
      customer_id TEXT NOT NULL,
      issued_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL,
      ends_at BIGINT NOT NULL
    );
    CREATE INDEX oneassist_token_customer ON oneassist_token (customer_id, issued_at);
    CREATE INDEX oneassist_token_expiry ON oneassist_token (expires_at);
    """)

  func insert(_ token: Token, at now: Instant) throws {
    try tx.execute(
      """
      INSERT INTO oneassist_token (digest, partner_id, customer_id, issued_at, expires_at, ends_at)
      VALUES (\(token.digest), \(token.partner), \(token.customer), \(now), \(token.expiresAt), \(token.endsAt))
      """)
  }

  func find(_ digest: String) throws -> Token? {
    try tx.first(
      """
      SELECT digest, partner_id, customer_id, expires_at, ends_at FROM oneassist_token WHERE digest = \(digest)
      """
    ).map {
      Token(
        digest: try $0.get("digest"), partner: try $0.get("partner_id"), customer: try $0.get("customer_id"),
        expiresAt: try $0.get("expires_at"), endsAt: try $0.get("ends_at"))
    }
  }

  /// Since when, and for how long, an app may call.
  struct Record: Sendable {
    let issuedAt: Instant
    let expiresAt: Instant
  }

  /// A customer's tokens without the tokens, the oldest first.
  func records(of customer: String) throws -> [Record] {
    try tx.query(
      """
      SELECT issued_at, expires_at FROM oneassist_token WHERE customer_id = \(customer)
      ORDER BY issued_at, digest LIMIT 1000
      """
    ).map { Record(issuedAt: try $0.get("issued_at"), expiresAt: try $0.get("expires_at")) }
  }

  func prolong(_ digest: String, until end: Instant) throws {
    try tx.execute("UPDATE oneassist_token SET expires_at = \(end) WHERE digest = \(digest) AND expires_at < \(end)")
  }

  /// Keeps the newest of a customer's.
  func trim(_ customer: String, to count: Int, at now: Instant) throws {
    try tx.execute("DELETE FROM oneassist_token WHERE customer_id = \(customer) AND expires_at <= \(now)")
    let digests = try tx.query(
      """
      SELECT digest FROM oneassist_token WHERE customer_id = \(customer) ORDER BY issued_at DESC, digest
      """
    ).map { try $0.get("digest", as: String.self) }
    try tx.execute("DELETE FROM oneassist_token WHERE digest IN \(list: Array(digests.dropFirst(count)))")
  }

  func deleteAll(of customer: String) throws {
    try tx.execute("DELETE FROM oneassist_token WHERE customer_id = \(customer)")
  }

  /// Deletes up to `limit` that are over.
  /// - Returns: how many.
  static func sweep(before now: Instant, limit: Int, in tx: any SQLTransaction) throws -> Int {
    try tx.execute(
      """
      DELETE FROM oneassist_token WHERE digest IN
        (SELECT digest FROM oneassist_token WHERE expires_at <= \(now) LIMIT \(limit))
      """)
  }
}
