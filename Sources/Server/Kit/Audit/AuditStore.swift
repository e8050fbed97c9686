// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Storage

/// Rows of `audit_line` and `audit_head`. There is no update and no delete of a line, but for `cut`.
package struct AuditStore {
  let tx: any SQLTransaction

  package init(_ tx: any SQLTransaction) { self.tx = tx }

  package static let migration = Migration(
    "2026-11-21 audit",
    """
    CREATE TABLE audit_line (
      chain TEXT NOT NULL,
      sequence BIGINT NOT NULL CHECK (sequence > 0),
      at BIGINT NOT NULL,
      actor TEXT NOT NULL,
      action TEXT NOT NULL,
      facts TEXT NOT NULL,
      previous TEXT NOT NULL,
      digest TEXT NOT NULL,
      PRIMARY KEY (chain, sequence)
    );
    CREATE TABLE audit_head (
      chain TEXT PRIMARY KEY,
      sequence BIGINT NOT NULL,
      digest TEXT NOT NULL
    );
    """)

  package static let contentMigration = Migration(
    "2026-11-22 audit content",
    """
    ALTER TABLE audit_line ADD COLUMN salt TEXT;
    ALTER TABLE audit_line ADD COLUMN content TEXT;
    CREATE INDEX audit_line_erased ON audit_line (at, chain) WHERE action = 'subject.erased';
    """)

  package static let keyMigration = Migration(
    "2026-11-24 audit key",
    """
    ALTER TABLE audit_line ADD COLUMN key_version TEXT;
    ALTER TABLE audit_head ADD COLUMN anchored BIGINT NOT NULL DEFAULT 0;
    CREATE INDEX audit_line_first ON audit_line (digest) WHERE sequence = 1;
    CREATE TABLE audit_checkpoint (
      number BIGINT PRIMARY KEY CHECK (number > 0),
      at BIGINT NOT NULL,
      digest TEXT NOT NULL,
      document BLOB,
      anchored_at BIGINT,
      CHECK ((document IS NULL) = (anchored_at IS NOT NULL))
    );
    """)

  package static let proofMigration = Migration(
    "2026-11-24 audit proof",
    """
    ALTER TABLE audit_checkpoint ADD COLUMN proof TEXT;
    """)

  /// The table, step by step.
  package static let migrations = [
    migration, contentMigration, keyMigration, proofMigration, AuditSearchStore.migration,
  ]

  /// Of a line, as `storedLine` reads them.
  static let columns: SQLColumns = """
    chain, sequence, at, actor, action, facts, previous, salt, content, key_version, digest
    """

  package struct Head: Sendable, Equatable {
    package let sequence: Int
    package let digest: String
  }

  func head(of chain: String) throws -> Head? {
    try tx.first("SELECT sequence, digest FROM audit_head WHERE chain = \(chain)").map {
      Head(sequence: try $0.get("sequence"), digest: try $0.get("digest"))
    }
  }

  /// When an actor did something last, by its chain; nil when never.
  package func last(_ action: String, by actor: String, of chain: String) throws -> Instant? {
    try tx.first(
      """
      SELECT at FROM audit_line WHERE chain = \(chain) AND action = \(action) AND actor = \(actor)
      ORDER BY sequence DESC LIMIT 1
      """)?.get("at")
  }

  /// Whether something was ever done, by its chain.
  package func has(_ action: String, in chain: String) throws -> Bool {
    try tx.first("SELECT sequence FROM audit_line WHERE chain = \(chain) AND action = \(action) LIMIT 1") != nil
  }

  /// How many lines a chain has: the sequence of its last.
  package func length(of chain: String) throws -> Int { try head(of: chain)?.sequence ?? 0 }

  func insert(_ line: AuditLine, content: String?, digest: String) throws {
    try tx.execute(
      """
      INSERT INTO audit_line (chain, sequence, at, actor, action, facts, previous, salt, content, key_version, digest)
      VALUES (\(line.chain), \(line.sequence), \(line.at), \(line.actor), \(line.action),
              \(AuditFacts.text(line.facts)), \(line.previous), \(line.salt), \(content), \(line.keyVersion), \(digest))
      """)
  }

  /// Guarded by the head that the line was built on: of two racing writers one fails and rolls back.
  func setHead(of chain: String, sequence: Int, digest: String, previous: Head?) throws {
    let changed =
      if let previous {
        try tx.execute(
          """
          UPDATE audit_head SET sequence = \(sequence), digest = \(digest)
          WHERE chain = \(chain) AND sequence = \(previous.sequence)
          """)
      } else {
        try tx.execute("INSERT INTO audit_head (chain, sequence, digest) VALUES (\(chain), \(sequence), \(digest))")
      }
    guard changed == 1 else { throw SQLError.outdated }
  }

  /// The lines of a chain in order.
  package func lines(of chain: String, after sequence: Int = 0, limit: Int = 500) throws -> [AuditLine] {
    try storedLines(of: chain, after: sequence, limit: limit).map(\.line)
  }

  /// The last lines of a chain, in order.
  package func latest(_ limit: Int, of chain: String) throws -> [AuditLine] {
    try lines(of: chain, after: max(0, length(of: chain) - limit), limit: limit)
  }

  /// The last lines that an actor has in a chain from an instant on, in order.
  package func latest(_ limit: Int, of chain: String, by actor: String, since instant: Instant) throws -> [AuditLine] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM audit_line
      WHERE chain = \(chain) AND actor = \(actor) AND at >= \(instant) ORDER BY sequence DESC LIMIT \(limit)
      """
    ).map { try Self.storedLine($0).line }.reversed()
  }

  /// The last line of a chain: its number and its digest; nil when there is no such chain.
  package func tip(of chain: String) throws -> Head? { try head(of: chain) }

  /// Goes through a whole chain, a page at a time.
  func forEachLine(of chain: String, _ body: (StoredAuditLine) throws -> Void) throws {
    // From before the first: who puts a line there is to be found.
    var after = Int.min
    while true {
      let page = try rows(of: chain, after: after, limit: 500)
      for row in page {
        let stored = try Self.storedLine(row)
        try body(stored)
        after = stored.line.sequence
      }
      guard page.count == 500 else { return }
    }
  }

  /// Each line of a page with what is stored about it.
  func storedLines(of chain: String, after sequence: Int, limit: Int) throws -> [StoredAuditLine] {
    try rows(of: chain, after: sequence, limit: limit).map(Self.storedLine)
  }

  private func rows(of chain: String, after sequence: Int, limit: Int) throws -> [SQLRow] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM audit_line
      WHERE chain = \(chain) AND sequence > \(sequence) ORDER BY sequence LIMIT \(limit)
      """)
  }

  static func storedLine(_ row: SQLRow) throws -> StoredAuditLine {
    let text: String = try row.get("facts")
    let (facts, isCanonical) = try AuditFacts.read(text)
    let line = AuditLine(
      chain: try row.get("chain"), sequence: try row.get("sequence"), at: try row.get("at"),
      actor: try row.get("actor"), action: try row.get("action"), facts: facts,
      previous: try row.get("previous"), salt: try row.get("salt"), keyVersion: try row.get("key_version"))
    return StoredAuditLine(
      line: line, content: try row.get("content"), digest: try row.get("digest"), isCut: text == cutFacts,
      isCanonical: isCanonical)
  }

  /// What stands in the place of facts that were cut out. Facts are never empty text: none is `{}`.
  static let cutFacts = ""
}

/// A line as it is stored, for those who check it.
struct StoredAuditLine {
  let line: AuditLine
  let content: String?
  let digest: String
  /// Its facts and salt were cut out.
  let isCut: Bool
  /// Its facts are stored as they are written.
  let isCanonical: Bool

  /// Whether the line is a seal, whose content is checked against the lines that it covers.
  var isSeal: Bool { line.keyVersion != nil && line.action == AuditSeal.action }

  /// Whether the row says what was written, as far as the row itself can tell: its content is the digest of its facts.
  var isWhole: Bool {
    if isCut { return line.salt == nil && (content != nil || line.keyVersion == nil) }
    return isCanonical && (isSeal ? line.facts.isEmpty : line.content == content)
  }

  /// Whether the digest is the one of what the row says.
  /// - Parameter key: of the line's version; nil for a line from before the log was keyed.
  func matches(_ key: SymmetricKey?) -> Bool {
    // A line of the first format that was cut has nothing left to check itself by: the seal of its chain covers it.
    if isCut, content == nil { return line.keyVersion == nil }
    return line.digest(content: content, key: key) == digest
  }
}
