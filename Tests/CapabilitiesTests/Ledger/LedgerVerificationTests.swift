// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage
import TestSupport
import Testing

@testable import Ledger

@Suite("Ledger: what is wrong cannot be stored, or is found")
struct LedgerVerificationTests {
  /// Two transfers, a settled hold and an open one.
  private static func app(_ engine: Engine, guarded: Bool) async throws -> LedgerTestApp {
    let app = try await LedgerTestApp(engine, guarded: guarded)
    let (one, other) = (try await app.open("one", funds: 1000), try await app.open("other", funds: 1000))
    _ = try await app.ledger.transfer(app.order("t", from: one, to: other, 10))
    let hold = try #require(try await app.ledger.hold(app.hold("h", on: one, 20)).done)
    _ = try await app.ledger.settle(.init(tenant: "acme", key: "s", kind: "debit", hold: hold.id))
    _ = try await app.ledger.hold(app.hold("open", on: one, 30))
    #expect(try await app.verify().faults.isEmpty)
    return app
  }

  @Test("the walk tells how many of the accounts it has done, and then that it looks at checkpoints")
  func progress() async throws {
    let app = try await Self.app(.current, guarded: true)
    let progress = WorkProgress()
    let (found, walked) = try await app.database.read { tx in
      let found = try LedgerStore(tx).verify(progress: progress)
      let walk = WorkProgress()
      walk.begin("accounts", of: found.accounts)
      var again = LedgerVerification()
      try LedgerStore(tx).walk(under: nil, into: &again, walk)
      return (found, walk.part)
    }
    #expect(walked?.done == found.accounts && found.accounts > 1)
    #expect(progress.part?.name == "checkpoints")
  }

  private static let wrong = [
    "UPDATE ledger_entry SET amount = 1",
    "UPDATE ledger_entry SET balance = balance",
    "DELETE FROM ledger_entry",
    "UPDATE ledger_transfer SET amount = 1",
    "DELETE FROM ledger_transfer",
    "DELETE FROM ledger_account",
    "UPDATE ledger_account SET actual = -1 WHERE id = 'one'",
    "UPDATE ledger_account SET held = 971 WHERE id = 'one'",
    "UPDATE ledger_account SET held = -1 WHERE id = 'one'",
    "UPDATE ledger_account SET state = 'inactive' WHERE id = 'one'",
    "UPDATE ledger_account SET state = 'closed' WHERE id = 'one'",
    "UPDATE ledger_account SET currency = 'USD' WHERE id = 'one'",
    "UPDATE ledger_account SET tenant = 'other' WHERE id = 'one'",
    "UPDATE ledger_hold SET state = 'open' WHERE idempotency_key = 'h'",
    "UPDATE ledger_hold SET amount = 0 WHERE idempotency_key = 'h'",
    """
    INSERT INTO ledger_entry (account_id, sequence, transfer_id, amount, balance, booked_at)
    SELECT account_id, sequence, transfer_id, amount, balance, booked_at FROM ledger_entry WHERE account_id = 'one'
    """,
    """
    INSERT INTO ledger_entry (account_id, sequence, transfer_id, amount, balance, booked_at)
    VALUES ('one', 99, 'none', 1, 1, 1)
    """,
    """
    INSERT INTO ledger_transfer (id, tenant, idempotency_key, kind, domain, debit_id, credit_id, amount, currency,
      declined, booked_at)
    SELECT 'second', tenant, idempotency_key, kind, domain, debit_id, credit_id, amount, currency, 'x', booked_at
    FROM ledger_transfer WHERE idempotency_key = 't'
    """,
    """
    INSERT INTO ledger_transfer (id, tenant, idempotency_key, kind, domain, debit_id, credit_id, amount, currency,
      declined, booked_at)
    VALUES ('i', 'acme', 'i', 'x', 'x', 'one', 'one', 1, 'CAD', 'x', 1)
    """,
    """
    INSERT INTO ledger_transfer (id, tenant, idempotency_key, kind, domain, debit_id, credit_id, amount, currency,
      declined, booked_at)
    VALUES ('i', 'acme', 'i', 'x', 'x', 'one', 'other', 1, 'USD', 'x', 1)
    """,
    """
    INSERT INTO ledger_transfer (id, tenant, idempotency_key, kind, domain, debit_id, credit_id, amount, currency,
      declined, booked_at)
    VALUES ('i', 'elsewhere', 'i', 'x', 'x', 'one', 'other', 1, 'CAD', 'x', 1)
    """,
    """
    INSERT INTO ledger_transfer (id, tenant, idempotency_key, kind, domain, debit_id, credit_id, amount, currency,
      declined, booked_at)
    VALUES ('i', 'acme', 'i', 'x', 'x', 'one', 'other', 1, 'CAD', NULL, 1)
    """,
    """
    INSERT INTO ledger_transfer (id, tenant, idempotency_key, kind, domain, hold_id, debit_id, credit_id, amount,
      currency, debit_sequence, credit_sequence, booked_at)
    SELECT 'i', tenant, 'i', 'x', 'x', id, account_id, counterparty_id, 1, 'CAD', 98, 98, 1
    FROM ledger_hold WHERE idempotency_key = 'h'
    """,
  ]

