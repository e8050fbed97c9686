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
    // By their texts: the program's trigger under another name is the program's trigger. A file of others may have any
    // number of them.
    var rest: [String: Int] = [:]
    for code in made { rest[code.text, default: 0] += 1 }
    var foreign: [String] = []
    for code in found {
      if let left = rest[code.text], left > 0 {
        rest[code.text] = left - 1
      } else if foreign.count <= namesMax {
        foreign.append("\(shown(code.name)) is not of this program")
      }
    }
    let missing = made.filter { rest[$0.text] != 0 }.map { "\($0.name) is missing" }
    let all = missing + foreign
    return all.count > namesMax ? Array(all.prefix(namesMax)) + ["and others"] : all
  }

  /// Triggers and views that are named; that there are others is told.
  private static let namesMax = 20
  private static let nameMax = 64

  /// A name of others, in the letters that names mostly have: a terminal obeys some of the others.
  private static func shown(_ name: String) -> String {
    String(name.prefix(nameMax)).replacing(#/[^A-Za-z0-9_. \-]/#, with: "?")
  }
}
