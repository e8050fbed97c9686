import Foundation
import Storage

/// Rows of `idempotency`.
package struct IdempotencyStore {
  let tx: any SQLTransaction

  package init(_ tx: any SQLTransaction) { self.tx = tx }

  package static let migration = Migration(
    "2026-11-21 idempotency",
    """
    CREATE TABLE idempotency (
      scope TEXT NOT NULL,
      idempotency_key TEXT NOT NULL,
      body_digest TEXT NOT NULL,
      claimant TEXT NOT NULL,
      answer BLOB,
      expires_at BIGINT NOT NULL,
      PRIMARY KEY (scope, idempotency_key)
    );
    CREATE INDEX idempotency_expiry ON idempotency (expires_at);
    """)

  struct Record {
    let bodyDigest: String
    let claimant: String
    /// Nil while the request is being worked on.
    let sealedAnswer: Data?
    let expiresAt: Instant
  }

  func find(_ request: Idempotency.Request) throws -> Record? {
    try tx.first(
      """
      SELECT body_digest, claimant, answer, expires_at FROM idempotency
      WHERE scope = \(request.scope) AND idempotency_key = \(request.key)
      """
    ).map {
      Record(
        bodyDigest: try $0.get("body_digest"), claimant: try $0.get("claimant"), sealedAnswer: try $0.get("answer"),
        expiresAt: try $0.get("expires_at"))
    }
  }

  /// Takes the key, also over a lapsed record. Of two racing claims one violates the primary key and rolls back: a
  /// record that counts is never deleted, for where each statement sees what is committed it may be a moment old.
  func claim(_ request: Idempotency.Request, digest: String, at now: Instant, until: Instant) throws {
    try tx.execute(
      """
      DELETE FROM idempotency
      WHERE scope = \(request.scope) AND idempotency_key = \(request.key) AND expires_at <= \(now)
      """)
    try tx.execute(
      """
      INSERT INTO idempotency (scope, idempotency_key, body_digest, claimant, answer, expires_at)
      VALUES (\(request.scope), \(request.key), \(digest), \(request.claimant), NULL, \(until))
      """)
  }

  /// - Throws: `Problem` idempotency-conflict when the claim had lapsed and another request took the key: the late
  ///   step rolls back.
  func answer(_ request: Idempotency.Request, sealed: Data, until: Instant) throws {
    let changed = try tx.execute(
      """
      UPDATE idempotency SET answer = \(sealed), expires_at = \(until)
      WHERE scope = \(request.scope) AND idempotency_key = \(request.key)
        AND claimant = \(request.claimant) AND answer IS NULL
      """)
    guard changed == 1 else {
      throw Problem(.conflict, "idempotency-conflict", "This Idempotency-Key was taken over by another request.")
    }
  }

  func release(_ request: Idempotency.Request) throws {
    try tx.execute(
      """
      DELETE FROM idempotency
      WHERE scope = \(request.scope) AND idempotency_key = \(request.key)
        AND claimant = \(request.claimant) AND answer IS NULL
      """)
  }

  /// Answers that are remembered for one scope, whatever the key.
  func answers(_ scope: String) throws -> [(key: String, sealed: Data)] {
    try tx.query(
      """
      SELECT idempotency_key, answer FROM idempotency WHERE scope = \(scope) AND answer IS NOT NULL
      ORDER BY idempotency_key
      """
    ).map { (try $0.get("idempotency_key"), try $0.get("answer")) }
  }

  func delete(_ scope: String, key: String) throws {
    try tx.execute("DELETE FROM idempotency WHERE scope = \(scope) AND idempotency_key = \(key)")
  }

  /// Every record of an owner. Reads the whole table, which holds a day.
  /// - Precondition: an owner is a UUID, so that nothing in it is a wildcard.
  func deleteAll(of owner: String) throws {
    try tx.execute("DELETE FROM idempotency WHERE scope LIKE \(owner + " %")")
  }

  /// Deletes up to `limit` lapsed records.
  package func sweep(before now: Instant, limit: Int = 1000) throws -> Int {
    try tx.execute(
      """
      DELETE FROM idempotency WHERE (scope, idempotency_key) IN
        (SELECT scope, idempotency_key FROM idempotency WHERE expires_at <= \(now) LIMIT \(limit))
      """)
  }
}