  @Test("constraints and triggers refuse it", arguments: Engine.available)
  func refused(engine: Engine) async throws {
    let app = try await Self.app(engine, guarded: true)
    for statement in Self.wrong {
      await #expect(throws: SQLError.self, "\(statement)") {
        try await app.database.write { _ = try $0.execute(SQL(stringLiteral: statement)) }
      }
      #expect(try await app.verify().faults.isEmpty, "\(statement)")
    }
  }

  @Test("a table that holds nothing is guarded too", arguments: Engine.available)
  func emptied(engine: Engine) async throws {
    guard engine == .postgres else { return }
    let app = try await Self.app(engine, guarded: true)
    await #expect(throws: SQLError.self) {
      try await app.database.write { _ = try $0.execute("TRUNCATE ledger_entry") }
    }
  }

  @Test(
    "the checker finds what an intruder with the database's password did", arguments: Engine.available,
    [
      (
        "UPDATE ledger_entry SET amount = amount - 1 WHERE account_id = 'one' AND sequence = 2",
        [LedgerVerification.Rule.balanced, .balance, .running, .pair]
      ),
      ("UPDATE ledger_account SET actual = actual + 1 WHERE id = 'other'", [.balance]),
      ("UPDATE ledger_entry SET balance = balance + 1 WHERE account_id = 'one' AND sequence = 1", [.running]),
      (
        "DELETE FROM ledger_entry WHERE account_id = 'one' AND sequence = 2",
        [.balanced, .balance, .sequence, .running, .pair]
      ),
      (
        "DELETE FROM ledger_entry WHERE transfer_id IN (SELECT id FROM ledger_transfer WHERE idempotency_key = 't')",
        [.balance, .sequence, .running, .pair]
      ),
      ("UPDATE ledger_account SET sequence = sequence + 1 WHERE id = 'one'", [.balance, .sequence]),
      ("UPDATE ledger_entry SET booked_at = 1 WHERE account_id = 'one' AND sequence = 2", [.time, .pair]),
      ("UPDATE ledger_transfer SET amount = 11 WHERE idempotency_key = 't'", [.pair]),
      ("UPDATE ledger_transfer SET credit_id = 'cash' WHERE idempotency_key = 't'", [.pair]),
      ("UPDATE ledger_hold SET amount = 31 WHERE idempotency_key = 'open'", [.held]),
      ("UPDATE ledger_hold SET amount = 19 WHERE idempotency_key = 'h'", [.settlement]),
      ("UPDATE ledger_hold SET state = 'released' WHERE idempotency_key = 'h'", [.settlement]),
      ("DELETE FROM ledger_party WHERE account_id = 'one'", [.owner]),
    ])
  func found(engine: Engine, damage: (String, [LedgerVerification.Rule])) async throws {
    let app = try await Self.app(engine, guarded: false)
    try await app.database.write { _ = try $0.execute(SQL(stringLiteral: damage.0)) }
    let found = Set(try await app.verify().faults.map(\.rule))
    #expect(found == Set(damage.1), "\(damage.0)")
  }

  @Test(
    "what SQLite keeps of another kind than its column is a fault, and everything else is looked at",
    arguments: [
      "UPDATE ledger_account SET sequence = x'ff' WHERE id = 'one'",
      "UPDATE ledger_account SET sealed_from = 'x' WHERE id = 'one'",
      "UPDATE ledger_transfer SET booked_at = 'noon' WHERE idempotency_key = 't'",
    ])
  func unreadable(change: String) async throws {
    let app = try await Self.app(.sqlite, guarded: false)
    try await app.database.write { tx in
      _ = try tx.execute(SQL(stringLiteral: change))
      _ = try tx.execute("UPDATE ledger_entry SET seal = 'x' WHERE account_id = 'cash'")
    }
    let faults = try await app.database.read { [seal = app.seal] in try LedgerStore($0).verify(under: seal).faults }
    #expect(faults.contains { $0.rule == .readable && $0.subject.hasPrefix("one ") })
    #expect(faults.contains(.init(rule: .seal, subject: "cash")))
  }

  @Test(
    "accounts by whose id or tenant SQLite lets nothing be asked are a fault, and those behind them are looked at",
    arguments: [
      ("CAST(x'0128ff' AS TEXT) || n", "'acme'"), ("CAST(x'ff28' AS TEXT) || n", "'acme'"),
      ("'a' || CHAR(0) || n", "'acme'"), ("'a' || n", "'acme' || CHAR(0)"),
    ])
  func notAskable(id: String, tenant: String) async throws {
    let app = try await Self.app(.sqlite, guarded: false)
    let product = """
      INSERT INTO ledger_product (tenant, code, kind, currency, yearly_interest_millionths, monthly_fee)
      SELECT \(tenant), code, kind, currency, 0, 0 FROM ledger_product WHERE code = 'current'
      ON CONFLICT DO NOTHING
      """
    // More than a page of them.
    let accounts = """
      WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 1100)
      INSERT INTO ledger_account
        (id, tenant, product, name, kind, currency, state, actual, held, sequence, last_at, opened_at)
      SELECT \(id), \(tenant), product, name, kind, currency, 'inactive', 0, 0, 0, last_at, opened_at
      FROM ledger_account, counted WHERE id = 'one'
      """
    try await app.database.write { tx in
      for statement in [product, accounts, "UPDATE ledger_entry SET seal = 'x' WHERE account_id = 'cash'"] {
        _ = try tx.execute(SQL(stringLiteral: statement))
      }
    }
    let faults = try await app.database.read { [seal = app.seal] in try LedgerStore($0).verify(under: seal).faults }
    #expect(faults.contains { $0.rule == .readable })
    #expect(faults.contains(.init(rule: .seal, subject: "cash")))
  }
}
