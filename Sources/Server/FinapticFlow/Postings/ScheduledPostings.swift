// SPDX-License-Identifier: Apache-2.0

import Kit
import Ledger
import Storage

/// Postings that wait for their value date: looked at, withdrawn, and booked when their day has begun.
package struct ScheduledPostings: Sendable {
  /// Postings in one list, and in one look at what is due.
  package static let pageMax = 100

  let core: CoreDependencies
  let ledger: Ledger

  /// One that is due and could not be booked now: it is tried again with the next day end.
  package struct Stuck: Sendable, Hashable {
    package let account: String
    /// The type of the error; never a value.
    package let reason: String
  }

  private var machine: ScheduledPostingMachine { ScheduledPostingMachine(vault: core.vault) }

  /// Postings that wait, by value date.
  func waiting(of tenant: FinapticTenant) async throws -> [ScheduledPosting] {
    try await core.database.read { [core] tx in
      try ScheduledPostingStore(tx, vault: core.vault).waiting(of: tenant.id, limit: Self.pageMax)
    }
  }

  /// Takes one back before it is booked. It moves no money, so one person does it; asked again, it has the same answer.
  /// - Throws: `Problem` not found; conflict `posting-ended`.
  func withdraw(
    _ id: String, because reason: PostingReason, of tenant: FinapticTenant, by actor: String, in tx: any SQLTransaction
  ) throws -> ScheduledPosting {
    guard var posting = try locked(.init(rawValue: id.lowercased()), of: tenant.id, in: tx) else {
      throw Problem.notFound
    }
    guard posting.state != .withdrawn else { return posting }
    try core.mover.move(
      &posting, on: .withdrawn, of: machine, by: actor, facts: ["reason": reason.rawValue], in: tx)
    return posting
  }

  /// Books what is due, each in a transaction of its own: the move of the row and the transfer commit together, and the
  /// row's key is the books' key, so that of several nodes, and after any crash, each is booked once.
  /// - Returns: how many were booked or declined now, and those that could not be.
  /// - Throws: `SQLError` when the store does not answer.
  func bookDue(of tenant: Int) async throws -> (ended: Int, stuck: [Stuck]) {
    let today = Ledger.day(of: core.world.now())
    var (ended, stuck, after) = (0, [Stuck](), ScheduledPostingStore.Due?.none)
    while true {
      let page = try await core.database.read { [core, after] tx in
        try ScheduledPostingStore(tx, vault: core.vault).due(of: tenant, by: today, after: after, limit: Self.pageMax)
      }
      for due in page {
        do {
          let isDone = try await core.database.write(retrying: .outdated, .readCommitted) { [self] tx in
            try book(due.id, of: tenant, in: tx)
          }
          if isDone { ended += 1 }
        } catch {
          guard Ledger.isOfARow(error) else { throw error }
          stuck.append(Stuck(account: due.account, reason: "\(type(of: error))"))
        }
      }
      guard page.count == Self.pageMax else { return (ended, stuck) }
      after = page.last
    }
  }

  /// - Returns: false when another node was faster, or it was withdrawn.
  private func book(_ id: ScheduledPosting.ID, of tenant: Int, in tx: any SQLTransaction) throws -> Bool {
    guard var posting = try locked(id, of: tenant, in: tx), posting.state == .scheduled else { return false }
    let note = try posting.reference.map { try BankTransaction.Particulars(clearingReference: $0).note }
    let event: ScheduledPostingEvent
    switch try ledger.transfer(posting.order, note: note, in: tx) {
    case .done(let transfer): (posting.transfer, event) = (transfer.id, .booked)
    case .declined(let transfer, let reason):
      (posting.transfer, posting.declined, event) = (transfer.id, reason.rawValue, .declined)
    case .refused(let refusal): (posting.declined, event) = (refusal.rawValue, .declined)
    }
    try core.mover.move(&posting, on: event, of: machine, by: "system", in: tx)
    return true
  }

  /// As it is behind the locks of its accounts.
  private func locked(
    _ id: ScheduledPosting.ID, of tenant: Int, in tx: any SQLTransaction
  ) throws -> ScheduledPosting? {
    let store = ScheduledPostingStore(tx, vault: core.vault)
    guard let seen = try store.find(id, of: tenant) else { return nil }
    try LedgerStore(tx).lock([seen.order.debit, seen.order.credit])
    return try store.find(id, of: tenant)
  }
}
