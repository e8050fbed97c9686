// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// A line of the trial balance: what an account was at the end of a day.
package struct TrialBalanceLine: Sendable, Hashable {
  package let account: LedgerAccount
  /// Minor units.
  package let balance: Int64
  /// Number of the last entry of the day; 0 when there was none by then.
  package let sequence: Int64
}

/// The books as lists, for accountants and auditors.
extension Ledger {
  /// What every account of a tenant was at the end of a day, by product and id. All balances of a currency add up to
  /// zero. It reads page by page: a day that is over and final has one answer.
  /// - Parameter day: days since 1970-01-01, UTC.
  /// - Throws: `Problem` conflict for a day on which something may still be booked.
  package func trialBalance(
    on day: Int64, tenant: String, _ line: (TrialBalanceLine) throws -> Void
  ) async throws {
    let end = Self.start(ofDay: day + 1)
    guard end <= LedgerTime(world.now() - Self.finality) else {
      throw Problem(.conflict, "day-not-over", "Something may still be booked on that day.")
    }
    for product in try await database.read({ try LedgerStore($0).products(tenant: tenant) }) {
      var after: LedgerAccount.ID?
      while true {
        let page = try await database.read { [after] tx in
          let store = LedgerStore(tx)
          return try store.accounts(
            tenant: tenant, product: product.code, after: after, limit: Self.pageMax
          ).map { account in
            let sequence = try store.firstSequence(of: account.id, at: end) - 1
            return TrialBalanceLine(
              account: account, balance: try store.balance(of: account.id, after: sequence), sequence: sequence)
          }
        }
        for one in page { try line(one) }
        guard page.count == Self.pageMax else { break }
        after = page.last?.account.id
      }
    }
  }

  /// Every entry of a tenant from one instant to another: account by account in the order of products and ids, each
  /// account's entries in the order of their numbers.
  package func generalLedger(
    tenant: String, from: LedgerTime, to: LedgerTime, _ line: (LedgerEntry) throws -> Void
  ) async throws {
    for product in try await database.read({ try LedgerStore($0).products(tenant: tenant) }) {
      var after: LedgerAccount.ID?
      while true {
        let ids = try await database.read { [after] in
          try LedgerStore($0).accountIDs(
            tenant: tenant, product: product.code, after: after, limit: Self.pageMax)
        }
        for id in ids { try await entries(of: id, from: from, to: to, line) }
        guard ids.count == Self.pageMax else { break }
        after = ids.last
      }
    }
  }

  private func entries(
    of id: LedgerAccount.ID, from: LedgerTime, to: LedgerTime, _ line: (LedgerEntry) throws -> Void
  ) async throws {
    var page = EntryPage()
    (page.from, page.to, page.newestFirst) = (from, to, false)
    while true {
      let some = try await entries(of: id, page)
      for entry in some { try line(entry) }
      guard some.count == Self.pageMax else { return }
      page.after = some.last?.sequence
    }
  }
}
