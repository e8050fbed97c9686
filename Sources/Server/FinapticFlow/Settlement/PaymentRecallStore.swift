// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Payments
import Storage

/// Rows of `finaptic_payment_recall`.
struct PaymentRecallStore {
  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, vault: Vault) { (self.tx, self.vault) = (tx, vault) }

  static let migration = Migration(
    "2026-12-02 finaptic payment recall",
    """
    CREATE TABLE finaptic_payment_recall (
      id TEXT PRIMARY KEY,
      tenant_id BIGINT NOT NULL REFERENCES finaptic_tenant (id),
      message TEXT NOT NULL,
      place BIGINT NOT NULL,
      received_at BIGINT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('open', 'pending', 'accepted', 'declined')),
      payment_id TEXT,
      rejection TEXT,
      sealed_content BLOB NOT NULL,
      owes_message BIGINT NOT NULL CHECK (owes_message IN (0, 1)),
      version BIGINT NOT NULL,
      UNIQUE (tenant_id, message, place)
    );
    CREATE INDEX finaptic_payment_recall_open ON finaptic_payment_recall (tenant_id, received_at, id)
      WHERE state IN ('open', 'pending');
    CREATE INDEX finaptic_payment_recall_message ON finaptic_payment_recall (tenant_id, received_at, id)
      WHERE owes_message = 1;
    """)

  private static let columns: SQLColumns = """
    id, tenant_id, message, place, received_at, state, payment_id, rejection, sealed_content, owes_message, version
    """

  /// - Returns: false when the place of the message was taken before.
  func insert(_ recall: PaymentRecall) throws -> Bool {
    try tx.execute(
      """
      INSERT INTO finaptic_payment_recall
        (id, tenant_id, message, place, received_at, state, payment_id, rejection, sealed_content, owes_message,
         version)
      VALUES (\(recall.id), \(recall.tenant), \(recall.message), \(recall.place), \(recall.receivedAt),
        \(recall.state), \(recall.payment), \(recall.rejection?.rawValue), \(seal(recall)),
        \(recall.owesMessage ? 1 : 0), 0)
      ON CONFLICT (tenant_id, message, place) DO NOTHING
      """) == 1
  }

  /// What is to be told of the new state was not handed over yet.
  /// - Throws: `SQLError.outdated` when another one was faster.
  func advance(_ recall: PaymentRecall) throws {
    let changed = try tx.execute(
      """
      UPDATE finaptic_payment_recall SET state = \(recall.state), payment_id = \(recall.payment),
        rejection = \(recall.rejection?.rawValue), owes_message = \(recall.owesMessage ? 1 : 0), handed_at = NULL,
        version = version + 1
      WHERE id = \(recall.id) AND version = \(recall.version)
      """)
    guard changed == 1 else { throw SQLError.outdated }
  }

  func find(_ id: PaymentRecall.ID, tenant: Int) throws -> PaymentRecall? {
    try tx.first(
      "SELECT \(Self.columns) FROM finaptic_payment_recall WHERE id = \(id) AND tenant_id = \(tenant)"
    ).map(recall)
  }

  /// Whatever its tenant.
  func find(_ id: PaymentRecall.ID) throws -> PaymentRecall? {
    try tx.first("SELECT \(Self.columns) FROM finaptic_payment_recall WHERE id = \(id)").map(recall)
  }

  /// Requests that wait for a person, the oldest first.
  func open(tenant: Int, limit: Int) throws -> [PaymentRecall] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM finaptic_payment_recall
      WHERE tenant_id = \(tenant) AND state IN ('open', 'pending') ORDER BY received_at, id LIMIT \(limit)
      """
    ).map(recall)
  }

  private func seal(_ recall: PaymentRecall) throws -> Data {
    guard let content = recall.content else { return Data() }
    return try vault.seal(content, as: Self.context(recall.id))
  }

  private static func context(_ id: PaymentRecall.ID) -> String { "finaptic_payment_recall.sealed_content:\(id)" }

  private func recall(_ row: SQLRow) throws -> PaymentRecall {
    let (id, sealed, owes): (PaymentRecall.ID, Data, Int) = (
      try row.get("id"), try row.get("sealed_content"), try row.get("owes_message")
    )
    let (payment, rejection): (String?, String?) = (try row.get("payment_id"), try row.get("rejection"))
    var recall = PaymentRecall(
      id: id, tenant: try row.get("tenant_id"), message: try row.get("message"), place: try row.get("place"),
      receivedAt: try row.get("received_at"), state: try row.get("state"),
      payment: payment.map { BankPayment.ID(rawValue: $0) },
      rejection: rejection.flatMap(CancellationRejection.init(rawValue:)),
      content: sealed.isEmpty
        ? nil : try vault.open(sealed, as: PaymentRecall.Content.self, context: Self.context(id)),
      owesMessage: owes == 1)
    recall.version = try row.get("version")
    return recall
  }
}
