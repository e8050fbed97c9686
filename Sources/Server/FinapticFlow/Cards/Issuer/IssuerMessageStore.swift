// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Rows of `finaptic_card_message` and `finaptic_card_authorization`: what a card issuer told us, and what it calls
/// payments.
package struct IssuerMessageStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  /// Answers hold ids, codes and amounts, and no word of a person.
  package static let migration = Migration(
    "2026-12-03 finaptic card issuer",
    """
    CREATE TABLE finaptic_card_message (
      tenant_id BIGINT NOT NULL REFERENCES finaptic_tenant (id),
      message_id TEXT NOT NULL,
      digest TEXT NOT NULL,
      answer TEXT NOT NULL,
      received_at BIGINT NOT NULL,
      PRIMARY KEY (tenant_id, message_id)
    );
    CREATE INDEX finaptic_card_message_age ON finaptic_card_message (received_at, tenant_id, message_id);
    CREATE TABLE finaptic_card_authorization (
      tenant_id BIGINT NOT NULL REFERENCES finaptic_tenant (id),
      reference TEXT NOT NULL,
      payment_id TEXT REFERENCES finaptic_card_payment (id),
      is_reversed BIGINT NOT NULL CHECK (is_reversed IN (0, 1)),
      PRIMARY KEY (tenant_id, reference)
    );
    CREATE INDEX finaptic_card_reference ON finaptic_card (tenant_id, reference);
    ALTER TABLE finaptic_card ADD COLUMN blocked_reason TEXT;
    ALTER TABLE finaptic_card_policy ADD COLUMN payment_max BIGINT CHECK (payment_max > 0);
    ALTER TABLE finaptic_card_policy ADD COLUMN day_max BIGINT CHECK (day_max > 0);
    ALTER TABLE finaptic_card_policy ADD COLUMN over_percent BIGINT NOT NULL DEFAULT 0
      CHECK (over_percent BETWEEN 0 AND 100);
    """)

  // MARK: Messages

  /// Keeps the name of a message until the transaction ends: one of the same name waits, and then gets its answer.
  /// - Returns: the earlier answer; nil for a message that is new.
  /// - Throws: `Problem` conflict `message-reused` for another content under the name.
  func claim(_ message: String, _ digest: String, of tenant: Int, at now: Instant) throws -> String? {
    let isNew =
      try tx.execute(
        """
        INSERT INTO finaptic_card_message (tenant_id, message_id, digest, answer, received_at)
        VALUES (\(tenant), \(message), \(digest), '', \(now)) ON CONFLICT (tenant_id, message_id) DO NOTHING
        """) == 1
    guard !isNew else { return nil }
    let row = try tx.first(
      """
      SELECT digest, answer FROM finaptic_card_message WHERE tenant_id = \(tenant) AND message_id = \(message)
      """)
    guard let row, try row.get("digest", as: String.self) == digest else {
      throw Problem(.conflict, "message-reused", "Another message had this id.")
    }
    return try row.get("answer")
  }

  func keep(_ answer: String, of message: String, tenant: Int) throws {
    try tx.execute(
      """
      UPDATE finaptic_card_message SET answer = \(answer) WHERE tenant_id = \(tenant) AND message_id = \(message)
      """)
  }

  /// - Returns: how many messages were forgotten.
  static func sweep(before cutoff: Instant, limit: Int, in tx: any SQLTransaction) throws -> Int {
    try tx.execute(
      """
      DELETE FROM finaptic_card_message WHERE (tenant_id, message_id) IN (
        SELECT tenant_id, message_id FROM finaptic_card_message WHERE received_at < \(cutoff)
        ORDER BY received_at LIMIT \(limit))
      """)
  }

  // MARK: What the issuer calls payments

  struct Reference {
    let name: String
    let payment: CardPayment.ID?
    /// It was reversed before it came.
    let isReversed: Bool
  }

  /// Makes the name known, and keeps it until the transaction ends.
  func take(_ name: String, of tenant: Int) throws -> Reference {
    try tx.execute(
      """
      INSERT INTO finaptic_card_authorization (tenant_id, reference, is_reversed) VALUES (\(tenant), \(name), 0)
      ON CONFLICT (tenant_id, reference) DO NOTHING
      """)
    let row = try tx.first(
      """
      SELECT payment_id, is_reversed FROM finaptic_card_authorization
      WHERE tenant_id = \(tenant) AND reference = \(name) \(.forUpdate)
      """)
    return Reference(
      name: name, payment: try row?.get("payment_id"), isReversed: try row?.get("is_reversed") ?? false)
  }

  func bind(_ name: String, to payment: CardPayment.ID, of tenant: Int) throws {
    try tx.execute(
      """
      UPDATE finaptic_card_authorization SET payment_id = \(payment)
      WHERE tenant_id = \(tenant) AND reference = \(name) AND payment_id IS NULL
      """)
  }

  func setReversed(_ name: String, of tenant: Int) throws {
    try tx.execute(
      "UPDATE finaptic_card_authorization SET is_reversed = 1 WHERE tenant_id = \(tenant) AND reference = \(name)")
  }

  // MARK: What the tenant lets cards pay

  func limits(of tenant: Int) throws -> CardLimits {
    guard
      let row = try tx.first(
        "SELECT payment_max, day_max, over_percent FROM finaptic_card_policy WHERE tenant_id = \(tenant)")
    else { return CardLimits() }
    return CardLimits(
      paymentMax: try row.get("payment_max"), dayMax: try row.get("day_max"), overPercent: try row.get("over_percent"))
  }

  func set(_ limits: CardLimits, of tenant: Int) throws {
    try tx.execute(
      """
      INSERT INTO finaptic_card_policy (tenant_id, requires_step_up, payment_max, day_max, over_percent)
      VALUES (\(tenant), 0, \(limits.paymentMax), \(limits.dayMax), \(limits.overPercent))
      ON CONFLICT (tenant_id) DO UPDATE SET payment_max = excluded.payment_max, day_max = excluded.day_max,
        over_percent = excluded.over_percent
      """)
  }
}

