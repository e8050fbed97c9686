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
  /// What went out, as a negative number, and what came in.
  package let debits: Int64
  package let credits: Int64
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
    guard from <= to else { throw Problem.validation([.init("/from", "range", "Not after the end.")]) }
    let now = world.now()
    return try await database.read { tx in
      let store = LedgerStore(tx)
      guard let account = try store.account(id), account.tenant == tenant else { return nil }
      let first = try store.firstSequence(of: id, at: from)
      let end = try store.firstSequence(of: id, at: to)
      let (debits, credits) = try store.turnover(of: id, in: first..<end)
      return LedgerStatement(
        account: account, from: from, to: to, opening: try store.balance(of: id, after: first - 1),
        closing: try store.balance(of: id, after: end - 1), debits: debits, credits: credits, numbers: first..<end,
        isFinal: to <= LedgerTime(now - Self.finality))
    }
  }
}

extension LedgerStore {
  /// What went out and what came in, by entries with numbers in a range.
  func turnover(of id: LedgerAccount.ID, in numbers: Range<Int64>) throws -> (debits: Int64, credits: Int64) {
    let row = try tx.first(
      """
      SELECT COALESCE(SUM(CASE WHEN amount < 0 THEN amount ELSE 0 END), 0) AS debits,
        COALESCE(SUM(CASE WHEN amount > 0 THEN amount ELSE 0 END), 0) AS credits
      FROM ledger_entry
      WHERE account_id = \(id) AND sequence >= \(numbers.lowerBound) AND sequence < \(numbers.upperBound)
      """)
    return (try row?.get("debits") ?? 0, try row?.get("credits") ?? 0)
  }
}
