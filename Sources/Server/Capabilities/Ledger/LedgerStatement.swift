// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// What an account was between two instants: the same whenever it is asked for, once it is final.
package struct LedgerStatement: Sendable, Hashable {
  package let account: LedgerAccount
  /// Inclusive.
  package let from: LedgerTime
  /// Exclusive.
  package let to: LedgerTime
  /// Actual balances before the first entry and after the last.
  package let opening: Int64
  package let closing: Int64
  /// What went out, as a negative number, and what came in. Together the entries of a busy account may be more than 64
  /// bits hold, although each of its balances fits.
  package let debits: Int128
  package let credits: Int128
  /// Numbers of the entries.
  package let numbers: Range<Int64>
  /// Whether nothing can be booked into it any more.
  package let isFinal: Bool
}

extension Ledger {
  /// For so long after an instant something may still be booked before it: what was decided then and is not committed
  /// yet, and by a node whose clock is late.
  package static let finality = Duration.minutes(5)

  /// - Returns: nil when there is no such account.
  package func statement(
    of id: LedgerAccount.ID, tenant: String, from: LedgerTime, to: LedgerTime
  ) async throws -> LedgerStatement? {
    try await statements(of: [id], tenant: tenant, from: from, to: to).first
  }

  /// The same of several accounts, at one moment.
  /// - Returns: those of the accounts that are there, in the order of `ids`.
  package func statements(
    of ids: [LedgerAccount.ID], tenant: String, from: LedgerTime, to: LedgerTime
  ) async throws -> [LedgerStatement] {
    guard from <= to else { throw Problem.validation([.init("/from", "range", "Not after the end.")]) }
    let isFinal = to <= LedgerTime(world.now() - Self.finality)
    return try await database.read { tx in
      let store = LedgerStore(tx)
      return try ids.compactMap { try store.statement(of: $0, tenant: tenant, from: from, to: to, isFinal: isFinal) }
    }
  }
}

extension LedgerStore {
  fileprivate func statement(
    of id: LedgerAccount.ID, tenant: String, from: LedgerTime, to: LedgerTime, isFinal: Bool
  ) throws -> LedgerStatement? {
    guard let account = try account(id), account.tenant == tenant else { return nil }
    let first = try firstSequence(of: id, at: from)
    let end = try firstSequence(of: id, at: to)
    let (debits, credits) = try turnover(of: id, in: first..<end)
    return LedgerStatement(
      account: account, from: from, to: to, opening: try balance(of: id, after: first - 1),
      closing: try balance(of: id, after: end - 1), debits: debits, credits: credits, numbers: first..<end,
      isFinal: isFinal)
  }
}

extension LedgerStore {
  /// What went out and what came in, by entries with numbers in a range, added in 128 bits.
  func turnover(of id: LedgerAccount.ID, in numbers: Range<Int64>) throws -> (debits: Int128, credits: Int128) {
    let row = try tx.first(
      """
      SELECT
        CAST(COALESCE(SUM(CASE WHEN amount < 0 THEN amount >> 32 ELSE 0 END), 0) AS BIGINT) AS debits_high,
        CAST(COALESCE(SUM(CASE WHEN amount < 0 THEN amount & 4294967295 ELSE 0 END), 0) AS BIGINT) AS debits_low,
        CAST(COALESCE(SUM(CASE WHEN amount > 0 THEN amount >> 32 ELSE 0 END), 0) AS BIGINT) AS credits_high,
        CAST(COALESCE(SUM(CASE WHEN amount > 0 THEN amount & 4294967295 ELSE 0 END), 0) AS BIGINT) AS credits_low
      FROM ledger_entry
      WHERE account_id = \(id) AND sequence >= \(numbers.lowerBound) AND sequence < \(numbers.upperBound)
      """)
    return (try row?.wide("debits") ?? 0, try row?.wide("credits") ?? 0)
  }
}

extension SQLRow {
  /// A sum of 64-bit numbers that may need more. Neither engine has an integer type that holds it, so the upper and the
  /// lower 32 bits of each number were added by themselves, into columns `…_high` and `…_low`: `number >> 32`, which
  /// keeps the sign, and `number & 4294967295`.
  func wide(_ name: String) throws -> Int128 {
    let (high, low) = (try get("\(name)_high", as: Int64.self), try get("\(name)_low", as: Int64.self))
    return Int128(high) * 4_294_967_296 + Int128(low)
  }
}
