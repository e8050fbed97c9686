// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Rows of `rubix_erasure`: when a customer was erased, by a keyed digest. An operator who has the id of a customer can
/// find the row; the row does not identify the customer.
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

  /// - Returns: nil when no customer with that digest was erased.
  func erasedAt(_ digest: String) throws -> Instant? {
    try tx.first("SELECT erased_at FROM rubix_erasure WHERE subject_digest = \(digest)")?.get("erased_at")
  }
}

/// Deletes stored pictures: the transaction that erases their rows enqueues the deletion, which the worker performs.
struct ImageDeletion: Sendable {
  static let topic = "rubix.deleteImages"
  /// Pictures of one effect.
  static let imagesMax = 50

  let core: CoreDependencies

  /// - Parameter chain: the new name of the audit chain of the person in the pictures.
  func owe(_ images: [CapturedImage.ID], of chain: String, in tx: any SQLTransaction) throws {
    for start in stride(from: 0, to: images.count, by: Self.imagesMax) {
      let batch = images[start..<min(start + Self.imagesMax, images.count)]
      try core.outbox.enqueue(
        Self.topic, subject: chain, payload: batch.map(\.rawValue).joined(separator: " "), in: tx)
    }
  }

  /// Deleting what is gone already is no error, so a repetition does no harm.
  func perform(_ item: OutboxItem) async throws {
    for id in item.payload.split(separator: " ") {
      for key in CapturedImage.blobKeys(.init(rawValue: String(id))) { try await core.blobs.delete(key) }
    }
  }
}
