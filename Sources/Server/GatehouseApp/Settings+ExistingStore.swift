// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage

/// There is no store where the settings look for one: most often a wrong folder, or a path with an error in it.
package struct MissingStore: Error, CustomStringConvertible {
  package let description: String

  init(_ settings: Settings) {
    let place =
      settings.databaseURL == nil
      ? "There is no database at \(URL(fileURLWithPath: settings.databasePath).path)."
      : "The PostgreSQL database has no tables of Gatehouse."
    description = """
      \(place) Look at --data, --database-url, --config and the settings; `gatehouse migrate` makes a new one.
      """
  }
}

extension Settings {
  /// Opens a store that is there. Makes neither a folder nor a file nor a table.
  /// - Parameter statementTimeout: as in `database`.
  /// - Throws: `MissingStore`.
  package func existingDatabase(statementTimeout: Duration? = nil) async throws -> any SQLDatabase {
    // A start that was ended at once leaves a file of no bytes.
    if databaseURL == nil, (try? FileManager.default.attributesOfItem(atPath: databasePath)[.size] as? Int) ?? 0 == 0 {
      throw MissingStore(self)
    }
    // Another program's file stays as it is: to open it for writing gives it a log.
    if databaseURL == nil, try await !SQLite.hasTable("schema_migration", in: databasePath) { throw MissingStore(self) }
    let database = try database(statementTimeout: statementTimeout)
    guard databaseURL != nil else { return database }
    do {
      guard try await database.read({ try SchemaStore($0).isBegun() }) else { throw MissingStore(self) }
    } catch {
      try? database.close()
      throw error
    }
    return database
  }
}
