// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage

/// Rows of `audit_checkpoint`: a document stays until its anchor has it.
struct AuditCheckpointStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  private static let columns: SQLColumns = "number, at, digest, document, anchored_at, proof"

  struct Row: Sendable {
    let number: Int
    let at: Instant
    let digest: String
    let document: Data?
    let anchoredAt: Instant?
    /// Keyed digest of number, time and digest; nil in rows from before there was one.
    private let proof: String?

    init(number: Int, at: Instant, digest: String, document: Data, by vault: Vault) {
      (self.number, self.at, self.digest, self.document, anchoredAt) = (number, at, digest, document, nil)
      proof = Self.proof(number, at, digest, by: vault)
    }

    fileprivate init(_ row: SQLRow) throws {
      (number, at, digest) = (try row.get("number"), try row.get("at"), try row.get("digest"))
      (document, anchoredAt) = (try row.get("document"), try row.get("anchored_at"))
      proof = try row.get("proof")
    }

    func isProved(by vault: Vault) -> Bool { proof == Self.proof(number, at, digest, by: vault) }

    private static func proof(_ number: Int, _ at: Instant, _ digest: String, by vault: Vault) -> String {
      vault.digest("\(number) \(at.milliseconds) \(digest)", for: "audit checkpoint")
    }

    fileprivate func insert(in tx: any SQLTransaction) throws {
      try tx.execute(
        """
        INSERT INTO audit_checkpoint (number, at, digest, document, anchored_at, proof)
        VALUES (\(number), \(at), \(digest), \(document), NULL, \(proof))
        """)
    }
  }

  func last() throws -> Row? {
    try tx.first("SELECT \(Self.columns) FROM audit_checkpoint ORDER BY number DESC LIMIT 1").map(Row.init)
  }

  /// The number of the last one; nil also when it is no number, as SQLite lets who writes it do.
  func lastNumber() throws -> Int? {
    try tx.first("SELECT number FROM audit_checkpoint ORDER BY number DESC LIMIT 1").flatMap { try? $0.get("number") }
  }

  /// The last one that an anchor has.
  func lastAnchored() throws -> Row? {
    try tx.first(
      """
      SELECT \(Self.columns) FROM audit_checkpoint
      WHERE anchored_at IS NOT NULL ORDER BY number DESC LIMIT 1
      """
    ).map(Row.init)
  }

  /// What the database says of a checkpoint.
  func known(_ number: Int) throws -> (digest: String, at: Instant)? {
    try tx.first("SELECT digest, at FROM audit_checkpoint WHERE number = \(number)").map {
      (try $0.get("digest"), try $0.get("at"))
    }
  }

  func insert(_ row: Row) throws { try row.insert(in: tx) }

  func delete(_ number: Int) throws {
    try tx.execute("DELETE FROM audit_checkpoint WHERE number = \(number) AND document IS NOT NULL")
  }

  func markAnchored(_ number: Int, at now: Instant) throws {
    try tx.execute(
      "UPDATE audit_checkpoint SET document = NULL, anchored_at = \(now) WHERE number = \(number)")
  }

  /// A chain whose subject is cut out meanwhile has another name and is met again. What is anchored only rises, unless
  /// it was beyond the end of the chain, where no anchor can be.
  func markAnchored(_ head: AuditCheckpoint.Head) throws {
    try tx.execute(
      """
      UPDATE audit_head SET anchored = \(head.sequence)
      WHERE (anchored < \(head.sequence) OR anchored > sequence) AND chain = (
        SELECT chain FROM audit_line WHERE sequence = 1 AND digest = \(head.chain))
      """)
  }

  /// Heads of chains that have lines which no anchor holds.
  func grown(limit: Int) throws -> [AuditCheckpoint.Head] {
    try tx.query(
      """
      SELECT audit_line.digest AS first_digest, audit_head.sequence, audit_head.digest FROM audit_head
      JOIN audit_line ON audit_line.chain = audit_head.chain AND audit_line.sequence = 1
      WHERE audit_head.anchored <> audit_head.sequence ORDER BY audit_head.chain LIMIT \(limit)
      """
    ).map {
      AuditCheckpoint.Head(
        chain: try $0.get("first_digest"), sequence: try $0.get("sequence"), digest: try $0.get("digest"))
    }
  }

  func totals() throws -> AuditCheckpoint.Totals {
    let row = try tx.first(
      "SELECT COUNT(*) AS chains, CAST(COALESCE(SUM(sequence), 0) AS BIGINT) AS line_count FROM audit_head")
    return try AuditCheckpoint.Totals(chains: row?.get("chains") ?? 0, lines: row?.get("line_count") ?? 0)
  }

  /// Has a batch of chains count as anchored nowhere.
  /// - Returns: the last of the batch; nil when there are no more.
  func forgetAnchored(after: String, limit: Int) throws -> String? {
    let chains = try tx.query(
      "SELECT chain FROM audit_head WHERE chain > \(after) AND anchored <> 0 ORDER BY chain LIMIT \(limit)")
    guard let last: String = try chains.last?.get("chain") else { return nil }
    try tx.execute(
      "UPDATE audit_head SET anchored = 0 WHERE chain > \(after) AND chain <= \(last) AND anchored <> 0")
    return last
  }
}
