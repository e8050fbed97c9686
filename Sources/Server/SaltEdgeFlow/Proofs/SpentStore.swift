// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Rows of `saltedge_spent`: what is good for once, until it would not count any more anyway: signatures, connect
/// queries (saltedge-authenticator §13).
package struct SpentStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  package static let migration = Migration(
    "2026-11-22 saltedge spent",
    """
    CREATE TABLE saltedge_spent (
      digest TEXT PRIMARY KEY,
      expires_at BIGINT NOT NULL
    );
    CREATE INDEX saltedge_spent_expiry ON saltedge_spent (expires_at);
    """)

  /// - Returns: false when it was spent before.
  func spend(_ digest: String, until end: Instant) throws -> Bool {
    try tx.execute(
      """
      INSERT INTO saltedge_spent (digest, expires_at) VALUES (\(digest), \(end))
      ON CONFLICT (digest) DO NOTHING
      """) == 1
  }

  func isSpent(_ digest: String) throws -> Bool {
    try tx.first("SELECT digest FROM saltedge_spent WHERE digest = \(digest)") != nil
  }

  /// Whether it was spent and would count still.
  func isSpent(_ digest: String, at now: Instant) throws -> Bool {
    try tx.first("SELECT digest FROM saltedge_spent WHERE digest = \(digest) AND expires_at > \(now)") != nil
  }

  /// Takes it back: what it was spent on did not happen.
  func giveBack(_ digest: String) throws {
    try tx.execute("DELETE FROM saltedge_spent WHERE digest = \(digest)")
  }

  @discardableResult
  package static func sweep(before now: Instant, limit: Int = 1000, in tx: any SQLTransaction) throws -> Int {
    try tx.execute(
      """
      DELETE FROM saltedge_spent WHERE digest IN
        (SELECT digest FROM saltedge_spent WHERE expires_at <= \(now) LIMIT \(limit))
      """)
  }
}
