// SPDX-License-Identifier: Apache-2.0

/// One step of the schema. Never edited once released; add a new one instead.
package struct Migration: Sendable {
  /// `YYYY-MM-DD topic`, ascending over the whole schema.
  package let id: String
  /// One or more statements in the SQL that both engines understand, each ended by a semicolon.
  package let statements: String
  /// Tables to which rows are added and nothing else is ever done, from this step on.
  package let appendOnly: [String]
  /// Tells an edited migration from the one that was applied (FNV-1a, 64 bits: it guards against mistakes, not malice).
  package let fingerprint: String

  package init(_ id: String, _ statements: String, appendOnly: [String] = []) {
    self.id = id
    self.statements = statements
    self.appendOnly = appendOnly
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in ([statements] + appendOnly).joined(separator: "\n").utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }
    fingerprint = String(hash, radix: 16)
  }

  /// What an engine runs.
  package func statements(in dialect: SQLDialect) -> String {
    ([statements] + appendOnly.map(dialect.appendOnly)).joined(separator: "\n")
  }
}

extension Migration {
  /// Decides what is still to be applied.
  /// - Throws: `SQLError.schema` when the database holds a step that this program does not know, or knows otherwise.
  static func pending(_ all: [Migration], applied: [(id: String, fingerprint: String)]) throws -> [Migration] {
    let known = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0.fingerprint) })
    for step in applied {
      guard let fingerprint = known[step.id] else {
        throw SQLError.schema("the database is newer than this program: \(step.id)")
      }
      guard fingerprint == step.fingerprint else { throw SQLError.schema("migration was edited: \(step.id)") }
    }
    let done = Set(applied.map(\.id))
    return all.filter { !done.contains($0.id) }
  }
}
