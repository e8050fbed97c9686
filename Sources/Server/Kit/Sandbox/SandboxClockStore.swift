import Storage

/// The one row of `sandbox_clock`; without it the clock was never moved.
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

  /// By how much the clock is ahead of the machines'.
  package func lead() throws -> Duration {
    .milliseconds(try tx.first("SELECT ahead FROM sandbox_clock WHERE id = 1")?.get("ahead", as: Int64.self) ?? 0)
  }

  /// - Returns: false when it is not at `known` any more.
  func advance(from known: Duration, to lead: Duration) throws -> Bool {
    let (old, new) = (known.milliseconds, lead.milliseconds)
    if old == 0, try tx.first("SELECT id FROM sandbox_clock WHERE id = 1") == nil {
      return try tx.execute("INSERT INTO sandbox_clock (id, ahead) VALUES (1, \(new))") == 1
    }
    return try tx.execute("UPDATE sandbox_clock SET ahead = \(new) WHERE id = 1 AND ahead = \(old)") == 1
  }
}
