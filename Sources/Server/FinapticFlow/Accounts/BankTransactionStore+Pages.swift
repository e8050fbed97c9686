import Kit
import Ledger
import Storage

/// Pages of an account's transactions. Times of an account never repeat and only grow, so whoever follows the pages
/// sees each once, whatever is booked meanwhile.
extension BankTransactionStore {
  /// What was booked from one instant to another, before a given one, the newest first.
  func entries(
    of account: BankAccount.ID, from: LedgerTime, to: LedgerTime, limit: Int
  ) throws -> [BankTransaction] {
    try tx.query(
      """
      SELECT t.id, t.account_id, t.tenant_id, t.lifecycle_id, t.kind, t.category, t.state, t.amount, t.currency,
        t.actual, t.available, t.counterpart_id, t.domain, t.entry, t.booked_at, t.settled_by, NULL AS content
      FROM finaptic_transaction AS t
      WHERE t.account_id = \(account) AND t.booked_at >= \(from) AND t.booked_at < \(to) AND t.entry IS NOT NULL
      ORDER BY t.booked_at DESC LIMIT \(limit)
      """
    ).map(transaction)
  }

  /// What customers see before an instant, the newest first. A hold whose money went is seen as what settled it.
  func older(than time: LedgerTime, on account: BankAccount.ID, limit: Int) throws -> [BankTransaction] {
    try tx.query(
      """
      SELECT t.id, t.account_id, t.tenant_id, t.lifecycle_id, t.kind, t.category, t.state, t.amount, t.currency,
        t.actual, t.available, t.counterpart_id, t.domain, t.entry, t.booked_at, t.settled_by, n.content
      FROM finaptic_transaction AS t LEFT JOIN finaptic_transaction_note AS n ON n.id = t.id
      WHERE t.account_id = \(account) AND t.booked_at < \(time) AND t.settled_by IS NULL
      ORDER BY t.booked_at DESC LIMIT \(limit)
      """
    ).map(transaction)
  }

  /// What customers see after an instant, the oldest first.
  func newer(than time: LedgerTime, on account: BankAccount.ID, limit: Int) throws -> [BankTransaction] {
    try tx.query(
      """
      SELECT t.id, t.account_id, t.tenant_id, t.lifecycle_id, t.kind, t.category, t.state, t.amount, t.currency,
        t.actual, t.available, t.counterpart_id, t.domain, t.entry, t.booked_at, t.settled_by, n.content
      FROM finaptic_transaction AS t LEFT JOIN finaptic_transaction_note AS n ON n.id = t.id
      WHERE t.account_id = \(account) AND t.booked_at > \(time) AND t.settled_by IS NULL
      ORDER BY t.booked_at LIMIT \(limit)
      """
    ).map(transaction)
  }
}
