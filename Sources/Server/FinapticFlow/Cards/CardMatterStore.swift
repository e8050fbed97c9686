// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// What is not over of payments by card, across their tables: an account does not end with it, because its people would
/// not get what comes back, nor pay what is taken.
package struct CardMatterStore {
  /// Of one refusal.
  private static let namedMax = 10

  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  package static let migration = Migration(
    "2026-12-04 finaptic card matters",
    """
    CREATE INDEX finaptic_card_payment_held ON finaptic_card_payment (account_id) WHERE state = 'authorized';
    CREATE INDEX finaptic_card_dispute_account ON finaptic_card_dispute (account_id)
      WHERE state NOT IN ('won', 'lost');
    CREATE INDEX finaptic_card_suspense_account ON finaptic_card_suspense (account_id) WHERE state = 'waiting';
    """)

  /// - Throws: `Problem` conflict `card-payments-open`, which names what is not over on the accounts, the oldest first.
  func refuseOpen(on accounts: [BankAccount.ID]) throws {
    guard !accounts.isEmpty else { return }
    let rows = try tx.query(
      """
      SELECT 'authorization' AS kind, id, created_at AS since FROM finaptic_card_payment
      WHERE account_id IN \(list: accounts) AND state = 'authorized'
      UNION ALL
      SELECT 'dispute' AS kind, id, opened_at AS since FROM finaptic_card_dispute
      WHERE account_id IN \(list: accounts) AND state NOT IN ('won', 'lost')
      UNION ALL
      SELECT 'suspense' AS kind, id, since FROM finaptic_card_suspense
      WHERE account_id IN \(list: accounts) AND state = 'waiting'
      ORDER BY since, id LIMIT \(Self.namedMax)
      """)
    guard !rows.isEmpty else { return }
    let names = try rows.map { "\(try $0.get("kind", as: String.self)) \(try $0.get("id", as: String.self))" }
    throw Problem(
      .conflict, "card-payments-open", "Payments by card are not over: \(names.joined(separator: ", ")).")
  }
}
