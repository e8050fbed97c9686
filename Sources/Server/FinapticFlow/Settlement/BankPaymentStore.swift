// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Ledger
import Storage

/// Rows of `finaptic_bank_payment`.
struct BankPaymentStore {
  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, vault: Vault) { (self.tx, self.vault) = (tx, vault) }

  static let migration = Migration(
    "2026-11-30 finaptic bank payment",
    """
    CREATE TABLE finaptic_bank_payment (
      id TEXT PRIMARY KEY,
      tenant_id BIGINT NOT NULL REFERENCES finaptic_tenant (id),
      direction TEXT NOT NULL CHECK (direction IN ('in', 'out')),
      amount BIGINT NOT NULL CHECK (amount > 0),
      currency TEXT NOT NULL,
      message TEXT,
      place BIGINT NOT NULL,
      uetr_digest TEXT,
      transaction_digest TEXT,
      end_to_end_digest TEXT,
      agent TEXT NOT NULL,
      identity_digest TEXT,
      received_at BIGINT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('credited', 'suspended', 'returned', 'ordered', 'reversed')),
      account_id TEXT,
      transfer_id TEXT NOT NULL UNIQUE,
      suspense TEXT,
      return_reason TEXT,
      reversed_by TEXT,
      sealed_content BLOB NOT NULL,
      owes_file BIGINT NOT NULL CHECK (owes_file IN (0, 1)),
      version BIGINT NOT NULL,
      UNIQUE (tenant_id, message, place)
    );
    CREATE UNIQUE INDEX finaptic_bank_payment_uetr ON finaptic_bank_payment (tenant_id, uetr_digest)
      WHERE direction = 'in';
    CREATE UNIQUE INDEX finaptic_bank_payment_transaction
      ON finaptic_bank_payment (tenant_id, agent, transaction_digest) WHERE direction = 'in';
    CREATE UNIQUE INDEX finaptic_bank_payment_identity ON finaptic_bank_payment (tenant_id, identity_digest)
      WHERE direction = 'in';
    CREATE INDEX finaptic_bank_payment_suspended ON finaptic_bank_payment (tenant_id, received_at)
      WHERE state = 'suspended';
    CREATE INDEX finaptic_bank_payment_file ON finaptic_bank_payment (tenant_id, received_at) WHERE owes_file = 1;
    """)

  /// The same payer pays the same amount under the same reference again: this may be another payment.
  static let repeatMigration = Migration(
    "2026-11-30 finaptic bank payment repeats",
    """
    DROP INDEX finaptic_bank_payment_identity;
    CREATE INDEX finaptic_bank_payment_same ON finaptic_bank_payment (tenant_id, identity_digest)
      WHERE direction = 'in';
    CREATE INDEX finaptic_bank_payment_by_transaction ON finaptic_bank_payment (tenant_id, transaction_digest)
      WHERE direction = 'in';
    CREATE INDEX finaptic_bank_payment_end_to_end ON finaptic_bank_payment (tenant_id, end_to_end_digest)
      WHERE direction = 'in';
    """)

  static let toldMigration = Migration(
    "2026-12-02 finaptic bank payment told", "ALTER TABLE finaptic_bank_payment ADD COLUMN told_at BIGINT;")

  private static let columns: SQLColumns = """
    id, tenant_id, direction, amount, currency, message, place, uetr_digest, transaction_digest, end_to_end_digest,
    agent, identity_digest, received_at, state, account_id, transfer_id, suspense, return_reason, reversed_by,
    sealed_content, owes_file, told_at, version
    """

  func insert(_ payment: BankPayment) throws {
    let references = payment.references
    try tx.execute(
      """
      INSERT INTO finaptic_bank_payment
        (id, tenant_id, direction, amount, currency, message, place, uetr_digest, transaction_digest,
         end_to_end_digest, agent, identity_digest, received_at, state, account_id, transfer_id, suspense,
         return_reason, reversed_by, sealed_content, owes_file, version)
      VALUES (\(payment.id.rawValue), \(payment.tenant), \(payment.direction), \(payment.amount.minorUnits),
        \(payment.amount.currency), \(payment.message), \(payment.place), \(references.uetr),
        \(references.transaction), \(references.endToEnd), \(references.agent), \(references.identity),
        \(payment.receivedAt), \(payment.state), \(payment.account?.rawValue), \(payment.transfer.rawValue),
        \(payment.suspense), \(payment.returnReason), \(payment.reversedBy), \(seal(payment)),
        \(payment.owesFile ? 1 : 0), 0)
      """)
  }

  /// - Throws: `SQLError.outdated` when another one was faster.
  func advance(_ payment: BankPayment) throws {
    let changed = try tx.execute(
      """
      UPDATE finaptic_bank_payment SET state = \(payment.state), account_id = \(payment.account?.rawValue),
        return_reason = \(payment.returnReason), reversed_by = \(payment.reversedBy),
        sealed_content = \(seal(payment)), owes_file = \(payment.owesFile ? 1 : 0), version = version + 1
      WHERE id = \(payment.id.rawValue) AND version = \(payment.version)
      """)
    guard changed == 1 else { throw SQLError.outdated }
  }

  func find(_ id: BankPayment.ID, tenant: Int) throws -> BankPayment? {
    try tx.first(
      """
      SELECT \(Self.columns) FROM finaptic_bank_payment WHERE id = \(id.rawValue) AND tenant_id = \(tenant)
      """
    ).map(payment)
  }

  /// The payments with these ids that are there, by one statement.
  func all(_ ids: [BankPayment.ID], tenant: Int) throws -> [BankPayment.ID: BankPayment] {
    guard !ids.isEmpty else { return [:] }
    let found = try tx.query(
      """
      SELECT \(Self.columns) FROM finaptic_bank_payment
      WHERE id IN \(list: ids.map(\.rawValue)) AND tenant_id = \(tenant)
      """
    ).map(payment)
    return Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
  }

  /// Whatever its tenant.
  func find(_ id: BankPayment.ID) throws -> BankPayment? {
    try tx.first("SELECT \(Self.columns) FROM finaptic_bank_payment WHERE id = \(id.rawValue)").map(payment)
  }

  /// Whether a place of a message was taken before.
  func isTaken(_ message: String, place: Int, tenant: Int) throws -> Bool {
    try tx.first(
      """
      SELECT id FROM finaptic_bank_payment
      WHERE tenant_id = \(tenant) AND message = \(message) AND place = \(place)
      """) != nil
  }

  /// What the payments that came before say of one that comes now. The settlement account has to be locked.
  /// - Parameter since: a payment that came later than this and looks the same is doubtful even with other references.
  func duplicateStatus(
    of references: BankPayment.References, _ amount: Money, since: Instant, tenant: Int
  ) throws -> DuplicateStatus {
    let named = try tx.query(
      """
      SELECT amount, currency, uetr_digest FROM finaptic_bank_payment WHERE tenant_id = \(tenant) AND direction = 'in'
        AND (uetr_digest = \(references.uetr)
          OR (agent = \(references.agent) AND transaction_digest = \(references.transaction)))
      """)
    if try named.contains(where: { try Money($0.get("amount"), $0.get("currency")) == amount }) { return .repeated }
    guard named.isEmpty else { return .reused }
    // Two references of one kind that are both known, and differ, tell two payments apart.
    let alike = try tx.first(
      """
      SELECT id FROM finaptic_bank_payment WHERE tenant_id = \(tenant) AND direction = 'in'
        AND amount = \(amount.minorUnits) AND currency = \(amount.currency)
        AND (identity_digest = \(references.identity) OR transaction_digest = \(references.transaction)
          OR (end_to_end_digest = \(references.endToEnd)
            AND (agent = '' OR COALESCE(\(references.agent), '') = '')))
        AND (received_at > \(since)
          OR ((uetr_digest IS NULL OR COALESCE(\(references.uetr), '') = '')
            AND (transaction_digest IS NULL OR transaction_digest = \(references.transaction)
              OR COALESCE(\(references.transaction), '') = '')))
      LIMIT 1
      """)
    return alike == nil ? .new : .alike
  }

  /// How a payment that comes stands to those that came.
  enum DuplicateStatus: Sendable {
    case new
    /// The same reference and the same amount.
    case repeated
    /// The same reference with another amount.
    case reused
    /// The same payer, reference of the payer and amount, or references of a bank that is not named.
    case alike
  }

  /// Money that waits for a person, the oldest first.
  func suspended(tenant: Int, limit: Int) throws -> [BankPayment] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM finaptic_bank_payment WHERE tenant_id = \(tenant) AND state = 'suspended'
      ORDER BY received_at, id LIMIT \(limit)
      """
    ).map(payment)
  }

  /// The one payment that the references of a request name: by an id of ours, or by references of the other bank, the
  /// surest first. Amounts and transaction references that both say have to agree.
  /// - Returns: nil when the references name no payment, or when they name several.
  func payment(of recall: PaymentRecall, _ vault: Vault) throws -> BankPayment? {
    if let known = recall.payment { return try find(known, tenant: recall.tenant) }
    guard let content = recall.content else { return nil }
    func agrees(_ payment: BankPayment) -> Bool { content.money.map { $0 == payment.amount } ?? true }
    func agree(_ one: String?, _ other: String?) -> Bool { one == nil || other == nil || one == other }
    if let id = IncomingMessages.payment(of: content.original), let own = try find(id, tenant: recall.tenant),
      own.direction == .outgoing
    {
      return agrees(own) ? own : nil
    }
    let wanted = IncomingPayment(content).references(vault)
    let found = try tx.query(
      """
      SELECT \(Self.columns) FROM finaptic_bank_payment WHERE tenant_id = \(recall.tenant) AND direction = 'in'
        AND (uetr_digest = \(wanted.uetr) OR transaction_digest = \(wanted.transaction)
          OR end_to_end_digest = \(wanted.endToEnd))
      ORDER BY received_at DESC, id LIMIT \(Self.candidatesMax)
      """
    ).map(payment).filter {
      agrees($0) && agree($0.references.uetr, wanted.uetr) && agree($0.references.transaction, wanted.transaction)
    }
    for reference in [\BankPayment.References.uetr, \.transaction, \.endToEnd] {
      guard let digest = wanted[keyPath: reference] else { continue }
      let named = found.filter { $0.references[keyPath: reference] == digest }
      let ofAgent = named.filter { $0.references.agent == wanted.agent }
      if let only = named.count == 1 ? named.first : ofAgent.count == 1 ? ofAgent.first : nil { return only }
      guard named.isEmpty else { return nil }
    }
    return nil
  }

  /// Payments that one reference may name: a standing order has one for all months.
  private static let candidatesMax = 500

  private func seal(_ payment: BankPayment) throws -> Data {
    guard let content = payment.content else { return Data() }
    return try vault.seal(content, as: Self.context(payment.id))
  }

  private static func context(_ id: BankPayment.ID) -> String { "finaptic_bank_payment.sealed_content:\(id)" }

  private func payment(_ row: SQLRow) throws -> BankPayment {
    let id = BankPayment.ID(rawValue: try row.get("id"))
    let (sealed, owes): (Data, Int) = (try row.get("sealed_content"), try row.get("owes_file"))
    let account: String? = try row.get("account_id")
    var payment = BankPayment(
      id: id, tenant: try row.get("tenant_id"), direction: try row.get("direction"),
      amount: Money(try row.get("amount"), try row.get("currency")), message: try row.get("message"),
      place: try row.get("place"),
      references: .init(
        uetr: try row.get("uetr_digest"), transaction: try row.get("transaction_digest"),
        endToEnd: try row.get("end_to_end_digest"), agent: try row.get("agent"),
        identity: try row.get("identity_digest")),
      receivedAt: try row.get("received_at"), state: try row.get("state"),
      account: account.map { BankAccount.ID(rawValue: $0) },
      transfer: .init(rawValue: try row.get("transfer_id")), suspense: try row.get("suspense"),
      returnReason: try row.get("return_reason"), reversedBy: try row.get("reversed_by"),
      content: sealed.isEmpty
        ? nil : try vault.open(sealed, as: BankPayment.Content.self, context: Self.context(id)),
      owesFile: owes == 1)
    (payment.toldAt, payment.version) = (try row.get("told_at"), try row.get("version"))
    return payment
  }
}
