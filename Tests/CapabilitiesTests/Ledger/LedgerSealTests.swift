// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage
import TestSupport
import Testing

@testable import Ledger

@Suite("Ledger: books that prove themselves")
struct LedgerSealTests {
  /// Two accounts, a transfer, a settled hold and an open one.
  private static func app(_ engine: Engine, sealed: Bool = true) async throws -> LedgerTestApp {
    let app = try await LedgerTestApp(engine, guarded: false)
    let ledger = sealed ? app.ledger : Ledger(database: app.database, world: app.clock.world)
    let (one, other) = (try await app.open("one"), try await app.open("other"))
    for name in [one, other] {
      _ = try await ledger.transfer(app.order("fund \(name)", from: LedgerTestApp.cash, to: name, 1000))
    }
    _ = try await ledger.transfer(app.order("t", from: one, to: other, 10))
    let hold = try #require(try await ledger.hold(app.hold("h", on: one, 20)).done)
    _ = try await ledger.settle(.init(tenant: LedgerTestApp.tenant, key: "s", kind: "debit", hold: hold.id))
    _ = try await ledger.hold(app.hold("open", on: one, 30))
    // The last transfer of both accounts.
    _ = try await ledger.transfer(app.order("last", from: one, to: other, 7))
    return app
  }

  private static func forge(_ app: LedgerTestApp, _ statements: [String]) async throws {
    try await app.database.write { tx in
      for statement in statements { try tx.execute(SQL(stringLiteral: statement)) }
    }
  }

