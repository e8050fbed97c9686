// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// The audit log knows each checkpoint by its number and digest: its lines are under other keys, and are anchored outside
/// of the database. Checkpoints that are cut off at the end are missed by it.
extension LedgerCheckpoint {
  static let noted = "ledger.checkpoint"

  /// The chain of the audit log with a line for each checkpoint of a tenant.
  static func chain(of tenant: String) -> String { "ledger-\(tenant)" }
}

extension Audit {
  /// Notes a checkpoint, in the transaction that stores it.
  func note(_ checkpoint: LedgerStore.CheckpointRow, of tenant: String, in tx: any SQLTransaction) throws {
    try append(
      LedgerCheckpoint.noted, to: LedgerCheckpoint.chain(of: tenant), by: "system",
      facts: ["number": "\(checkpoint.number)", "digest": checkpoint.digest], in: tx)
  }
}

extension LedgerStore {
  private static let notesPage = 500

  /// Digests of a tenant's checkpoints by their numbers, as the audit log has them. Those from before the log had them,
  /// and those of older nodes, are not in it. A line that names no later checkpoint than the line before stands under
  /// 0, which no checkpoint has. Whether the lines are genuine is what `gatehouse audit verify` finds.
  func notedCheckpoints(of tenant: String) throws -> [Int64: String] {
    var (noted, newest, after) = ([Int64: String](), Int64(0), 0)
    let chain = LedgerCheckpoint.chain(of: tenant)
    while true {
      let page = try AuditStore(tx).lines(of: chain, after: after, limit: Self.notesPage)
      for line in page {
        let number = line.facts["number"].flatMap { Int64($0) } ?? 0
        if line.action == LedgerCheckpoint.noted, number > newest, let digest = line.facts["digest"] {
          noted[number] = digest
          newest = number
        } else {
          noted[0] = ""
        }
      }
      guard page.count == Self.notesPage, let last = page.last else { return noted }
      after = last.sequence
    }
  }

  /// Goes through a tenant's checkpoints in their order.
  /// - Parameter body: gets the number, and nil for a checkpoint that is not right or that only the audit log knows.
  func forEachCheckpoint(
    of tenant: String, under seal: LedgerSeal, _ body: (_ number: Int64, LedgerCheckpoint?) throws -> Void
  ) throws {
    var (noted, last) = (try notedCheckpoints(of: tenant), CheckpointRow?.none)
    // One at a time: each may be a few hundred kilobytes.
    while let row = try checkpoints(of: tenant, after: last?.number ?? 0, limit: 1).first {
      let digest = noted.removeValue(forKey: row.number)
      let isNoted = digest == nil || digest == row.digest
      try body(row.number, isNoted ? read(row, after: last, of: tenant, under: seal) : nil)
      last = row
    }
    for number in noted.keys.sorted() { try body(number, nil) }
  }
}