/// What a tenant lets its cards pay, whatever their accounts have.
package struct CardLimits: Sendable, Equatable {
  /// At once, in minor units; nil for any amount.
  package var paymentMax: Int64?
  /// By one card on one day (UTC), in minor units; nil for any amount.
  package var dayMax: Int64?
  /// How much more than what is held a merchant may take, in hundredths of it: tips, fuel.
  package var overPercent: Int64 = 0

  package init(paymentMax: Int64? = nil, dayMax: Int64? = nil, overPercent: Int64 = 0) {
    (self.paymentMax, self.dayMax, self.overPercent) = (paymentMax, dayMax, overPercent)
  }

  /// What is set of them; nil leaves a limit as it is.
  package struct Change: Sendable {
    /// Within it nil for any amount.
    var paymentMax, dayMax: Int64??
    var overPercent: Int64?

    package init(paymentMax: Int64?? = nil, dayMax: Int64?? = nil, overPercent: Int64? = nil) {
      (self.paymentMax, self.dayMax, self.overPercent) = (paymentMax, dayMax, overPercent)
    }

    package var isNone: Bool { paymentMax == nil && dayMax == nil && overPercent == nil }

    func applied(to limits: CardLimits) -> CardLimits {
      CardLimits(
        paymentMax: paymentMax ?? limits.paymentMax, dayMax: dayMax ?? limits.dayMax,
        overPercent: overPercent ?? limits.overPercent)
    }
  }

  /// - Parameters:
  ///   - minorUnits: of the whole payment.
  ///   - added: what of it the card did not have to pay before.
  ///   - spent: by the card on the day.
  func allow(_ minorUnits: Int64, adding added: Int64, to spent: Int64) -> Bool {
    let (sum, overflows) = spent.addingReportingOverflow(added)
    return minorUnits <= paymentMax ?? .max && !overflows && sum <= dayMax ?? .max
  }

  /// The most that a merchant gets for an authorization without a person's decision, in minor units.
  func clearable(_ held: Int64) -> Int64 {
    let (more, overflows) = held.multipliedReportingOverflow(by: overPercent)
    guard !overflows else { return held }
    let (sum, isTooMuch) = held.addingReportingOverflow(more / 100)
    return isTooMuch ? held : sum
  }
}
