// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage

/// There is no store where the settings look for one: most often a wrong folder, or a path with an error in it.
package struct MissingStore: Error, CustomStringConvertible {
  /// Whether another program's database is in its place.
  let isAnothers: Bool
  package let description: String

  init(_ settings: Settings, isAnothers: Bool = false) {
    self.isAnothers = isAnothers
    let path = URL(fileURLWithPath: settings.databasePath).path
    let look = "Look at --data, --database-url, --config and the settings"
    description =
      if isAnothers {
        "\(path) is another program's database: it has tables, and none of them is Gatehouse's. \(look)."
      } else if settings.databaseURL == nil {
        "There is no database at \(path). \(look); `gatehouse migrate` makes a new one."
      } else {
        "The PostgreSQL database has no tables of Gatehouse. \(look); `gatehouse migrate` makes a new one."
      }
  }
}

extension Settings {
  /// Whose the embedded file is: this program's has had its first migration. nil when it cannot be told.
  private var fileOwner: SQLite.Owner? { SQLite.owner(of: databasePath, by: "schema_migration") }

  /// Another program's file stays as it is: to open it for writing gives it a log, and migrations give it tables.
  /// - Throws: `MissingStore`.
  func refuseAnothersFile() throws {
    if fileOwner == .other { throw MissingStore(self, isAnothers: true) }
  }

  /// - Throws: `MissingStore` where there is no embedded file, or another program's.
  func requireFile() throws {
    // A start that was ended at once leaves a file of no bytes.
    if fileOwner == .empty { throw MissingStore(self) }
    try refuseAnothersFile()
  }

  /// Opens a store that is there. Makes neither a folder nor a file nor a table.
  /// - Parameter statementTimeout: as in `database`.
  /// - Throws: `MissingStore`.
  package func existingDatabase(statementTimeout: Duration? = nil) async throws -> any SQLDatabase {
    if databaseURL == nil { try requireFile() }
    let database = try database(statementTimeout: statementTimeout)
    do {
      // What had to be repaired first can be told now.
      let isBegun =
        if databaseURL == nil { fileOwner != .empty } else {
          try await database.read { try SchemaStore($0).isBegun() }
        }
      guard isBegun else { throw MissingStore(self) }
    } catch {
      try? database.close()
      throw error
    }
    return database
  }
}
