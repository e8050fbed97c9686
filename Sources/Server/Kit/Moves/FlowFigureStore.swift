// SPDX-License-Identifier: Apache-2.0

import Storage

/// Rows of `flow_move`, which wait to be added up, of `flow_place`, of `flow_day` and, for each tenant by itself, of
/// `flow_tenant_day`.
struct FlowFigureStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  static let migration = Migration(
    "2026-11-29 flow figures",
    """
    CREATE TABLE flow_move (
      id TEXT PRIMARY KEY,
      flow TEXT NOT NULL,
      from_state TEXT NOT NULL,
      event TEXT NOT NULL,
      to_state TEXT NOT NULL,
      story TEXT,
      is_last BIGINT NOT NULL CHECK (is_last IN (0, 1)),
      at BIGINT NOT NULL
    );
    CREATE TABLE flow_place (
      story TEXT NOT NULL,
      flow TEXT NOT NULL,
      step TEXT NOT NULL,
      since BIGINT NOT NULL,
      PRIMARY KEY (story, flow)
    );
    CREATE INDEX flow_place_age ON flow_place (since);
    CREATE TABLE flow_day (
      day BIGINT NOT NULL,
      flow TEXT NOT NULL,
      from_state TEXT NOT NULL,
      event TEXT NOT NULL,
      to_state TEXT NOT NULL,
      is_last BIGINT NOT NULL CHECK (is_last IN (0, 1)),
      moves BIGINT NOT NULL,
      timed BIGINT NOT NULL,
      milliseconds BIGINT NOT NULL,
      PRIMARY KEY (day, flow, from_state, event, to_state)
    );
    """)

  static let tenantMigration = Migration(
    "2026-12-02 flow figures tenant",
    """
    ALTER TABLE flow_move ADD COLUMN tenant TEXT NOT NULL DEFAULT '';
    CREATE TABLE flow_tenant_day (
      day BIGINT NOT NULL,
      tenant TEXT NOT NULL,
      flow TEXT NOT NULL,
      from_state TEXT NOT NULL,
      event TEXT NOT NULL,
      to_state TEXT NOT NULL,
      is_last BIGINT NOT NULL CHECK (is_last IN (0, 1)),
      moves BIGINT NOT NULL,
      timed BIGINT NOT NULL,
      milliseconds BIGINT NOT NULL,
      PRIMARY KEY (day, tenant, flow, from_state, event, to_state)
    );
    """)

  /// A move that waits to be added up.
  struct PendingMove: Sendable {
    let id: String
    let move: FlowMove
    let at: Instant
  }

  /// What one row of `flow_day` counts, or one of `flow_tenant_day`.
  struct Key: Hashable, Comparable {
    let day: Int64
    /// Empty for all.
    let tenant: String
    let flow: String
    let from: String
    let event: String
    let to: String
    let isLast: Bool

    private var order: [String] { [tenant, flow, from, event, to] }

    /// One order for all who write, so that two of them never wait for each other.
    static func < (one: Key, other: Key) -> Bool {
      one.day != other.day ? one.day < other.day : one.order.lexicographicallyPrecedes(other.order)
    }
  }

  struct Subject: Hashable, Comparable {
    let flow: String
    let story: String

    static func < (one: Subject, other: Subject) -> Bool { (one.story, one.flow) < (other.story, other.flow) }
  }

  func append(_ move: FlowMove, id: String, at now: Instant) throws {
    try tx.execute(
      """
      INSERT INTO flow_move (id, flow, from_state, event, to_state, story, is_last, at, tenant)
      VALUES (\(id), \(move.flow), \(move.from), \(move.event), \(move.to), \(move.story), \(move.isLast), \(now),
        \(move.tenant ?? ""))
      """)
  }

  /// Takes the oldest moves out, in the order in which they were made.
  func take(_ limit: Int) throws -> [PendingMove] {
    try tx.query(
      """
      DELETE FROM flow_move WHERE id IN (SELECT id FROM flow_move ORDER BY id LIMIT \(limit))
      RETURNING id, flow, from_state, event, to_state, story, is_last, at, tenant
      """
    ).map { row in
      let tenant: String = try row.get("tenant")
      let move = FlowMove(
        flow: try row.get("flow"), from: try row.get("from_state"), event: try row.get("event"),
        to: try row.get("to_state"), story: try row.get("story"), isLast: try row.get("is_last"),
        tenant: tenant.isEmpty ? nil : tenant)
      return PendingMove(id: try row.get("id"), move: move, at: try row.get("at"))
    }.sorted { $0.id < $1.id }
  }

  func places(of stories: [String]) throws -> [Subject: (step: String, since: Instant)] {
    guard !stories.isEmpty else { return [:] }
    let rows = try tx.query(
      "SELECT story, flow, step, since FROM flow_place WHERE story IN \(list: stories.sorted())")
    return try rows.reduce(into: [:]) { places, row in
      places[Subject(flow: try row.get("flow"), story: try row.get("story"))] = (
        try row.get("step"), try row.get("since")
      )
    }
  }

  /// - Parameter place: nil forgets a subject whose flow has ended.
  func set(_ place: (step: String, since: Instant)?, of subject: Subject) throws {
    guard let place else {
      try tx.execute("DELETE FROM flow_place WHERE story = \(subject.story) AND flow = \(subject.flow)")
      return
    }
    try tx.execute(
      """
      INSERT INTO flow_place (story, flow, step, since)
      VALUES (\(subject.story), \(subject.flow), \(place.step), \(place.since))
      ON CONFLICT (story, flow) DO UPDATE SET step = excluded.step, since = excluded.since
      """)
  }

  func add(moves: Int, timed: Int, milliseconds: Int64, to key: Key) throws {
    guard key.tenant.isEmpty else {
      try tx.execute(
        """
        INSERT INTO flow_tenant_day (
          day, tenant, flow, from_state, event, to_state, is_last, moves, timed, milliseconds)
        VALUES (\(key.day), \(key.tenant), \(key.flow), \(key.from), \(key.event), \(key.to), \(key.isLast),
          \(moves), \(timed), \(milliseconds))
        ON CONFLICT (day, tenant, flow, from_state, event, to_state) DO UPDATE
        SET moves = flow_tenant_day.moves + excluded.moves, timed = flow_tenant_day.timed + excluded.timed,
          milliseconds = flow_tenant_day.milliseconds + excluded.milliseconds, is_last = excluded.is_last
        """)
      return
    }
    try tx.execute(
      """
      INSERT INTO flow_day (day, flow, from_state, event, to_state, is_last, moves, timed, milliseconds)
      VALUES (\(key.day), \(key.flow), \(key.from), \(key.event), \(key.to), \(key.isLast), \(moves), \(timed),
        \(milliseconds))
      ON CONFLICT (day, flow, from_state, event, to_state) DO UPDATE
      SET moves = flow_day.moves + excluded.moves, timed = flow_day.timed + excluded.timed,
        milliseconds = flow_day.milliseconds + excluded.milliseconds, is_last = excluded.is_last
      """)
  }

  func tenants(_ days: ClosedRange<Int64>) throws -> [String] {
    try tx.query(
      """
      SELECT DISTINCT tenant FROM flow_tenant_day WHERE day >= \(days.lowerBound) AND day <= \(days.upperBound)
      ORDER BY tenant LIMIT 1000
      """
    ).map { try $0.get("tenant") }
  }

  /// What `rows` reads of either table.
  private static let sums: SQLColumns = """
    flow, from_state, event, to_state, MAX(is_last) AS is_last, CAST(SUM(moves) AS BIGINT) AS moves,
    CAST(SUM(timed) AS BIGINT) AS timed, CAST(SUM(milliseconds) AS BIGINT) AS milliseconds
    """

  func rows(_ days: ClosedRange<Int64>, tenant: String?) throws -> [FlowFigures.Row] {
    let rows =
      if let tenant {
        try tx.query(
          """
          SELECT \(Self.sums) FROM flow_tenant_day
          WHERE day >= \(days.lowerBound) AND day <= \(days.upperBound) AND tenant = \(tenant)
          GROUP BY flow, from_state, event, to_state ORDER BY flow, from_state, event, to_state
          """)
      } else {
        try tx.query(
          """
          SELECT \(Self.sums) FROM flow_day WHERE day >= \(days.lowerBound) AND day <= \(days.upperBound)
          GROUP BY flow, from_state, event, to_state ORDER BY flow, from_state, event, to_state
          """)
      }
    return try rows.map { row in
      FlowFigures.Row(
        flow: try row.get("flow"), from: try row.get("from_state"), event: try row.get("event"),
        to: try row.get("to_state"), isLast: try row.get("is_last"), moves: try row.get("moves"),
        timed: try row.get("timed"), time: .milliseconds(try row.get("milliseconds", as: Int64.self)))
    }
  }

  /// What waits to be added up is counted still, without its subject. That comes first: the job that adds it up would
  /// write the place anew.
  func forget(_ story: String) throws {
    try tx.execute("UPDATE flow_move SET story = NULL WHERE story = \(story)")
    try tx.execute("DELETE FROM flow_place WHERE story = \(story)")
  }

  func sweep(before horizon: Instant, day: Int64, limit: Int) throws -> Int {
    let places = try tx.execute(
      """
      DELETE FROM flow_place WHERE (story, flow) IN
        (SELECT story, flow FROM flow_place WHERE since <= \(horizon) LIMIT \(limit))
      """)
    let days = try tx.execute("DELETE FROM flow_day WHERE day <= \(day)")
    return try places + days + tx.execute("DELETE FROM flow_tenant_day WHERE day <= \(day)")
  }
}