  @Test("the seal of an entry is the digest of its parts with a NUL between each two, as in every release before")
  func parts() async throws {
    let app = try await LedgerTestApp(.sqlite, guarded: false)
    let seal = try #require(app.ledger.seal)
    for (previous, valueDay, amount) in [(nil, nil, 7), ("before", 20_000, 7), ("x", -1, 9_223_372_036_854_775_807)]
      as [(String?, Int64?, Int64)]
    {
      let order = TransferOrder(
        tenant: "acme", key: "kéy", kind: "transfer", domain: "core", debit: .init(rawValue: "one"),
        credit: .init(rawValue: "other"), amount: Money(amount, "CAD"), lifecycle: previous, valueDay: valueDay)
      let transfer = LedgerTransfer(
        id: .init(rawValue: "t"), order: order, at: LedgerTime(microseconds: 1_000_001),
        sequences: .init(debit: 3, credit: 10), declined: nil)
      let texts =
        [
          "entry", previous ?? "", "one", "3", "-\(amount)", "\(Int64.min)", "t", "1000001", "acme", "kéy", "transfer",
          "core", previous ?? "", "", "one", "other", "\(amount)", "CAD", "3", "10",
        ] + (valueDay.map { ["value \($0)"] } ?? [])
      #expect(
        seal.seal(transfer, on: order.debit, sequence: 3, amount: -amount, balance: .min, after: previous)
          == String(seal.vault.digest(texts.joined(separator: "\u{0}"), for: "ledger").prefix(32)))
    }
  }

  @Test("sound books are found sound, with checkpoints and without", arguments: Engine.available)
  func sound(engine: Engine) async throws {
    let app = try await Self.app(engine)
    #expect(try await app.prove().isEmpty)
    #expect(try await app.ledger.checkpoint(day: 1, tenant: LedgerTestApp.tenant) == 1)
    // The same day again, and an earlier one, make none.
    #expect(try await app.ledger.checkpoint(day: 1, tenant: LedgerTestApp.tenant) == 1)
    #expect(try await app.ledger.checkpoint(day: 0, tenant: LedgerTestApp.tenant) == 1)
    app.clock.advance(by: .days(1))
    _ = try await app.ledger.transfer(app.order("later", from: .init(rawValue: "one"), to: LedgerTestApp.cash, 1))
    #expect(try await app.ledger.checkpoint(day: 2, tenant: LedgerTestApp.tenant) == 2)
    #expect(try await app.prove().isEmpty)
    #expect(try await app.verify().faults.isEmpty)
  }

  /// Money for `one` out of nothing, so that every sum is right again.
  private static let minted = [
    """
    INSERT INTO ledger_transfer (id, tenant, idempotency_key, kind, domain, debit_id, credit_id, amount, currency,
      debit_sequence, credit_sequence, booked_at)
    SELECT 'forged', 'acme', 'forged', 'deposit', 'core-banking', 'cash', 'one', 500, 'CAD',
      c.sequence + 1, o.sequence + 1, c.last_at + o.last_at
    FROM ledger_account AS c, ledger_account AS o WHERE c.id = 'cash' AND o.id = 'one'
    """,
    """
    INSERT INTO ledger_entry (account_id, sequence, transfer_id, amount, balance, booked_at, seal)
    SELECT a.id, a.sequence + 1, 'forged', CASE a.id WHEN 'one' THEN 500 ELSE -500 END,
      a.actual + CASE a.id WHEN 'one' THEN 500 ELSE -500 END, t.booked_at, SEAL
    FROM ledger_account AS a, ledger_transfer AS t WHERE a.id IN ('one', 'cash') AND t.id = 'forged'
    """,
    """
    UPDATE ledger_account SET actual = actual + CASE id WHEN 'one' THEN 500 ELSE -500 END, sequence = sequence + 1,
      last_at = (SELECT booked_at FROM ledger_transfer WHERE id = 'forged')
    WHERE id IN ('one', 'cash')
    """,
  ]

  @Test(
    "minted money that adds up has no seal, or a wrong one", arguments: Engine.available,
    ["NULL", "'0123456789abcdef0123456789abcdef'", "a.seal"])
  func minted(engine: Engine, seal: String) async throws {
    let app = try await Self.app(engine)
    try await Self.forge(app, Self.minted.map { $0.replacing("SEAL", with: seal) })
    // By sums and numbers alone these books are right.
    #expect(try await app.verify().faults.isEmpty)
    #expect(try await app.prove() == (seal == "NULL" ? [.unsealed] : [.seal]))
    // What is booked after it does not heal it.
    _ = try await app.ledger.transfer(app.order("after", from: .init(rawValue: "one"), to: LedgerTestApp.cash, 1))
    #expect(try await app.prove() == (seal == "NULL" ? [.unsealed] : [.seal]))
  }

  @Test(
    "what was changed in a sealed entry or its transfer is found", arguments: Engine.available,
    [
      "UPDATE ledger_transfer SET kind = 'refund' WHERE idempotency_key = 't'",
      "UPDATE ledger_transfer SET idempotency_key = 'u' WHERE idempotency_key = 't'",
      "UPDATE ledger_entry SET seal = NULL WHERE account_id = 'one' AND sequence = 2",
      "UPDATE ledger_account SET seal = NULL WHERE id = 'one'",
      "UPDATE ledger_account SET sealed_from = 3 WHERE id = 'one'",
    ])
  func changed(engine: Engine, statement: String) async throws {
    let app = try await Self.app(engine)
    try await Self.forge(app, [statement])
    #expect(try await app.verify().faults.isEmpty)
    #expect(try await app.prove().contains(.seal))
  }

  @Test("a last transfer that was removed with its balances is missed by the checkpoint", arguments: Engine.available)
  func removed(engine: Engine) async throws {
    let app = try await Self.app(engine)
    _ = try await app.ledger.checkpoint(day: 1, tenant: LedgerTestApp.tenant)
    try await Self.forge(
      app,
      [
        "DELETE FROM ledger_entry WHERE transfer_id IN (SELECT id FROM ledger_transfer WHERE idempotency_key = 'last')",
        "DELETE FROM ledger_transfer WHERE idempotency_key = 'last'",
        """
        UPDATE ledger_account SET sequence = sequence - 1, actual = actual + CASE id WHEN 'one' THEN 7 ELSE -7 END
        WHERE id IN ('one', 'other')
        """,
        """
        UPDATE ledger_account SET seal = (
          SELECT e.seal FROM ledger_entry AS e
          WHERE e.account_id = ledger_account.id AND e.sequence = ledger_account.sequence)
        WHERE id IN ('one', 'other')
        """,
      ])
    #expect(try await app.verify().faults.isEmpty)
    #expect(try await app.prove() == [.checkpoint])
  }

  @Test(
    "a checkpoint that was changed or removed is found", arguments: Engine.available,
    [
      "DELETE FROM ledger_checkpoint WHERE number = 1",
      // The newest, and all of them: the audit log knows them.
      "DELETE FROM ledger_checkpoint WHERE number = 2",
      "DELETE FROM ledger_checkpoint",
      "UPDATE ledger_checkpoint SET day = 7 WHERE number = 2",
      "UPDATE ledger_checkpoint SET document = REPLACE(document, 'actual', 'astual') WHERE number = 1",
      "UPDATE ledger_checkpoint SET digest = 'none' WHERE number = 1",
      "UPDATE ledger_checkpoint SET tenant = 'other' WHERE number = 2",
    ])
  func checkpoints(engine: Engine, statement: String) async throws {
    let app = try await Self.app(engine)
    for day in Int64(1)...2 {
      _ = try await app.ledger.checkpoint(day: day, tenant: LedgerTestApp.tenant)
      app.clock.advance(by: .days(1))
    }
    #expect(try await app.prove().isEmpty)
    try await Self.forge(app, [statement])
    #expect(try await app.prove() == [.checkpoint])
  }

  @Test("a checkpoint of books in which a node without seals booked last stays true", arguments: Engine.available)
  func rolling(engine: Engine) async throws {
    let app = try await Self.app(engine)
    let older = Ledger(database: app.database, world: app.clock.world)
    _ = try await older.transfer(app.order("older", from: .init(rawValue: "one"), to: LedgerTestApp.cash, 1))
    _ = try await app.ledger.checkpoint(day: 1, tenant: LedgerTestApp.tenant)
    #expect(try await app.prove() == [.unsealed])
    _ = try await app.ledger.transfer(app.order("newer", from: .init(rawValue: "one"), to: LedgerTestApp.cash, 1))
    #expect(try await app.prove() == [.unsealed])
  }

  @Test("what is from before the seals is bound once, and from then on cannot be changed", arguments: Engine.available)
  func old(engine: Engine) async throws {
    let app = try await Self.app(engine, sealed: false)
    #expect(try await app.prove() == [.unsealed])
    // What is booked meanwhile is sealed, after what is not.
    _ = try await app.ledger.transfer(app.order("new", from: .init(rawValue: "one"), to: LedgerTestApp.cash, 1))
    #expect(try await app.prove() == [.unsealed])
    #expect(try await app.ledger.sealOldEntries(isDry: true).accounts == 3)
    #expect(try await app.ledger.sealOldEntries() == LedgerSealing(accounts: 3))
    #expect(try await app.ledger.sealOldEntries() == LedgerSealing())
    #expect(try await app.prove().isEmpty)
    try await Self.forge(app, ["UPDATE ledger_transfer SET kind = 'refund' WHERE idempotency_key = 't'"])
    #expect(try await app.prove() == [.seal])
  }

  @Test("what is minted behind a sealed entry of a checkpoint is never bound", arguments: Engine.available)
  func mintedLater(engine: Engine) async throws {
    let app = try await Self.app(engine)
    _ = try await app.ledger.checkpoint(day: 1, tenant: LedgerTestApp.tenant)
    try await Self.forge(app, Self.minted.map { $0.replacing("SEAL", with: "NULL") })
    #expect(try await app.prove() == [.unsealed])
    let sealing = try await app.ledger.sealOldEntries()
    #expect(sealing.accounts == 0)
    #expect(sealing.refused.map(\.account.rawValue) == ["cash", "one"])
    #expect(try await app.prove() == [.unsealed])
    // Nor is anything where checkpoints were cut off.
    try await Self.forge(app, ["DELETE FROM ledger_checkpoint"])
    await #expect(throws: Problem.self) { _ = try await app.ledger.sealOldEntries() }
  }

  @Test(
    "interest that did not grow is found", arguments: Engine.available,
    [
      ("UPDATE ledger_accrual SET balance = balance + 1", LedgerVerification.Rule.accrual),
      ("UPDATE ledger_accrual SET millionths = millionths + 1", .accrual),
      ("UPDATE ledger_accrual SET yearly_interest_millionths = 1000000", .accrual),
      (
        """
        INSERT INTO ledger_accrual (account_id, day, balance, yearly_interest_millionths, millionths)
        VALUES ('saver', 0, 36500, 365000, 36500000)
        """, .accrual
      ),
      ("UPDATE ledger_growth SET grown_high = grown_high + 1", .accrual),
      ("UPDATE ledger_growth SET booked_low = booked_low - 1", .accrual),
      ("UPDATE ledger_interest SET amount = amount + 1", .interest),
      ("DELETE FROM ledger_interest", .interest),
    ])
  func interest(engine: Engine, forgery: (String, LedgerVerification.Rule)) async throws {
    let app = try await LedgerTestApp(engine, guarded: false)
    try await app.database.write { tx in
      try app.ledger.put(
        LedgerProduct(
          tenant: LedgerTestApp.tenant, code: "savings", kind: .customer, currency: "CAD",
          yearlyInterestMillionths: 365_000), in: tx)
    }
    let saver = try await app.open("saver", funds: 36_500, product: "savings")
    let day = Ledger.day(of: app.clock.now)
    app.clock.advance(by: .days(1))
    _ = try await app.ledger.transfer(app.order("more", from: LedgerTestApp.cash, to: saver, 500))
    app.clock.advance(by: .days(2))
    for offset in Int64(0)...1 {
      #expect(
        try await app.ledger.accrue(day: day + offset, tenant: LedgerTestApp.tenant, product: "savings") == 1)
    }
    let paid = try await app.ledger.bookInterest(
      month: 1, lastDay: day + 1, tenant: LedgerTestApp.tenant, product: "savings", from: LedgerTestApp.cash)
    #expect(paid == 1)
    #expect(try await app.prove().isEmpty)
    try await Self.forge(app, [forgery.0])
    #expect(try await app.prove().contains(forgery.1))
  }

  @Test("amounts that no sum of 64 bits holds are faults, not failures of the checker", arguments: Engine.available)
  func wide(engine: Engine) async throws {
    let app = try await Self.app(engine)
    try await Self.forge(
      app, ["UPDATE ledger_entry SET amount = 9223372036854775807, balance = 9223372036854775807"])
    let found = try await app.prove()
    #expect(found.isSuperset(of: [.balanced, .balance, .running, .pair, .seal]))
  }

  @Test("the trial balance adds up to zero, and the general ledger has every entry", arguments: Engine.available)
  func export(engine: Engine) async throws {
    let app = try await Self.app(engine)
    let day = Ledger.day(of: app.clock.now)
    await #expect(throws: Problem.self) {
      try await app.ledger.trialBalance(on: day, tenant: LedgerTestApp.tenant) { _ in }
    }
    app.clock.advance(by: .days(1))
    _ = try await app.ledger.transfer(app.order("later", from: .init(rawValue: "one"), to: LedgerTestApp.cash, 1))
    var lines: [TrialBalanceLine] = []
    try await app.ledger.trialBalance(on: day, tenant: LedgerTestApp.tenant) { lines.append($0) }
    #expect(lines.map(\.account.id.rawValue) == ["cash", "one", "other"])
    #expect(lines.map(\.balance) == [-1980, 963, 1017])
    var entries: [LedgerEntry] = []
    try await app.ledger.generalLedger(
      tenant: LedgerTestApp.tenant, from: Ledger.start(ofDay: day), to: Ledger.start(ofDay: day + 1)
    ) { entries.append($0) }
    // Five transfers, of which the settlement is one.
    #expect(entries.count == 10)
    #expect(entries.reduce(0) { $0 + $1.amount } == 0)
  }
}
