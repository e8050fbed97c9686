// SPDX-License-Identifier: Apache-2.0

import GatehouseApp
import Kit
import Storage

/// What `gatehouse-lab bench ledger` compares with: the least that double entry takes, in a transaction of its own. Two
/// balances, two entries and a key; no holds, no products, no accounts that could be inactive.
struct BareLedgerStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  static let migration = Migration(
    "2026-11-23 bare ledger",
    """
    CREATE TABLE bare_account (id TEXT PRIMARY KEY, balance BIGINT NOT NULL CHECK (balance >= 0));
    CREATE TABLE bare_entry (
      idempotency_key TEXT NOT NULL, account_id TEXT NOT NULL, amount BIGINT NOT NULL,
      PRIMARY KEY (idempotency_key, account_id)
    );
    """)

  func open(_ id: String, funds: Int64) throws {
    try tx.execute("INSERT INTO bare_account (id, balance) VALUES (\(id), \(funds))")
  }

  func transfer(_ key: String, from debit: String, to credit: String, _ amount: Int64) throws {
    // In one order, whatever the direction: two transfers wait for each other in one direction only.
    let moves = [(debit, -amount), (credit, amount)].sorted { $0.0 < $1.0 }
    for (id, change) in moves {
      try tx.execute("UPDATE bare_account SET balance = balance + \(change) WHERE id = \(id)")
    }
    for (id, change) in moves {
      try tx.execute("INSERT INTO bare_entry (idempotency_key, account_id, amount) VALUES (\(key), \(id), \(change))")
    }
  }
}
