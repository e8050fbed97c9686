// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// A message to another bank, without its content: the row can be read even when the content cannot be opened.
package struct OutgoingMessage: Sendable, Equatable {
  enum Subject: Sendable, Equatable {
    case payment(BankPayment.ID)
    /// An answer to a request; `isPending` of an answer that only tells that the decision will take time.
    case recall(PaymentRecall.ID, isPending: Bool)
  }

  let subject: Subject
  let tenant: Int
  let receivedAt: Instant
  /// Since when the other bank may have it; nil while its payment can still be given back, or an answer was not handed
  /// over.
  package let leavesSince: Instant?
  /// Why it could not be written; nil when no attempt failed.
  package let fault: String?
  /// False once the other bank has it, or the money went back before.
  let isOwed: Bool

  /// Of the payment or the request, as in the audit log.
  package var row: String {
    switch subject {
    case .payment(let id): id.rawValue
    case .recall(let id, _): id.rawValue
    }
  }

  /// Of the message itself, up to 35 characters.
  package var id: String {
    let plain = row.replacing("-", with: "")
    if case .recall(_, true) = subject { return plain + PaymentRecall.pendingMark }
    return plain
  }
}

/// The messages to other banks that are due for rows of `finaptic_bank_payment` and `finaptic_payment_recall`.
package struct OutgoingMessageStore {
  let tx: any SQLTransaction

  private static let paymentColumns: SQLColumns = "id, tenant_id, received_at, told_at, message_fault, owes_file"
  private static let recallColumns: SQLColumns =
    "id, tenant_id, received_at, state, message_fault, owes_message, handed_at"

  package init(_ tx: any SQLTransaction) { self.tx = tx }

  static let migration = Migration(
    "2026-12-04 finaptic message fault",
    """
    ALTER TABLE finaptic_bank_payment ADD COLUMN message_fault TEXT;
    ALTER TABLE finaptic_payment_recall ADD COLUMN message_fault TEXT;
    CREATE INDEX finaptic_bank_payment_message_fault ON finaptic_bank_payment (tenant_id, received_at)
      WHERE message_fault IS NOT NULL;
    CREATE INDEX finaptic_payment_recall_message_fault ON finaptic_payment_recall (tenant_id, received_at)
      WHERE message_fault IS NOT NULL;
    """)

  static let handedMigration = Migration(
    "2026-12-05 finaptic recall handed", "ALTER TABLE finaptic_payment_recall ADD COLUMN handed_at BIGINT;")

  /// - Parameter id: of the message.
  func find(_ id: String, tenant: Int) throws -> OutgoingMessage? {
    let isPending = id.hasSuffix(PaymentRecall.pendingMark)
    guard let row = BankPayment.id(in: isPending ? String(id.dropLast()) : id)?.rawValue else { return nil }
    if !isPending {
      let payment = try tx.first(
        """
        SELECT \(Self.paymentColumns) FROM finaptic_bank_payment
        WHERE id = \(row) AND tenant_id = \(tenant)
        """)
      if let payment { return try Self.payment(payment) }
    }
    let recall = try tx.first(
      """
      SELECT \(Self.recallColumns) FROM finaptic_payment_recall
      WHERE id = \(row) AND tenant_id = \(tenant)
      """)
    guard let recall else { return nil }
    let state: PaymentRecallState = try recall.get("state")
    switch state {
    case .open: return nil
    case .pending: return isPending ? try Self.recall(recall) : nil
    // After a decision, the answer that it will take time is not sent any more.
    case .accepted, .declined: return try Self.recall(recall, isPast: isPending)
    }
  }

  /// Messages that are due and did not fail: first those of payments, then answers, each with the oldest first.
  /// - Parameter after: the last one of the page before.
  func page(tenant: Int, after: OutgoingMessage?, limit: Int) throws -> [OutgoingMessage] {
    var (found, last) = ([OutgoingMessage](), (at: Instant(milliseconds: .min), row: ""))
    if let after { last = (after.receivedAt, after.row) }
    let isPastPayments = if case .recall? = after?.subject { true } else { false }
    if !isPastPayments {
      found = try tx.query(
        """
        SELECT \(Self.paymentColumns) FROM finaptic_bank_payment
        WHERE tenant_id = \(tenant) AND owes_file = 1 AND message_fault IS NULL
          AND (received_at > \(last.at) OR (received_at = \(last.at) AND id > \(last.row)))
        ORDER BY received_at, id LIMIT \(limit)
        """
      ).map(Self.payment)
      last = (Instant(milliseconds: .min), "")
    }
    guard found.count < limit else { return found }
    return try found
      + tx.query(
        """
        SELECT \(Self.recallColumns) FROM finaptic_payment_recall
        WHERE tenant_id = \(tenant) AND owes_message = 1 AND message_fault IS NULL
          AND (received_at > \(last.at) OR (received_at = \(last.at) AND id > \(last.row)))
        ORDER BY received_at, id LIMIT \(limit - found.count)
        """
      ).map(Self.recall)
  }

  /// Messages that could not be written, the oldest first.
  /// - Parameter after: the last one of the page before.
  func deadLettered(tenant: Int, after: OutgoingMessage? = nil, limit: Int) throws -> [OutgoingMessage] {
    let last = (at: after?.receivedAt ?? Instant(milliseconds: .min), row: after?.row ?? "")
    let payments = try tx.query(
      """
      SELECT \(Self.paymentColumns) FROM finaptic_bank_payment
      WHERE message_fault IS NOT NULL AND owes_file = 1 AND tenant_id = \(tenant)
        AND (received_at > \(last.at) OR (received_at = \(last.at) AND id > \(last.row)))
      ORDER BY received_at, id LIMIT \(limit)
      """
    ).map(Self.payment)
    let recalls = try tx.query(
      """
      SELECT \(Self.recallColumns) FROM finaptic_payment_recall
      WHERE message_fault IS NOT NULL AND owes_message = 1 AND tenant_id = \(tenant)
        AND (received_at > \(last.at) OR (received_at = \(last.at) AND id > \(last.row)))
      ORDER BY received_at, id LIMIT \(limit)
      """
    ).map(Self.recall)
    let all = (payments + recalls).sorted { ($0.receivedAt, $0.row) < ($1.receivedAt, $1.row) }
    return Array(all.prefix(limit))
  }

  /// How many messages of all tenants could not be written.
  package func deadLetteredCount() throws -> Int {
    let row = try tx.first(
      """
      SELECT (SELECT COUNT(*) FROM finaptic_bank_payment WHERE message_fault IS NOT NULL AND owes_file = 1)
        + (SELECT COUNT(*) FROM finaptic_payment_recall WHERE message_fault IS NOT NULL AND owes_message = 1) AS n
      """)
    return try row?.get("n") ?? 0
  }

  /// - Parameter fault: one word; nil when it can be written now.
  func mark(_ message: OutgoingMessage, fault: String?) throws {
    switch message.subject {
    case .payment(let id):
      try tx.execute(
        """
        UPDATE finaptic_bank_payment SET message_fault = \(fault), version = version + 1
        WHERE id = \(id.rawValue) AND owes_file = 1
        """)
    case .recall(let id, _):
      try tx.execute(
        """
        UPDATE finaptic_payment_recall SET message_fault = \(fault), version = version + 1
        WHERE id = \(id) AND owes_message = 1
        """)
    }
  }

  /// Marks the message of a payment as being sent, which a decision on the payment from now on takes into account.
  /// - Returns: false when it is not due any more.
  func leaves(_ id: BankPayment.ID, at now: Instant) throws -> Bool {
    try tx.execute(
      """
      UPDATE finaptic_bank_payment SET told_at = COALESCE(told_at, \(now)), message_fault = NULL, version = version + 1
      WHERE id = \(id.rawValue) AND owes_file = 1
      """) == 1
  }

  /// Marks an answer as being sent: from now on it can be acknowledged.
  func hands(_ id: PaymentRecall.ID, at now: Instant) throws {
    try tx.execute(
      """
      UPDATE finaptic_payment_recall
      SET handed_at = COALESCE(handed_at, \(now)), message_fault = NULL, version = version + 1
      WHERE id = \(id) AND owes_message = 1
      """)
  }

  /// Marks the message as delivered to the other bank. Its content is kept only while another answer is to come.
  func told(_ message: OutgoingMessage) throws {
    let told: SQL =
      switch message.subject {
      case .payment(let id):
        """
        UPDATE finaptic_bank_payment SET owes_file = 0, sealed_content = \(Data()), version = version + 1
        WHERE id = \(id.rawValue) AND owes_file = 1 AND told_at IS NOT NULL
        """
      case .recall(let id, isPending: true):
        """
        UPDATE finaptic_payment_recall SET owes_message = 0, version = version + 1
        WHERE id = \(id) AND owes_message = 1 AND handed_at IS NOT NULL AND state = 'pending'
        """
      case .recall(let id, isPending: false):
        """
        UPDATE finaptic_payment_recall SET owes_message = 0, sealed_content = \(Data()), version = version + 1
        WHERE id = \(id) AND owes_message = 1 AND handed_at IS NOT NULL AND state IN ('accepted', 'declined')
        """
      }
    try tx.execute(told)
  }

  private static func payment(_ row: SQLRow) throws -> OutgoingMessage {
    let owes: Int = try row.get("owes_file")
    return OutgoingMessage(
      subject: .payment(.init(rawValue: try row.get("id"))), tenant: try row.get("tenant_id"),
      receivedAt: try row.get("received_at"), leavesSince: try row.get("told_at"),
      fault: try row.get("message_fault"), isOwed: owes == 1)
  }

  /// - Parameter isPast: the answer that it will take time, of a request that is decided.
  private static func recall(_ row: SQLRow, isPast: Bool) throws -> OutgoingMessage {
    let (owes, state): (Int, PaymentRecallState) = (try row.get("owes_message"), try row.get("state"))
    return OutgoingMessage(
      subject: .recall(.init(rawValue: try row.get("id")), isPending: isPast || state == .pending),
      tenant: try row.get("tenant_id"), receivedAt: try row.get("received_at"), leavesSince: try row.get("handed_at"),
      fault: try row.get("message_fault"), isOwed: owes == 1 && !isPast)
  }

  private static func recall(_ row: SQLRow) throws -> OutgoingMessage { try recall(row, isPast: false) }
}
