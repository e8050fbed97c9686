// SPDX-License-Identifier: Apache-2.0

import GatehouseWire
import Kit
import Ledger
import Storage

/// From when on a posting counts (decision 123).
extension Postings {
  /// How many days a value date is to come at most.
  static let valueDaysAheadMax: Int64 = 366

  static func valueDate(_ text: String?) throws -> WireDate? {
    guard let text else { return nil }
    guard let date = WireDate(text) else {
      throw Problem.validation([.init("/value_date", "format", "A day such as 2026-11-22.")])
    }
    return date
  }

  /// - Returns: whether a posting waits for its day.
  /// - Throws: `Problem` validation for a day that lies too far back or ahead, or before the account.
  func isToCome(_ valueDay: Int64?, on account: BankAccount) throws -> Bool {
    guard let valueDay else { return false }
    let today = Ledger.day(of: core.world.now())
    let first = max(today - valueDaysBackMax, Ledger.day(of: account.account.openedAt))
    guard (first...max(first, today + Self.valueDaysAheadMax)).contains(valueDay) else {
      throw Problem.validation([
        .init(
          "/value_date", "range",
          "At most \(valueDaysBackMax) days back, not before the account, \(Self.valueDaysAheadMax) days ahead.")
      ])
    }
    return valueDay > today
  }

  /// Keeps a posting until its value date. It counts against the caller's limits now.
  func schedule(_ posting: ScheduledPosting, in tx: any SQLTransaction) throws -> PostingBodies.Scheduled {
    do { try ScheduledPostingStore(tx, vault: core.vault).insert(posting) } catch SQLError.notUnique {
      throw SQLError.outdated
    }
    try PostingLimitStore(tx).count(
      posting.order.amount, by: posting.maker, tenant: posting.tenant, on: Ledger.day(of: core.world.now()))
    let answer = PostingBodies.Scheduled(posting)
    try core.note(
      "posting.scheduled", "account-\(posting.account)", by: posting.maker,
      [
        "posting": posting.id.rawValue, "purpose": posting.purpose.rawValue, "reason": posting.reason.rawValue,
        "valueDate": answer.value_date,
      ], in: tx)
    return answer
  }
}
