// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Ledger
import Storage

/// What erasure, export and retention read and empty, across the tables of this flow.
package struct RightsStore {
  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, vault: Vault) { (self.tx, self.vault) = (tx, vault) }

  /// Emptied applications: their rows stay, because refusals and products refer to them.
  package static let migration = Migration(
    "2026-11-22 finaptic 23 retention",
    """
    ALTER TABLE finaptic_application ADD COLUMN emptied_at BIGINT;
    CREATE INDEX finaptic_application_kept ON finaptic_application (updated_at, id)
      WHERE emptied_at IS NULL AND customer_id IS NULL;
    """)

  /// What the lists said of applicants went with their applications from then on; of those that were emptied before, it
  /// goes now.
  package static let screeningMigration = Migration(
    "2026-11-28 finaptic emptied screenings",
    """
    DELETE FROM screening_case WHERE subject_id IN
      (SELECT id FROM finaptic_application WHERE emptied_at IS NOT NULL);
    DELETE FROM screening WHERE subject_id IN
      (SELECT id FROM finaptic_application WHERE emptied_at IS NOT NULL);
    """)

  func applications(of user: FinapticUser.ID) throws -> [OnboardingApplication.ID] {
    try tx.query("SELECT id FROM finaptic_application WHERE user_id = \(user) ORDER BY created_at, id")
      .map { try $0.get("id") }
  }

  /// The users who own accounts and were not erased.
  func owners(of accounts: [BankAccount.ID]) throws -> [BankAccount.ID: Set<FinapticUser.ID>] {
    guard !accounts.isEmpty else { return [:] }
    return try tx.query(
      """
      SELECT p.account_id, u.id FROM ledger_party p JOIN finaptic_user u ON u.customer_id = p.party
      WHERE p.account_id IN \(list: accounts) AND p.role = 'owner' AND length(u.sealed_profile) > 0
      """
    ).reduce(into: [:]) { $0[try $1.get("account_id"), default: []].insert(try $1.get("id")) }
  }

  /// A payment to another bank that may come back.
  struct ReturnablePayment: Sendable, Equatable {
    let id: BankPayment.ID
    let amount: Money
  }

  /// Payments to other banks that were ordered since an instant, or whose file is not written yet, and did not come
  /// back; the oldest first.
  func leaving(from accounts: [BankAccount.ID], tenant: Int, since instant: Instant) throws -> [ReturnablePayment] {
    guard !accounts.isEmpty else { return [] }
    return try tx.query(
      """
      SELECT id, amount, currency FROM finaptic_bank_payment
      WHERE tenant_id = \(tenant) AND account_id IN \(list: accounts) AND direction = 'out' AND state = 'ordered'
        AND (received_at > \(instant) OR owes_file = 1)
      ORDER BY received_at, id
      """
    ).map { ReturnablePayment(id: try $0.get("id"), amount: Money(try $0.get("amount"), try $0.get("currency"))) }
  }

  func isRefused(_ ids: [OnboardingApplication.ID]) throws -> Bool {
    try tx.first("SELECT application_id FROM finaptic_refusal WHERE application_id IN \(list: ids) LIMIT 1") != nil
  }

  func empty(_ id: OnboardingApplication.ID, at now: Instant) throws {
    try tx.execute(
      """
      UPDATE finaptic_application SET content = \(Data()), emptied_at = \(now), version = version + 1 WHERE id = \(id)
      """)
  }

  func emptyProfile(_ customer: String, at now: Instant) throws {
    try tx.execute(
      """
      UPDATE finaptic_client_profile SET content = \(Data()), updated_at = \(now), version = version + 1
      WHERE customer_id = \(customer)
      """)
  }

  /// - Parameter name: stands where the digest of the address was; it signs no user in.
  func emptyUser(_ id: FinapticUser.ID, as name: String, at now: Instant) throws {
    try tx.execute("DELETE FROM finaptic_link WHERE user_id = \(id)")
    try tx.execute("DELETE FROM finaptic_factor WHERE user_id = \(id)")
    try tx.execute("DELETE FROM finaptic_guard WHERE account = \(id.rawValue)")
    try tx.execute(
      """
      UPDATE finaptic_user SET email_digest = \(name), username_digest = NULL, sealed_profile = \(Data()),
        password_hash = '', blocked_at = \(now)
      WHERE id = \(id)
      """)
  }

  /// Applications without a customer that were not changed since, the oldest first.
  /// - Parameter failed: those that are passed over.
  func untouched(
    since horizon: Instant, besides failed: [OnboardingApplication.ID], limit: Int
  ) throws -> [OnboardingApplication.ID] {
    try tx.query(
      """
      SELECT id FROM finaptic_application
      WHERE emptied_at IS NULL AND customer_id IS NULL AND updated_at < \(horizon)
        AND NOT COALESCE(id IN \(list: failed), FALSE)
      ORDER BY updated_at, id LIMIT \(limit)
      """
    ).map { try $0.get("id") }
  }

  /// Whether one of them still is what it was when it was found.
  func isUntouched(_ id: OnboardingApplication.ID, since horizon: Instant) throws -> Bool {
    try tx.first(
      """
      SELECT id FROM finaptic_application
      WHERE id = \(id) AND emptied_at IS NULL AND customer_id IS NULL AND updated_at < \(horizon)
      """) != nil
  }
}

extension BankTransactionStore {
  /// Deletes merchants, names and remittance of all transactions on an account.
  func forgetNotes(of account: BankAccount.ID) throws {
    try tx.execute(
      """
      DELETE FROM finaptic_transaction_note
      WHERE id IN (SELECT id FROM finaptic_transaction WHERE account_id = \(account))
      """)
  }
}
