// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage

extension Backup {
  /// The triggers and views in which a database differs from what the steps of the schema make, by their names. What
  /// these make is looked up in a database that has nothing else. Another trigger would change what the program writes,
  /// and one that is missing lets lines be changed that are only ever added to; a restoration refuses both.
  /// - Parameters:
  ///   - applied: the steps that the database has had.
  ///   - folder: where the other database is made for the time being.
  static func foreignCode(of path: String, applied: [String], in folder: String) async throws -> [String] {
    let own = "\(folder)/steps.sqlite"
    defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: own + end) } }
    let steps = try SQLite(path: own)
    do {
      try await steps.migrate(Schema.migrations.filter { applied.contains($0.id) })
      try steps.close()
    } catch {
      try? steps.close()
      throw error
    }
    let (found, made) = (try await SQLite.code(path), try await SQLite.code(own))
    // By their texts: the program's trigger under another name is the program's trigger.
    let changes = found.map(\.text).difference(from: made.map(\.text))
    return changes.map { change in
      switch change {
      case .insert(let place, _, _): "\(shown(found[place].name)) is not of this program"
      case .remove(let place, _, _): "\(made[place].name) is missing"
      }
    }
  }

  private static let nameMax = 64

  /// A name of others, in the letters that names mostly have: a terminal obeys some of the others.
  private static func shown(_ name: String) -> String {
    String(name.prefix(nameMax)).replacing(#/[^A-Za-z0-9_. \-]/#, with: "?")
  }
}
