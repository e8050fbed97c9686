// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Rows of `agent_leave`.
package struct AgentLeaveStore {
  private static let columns: SQLColumns = "id, agent_id, from_at, until_at"
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

  /// Leaves that are kept of an agent and have not ended, at most.
  package static let unfinishedMax = 100

  /// - Throws: `Problem` validation-failed where the agent has as many as can be.
  package func requireRoom(for agent: String, at now: Instant) throws {
    let count: Int =
      try tx.first(
        "SELECT COUNT(id) AS n FROM agent_leave WHERE agent_id = \(agent) AND until_at > \(now)")?.get("n") ?? 0
    guard count < Self.unfinishedMax else {
      throw Problem.validation([
        .init("/until", "too-many", "At most \(Self.unfinishedMax) leaves that have not ended; take one back first.")
      ])
    }
  }

  /// Every leave of one agent that overlaps the time, in order.
  package func overlapping(_ time: Range<Instant>, of agent: String) throws -> [AgentLeave] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM agent_leave
      WHERE agent_id = \(agent) AND from_at < \(time.upperBound) AND until_at > \(time.lowerBound)
      ORDER BY from_at, id LIMIT \(Self.rowsMax)
      """
    ).map(Self.leave)
  }

  /// Every leave that overlaps the time, in order.
  package func overlapping(_ time: Range<Instant>) throws -> [AgentLeave] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM agent_leave
      WHERE from_at < \(time.upperBound) AND until_at > \(time.lowerBound)
      ORDER BY from_at, id LIMIT \(Self.rowsMax)
      """
    ).map(Self.leave)
  }

  private static func leave(_ row: SQLRow) throws -> AgentLeave {
    let from: Instant = try row.get("from_at")
    return AgentLeave(id: try row.get("id"), agentID: try row.get("agent_id"), time: from..<(try row.get("until_at")))
  }
}
