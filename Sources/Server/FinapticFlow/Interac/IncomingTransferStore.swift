// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Ledger
import Storage

/// Rows of `finaptic_incoming_transfer`.
package struct IncomingTransferStore {
  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, vault: Vault) { (self.tx, self.vault) = (tx, vault) }

  package static let migration = Migration(
    "2026-11-22 finaptic 31 incoming transfer",
    """
    CREATE TABLE finaptic_incoming_transfer (
      number TEXT PRIMARY KEY,
      tenant_id BIGINT NOT NULL REFERENCES finaptic_tenant (id),
      kind TEXT NOT NULL CHECK (kind IN ('autodeposit', 'regular')),
      customer_id TEXT REFERENCES finaptic_client_profile (customer_id),
      status TEXT NOT NULL CHECK (status IN ('AVAILABLE', 'AUTHORIZED', 'ACCEPTED', 'CANCELED')),
      amount BIGINT NOT NULL CHECK (amount > 0),
      currency TEXT NOT NULL,
      sealed_content BLOB NOT NULL,
      answer_digest TEXT,
      wrong_answers BIGINT NOT NULL CHECK (wrong_answers >= 0),
      account_id TEXT,
      transaction_id TEXT UNIQUE,
      expires_at BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      ended_at BIGINT,
      version BIGINT NOT NULL,
      CHECK ((status = 'ACCEPTED') = (transaction_id IS NOT NULL)),
      CHECK (status <> 'ACCEPTED' OR (account_id IS NOT NULL AND customer_id IS NOT NULL)),
      CHECK ((status IN ('ACCEPTED', 'CANCELED')) = (ended_at IS NOT NULL))
    );
    CREATE INDEX finaptic_incoming_transfer_customer ON finaptic_incoming_transfer (customer_id, ended_at);
    CREATE INDEX finaptic_incoming_transfer_canceled ON finaptic_incoming_transfer (ended_at)
      WHERE status = 'CANCELED';
    CREATE INDEX finaptic_incoming_transfer_expiry ON finaptic_incoming_transfer (expires_at)
      WHERE status IN ('AVAILABLE', 'AUTHORIZED');
    """)

  private static let columns: SQLColumns = """
    number, tenant_id, kind, customer_id, status, amount, currency, sealed_content, answer_digest, wrong_answers,
    account_id, transaction_id, expires_at, created_at, ended_at, version
    """

  func insert(_ transfer: IncomingTransfer) throws {
    try tx.execute(
      """
      INSERT INTO finaptic_incoming_transfer
        (number, tenant_id, kind, customer_id, status, amount, currency, sealed_content, answer_digest,
         wrong_answers, account_id, transaction_id, expires_at, created_at, ended_at, version)
      VALUES (\(transfer.number.rawValue), \(transfer.tenant), \(transfer.kind), \(transfer.customer),
        \(transfer.status), \(transfer.amount.minorUnits), \(transfer.amount.currency), \(seal(transfer)),
        \(transfer.answerDigest), \(transfer.wrongAnswers), \(transfer.account), \(transfer.transaction),
        \(transfer.expiresAt), \(transfer.createdAt), \(transfer.endedAt), 0)
      """)
  }

  func find(_ number: IncomingTransfer.Number) throws -> IncomingTransfer? {
    try tx.first(
      "SELECT \(Self.columns) FROM finaptic_incoming_transfer WHERE number = \(number.rawValue)"
    ).map(transfer)
  }

  /// - Throws: `SQLError.outdated` when another one was faster.
  func advance(_ transfer: IncomingTransfer) throws {
    let changed = try tx.execute(
      """
      UPDATE finaptic_incoming_transfer SET customer_id = \(transfer.customer), status = \(transfer.status),
        sealed_content = \(seal(transfer)), wrong_answers = \(transfer.wrongAnswers),
        account_id = \(transfer.account), transaction_id = \(transfer.transaction), ended_at = \(transfer.endedAt),
        version = version + 1
      WHERE number = \(transfer.number.rawValue) AND version = \(transfer.version)
      """)
    guard changed == 1 else { throw SQLError.outdated }
  }

  /// What a customer took by themselves since an instant, in minor units.
  func taken(by customer: String, since start: Instant) throws -> Int64 {
    try tx.first(
      """
      SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) AS taken FROM finaptic_incoming_transfer
      WHERE customer_id = \(customer) AND status = 'ACCEPTED' AND kind = 'regular' AND ended_at > \(start)
      """)?.get("taken") ?? 0
  }

  /// A wait that is over.
  struct Overdue: Sendable {
    let number: IncomingTransfer.Number
    let expiresAt: Instant
  }

  /// Waits that are over, the oldest first. Nothing of them is opened.
  func overdue(at now: Instant, after last: Overdue?, limit: Int) throws -> [Overdue] {
    let (from, number) = (last?.expiresAt ?? Instant(milliseconds: 0), last?.number.rawValue ?? "")
    return try tx.query(
      """
      SELECT number, expires_at FROM finaptic_incoming_transfer
      WHERE status IN ('AVAILABLE', 'AUTHORIZED') AND expires_at <= \(now)
        AND expires_at >= \(from) AND (expires_at > \(from) OR number > \(number))
      ORDER BY expires_at, number LIMIT \(limit)
      """
    ).map { Overdue(number: .init(rawValue: try $0.get("number")), expiresAt: try $0.get("expires_at")) }
  }

  /// What of a transfer stands in the open: enough to end it, also where its content cannot be opened any more.
  struct Waiting: Sendable {
    let number: IncomingTransfer.Number
    let amount: Money
  }

  /// Money that waits for a customer. Nothing of it is opened.
  func waiting(for customer: String, at now: Instant, limit: Int) throws -> [Waiting] {
    try tx.query(
      """
      SELECT number, amount, currency FROM finaptic_incoming_transfer
      WHERE customer_id = \(customer) AND status IN ('AVAILABLE', 'AUTHORIZED') AND expires_at > \(now)
      ORDER BY created_at, number LIMIT \(limit)
      """
    ).map {
      Waiting(
        number: .init(rawValue: try $0.get("number")), amount: Money(try $0.get("amount"), try $0.get("currency")))
    }
  }

  /// Without what was said of it, which is not opened and is gone when it is kept again.
  func bare(_ number: IncomingTransfer.Number) throws -> IncomingTransfer? {
    try tx.first(
      "SELECT \(Self.columns) FROM finaptic_incoming_transfer WHERE number = \(number.rawValue)"
    ).map { try transfer($0, content: Self.emptied) }
  }

  /// - Returns: nil also for one whose content cannot be opened.
  /// - Throws: `SQLError`; `VaultError.noKey` for a data key that this process may learn yet.
  func opened(_ number: IncomingTransfer.Number) throws -> IncomingTransfer? {
    try tx.first(
      "SELECT \(Self.columns) FROM finaptic_incoming_transfer WHERE number = \(number.rawValue)"
    ).flatMap(opened)
  }

  /// Transfers that a customer was named for, whatever became of them; for exports. One that cannot be opened is told
  /// without what was said of it.
  func all(of customer: String, limit: Int) throws -> [IncomingTransfer] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM finaptic_incoming_transfer
      WHERE customer_id = \(customer) ORDER BY created_at, number LIMIT \(limit)
      """
    ).map { try opened($0) ?? transfer($0, content: Self.emptied) }
  }

  /// What was said of the transfers of a customer is gone, unread; their rows stay, as the books know their numbers.
  func emptyAll(of customer: String) throws {
    try tx.execute(
      """
      UPDATE finaptic_incoming_transfer SET sealed_content = \(Data()), version = version + 1
      WHERE customer_id = \(customer)
      """)
  }

  /// Deletes up to `limit` transfers that came to nothing before `horizon`.
  static func sweep(before horizon: Instant, limit: Int, in tx: any SQLTransaction) throws -> Int {
    try tx.execute(
      """
      DELETE FROM finaptic_incoming_transfer WHERE number IN
        (SELECT number FROM finaptic_incoming_transfer WHERE status = 'CANCELED' AND ended_at <= \(horizon)
         LIMIT \(limit))
      """)
  }

  private static let emptied = IncomingTransfer.Content(
    alias: .email(""), senderName: "", senderMemo: nil, question: nil, salt: nil, remittance: nil)

  private func seal(_ transfer: IncomingTransfer) throws -> Data {
    guard transfer.content != Self.emptied else { return Data() }
    return try vault.seal(
      transfer.content, as: Self.context(transfer.number), of: KeySubject.customer(transfer.customer, in: tx), in: tx)
  }

  private static func context(_ number: IncomingTransfer.Number) -> String {
    "finaptic_incoming_transfer.sealed_content:\(number)"
  }

  /// - Returns: nil for a row whose content cannot be opened.
  private func opened(_ row: SQLRow) throws -> IncomingTransfer? {
    do { return try transfer(row) } catch let error as SQLError { throw error } catch VaultError.noKey {
      throw VaultError.noKey
    } catch { return nil }
  }

  private func transfer(_ row: SQLRow) throws -> IncomingTransfer {
    let context = Self.context(.init(rawValue: try row.get("number")))
    return try transfer(
      row, content: vault.open(row.get("sealed_content"), or: Self.emptied, context: context, in: tx))
  }

  private func transfer(_ row: SQLRow, content: IncomingTransfer.Content) throws -> IncomingTransfer {
    IncomingTransfer(
      number: .init(rawValue: try row.get("number")), tenant: try row.get("tenant_id"),
      kind: try row.get("kind"), customer: try row.get("customer_id"),
      status: try row.get("status"), amount: Money(try row.get("amount"), try row.get("currency")),
      content: content, answerDigest: try row.get("answer_digest"),
      wrongAnswers: try row.get("wrong_answers"),
      account: try row.get("account_id"), transaction: try row.get("transaction_id"),
      expiresAt: try row.get("expires_at"), createdAt: try row.get("created_at"), endedAt: try row.get("ended_at"),
      version: try row.get("version"))
  }
}
