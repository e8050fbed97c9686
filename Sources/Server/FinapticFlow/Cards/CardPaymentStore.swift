// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Ledger
import Storage

/// Rows of `finaptic_card_payment`.
package struct CardPaymentStore {
  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, vault: Vault) { (self.tx, self.vault) = (tx, vault) }

  /// Where a customer shops is personal data: the merchant is sealed.
  package static let migration = Migration(
    "2026-11-22 finaptic 43 card payment",
    """
    CREATE TABLE finaptic_card_payment (
      id TEXT PRIMARY KEY,
      tenant_id BIGINT NOT NULL,
      card_id TEXT NOT NULL REFERENCES finaptic_card (id),
      account_id TEXT NOT NULL,
      state TEXT NOT NULL CHECK (
        state IN ('authorized', 'settled', 'declined', 'cancelled', 'expired', 'refunded', 'chargedBack')),
      currency TEXT NOT NULL,
      asked BIGINT NOT NULL CHECK (asked > 0),
      settled BIGINT NOT NULL CHECK (settled >= 0 AND settled <= asked),
      returned BIGINT NOT NULL CHECK (returned >= 0 AND returned <= settled),
      hold_id TEXT,
      lifecycle_id TEXT NOT NULL UNIQUE,
      sealed_merchant BLOB NOT NULL,
      expires_at BIGINT,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      version BIGINT NOT NULL
    );
    CREATE INDEX finaptic_card_payment_card ON finaptic_card_payment (card_id, created_at, id);
    CREATE INDEX finaptic_card_payment_expiry ON finaptic_card_payment (expires_at) WHERE state = 'authorized';
    """)

  /// A payment counts on one day with what it grew over what it was when that day began: an increment of another day
  /// than its authorization's counts on its own.
  package static let dayMigration = Migration(
    "2026-12-04 finaptic card payment day",
    """
    ALTER TABLE finaptic_card_payment ADD COLUMN counted_day BIGINT NOT NULL DEFAULT 0;
    ALTER TABLE finaptic_card_payment ADD COLUMN counted_before BIGINT NOT NULL DEFAULT 0;
    UPDATE finaptic_card_payment SET counted_day = created_at / 86400000;
    CREATE INDEX finaptic_card_payment_day ON finaptic_card_payment (card_id, counted_day);
    """)

  private static let columns: SQLColumns = """
    id, tenant_id, card_id, account_id, state, currency, asked, settled, returned, hold_id, lifecycle_id,
    sealed_merchant, expires_at, created_at, version
    """

  func insert(_ payment: CardPayment) throws {
    let card = try tx.first("SELECT holder_id FROM finaptic_card WHERE id = \(payment.card)")
    let holder: String? = try card?.get("holder_id")
    let sealed = try vault.seal(
      payment.merchant, as: Self.context(payment.id), of: KeySubject.customer(holder, in: tx), in: tx)
    try tx.execute(
      """
      INSERT INTO finaptic_card_payment (id, tenant_id, card_id, account_id, state, currency, asked, settled, returned,
        hold_id, lifecycle_id, sealed_merchant, expires_at, created_at, updated_at, version, counted_day)
      VALUES (\(payment.id), \(payment.tenant), \(payment.card), \(payment.account), \(payment.state),
        \(payment.currency), \(payment.asked), \(payment.settled), \(payment.returned), \(payment.hold),
        \(payment.lifecycle), \(sealed), \(payment.expiresAt), \(payment.createdAt), \(payment.createdAt), 0,
        \(Ledger.day(of: payment.createdAt)))
      """)
  }

  /// Held until the transaction ends, so that of two steps the later sees what the earlier did.
  func take(_ id: CardPayment.ID) throws -> CardPayment? {
    try tx.first("SELECT \(Self.columns) FROM finaptic_card_payment WHERE id = \(id) \(.forUpdate)").map(payment)
  }

  func take(lifecycle: String) throws -> CardPayment? {
    try tx.first("SELECT \(Self.columns) FROM finaptic_card_payment WHERE lifecycle_id = \(lifecycle) \(.forUpdate)")
      .map(payment)
  }

  /// Authorizations that were not confirmed in time.
  /// - Parameter failed: those that are passed over.
  func overdue(at now: Instant, besides failed: [CardPayment.ID], limit: Int) throws -> [CardPayment.ID] {
    try tx.query(
      """
      SELECT id FROM finaptic_card_payment
      WHERE state = 'authorized' AND expires_at <= \(now) AND NOT COALESCE(id IN \(list: failed), FALSE)
      ORDER BY expires_at, id LIMIT \(limit)
      """
    ).map { try $0.get("id") }
  }

  /// Compare-and-set on the version that the move was decided on. The first change of a day keeps what the payment was
  /// before it.
  /// - Throws: `SQLError.outdated`.
  func save(_ payment: CardPayment, at now: Instant) throws {
    let today = Ledger.day(of: now)
    let changed = try tx.execute(
      """
      UPDATE finaptic_card_payment SET state = \(payment.state), asked = \(payment.asked),
        settled = \(payment.settled), returned = \(payment.returned), hold_id = \(payment.hold),
        lifecycle_id = \(payment.lifecycle), updated_at = \(now), version = version + 1,
        counted_before = CASE WHEN counted_day = \(today) THEN counted_before
          WHEN state = 'authorized' THEN asked ELSE settled END, counted_day = \(today)
      WHERE id = \(payment.id) AND version = \(payment.version)
      """)
    guard changed == 1 else { throw SQLError.outdated }
  }

  /// What a card paid, and has to pay, by what happened on a day (UTC): in minor units, without what came back.
  func spent(by card: PaymentCard.ID, on day: Int64) throws -> Int64 {
    let sums = try tx.query(
      """
      SELECT CASE state WHEN 'authorized' THEN asked ELSE settled END - counted_before AS grown
      FROM finaptic_card_payment WHERE card_id = \(card) AND counted_day = \(day)
      """
    ).map { max(try $0.get("grown", as: Int64.self), 0) }
    return sums.reduce(0) { $0.addingReportingOverflow($1).overflow ? .max : $0 + $1 }
  }

  /// Deletes where a card was used.
  func forgetMerchants(of card: PaymentCard.ID) throws {
    try tx.execute("UPDATE finaptic_card_payment SET sealed_merchant = \(Data()) WHERE card_id = \(card)")
  }

  private static func context(_ id: CardPayment.ID) -> String { "finaptic_card_payment.sealed_merchant:\(id)" }

  private func payment(_ row: SQLRow) throws -> CardPayment {
    let id: CardPayment.ID = try row.get("id")
    return CardPayment(
      id: id, tenant: try row.get("tenant_id"), card: try row.get("card_id"), account: try row.get("account_id"),
      state: try row.get("state"), currency: try row.get("currency"), asked: try row.get("asked"),
      settled: try row.get("settled"), returned: try row.get("returned"), hold: try row.get("hold_id"),
      lifecycle: try row.get("lifecycle_id"),
      merchant: try vault.open(
        row.get("sealed_merchant"), or: BankTransaction.Particulars.Merchant(name: ""), context: Self.context(id),
        in: tx),
      expiresAt: try row.get("expires_at"), createdAt: try row.get("created_at"), version: try row.get("version"))
  }
}
