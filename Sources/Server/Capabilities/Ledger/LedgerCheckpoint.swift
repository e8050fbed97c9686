// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// What the books of a tenant were at the end of a day: the last entries of the accounts on which something happened
/// since the checkpoint before, signed (Ed25519, RFC 8032). Entries that are cut off at the end of an account are missed
/// by it, and so is an account that is removed. The audit log has a line for each, so that the last ones are missed too.
package struct LedgerCheckpoint: Codable, Sendable, Hashable {
  /// Heads of one checkpoint; what is more follows in the next one.
  static let headsMax = 2_000
  /// So much before the checkpoint before, accounts are looked at again: clocks of nodes differ, and a transfer may have
  /// been under way.
  static let overlap = Duration.minutes(30)

  struct Head: Codable, Sendable, Hashable {
    let account: String
    /// Number of the last entry; 0 when the account has no entries.
    let sequence: Int64
    /// Of that entry; nil when it is from before the books were sealed.
    let seal: String?
    let actual: Int64
  }

  let tenant: String
  /// From 1, without a gap.
  let number: Int64
  /// Days since 1970-01-01, UTC.
  let day: Int64
  /// Milliseconds since 1970.
  let at: Int64
  /// SHA-256 of the document before; nil in the first one.
  let previous: String?
  /// Whether the day has no further one.
  let isWhole: Bool
  let heads: [Head]
}

extension Ledger {
  /// Makes the checkpoint of a day, once. Books without a seal have none.
  /// - Returns: the number of the last one; 0 before the first.
  @discardableResult
  package func checkpoint(day: Int64, tenant: String) async throws -> Int64 {
    guard let seal else { return 0 }
    var last = try await database.read { try LedgerStore($0).lastCheckpoint(of: tenant) }
    if let last, last.day > day || (last.day == day && last.isWhole) { return last.number }
    // A day that was interrupted begins again: what a checkpoint names twice is true twice.
    let since =
      try await database.read { try LedgerStore($0).lastWholeCheckpoint(of: tenant) }
      .map { LedgerTime($0 - LedgerCheckpoint.overlap) } ?? LedgerTime(microseconds: .min)
    var after: LedgerAccount.ID?
    while true {
      let made: (LedgerStore.CheckpointRow, LedgerAccount.ID?)
      do {
        made = try await database.write(retrying: .outdated) { [self, after, last] tx in
          try makeCheckpoint(day, tenant, since: since, after: after, last: last, under: seal, in: tx)
        }
      } catch SQLError.notUnique {
        // Another node makes them.
        return try await database.read { try LedgerStore($0).lastCheckpoint(of: tenant)?.number ?? 0 }
      }
      last = made.0
      guard let next = made.1 else { return made.0.number }
      after = next
    }
  }

  private func makeCheckpoint(
    _ day: Int64, _ tenant: String, since: LedgerTime, after: LedgerAccount.ID?, last: LedgerStore.CheckpointRow?,
    under seal: LedgerSeal, in tx: any SQLTransaction
  ) throws -> (LedgerStore.CheckpointRow, LedgerAccount.ID?) {
    let (store, now, limit) = (LedgerStore(tx), world.now(), LedgerCheckpoint.headsMax)
    let accounts = try store.sealedAccounts(tenant: tenant, since: since, after: after, limit: limit)
    let checkpoint = LedgerCheckpoint(
      tenant: tenant, number: (last?.number ?? 0) + 1, day: day, at: now.milliseconds, previous: last?.digest,
      isWhole: accounts.count < limit,
      heads: accounts.map {
        .init(account: $0.id.rawValue, sequence: $0.sequence, seal: $0.seal, actual: $0.actual)
      })
    let document = try SignedDocument(checkpoint, for: .ledgerCheckpoint, by: seal.vault).document
    let row = LedgerStore.CheckpointRow(
      number: checkpoint.number, day: day, at: now, isWhole: checkpoint.isWhole, digest: document.sha256Hex,
      document: String(decoding: document, as: UTF8.self))
    try store.insert(row, of: tenant)
    try Audit(world: world, vault: seal.vault).note(row, of: tenant, in: tx)
    return (row, checkpoint.isWhole ? nil : accounts.last?.id)
  }
}

extension LedgerStore {
  /// When the last day began to be written down that has no further checkpoint.
  func lastWholeCheckpoint(of tenant: String) throws -> Instant? {
    try tx.first(
      """
      SELECT MIN(c.at) AS at FROM ledger_checkpoint AS c WHERE c.tenant = \(tenant) AND c.day = (
        SELECT MAX(w.day) FROM ledger_checkpoint AS w WHERE w.tenant = \(tenant) AND w.is_whole = 1)
      """)?.get("at")
  }
}
