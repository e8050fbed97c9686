import Kit
import Storage

/// Rows of `rubix_erasure`: that somebody was erased, without who. Whoever names a customer's id again can be told when
/// they were erased, and nobody can be found by looking.
package struct ErasureStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  package static let migration = Migration(
    "2026-11-22 rubix erasure",
    """
    CREATE TABLE rubix_erasure (
      subject_digest TEXT PRIMARY KEY,
      tenant_id TEXT NOT NULL,
      reason TEXT NOT NULL,
      erased_at BIGINT NOT NULL
    );
    """)

  func insert(_ digest: String, tenant: String, reason: ErasureReason, at now: Instant) throws {
    try tx.execute(
      """
      INSERT INTO rubix_erasure (subject_digest, tenant_id, reason, erased_at)
      VALUES (\(digest), \(tenant), \(reason.rawValue), \(now))
      """)
  }

  /// When; nil when nobody of that digest was erased.
  func erasedAt(_ digest: String) throws -> Instant? {
    try tx.first("SELECT erased_at FROM rubix_erasure WHERE subject_digest = \(digest)")?.get("erased_at")
  }
}
