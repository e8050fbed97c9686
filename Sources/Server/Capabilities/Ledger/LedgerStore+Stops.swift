// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Accounts and parties that are stopped.
extension LedgerStore {
  package static let stopMigration = Migration(
    "2026-11-26 ledger stop",
    """
    ALTER TABLE ledger_account ADD COLUMN stopped TEXT CHECK (stopped IN ('frozen', 'closed'));
    ALTER TABLE ledger_party ADD COLUMN stopped_at BIGINT;
    """)

  /// - Throws: `SQLError.outdated` when the account is gone.
  func setStop(_ stop: LedgerStop?, of account: LedgerAccount) throws -> LedgerAccount {
    guard try tx.execute("UPDATE ledger_account SET stopped = \(stop) WHERE id = \(account.id)") == 1,
      let stopped = try self.account(account.id)
    else { throw SQLError.outdated }
    return stopped
  }

  /// All of a party at a tenant, by id.
  func accountIDs(of party: String, tenant: String) throws -> [LedgerAccount.ID] {
    try tx.query(
      """
      SELECT a.id FROM ledger_party AS p JOIN ledger_account AS a ON a.id = p.account_id
      WHERE p.party = \(party) AND a.tenant = \(tenant) ORDER BY a.id
      """
    ).map { try $0.get("id") }
  }

  func setStopped(_ at: Instant?, party: String, on ids: [LedgerAccount.ID]) throws {
    guard !ids.isEmpty else { return }
    try tx.execute(
      "UPDATE ledger_party SET stopped_at = \(at) WHERE party = \(party) AND account_id IN \(list: ids)")
  }

  /// Whether a day of an account could not be counted and waits.
  func waitsForInterest(_ id: LedgerAccount.ID) throws -> Bool {
    try tx.first("SELECT period FROM ledger_parked WHERE account_id = \(id) AND duty = 'accrual' LIMIT 1") != nil
  }

  /// Whether a party may move money of an account: it has a role on it and is not stopped.
  package func mayUse(_ party: String, _ id: LedgerAccount.ID) throws -> Bool {
    try tx.first(
      "SELECT role FROM ledger_party WHERE account_id = \(id) AND party = \(party) AND stopped_at IS NULL") != nil
  }
}
