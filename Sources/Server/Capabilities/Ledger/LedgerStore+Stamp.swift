import Kit
import Storage

extension LedgerStore {
  /// A time of an account that nothing else on it has, later than all before, for what happens there beside the books;
  /// with what the account is at it.
  /// - Returns: nil when there is no such account.
  package func stamp(
    _ id: LedgerAccount.ID, at now: LedgerTime
  ) throws -> (at: LedgerTime, actual: Int64, held: Int64)? {
    try tx.first(
      """
      UPDATE ledger_account SET last_at = CASE WHEN last_at < \(now) THEN \(now) ELSE last_at + 1 END
      WHERE id = \(id) RETURNING last_at, actual, held
      """
    ).map { (try $0.get("last_at"), try $0.get("actual"), try $0.get("held")) }
  }
}
