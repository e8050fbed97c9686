// SPDX-License-Identifier: Apache-2.0

import Kit
import Ledger
import Storage

/// Compares what customers see with the books.
extension BankTransactionStore {
  /// Whatever is in one of them and not in the other, or not the same, for accounts of this flow.
  ///
  /// 1. An entry of a customer's account has a transaction with its amount, balance, number and time, and the other way
  ///    round.
  /// 2. A hold of a customer's account has a transaction: pending while it is open or settled, cancelled once released,
  ///    with the transfer that settled it.
  package static func verify(
    in tx: any SQLTransaction, into found: inout LedgerVerification, progress: WorkProgress? = nil
  ) throws {
    let limit = 20
    let searches: [SQL] = [
      """
      SELECT e.account_id || ' ' || e.sequence AS subject
      FROM ledger_entry AS e JOIN ledger_account AS a ON a.id = e.account_id
      LEFT JOIN finaptic_transaction AS t ON t.account_id = e.account_id AND t.id = e.transfer_id
        AND t.amount = e.amount AND t.actual = e.balance AND t.entry = e.sequence AND t.booked_at = e.booked_at
        AND t.currency = a.currency
      WHERE a.kind = 'customer' AND a.tenant LIKE 'finaptic-%' AND t.id IS NULL LIMIT \(limit)
      """,
      """
      SELECT t.account_id || ' ' || t.id AS subject FROM finaptic_transaction AS t
      LEFT JOIN ledger_entry AS e ON e.account_id = t.account_id AND e.sequence = t.entry AND e.transfer_id = t.id
      WHERE t.entry IS NOT NULL AND e.sequence IS NULL LIMIT \(limit)
      """,
      """
      SELECT h.account_id || ' ' || h.id AS subject
      FROM ledger_hold AS h JOIN ledger_account AS a ON a.id = h.account_id
      LEFT JOIN finaptic_transaction AS t ON t.account_id = h.account_id AND t.id = h.id AND t.amount = -h.amount
        AND t.booked_at = h.held_at AND t.entry IS NULL
        AND t.state = CASE h.state WHEN 'declined' THEN 'POSTED' WHEN 'released' THEN 'CANCELLED' ELSE 'PENDING' END
        AND (t.settled_by IS NOT NULL) = (h.state = 'settled')
      WHERE a.kind = 'customer' AND a.tenant LIKE 'finaptic-%' AND t.id IS NULL LIMIT \(limit)
      """,
      """
      SELECT t.account_id || ' ' || t.id AS subject FROM finaptic_transaction AS t
      LEFT JOIN ledger_hold AS h ON h.account_id = t.account_id AND h.id = t.id
      WHERE t.category = 'AUTHORIZED' AND h.id IS NULL LIMIT \(limit)
      """,
      """
      SELECT t.account_id || ' ' || t.id AS subject FROM finaptic_transaction AS t
      LEFT JOIN ledger_transfer AS s ON s.id = t.settled_by AND s.hold_id = t.id AND s.declined IS NULL
      WHERE t.settled_by IS NOT NULL AND s.id IS NULL LIMIT \(limit)
      """,
    ]
    progress?.begin("transactions", of: searches.count)
    for search in searches {
      defer { progress?.advance() }
      for row in try tx.query(search) { found.add(.transaction, row) }
    }
  }
}
