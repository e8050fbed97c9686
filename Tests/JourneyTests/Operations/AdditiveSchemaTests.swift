// SPDX-License-Identifier: Apache-2.0
import Storage
import TestSupport
import Testing

@testable import GatehouseApp

/// What in a step of the schema keeps a program of the release before from working beside it: the nodes of an upgrade
/// run on the newer schema until they are replaced (docs/operations/upgrade.md).
private struct OlderPrograms {
  private var tables: Set<String> = []
  private var uniqueIndexes: Set<String> = []

  /// - Returns: for each step that breaks something, what.
  static func breaks(_ migrations: [Migration]) -> [String: [String]] {
    var programs = OlderPrograms()
    return migrations.reduce(into: [:]) { found, step in
      let breaks = programs.make(step)
      if !breaks.isEmpty { found[step.id] = breaks }
    }
  }

  private mutating func make(_ step: Migration) -> [String] {
    let sql = step.statements
    // What an older program reads or writes by name, and what refuses rows that it writes.
    var found = sql.matches(of: /DROP TABLE|DROP COLUMN|RENAME|ALTER COLUMN|ADD CONSTRAINT|DROP CONSTRAINT/).map {
      String($0.output)
    }
    found += sql.matches(of: /ADD COLUMN \w+ [^;]*NOT NULL[^;]*/).map { String($0.output) }
      .filter { !$0.contains("DEFAULT") }
    // An upsert of an older program may name its columns.
    found += sql.matches(of: /DROP INDEX (\w+)/).filter { uniqueIndexes.contains(String($0.output.1)) }
      .map { String($0.output.0) }
    let unique = sql.matches(of: /CREATE UNIQUE INDEX (\w+)\s+ON (\w+)/)
    found += unique.filter { tables.contains(String($0.output.2)) }.map { String($0.output.0) }
    found += sql.matches(of: /CREATE TRIGGER \w+[^;]*? ON (\w+)/).filter { tables.contains(String($0.output.1)) }
      .map { String($0.output.0) }
    found += step.appendOnly.filter(tables.contains).map { "append-only \($0)" }
    uniqueIndexes.formUnion(unique.map { String($0.output.1) })
    tables.formUnion(sql.matches(of: /CREATE TABLE (\w+)/).map { String($0.output.1) })
    return found
  }
}

@Suite("Operations: a step of the schema leaves the release before at work", .storeless)
struct AdditiveSchemaTests {
  /// From before the first release, so that no installation was upgraded across them by replacing nodes. What a release
  /// no longer needs is taken away by the release after the next: until then no node of the one that reads it is left.
  private static let before: Set = [
    "2026-11-22 dev message with push", "2026-11-22 webhooks 3 finaptic endpoints",
    "2026-11-24 appointment by reason", "2026-11-30 finaptic bank payment repeats",
    // It refuses a second key that differs by its letters' case only, for which a node of the release before would do
    // the work again (docs/operations/upgrade.md).
    "2026-12-11 idempotency case",
  ]

  @Test("every step adds: what the release before reads and writes stays as it was")
  func additive() {
    let found = OlderPrograms.breaks(Schema.migrations)
    #expect(Set(found.keys) == Self.before, "\(found.filter { !Self.before.contains($0.key) })")
    #expect(Schema.migrations.count > 170)
  }

  @Test(
    "a step that takes away, renames, or refuses what was written before is found",
    arguments: [
      "DROP TABLE thing;", "ALTER TABLE thing DROP COLUMN name;", "ALTER TABLE thing RENAME COLUMN name TO title;",
      "ALTER TABLE thing RENAME TO item;", "ALTER TABLE thing ALTER COLUMN name SET NOT NULL;",
      "ALTER TABLE thing ADD COLUMN size BIGINT NOT NULL;", "ALTER TABLE thing ADD CONSTRAINT c CHECK (name <> '');",
      "DROP INDEX thing_name;", "CREATE UNIQUE INDEX thing_size ON thing (size);",
      "CREATE TRIGGER stop BEFORE INSERT ON thing BEGIN SELECT RAISE(ABORT, 'no'); END;",
    ])
  func found(statements: String) {
    let first = Migration(
      "2999-01-01 thing",
      "CREATE TABLE thing (name TEXT, size BIGINT); CREATE UNIQUE INDEX thing_name ON thing (name);")
    #expect(OlderPrograms.breaks([first]).isEmpty)
    #expect(OlderPrograms.breaks([first, .init("2999-01-02 more", statements)]).keys.contains("2999-01-02 more"))
  }

  @Test("a table that had changing rows is not made append-only")
  func appendOnly() {
    let first = Migration("2999-01-01 thing", "CREATE TABLE thing (name TEXT);")
    let found = OlderPrograms.breaks([first, .init("2999-01-02 more", "", appendOnly: ["thing"])])
    #expect(found == ["2999-01-02 more": ["append-only thing"]])
  }

  @Test("columns with a default or without a value, tables and plain indexes are additions")
  func additions() {
    let first = Migration("2999-01-01 thing", "CREATE TABLE thing (name TEXT);")
    let more = Migration(
      "2999-01-02 more",
      """
      ALTER TABLE thing ADD COLUMN size BIGINT NOT NULL DEFAULT 0;
      ALTER TABLE thing ADD COLUMN colour TEXT;
      CREATE INDEX thing_size ON thing (size);
      CREATE TABLE item (id TEXT PRIMARY KEY);
      CREATE UNIQUE INDEX item_id ON item (id);
      """)
    #expect(OlderPrograms.breaks([first, more]).isEmpty)
  }
}
