// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Which steps of the schema were made.
struct SchemaStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  /// Whether every step that this program knows was made. A newer program may have made more.
  func holds(_ migrations: [Migration]) throws -> Bool {
    let applied = Set(try tx.query("SELECT id FROM schema_migration").map { try $0.get("id", as: String.self) })
    return migrations.allSatisfy { applied.contains($0.id) }
  }

  /// Whether any step was made in a database of PostgreSQL, which is there before its tables are. Of a file
  /// `SQLite.owner` tells.
  func isBegun() throws -> Bool {
    try tx.first("SELECT 1 AS begun WHERE to_regclass('schema_migration') IS NOT NULL") != nil
  }

  /// - Parameter isServer: PostgreSQL, not the embedded engine.
  func engineVersion(isServer: Bool) throws -> String {
    let row = try tx.first(
      isServer ? "SELECT current_setting('server_version') AS version" : "SELECT sqlite_version() AS version")
    return try row?.get("version") ?? "?"
  }

  /// What PostgreSQL's machine takes for now.
  func clock() throws -> Instant? {
    try tx.first("SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) AS now").map {
      try $0.get("now", as: Instant.self)
    }
  }
}

extension Schema {
  /// - Throws: a conflict when this program knows steps that the database has not made.
  package static func requireCurrent(_ database: any SQLDatabase) async throws {
    guard try await database.read({ try SchemaStore($0).holds(migrations) }) else {
      throw Problem(
        .conflict, "not-migrated",
        "The database is not migrated to this program: use the one that serves it, or `gatehouse migrate` first.")
    }
  }
}
