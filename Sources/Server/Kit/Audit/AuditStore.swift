import Foundation
import Storage

/// Rows of `audit_line` and `audit_head`. There is no update and no delete of a line.
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

  package struct Head: Sendable, Equatable {
    package let sequence: Int
    package let digest: String
  }

  func head(of chain: String) throws -> Head? {
    try tx.first("SELECT sequence, digest FROM audit_head WHERE chain = \(chain)").map {
      Head(sequence: try $0.get("sequence"), digest: try $0.get("digest"))
    }
  }

  func insert(_ line: AuditLine) throws {
    try tx.execute(
      """
      INSERT INTO audit_line (chain, sequence, at, actor, action, facts, previous, digest)
      VALUES (\(line.chain), \(line.sequence), \(line.at), \(line.actor), \(line.action),
              \(Self.encode(line.facts)), \(line.previous), \(line.digest))
      """)
  }

  /// Guarded by the head that the line was built on: of two racing writers one fails and rolls back.
  func setHead(_ line: AuditLine, previous: Head?) throws {
    let changed =
      if let previous {
        try tx.execute(
          """
          UPDATE audit_head SET sequence = \(line.sequence), digest = \(line.digest)
          WHERE chain = \(line.chain) AND sequence = \(previous.sequence)
          """)
      } else {
        try tx.execute(
          """
          INSERT INTO audit_head (chain, sequence, digest) VALUES (\(line.chain), \(line.sequence), \(line.digest))
          """)
      }
    guard changed == 1 else { throw SQLError.outdated }
  }

  /// The lines of a chain in order.
  package func lines(of chain: String, after sequence: Int = 0, limit: Int = 500) throws -> [AuditLine] {
    try storedLines(of: chain, after: sequence, limit: limit).map(\.line)
  }

  /// Walks every chain and checks order, links and digests against the recorded head.
  package func verify() throws -> AuditReport {
    var report = AuditReport()
    var after = ""
    while let head = try tx.first(
      "SELECT chain, sequence, digest FROM audit_head WHERE chain > \(after) ORDER BY chain LIMIT 1")
    {
      let chain: String = try head.get("chain")
      after = chain
      report.chains += 1
      if let fault = try fault(in: chain, sequence: head.get("sequence"), digest: head.get("digest"), &report) {
        report.faults.append("\(chain): \(fault)")
      }
    }
    // A head that was removed leaves its lines behind.
    for row in try tx.query(
      "SELECT DISTINCT chain FROM audit_line WHERE chain NOT IN (SELECT chain FROM audit_head) LIMIT 100")
    {
      report.faults.append("\(try row.get("chain", as: String.self)): lines without a head")
    }
    return report
  }

  private func fault(in chain: String, sequence: Int, digest: String, _ report: inout AuditReport) throws -> String? {
    var expected = 1
    var previous = AuditLine.genesis
    while true {
      let page = try storedLines(of: chain, after: expected - 1, limit: 500)
      for (line, stored, isCanonical) in page {
        report.lines += 1
        guard line.sequence == expected else { return "line \(expected) is missing" }
        guard line.previous == previous else { return "line \(expected) does not follow the one before it" }
        guard isCanonical, line.digest == stored else { return "line \(expected) was changed" }
        previous = stored
        expected += 1
      }
      if page.count < 500 { break }
    }
    return expected - 1 == sequence && previous == digest ? nil : "ends at line \(expected - 1), head says \(sequence)"
  }

  /// - Returns: each line with its stored digest, and whether its facts are stored as they are written.
  private func storedLines(
    of chain: String, after sequence: Int, limit: Int
  ) throws -> [(line: AuditLine, digest: String, isCanonical: Bool)] {
    try tx.query(
      """
      SELECT sequence, at, actor, action, facts, previous, digest FROM audit_line
      WHERE chain = \(chain) AND sequence > \(sequence) ORDER BY sequence LIMIT \(limit)
      """
    ).map { row in
      let line = AuditLine(
        chain: chain, sequence: try row.get("sequence"), at: try row.get("at"), actor: try row.get("actor"),
        action: try row.get("action"), facts: Self.decode(try row.get("facts")), previous: try row.get("previous"))
      return (line, try row.get("digest"), try Self.encode(line.facts) == row.get("facts"))
    }
  }

  private static func encode(_ facts: [String: String]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(facts), as: UTF8.self)
  }

  /// Unreadable facts become none, which the digest then reports.
  private static func decode(_ text: String) -> [String: String] {
    (try? JSONDecoder().decode([String: String].self, from: Data(text.utf8))) ?? [:]
  }
}
