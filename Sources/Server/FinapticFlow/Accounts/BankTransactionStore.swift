// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Ledger
import Storage

/// Rows of `finaptic_transaction` and `finaptic_transaction_note`.
package struct BankTransactionStore {
  let tx: any SQLTransaction
  let vault: Vault

  package init(_ tx: any SQLTransaction, vault: Vault) { (self.tx, self.vault) = (tx, vault) }

  /// The legs of a transfer share its note. A settled hold names what settled it. Steps run in the order of their names,
  /// so no foreign key can lead to the ledger's tables, which are made after these.
  package static let migration = Migration(
    "2026-11-22 finaptic 21 transaction",
    """
    CREATE TABLE finaptic_transaction (
      id TEXT NOT NULL,
      account_id TEXT NOT NULL,
      tenant_id BIGINT NOT NULL,
      lifecycle_id TEXT NOT NULL,
      kind TEXT NOT NULL,
      category TEXT NOT NULL,
      state TEXT NOT NULL,
      amount BIGINT NOT NULL CHECK (amount <> 0),
      currency TEXT NOT NULL,
      actual BIGINT NOT NULL,
      available BIGINT NOT NULL,
      counterpart_id TEXT NOT NULL,
      domain TEXT NOT NULL,
      entry BIGINT,
      booked_at BIGINT NOT NULL,
      settled_by TEXT,
      PRIMARY KEY (id, account_id)
    );
    CREATE UNIQUE INDEX finaptic_transaction_account ON finaptic_transaction (account_id, booked_at);
    CREATE INDEX finaptic_transaction_lifecycle ON finaptic_transaction (lifecycle_id);
    CREATE TABLE finaptic_transaction_note (
      id TEXT PRIMARY KEY,
      content BLOB NOT NULL
    );
    """)

  private static let columns: SQLColumns = """
    t.id, t.account_id, t.tenant_id, t.lifecycle_id, t.kind, t.category, t.state, t.amount, t.currency, t.actual,
    t.available, t.counterpart_id, t.domain, t.entry, t.booked_at, t.settled_by
    """

  // MARK: Writing

  func insert(_ transactions: [BankTransaction]) throws {
    guard !transactions.isEmpty else { return }
    var rows = SQLRows(
      .text("id"), .text("account_id"), .integer("tenant_id"), .text("lifecycle_id"), .text("kind"), .text("category"),
      .text("state"), .integer("amount"), .text("currency"), .integer("actual"), .integer("available"),
      .text("counterpart_id"), .text("domain"), .integer("entry"), .integer("booked_at"))
    rows.reserve(transactions.count)
    for one in transactions {
      rows.append(
        cells: .text(one.id.rawValue), .text(one.account.rawValue), .integer(Int64(one.tenant)), .text(one.lifecycle),
        .text(one.kind), .text(one.category.rawValue), .text(one.state.rawValue), .integer(one.amount.minorUnits),
        .text(one.amount.currency), .integer(one.actual), .integer(one.available), .text(one.counterpart.rawValue),
        .text(one.domain), .integer(orNull: one.entry), .integer(one.at.microseconds))
    }
    try tx.execute(.insert(rows, into: "finaptic_transaction"))
  }

  /// What is known of a transaction from now on, of both of its legs.
  /// - Parameters:
  ///   - note: encoded `Particulars`.
  ///   - keys: of the accounts of its legs, which are needed together to read it.
  func put(_ note: Data, of id: BankTransaction.ID, under keys: [SubjectKey]) throws {
    let sealed = try vault.seal(note, context: Self.context(id), under: keys.first, and: keys.dropFirst().first)
    try tx.execute(
      """
      INSERT INTO finaptic_transaction_note (id, content) VALUES (\(id), \(sealed))
      ON CONFLICT (id) DO UPDATE SET content = excluded.content
      """)
  }

  /// A hold that was given back.
  func cancel(_ hold: BankTransaction.ID) throws {
    try tx.execute(
      """
      UPDATE finaptic_transaction SET state = \(BankTransaction.State.cancelled)
      WHERE id = \(hold) AND state = \(BankTransaction.State.pending)
      """)
  }

  /// A hold whose money went.
  func settle(_ hold: BankTransaction.ID, by transfer: BankTransaction.ID) throws {
    try tx.execute("UPDATE finaptic_transaction SET settled_by = \(transfer) WHERE id = \(hold)")
  }

  // MARK: Reading

  /// The legs of a transaction, the debit first.
  package func legs(of id: BankTransaction.ID, tenant: Int) throws -> [BankTransaction] {
    try tx.query(
      """
      SELECT \(Self.columns), n.content
      FROM finaptic_transaction AS t LEFT JOIN finaptic_transaction_note AS n ON n.id = t.id
      WHERE t.id = \(id) AND t.tenant_id = \(tenant) ORDER BY t.amount
      """
    ).map(transaction)
  }

  /// Which of these transactions anyone may have to be told of: an endpoint of their tenant takes such events, or
  /// one of the people on their account has a device. Asked in the commit that books them, so that nothing is owed for
  /// the others; whom an event goes to is decided when it is told (`TransactionAudience`).
  func heard(_ transactions: [BankTransaction]) throws -> [BankTransaction] {
    let tenants = Dictionary(transactions.map { ($0.account, $0.tenant) }) { $1 }
    guard !tenants.isEmpty else { return [] }
    var asked = SQLRows(.text("account_id"), .integer("tenant_id"), .text("tenant"))
    asked.reserve(tenants.count)
    for (account, tenant) in tenants {
      asked.append(
        cells: .text(account.rawValue), .integer(Int64(tenant)), FinapticTenant.webhooks(tenant).sqlValue)
    }
    // A subquery that gives a value is asked for each account, by an index: of two EXISTS with an OR, PostgreSQL may
    // read both tables whole. SQLite keeps the order of a CROSS JOIN: by itself it would go through all devices of the
    // tenant for each account.
    let together: SQL = """
      SELECT asked.account_id FROM \(asked) AS asked WHERE COALESCE((
        SELECT 1 FROM webhook_endpoint AS e WHERE e.tenant = asked.tenant AND e.disabled_at IS NULL
          AND (e.events = '*' OR ' ' || e.events || ' ' LIKE '% TransactionCreated %') LIMIT 1
      ), (
        SELECT 1 FROM ledger_party AS p CROSS JOIN finaptic_push_channel AS c
        WHERE p.account_id = asked.account_id AND c.tenant_id = asked.tenant_id AND c.customer_id = p.party LIMIT 1
      )) = 1
      """
    let found = try tx.query(
      together.orOfEach(
        asked,
        """
        SELECT ?1 AS account_id WHERE COALESCE((
          SELECT 1 FROM webhook_endpoint AS e WHERE e.tenant = ?3 AND e.disabled_at IS NULL
            AND (e.events = '*' OR ' ' || e.events || ' ' LIKE '% TransactionCreated %') LIMIT 1
        ), (
          SELECT 1 FROM ledger_party AS p CROSS JOIN finaptic_push_channel AS c
          WHERE p.account_id = ?1 AND c.tenant_id = ?2 AND c.customer_id = p.party LIMIT 1
        )) = 1
        """))
    guard !found.isEmpty else { return [] }
    let accounts = Set(try found.map { try $0.get("account_id", as: BankAccount.ID.self) })
    return transactions.filter { accounts.contains($0.account) }
  }

  /// The transactions of a list that are there.
  func named(_ names: [(id: String, account: BankAccount.ID)]) throws -> [BankTransaction] {
    var asked = SQLRows(.text("id"), .text("account_id"))
    for name in names { asked.append(name.id, name.account) }
    return try tx.query(
      """
      SELECT \(Self.columns), n.content
      FROM \(asked) AS asked JOIN finaptic_transaction AS t ON t.id = asked.id AND t.account_id = asked.account_id
      LEFT JOIN finaptic_transaction_note AS n ON n.id = t.id ORDER BY t.booked_at, t.id, t.account_id
      """
    ).map(transaction)
  }

  /// The transactions of a lifecycle, the oldest first.
  package func all(lifecycle: String, tenant: Int, limit: Int) throws -> [BankTransaction] {
    try tx.query(
      """
      SELECT \(Self.columns), n.content
      FROM finaptic_transaction AS t LEFT JOIN finaptic_transaction_note AS n ON n.id = t.id
      WHERE t.lifecycle_id = \(lifecycle) AND t.tenant_id = \(tenant) ORDER BY t.booked_at, t.id LIMIT \(limit)
      """
    ).map(transaction)
  }

  // MARK: Pages

  // Times of an account never repeat and only grow, so following the pages shows each transaction once, whatever is
  // booked meanwhile.

  /// What was booked from one instant to another, before a given one, the newest first.
  func entries(
    of account: BankAccount.ID, from: LedgerTime, to: LedgerTime, limit: Int
  ) throws -> [BankTransaction] {
    try tx.query(
      """
      SELECT \(Self.columns), NULL AS content
      FROM finaptic_transaction AS t
      WHERE t.account_id = \(account) AND t.booked_at >= \(from) AND t.booked_at < \(to) AND t.entry IS NOT NULL
      ORDER BY t.booked_at DESC LIMIT \(limit)
      """
    ).map(transaction)
  }

  /// What customers see before an instant, the newest first. A hold whose money went is seen as what settled it.
  func older(than time: LedgerTime, on account: BankAccount.ID, limit: Int) throws -> [BankTransaction] {
    try tx.query(
      """
      SELECT \(Self.columns), n.content
      FROM finaptic_transaction AS t LEFT JOIN finaptic_transaction_note AS n ON n.id = t.id
      WHERE t.account_id = \(account) AND t.booked_at < \(time) AND t.settled_by IS NULL
      ORDER BY t.booked_at DESC LIMIT \(limit)
      """
    ).map(transaction)
  }

  /// What customers see after an instant, the oldest first.
  func newer(than time: LedgerTime, on account: BankAccount.ID, limit: Int) throws -> [BankTransaction] {
    try tx.query(
      """
      SELECT \(Self.columns), n.content
      FROM finaptic_transaction AS t LEFT JOIN finaptic_transaction_note AS n ON n.id = t.id
      WHERE t.account_id = \(account) AND t.booked_at > \(time) AND t.settled_by IS NULL
      ORDER BY t.booked_at LIMIT \(limit)
      """
    ).map(transaction)
  }

  private static func context(_ id: BankTransaction.ID) -> String { "finaptic_transaction_note.content:\(id)" }

  private func transaction(_ row: SQLRow) throws -> BankTransaction {
    let id: BankTransaction.ID = try row.get("id")
    let sealed: Data? = try row.get("content")
    let particulars = try sealed.flatMap {
      try vault.open($0, or: BankTransaction.Particulars?.none, context: Self.context(id), in: tx)
    }
    return BankTransaction(
      id: id, account: try row.get("account_id"), tenant: try row.get("tenant_id"),
      lifecycle: try row.get("lifecycle_id"), kind: try row.get("kind"), category: try row.get("category"),
      state: try row.get("state"), amount: Money(try row.get("amount"), try row.get("currency")),
      actual: try row.get("actual"), available: try row.get("available"), counterpart: try row.get("counterpart_id"),
      domain: try row.get("domain"), entry: try row.get("entry"), at: try row.get("booked_at"),
      settledBy: try row.get("settled_by"), particulars: particulars)
  }
}
