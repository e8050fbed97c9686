// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Rows of `screening_run`.
struct ScreeningRunStore {
  static let columns: SQLColumns = """
    id, number, base, target, rules, changed_entries, customers, found, place_at, place_id, started_at, finished_at,
    held_until, confirmed_at, version
    """

  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  static let migration = Migration(
    "2026-11-27 screening run",
    """
    CREATE TABLE screening_run (
      id TEXT PRIMARY KEY,
      number BIGINT NOT NULL UNIQUE,
      base TEXT NOT NULL,
      target TEXT NOT NULL,
      rules TEXT NOT NULL,
      changed_entries BIGINT NOT NULL,
      customers BIGINT NOT NULL,
      found BIGINT NOT NULL,
      place_at BIGINT NOT NULL,
      place_id TEXT NOT NULL,
      started_at BIGINT NOT NULL,
      finished_at BIGINT,
      held_until BIGINT NOT NULL,
      version BIGINT NOT NULL DEFAULT 1
    );
    CREATE INDEX screening_run_time ON screening_run (started_at, id);
    """)

  /// When a node last searched by what a run is for: of nodes with different lists, those with the newer ones count.
  static let confirmationMigration = Migration(
    "2026-11-28 screening run confirmation",
    "ALTER TABLE screening_run ADD COLUMN confirmed_at BIGINT NOT NULL DEFAULT 0;")

  func insert(_ run: ScreeningRun) throws {
    try tx.execute(
      """
      INSERT INTO screening_run (id, number, base, target, rules, changed_entries, customers, found, place_at, place_id,
        started_at, held_until, confirmed_at, version)
      VALUES (\(run.id), \(run.number), \(Self.text(run.base)), \(Self.text(run.target)), \(run.rules),
        \(run.changedEntries), \(run.customers), \(run.found), \(run.place.at), \(run.place.id),
        \(run.startedAt), \(run.heldUntil), \(run.confirmedAt), \(run.version))
      """)
  }

  /// - Throws: `SQLError.outdated` when another node works on it.
  func update(_ run: ScreeningRun) throws -> ScreeningRun {
    let changed = try tx.execute(
      """
      UPDATE screening_run SET changed_entries = \(run.changedEntries), customers = \(run.customers),
        found = \(run.found), place_at = \(run.place.at), place_id = \(run.place.id),
        finished_at = \(run.finishedAt as Instant?), held_until = \(run.heldUntil),
        confirmed_at = \(run.confirmedAt), version = version + 1
      WHERE id = \(run.id) AND version = \(run.version)
      """)
    guard changed == 1 else { throw SQLError.outdated }
    var stored = run
    stored.version += 1
    return stored
  }

  func latest() throws -> ScreeningRun? {
    try tx.first("SELECT \(Self.columns) FROM screening_run ORDER BY number DESC LIMIT 1").map(run)
  }

  /// Whether a run is the last one that began.
  func isLatest(_ run: ScreeningRun) throws -> Bool { try latestNumber() == run.number }

  private func latestNumber() throws -> Int? {
    try tx.first("SELECT MAX(number) AS number FROM screening_run")?.get("number")
  }

  /// Whether a run for these lists and rules ever began.
  func knows(_ target: [WatchList.Version], _ rules: String) throws -> Bool {
    try tx.first(
      "SELECT id FROM screening_run WHERE target = \(Self.text(target)) AND rules = \(rules) LIMIT 1") != nil
  }

  func latestFinished() throws -> ScreeningRun? {
    try tx.first(
      """
      SELECT \(Self.columns) FROM screening_run WHERE finished_at IS NOT NULL
      ORDER BY number DESC LIMIT 1
      """
    ).map(run)
  }

  /// Deletes runs that began before then, but for the latest one that was finished.
  func sweep(before horizon: Instant, limit: Int) throws -> Int {
    let kept = try latestFinished()?.id.rawValue ?? ""
    return try tx.execute(
      """
      DELETE FROM screening_run WHERE id IN (
        SELECT id FROM screening_run WHERE started_at <= \(horizon) AND id <> \(kept)
        ORDER BY number LIMIT \(limit))
      """)
  }

  private func run(_ row: SQLRow) throws -> ScreeningRun {
    ScreeningRun(
      id: try row.get("id"), number: try row.get("number"), base: try Self.versions(row.get("base")),
      target: try Self.versions(row.get("target")),
      rules: try row.get("rules"), changedEntries: try row.get("changed_entries"), customers: try row.get("customers"),
      found: try row.get("found"), place: .init(at: try row.get("place_at"), id: try row.get("place_id")),
      startedAt: try row.get("started_at"), finishedAt: try row.get("finished_at"),
      heldUntil: try row.get("held_until"),
      confirmedAt: try row.get("confirmed_at"), version: try row.get("version"))
  }

  private static func text(_ versions: [WatchList.Version]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(versions), as: UTF8.self)
  }

  private static func versions(_ text: String) throws -> [WatchList.Version] {
    try JSONDecoder().decode([WatchList.Version].self, from: Data(text.utf8))
  }
}
