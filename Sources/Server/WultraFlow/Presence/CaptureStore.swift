// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Rows of `wultra_capture`: pictures of presence checks, which are blobs of the same id.
package struct CaptureStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  /// Pictures of one session.
  static let capturesMax = 5

  package static let migration = Migration(
    "2026-11-22 wultra 4 capture",
    """
    CREATE TABLE wultra_capture (
      id TEXT PRIMARY KEY,
      verification_id TEXT NOT NULL REFERENCES wultra_verification (id),
      presence_check BIGINT NOT NULL,
      created_at BIGINT NOT NULL
    );
    CREATE INDEX wultra_capture_verification ON wultra_capture (verification_id, presence_check, created_at, id);
    """)

  /// - Parameter presenceCheck: which of the verification's checks it belongs to, from 1.
  func insert(
    _ id: String, of verification: IdentityVerification.ID, presenceCheck: Int, at now: Instant
  ) throws {
    try tx.execute(
      """
      INSERT INTO wultra_capture (id, verification_id, presence_check, created_at)
      VALUES (\(id), \(verification), \(presenceCheck), \(now))
      """)
  }

  /// The pictures of one check, in order.
  func ids(of verification: IdentityVerification.ID, presenceCheck: Int) throws -> [String] {
    try tx.query(
      """
      SELECT id FROM wultra_capture WHERE verification_id = \(verification) AND presence_check = \(presenceCheck)
      ORDER BY created_at, id LIMIT 100
      """
    ).map { try $0.get("id") }
  }

  /// A picture of a check.
  struct Capture: Sendable {
    let id: String
    /// Which of the verification's checks it belongs to, from 1.
    let presenceCheck: Int
    let createdAt: Instant
  }

  /// The pictures of every check, in order.
  func all(of verification: IdentityVerification.ID) throws -> [Capture] {
    try tx.query(
      """
      SELECT id, presence_check, created_at FROM wultra_capture WHERE verification_id = \(verification)
      ORDER BY presence_check, created_at, id LIMIT 1000
      """
    ).map {
      Capture(
        id: try $0.get("id"), presenceCheck: try $0.get("presence_check"), createdAt: try $0.get("created_at"))
    }
  }

  /// The pictures of the check that was the newest with a picture then.
  func ids(of verification: IdentityVerification.ID, at then: Instant) throws -> [String] {
    let before = try all(of: verification).filter { $0.createdAt <= then }
    return before.filter { $0.presenceCheck == before.last?.presenceCheck }.map(\.id)
  }

  func allIDs(of verification: IdentityVerification.ID) throws -> [String] {
    try tx.query("SELECT id FROM wultra_capture WHERE verification_id = \(verification) LIMIT 1000").map {
      try $0.get("id")
    }
  }

  /// - Returns: what was deleted.
  func deleteAll(of verification: IdentityVerification.ID) throws -> [String] {
    try tx.query("DELETE FROM wultra_capture WHERE verification_id = \(verification) RETURNING id").map {
      try $0.get("id")
    }
  }

  static func context(_ id: String) -> String { "wultra_capture:\(id)" }
}
