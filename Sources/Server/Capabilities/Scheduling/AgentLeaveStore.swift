import Kit
import Storage

/// Rows of `agent_leave`.
package struct AgentLeaveStore {
  /// No roster is longer; a page of more is a mistake.
  private static let rowsMax = 10_000

  let tx: any SQLTransaction

  package init(_ tx: any SQLTransaction) { self.tx = tx }

  /// The table of leaves.
  package static let migration = Migration(
    "2026-11-21 agent leave",
    """
    CREATE TABLE agent_leave (
      id TEXT PRIMARY KEY,
      agent_id TEXT NOT NULL,
      from_at BIGINT NOT NULL,
      until_at BIGINT NOT NULL,
      CHECK (from_at < until_at)
    );
    CREATE INDEX agent_leave_end ON agent_leave (until_at);
    """)

  /// Appointments that were made before stay as they are; see `Appointments.calls(of:within:in:)`.
  package func insert(_ leave: AgentLeave) throws {
    try tx.execute(
      """
      INSERT INTO agent_leave (id, agent_id, from_at, until_at)
      VALUES (\(leave.id), \(leave.agentID), \(leave.time.lowerBound), \(leave.time.upperBound))
      """)
  }

  /// - Returns: false when there was none.
  @discardableResult
  package func delete(_ id: AgentLeave.ID) throws -> Bool {
    try tx.execute("DELETE FROM agent_leave WHERE id = \(id)") == 1
  }

  /// Every leave that overlaps the time, in order.
  package func overlapping(_ time: Range<Instant>) throws -> [AgentLeave] {
    try tx.query(
      """
      SELECT id, agent_id, from_at, until_at FROM agent_leave
      WHERE from_at < \(time.upperBound) AND until_at > \(time.lowerBound)
      ORDER BY from_at, id LIMIT \(Self.rowsMax)
      """
    ).map { row in
      let from: Instant = try row.get("from_at")
      return AgentLeave(id: try row.get("id"), agentID: try row.get("agent_id"), time: from..<(try row.get("until_at")))
    }
  }
}
