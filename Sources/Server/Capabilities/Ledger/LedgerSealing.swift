// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// An entry without a seal.
package struct UnsealedEntry: Sendable, Hashable {
  package let account: LedgerAccount.ID
  package let tenant: String
  package let sequence: Int64
  /// When its row says that it was booked.
  package let at: LedgerTime
}

/// What came of binding the entries from before the books were sealed.
package struct LedgerSealing: Sendable, Hashable {
  /// Accounts that had entries without a seal, which are bound now, or would be.
  package internal(set) var accounts = 0
  /// The first entry of each account that stays without a seal: a checkpoint names an earlier entry as sealed, so no
  /// upgrade explains it.
  package internal(set) var refused: [UnsealedEntry] = []
}

extension Ledger {
  /// Binds the entries of accounts that were booked before the books were sealed, once after the upgrade, when every
  /// node runs a release that seals. Entries never change, so they are read without a lock on the account; what
  /// is booked meanwhile without a seal stays without one.
  /// - Parameters:
  ///   - isDry: binds nothing.
  ///   - named: gets each entry that is bound, before it is.
  /// - Throws: `Problem` when checkpoints are not right: what they know of the books decides.
  package func sealOldEntries(
    isDry: Bool = false, named: @Sendable (UnsealedEntry) -> Void = { _ in }
  ) async throws -> LedgerSealing {
    var (sealing, after) = (LedgerSealing(), LedgerAccount.ID?.none)
    guard let seal else { return sealing }
    guard let known = try await database.read({ try LedgerStore($0).firstSealed(under: seal) }) else {
      throw Problem(.conflict, "checkpoints-not-right", "Checkpoints of the books are not right. Verify them first.")
    }
    while true {
      let page = try await database.read { [after] in
        try LedgerStore($0).sealedAccounts(after: after, limit: Self.pageMax)
      }
      for account in page {
        let limit = known[account.id.rawValue] ?? .max
        let open = try await database.read { try LedgerStore($0).unsealed(account, before: limit) }
        if let refused = open.refused { sealing.refused.append(refused) }
        guard let last = open.last else { continue }
        let digest = try await digest(account, through: last, under: seal, named: named)
        let proof = seal.beginning(of: account.id, from: last + 1, digest)
        // It waits for a booking on that account and sees it: nothing of it is decided anew.
        let isNew =
          if isDry { true } else {
            try await database.write(.readCommitted) {
              try LedgerStore($0).setBeginning(account.id, from: last + 1, proof: proof)
            }
          }
        sealing.accounts += isNew ? 1 : 0
      }
      guard page.count == Self.pageMax else { return sealing }
      after = page.last?.id
    }
  }

  /// Of all entries up to a number, a page a transaction.
  private func digest(
    _ account: LedgerStore.SealedAccount, through last: Int64, under seal: LedgerSeal,
    named: @Sendable (UnsealedEntry) -> Void
  ) async throws -> String {
    var (after, digest) = (Int64(0), "")
    while after < last {
      let page = try await database.read { [after] in
        try LedgerStore($0).sealedEntries(of: account.id, after: after, limit: LedgerVerification.walkPage)
      }
      guard let end = page.last else { break }
      for (entry, own) in page where entry.sequence <= last {
        digest = seal.digest(digest, adding: entry)
        guard own == nil, entry.sequence >= account.sealedFrom else { continue }
        named(
          UnsealedEntry(
            account: account.id, tenant: account.tenant, sequence: entry.sequence, at: entry.transfer.at))
      }
      after = end.entry.sequence
    }
    return digest
  }
}

extension LedgerStore {
  /// The first entry of each account that a checkpoint names with a seal; nil when a checkpoint is not right.
  func firstSealed(under seal: LedgerSeal) throws -> [String: Int64]? {
    var (first, areRight) = ([String: Int64](), true)
    for tenant in try tenantsWithBooks() {
      try forEachCheckpoint(of: tenant, under: seal) { _, checkpoint in
        guard let checkpoint else {
          areRight = false
          return
        }
        for head in checkpoint.heads where head.seal != nil {
          first[head.account] = min(first[head.account] ?? .max, head.sequence)
        }
      }
    }
    return areRight ? first : nil
  }
}
