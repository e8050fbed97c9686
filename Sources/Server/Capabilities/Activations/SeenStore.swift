// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Rows of `activation_seen`: what must not come a second time, until it is too old to be taken anyway.
struct SeenStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  /// - Parameter digest: of the message, with what kind it is.
  /// - Returns: false when it was seen before. Of two that race one gets true.
  func insert(_ digest: String, until: Instant) throws -> Bool {
    try tx.execute(
      """
      INSERT INTO activation_seen (digest, expires_at) VALUES (\(digest), \(until)) ON CONFLICT (digest) DO NOTHING
      """) == 1
  }

  func sweep(before now: Instant, limit: Int) throws -> Int {
    try tx.execute(
      """
      DELETE FROM activation_seen WHERE digest IN
        (SELECT digest FROM activation_seen WHERE expires_at <= \(now) LIMIT \(limit))
      """)
  }
}
