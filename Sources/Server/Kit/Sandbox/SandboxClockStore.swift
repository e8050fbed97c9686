// SPDX-License-Identifier: Apache-2.0

import Storage

/// The one row of `sandbox_clock`; without it the clock was never moved, and the store has no customers.
package struct SandboxClockStore {
  let tx: any SQLTransaction

  package init(_ tx: any SQLTransaction) { self.tx = tx }

  package static let migration = Migration(
    "2026-11-26 sandbox clock",
    """
    CREATE TABLE sandbox_clock (
      id BIGINT PRIMARY KEY CHECK (id = 1),
      ahead BIGINT NOT NULL CHECK (ahead >= 0)
    );
    """)

  /// The same row tells whether the store has customers: so that one who marks it and one who moves the clock meet.
  package static let customersMigration = Migration(
    "2026-11-26 sandbox clock customers",
    "ALTER TABLE sandbox_clock ADD COLUMN has_customers BIGINT NOT NULL DEFAULT 0;")

  /// Whether the store was ever opened with a tenants file.
  package func hasCustomers() throws -> Bool {
    try tx.first("SELECT has_customers FROM sandbox_clock WHERE id = 1")?.get("has_customers", as: Int64.self) == 1
  }

  /// Marks the store as one with customers, for good: its clock is the machines' from then on.
  /// - Returns: false when its clock was moved, and nothing is marked.
  package func keepForCustomers() throws -> Bool {
    try tx.execute(
      """
      INSERT INTO sandbox_clock (id, ahead, has_customers) VALUES (1, 0, 1)
      ON CONFLICT (id) DO UPDATE SET has_customers = 1 WHERE sandbox_clock.ahead = 0
      """) == 1
  }

  /// By how much the clock is ahead of the machines'.
  package func lead() throws -> Duration {
    .milliseconds(try tx.first("SELECT ahead FROM sandbox_clock WHERE id = 1")?.get("ahead", as: Int64.self) ?? 0)
  }

  /// - Returns: false when it is not at `known` any more, or the store has customers.
  func advance(from known: Duration, to lead: Duration) throws -> Bool {
    let (old, new) = (known.milliseconds, lead.milliseconds)
    if old == 0, try tx.first("SELECT id FROM sandbox_clock WHERE id = 1") == nil {
      return try tx.execute("INSERT INTO sandbox_clock (id, ahead) VALUES (1, \(new))") == 1
    }
    return try tx.execute(
      "UPDATE sandbox_clock SET ahead = \(new) WHERE id = 1 AND ahead = \(old) AND has_customers = 0") == 1
  }
}
