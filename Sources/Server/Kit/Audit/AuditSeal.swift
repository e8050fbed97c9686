// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Storage

/// Binds the lines of a chain that were written before the log was keyed, as a keyed line of its own, `audit.sealed`.
/// Its content covers what an erasure leaves of each of those lines, so that the seal holds after their facts were cut
/// out.
struct AuditSeal {
  static let action = "audit.sealed"

  private var hash = SHA256()
  /// The first line without a key since the last seal.
  private(set) var firstOpen: Int?

  mutating func add(_ stored: StoredAuditLine) {
    let line = stored.line
    firstOpen = firstOpen ?? line.sequence
    let row = [
      "\(line.sequence)", "\(line.at.milliseconds)", line.actor, line.action, line.previous, stored.content ?? "",
      stored.digest,
    ]
    hash.update(data: Data(AuditLine.digest(of: row).utf8))
  }

  /// What the seal has in place of a digest of facts.
  var content: String { AuditLine.digest(of: ["seal", hash.finalize().hex]) }

  /// - Returns: whether a seal of the chain covers the lines that were added.
  mutating func closes(with stored: StoredAuditLine) -> Bool {
    firstOpen = nil
    return stored.content == content
  }
}

extension Audit {
  /// Marks a log that has no line yet as keyed from its beginning, so that a line without a key is never old.
  package func begin(in tx: any SQLTransaction) throws {
    guard try !AuditStore(tx).hasLines() else { return }
    try seal(Self.ownChain, in: tx)
  }

  /// Whether the log holds its seal.
  package func hasSeal(in tx: any SQLTransaction) throws -> Bool { try AuditStore(tx).isSealed() }

  /// Whether the log was sealed, by what it says or by the key ring: every line from then on has a key.
  package func isSealed(in tx: any SQLTransaction) throws -> Bool { try vault.isAuditSealed || hasSeal(in: tx) }

  /// What `seal` would bind.
  package func unsealed(in tx: any SQLTransaction) throws -> UnsealedLines {
    let row = try tx.first(
      """
      SELECT COUNT(DISTINCT chain) AS chains, COUNT(*) AS line_count, MIN(at) AS first_at, MAX(at) AS last_at
      FROM audit_line WHERE key_version IS NULL AND sequence > COALESCE(
        (SELECT MAX(seal.sequence) FROM audit_line seal WHERE seal.chain = audit_line.chain
         AND seal.action = \(AuditSeal.action) AND seal.key_version IS NOT NULL), 0)
      """)
    guard let row else { return UnsealedLines(chains: 0, lines: 0, first: nil, last: nil) }
    return try UnsealedLines(
      chains: row.get("chains"), lines: row.get("line_count"), first: row.get("first_at"), last: row.get("last_at"))
  }

  /// Seals every chain that has lines from before the log was keyed, and then the log as a whole. It goes on where it
  /// was interrupted. A program of an older release must not write any more.
  /// - Parameters:
  ///   - anchor: where the checkpoints of the log are; none is made of a log that is not sealed.
  ///   - isRestored: the database is a backup from before the log was sealed, so key ring and anchor are ahead of it.
  /// - Returns: how many chains were sealed.
  /// - Throws: a conflict when the log was sealed before, by what it says itself or by key ring or anchor: what has no
  ///   key now was not written by the server.
  package func seal(
    _ database: any SQLDatabase, anchor: AuditAnchor? = nil, isRestored: Bool = false
  ) async throws -> Int {
    let numbers = try await anchor?.numbers() ?? []
    let isKnown = !isRestored && (vault.isAuditSealed || !numbers.isEmpty)
    let isSealed = try await database.read(hasSeal)
    guard !isKnown, !isSealed else {
      throw Problem(.conflict, "audit-sealed", "The audit log was sealed before: see `gatehouse audit verify`.")
    }
    var (sealed, after) = (0, "")
    while let chain = try await database.read({ [after] tx in
      try tx.first("SELECT chain FROM audit_head WHERE chain > \(after) ORDER BY chain LIMIT 1")?
        .get("chain", as: String.self)
    }) {
      after = chain
      let isNew = try await database.write(retrying: .outdated) { tx in
        guard chain != Self.ownChain, try AuditStore(tx).hasOpenLines(chain) else { return false }
        try seal(chain, in: tx)
        return true
      }
      if isNew { sealed += 1 }
    }
    try await database.write(retrying: .outdated) { try seal(Self.ownChain, in: $0) }
    return sealed
  }

  private func seal(_ chain: String, in tx: any SQLTransaction) throws {
    let store = AuditStore(tx)
    let last = try store.head(of: chain)
    var seal = AuditSeal()
    try store.forEachLine(of: chain) { if $0.line.keyVersion == nil { seal.add($0) } }
    let line = AuditLine(
      chain: chain, sequence: (last?.sequence ?? 0) + 1, at: world.now(), actor: "system", action: AuditSeal.action,
      facts: [:], previous: last?.digest ?? AuditLine.genesis)
    try append(line, content: seal.content, after: last, in: tx)
  }
}

/// Lines from before the log was keyed that no seal covers.
package struct UnsealedLines: Sendable, Equatable {
  package let chains: Int
  package let lines: Int
  package let first: Instant?
  /// A line that is younger than the upgrade was not written by an older program.
  package let last: Instant?
}

extension AuditStore {
  /// Whether anything was ever written to the log.
  package func hasLines() throws -> Bool { try tx.first("SELECT chain FROM audit_head LIMIT 1") != nil }

  func isSealed() throws -> Bool {
    try tx.first(
      """
      SELECT sequence FROM audit_line
      WHERE chain = \(Audit.ownChain) AND action = \(AuditSeal.action) AND key_version IS NOT NULL LIMIT 1
      """) != nil
  }

  /// Whether a chain has lines without a key after its last seal.
  func hasOpenLines(_ chain: String) throws -> Bool {
    try tx.first(
      """
      SELECT sequence FROM audit_line WHERE chain = \(chain) AND key_version IS NULL AND sequence > (
        SELECT COALESCE(MAX(sequence), 0) FROM audit_line
        WHERE chain = \(chain) AND action = \(AuditSeal.action) AND key_version IS NOT NULL)
      LIMIT 1
      """) != nil
  }
}
