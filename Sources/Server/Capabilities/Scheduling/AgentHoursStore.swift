// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Kit
import Storage

/// Rows of `agent_hours`: of an agent, a row for each day of the week with hours, and one for each single day.
package struct AgentHoursStore {
  let tx: any SQLTransaction

  package init(_ tx: any SQLTransaction) { self.tx = tx }

  /// The table of hours. `day` is 1 (Monday) to 7 (Sunday), or a date; minutes count from midnight, and a single day
  /// without them has no calls.
  package static let migration = Migration(
    "2026-11-30 agent hours",
    """
    CREATE TABLE agent_hours (
      agent_id TEXT NOT NULL,
      day TEXT NOT NULL,
      opens BIGINT,
      closes BIGINT,
      PRIMARY KEY (agent_id, day),
      CHECK ((opens IS NULL) = (closes IS NULL)),
      CHECK (opens IS NULL OR (opens >= 0 AND opens < closes AND closes <= 1440))
    );
    """)

  /// What is kept of each agent who has hours. Single days that end before the given one are left out.
  /// Bounded by the staff and a year of days, so it has no limit of its own: to leave out a row would be to book a call
  /// with an agent who is not there.
  package func all(from first: CalendarDate) throws -> [String: AgentHours] {
    let rows = try tx.query(
      """
      SELECT agent_id, day, opens, closes FROM agent_hours
      WHERE LENGTH(day) = 1 OR day >= \(first.isoText) ORDER BY agent_id, day
      """)
    return try Dictionary(grouping: rows) { try $0.get("agent_id") as String }.mapValues { rows in
      var (week, hours) = ([Int: WorkingWeek.Hours](), AgentHours())
      for row in rows {
        let (day, opens, closes): (String, Int?, Int?) = (
          try row.get("day"), try row.get("opens"), try row.get("closes")
        )
        let open = opens.flatMap { opens in closes.flatMap { WorkingWeek.Hours(minutes: opens..<max(opens, $0)) } }
        if let weekday = Int(day) {
          week[weekday] = open
        } else if let date = CalendarDate(day) {
          hours.days[date] = .some(open)
        }
      }
      if !week.isEmpty { hours.week = WorkingWeek(week) }
      return hours
    }
  }

  /// - Parameter week: by ISO 8601 day of the week; empty is whenever the institution is open.
  package func set(_ week: [Int: WorkingWeek.Hours], of agent: String) throws {
    try tx.execute("DELETE FROM agent_hours WHERE agent_id = \(agent) AND LENGTH(day) = 1")
    for (day, hours) in week.sorted(by: { $0.key < $1.key }) { try insert("\(day)", hours, of: agent) }
  }

  /// - Parameter hours: nil takes the entry of that day away.
  package func set(_ hours: AgentHours.Day?, on day: CalendarDate, of agent: String) throws {
    try tx.execute("DELETE FROM agent_hours WHERE agent_id = \(agent) AND day = \(day.isoText)")
    if let hours { try insert(day.isoText, hours, of: agent) }
  }

  /// Forgets the agent's single days before that one.
  package func prune(before day: CalendarDate, of agent: String) throws {
    try tx.execute("DELETE FROM agent_hours WHERE agent_id = \(agent) AND LENGTH(day) > 1 AND day < \(day.isoText)")
  }

  private func insert(_ day: String, _ hours: AgentHours.Day, of agent: String) throws {
    try tx.execute(
      """
      INSERT INTO agent_hours (agent_id, day, opens, closes)
      VALUES (\(agent), \(day), \(hours?.opens as Int?), \(hours?.closes as Int?))
      """)
  }
}
