// SPDX-License-Identifier: Apache-2.0

import Kit
import Ledger
import Payments
import Storage

/// Which messages of another bank book what came in: a bank that tells of a payment by both books it by one of them.
package enum BookingMessages: String, Sendable, CaseIterable, SQLConvertible {
  /// Whichever comes first; what may be the same payment waits on the suspense account.
  case both
  /// Credit transfers (pacs.008).
  case transfers
  /// Notifications of the account (camt.054).
  case notifications
}

/// Where a tenant has its money at another bank: one account for each currency.
package struct SettlementAccount: Sendable, Equatable {
  package let tenant: Int
  /// ISO 4217.
  package let currency: String
  /// The account's number at the bank that keeps it, as its statements write it.
  package let number: String
  /// The tenant's own BIC.
  package let bic: String
  package var books = BookingMessages.both
  /// BIC of the bank that keeps the account, where it takes payments as orders of its customer (pain.001); nil where it
  /// takes them as those of a bank (pacs.008).
  package var ordersTo: String?
  /// What names, accounts and texts of payments to other banks may have in them.
  package var characters = MessageCharacters.basicLatin

  /// Whether an order to the bank that keeps the account can be written: it names the account, and the tenant as the
  /// debtor. True where that bank takes no orders.
  func canOrder(as name: String) -> Bool {
    ordersTo == nil || (characters.admits(number) && characters.spelling(of: name) != nil)
  }

  static let cannotOrder = Problem.validation([
    .init(
      "/characters", "characters",
      "The tenant's name (Dbtr/Nm) or the account (DbtrAcct/Id) cannot be written in these characters.")
  ])

  private func account(_ name: String) -> LedgerAccount.ID {
    .init(rawValue: "\(BankAccount.ledgerTenant(tenant)):\(name):\(currency)")
  }

  /// The bank's own account that mirrors it: below zero by what the other bank keeps for the tenant.
  package var ledger: LedgerAccount.ID { account("settlement") }
  /// Where money waits of which the owner is not known.
  package var suspense: LedgerAccount.ID { account("suspense") }
}

/// Rows of `finaptic_settlement_account` and `finaptic_bank_message`.
struct SettlementStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  static let migration = Migration(
    "2026-11-30 finaptic settlement account",
    """
    CREATE TABLE finaptic_settlement_account (
      tenant_id BIGINT NOT NULL REFERENCES finaptic_tenant (id),
      currency TEXT NOT NULL,
      number TEXT NOT NULL,
      bic TEXT NOT NULL,
      PRIMARY KEY (tenant_id, currency)
    );
    CREATE TABLE finaptic_bank_message (
      tenant_id BIGINT NOT NULL REFERENCES finaptic_tenant (id),
      name TEXT NOT NULL,
      digest TEXT NOT NULL,
      received_at BIGINT NOT NULL,
      done_at BIGINT,
      PRIMARY KEY (tenant_id, name)
    );
    """)

  static let booksMigration = Migration(
    "2026-11-30 finaptic settlement messages",
    "ALTER TABLE finaptic_settlement_account ADD COLUMN books TEXT NOT NULL DEFAULT 'both';")

  static let ordersMigration = Migration(
    "2026-12-01 finaptic settlement orders",
    "ALTER TABLE finaptic_settlement_account ADD COLUMN orders_to TEXT;")

  static let charactersMigration = Migration(
    "2026-12-06 finaptic settlement characters",
    "ALTER TABLE finaptic_settlement_account ADD COLUMN characters TEXT NOT NULL DEFAULT 'basic-latin';")

  func put(_ account: SettlementAccount) throws {
    try tx.execute(
      """
      INSERT INTO finaptic_settlement_account (tenant_id, currency, number, bic, books, orders_to, characters)
      VALUES (\(account.tenant), \(account.currency), \(account.number), \(account.bic), \(account.books),
        \(account.ordersTo), \(account.characters.rawValue))
      ON CONFLICT (tenant_id, currency)
        DO UPDATE SET number = excluded.number, bic = excluded.bic, books = excluded.books,
          orders_to = excluded.orders_to, characters = excluded.characters
      """)
  }

  func all(of tenant: Int) throws -> [SettlementAccount] {
    try tx.query(
      """
      SELECT tenant_id, currency, number, bic, books, orders_to, characters FROM finaptic_settlement_account
      WHERE tenant_id = \(tenant) ORDER BY currency
      """
    ).map {
      SettlementAccount(
        tenant: try $0.get("tenant_id"), currency: try $0.get("currency"), number: try $0.get("number"),
        bic: try $0.get("bic"), books: try $0.get("books"), ordersTo: try $0.get("orders_to"),
        characters: MessageCharacters(rawValue: try $0.get("characters")) ?? .basicLatin)
    }
  }

  /// Whether a message was taken wholly before; nil when it never came.
  /// - Throws: `Problem` conflict `message-reused` when another content came under its name.
  func isDone(_ name: String, digest: String, tenant: Int) throws -> Bool? {
    guard
      let row = try tx.first(
        "SELECT digest, done_at FROM finaptic_bank_message WHERE tenant_id = \(tenant) AND name = \(name)")
    else { return nil }
    let (known, done): (String, Instant?) = (try row.get("digest"), try row.get("done_at"))
    guard known == digest else {
      throw Problem(.conflict, "message-reused", "Another message came under the same id from the same bank.")
    }
    return done != nil
  }

  func insert(_ name: String, digest: String, tenant: Int, at now: Instant) throws {
    try tx.execute(
      """
      INSERT INTO finaptic_bank_message (tenant_id, name, digest, received_at)
      VALUES (\(tenant), \(name), \(digest), \(now))
      ON CONFLICT (tenant_id, name) DO NOTHING
      """)
  }

  func finish(_ name: String, tenant: Int, at now: Instant) throws {
    try tx.execute(
      """
      UPDATE finaptic_bank_message SET done_at = \(now)
      WHERE tenant_id = \(tenant) AND name = \(name) AND done_at IS NULL
      """)
  }
}
