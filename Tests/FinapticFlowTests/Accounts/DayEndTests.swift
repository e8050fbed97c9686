// SPDX-License-Identifier: Apache-2.0

import Ledger
import Foundation
import GatehouseWire
import FinapticWire
import Kit
import Storage
import TestSupport
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

@Suite("Finaptic: the end of a day")
struct DayEndTests {
  private static let terms = AccountProduct.current.code

  @Test("interest grows each day, and a month's end books it and the fee, once")
  func month() async throws {
    try await BankingTestApp.run { bank in
      let (owner, dayEnd) = (try await bank.customer(), bank.dependencies.dayEnd)
      let account = try await bank.open(owner, funds: 365_000_00)
      try await bank.dependencies.accountTerms.set(
        Self.terms, of: BankingTestApp.tenant, yearlyInterest: 10_000, monthlyFee: 495, by: "test")
      // 1 % of 365 000.00 is 10.00 a day.
      let first = Ledger.day(of: bank.clock.now)
      bank.clock.set(Instant(milliseconds: (first + 3) * 86_400_000 + 600_000))
      #expect(try await dayEnd.run().grown == 3)
      #expect(try await dayEnd.run() == DayEnd.Done())
      let details: FinapticAPI.AccountDetails = try await bank.call(
        .getAccountDetails, FinapticAPI.AccountRequest(accountId: account.rawValue), by: bank.again(owner)
      ).view()
      #expect(details.accruedInterest.amount == "30.00")
      var again = DayEnd.Done()
      try await dayEnd.end(first + 1, of: BankingTestApp.tenant, into: &again)
      #expect(again.grown == 0 && again.days == 1)
      let month = DayEnd.Month(of: first + 2)
      bank.clock.set(Instant(milliseconds: (month.lastDay + 1) * 86_400_000 + 600_000))
      let done = try await dayEnd.run()
      #expect(done.paid == 1 && done.charged == 1)
      let days = month.lastDay - first + 1
      let balance = try #require(
        try await bank.dependencies.ledger.account(account, tenant: BankAccount.ledgerTenant(BankingTestApp.tenant))
      ).actual
      #expect(balance == 365_000_00 + days * 1000 - 495)
      let seen: FinapticAPI.TransactionsResponse = try await bank.call(
        .getTransactions,
        FinapticAPI.GetTransactionsRequest(accountId: account.rawValue, pageSize: 9, sortOrder: "ASCENDING"),
        by: bank.again(owner)
      ).view()
      #expect(seen.transactions.map(\.transactionType) == ["CREDIT", "CREDIT", "DEBIT"])
      #expect(try await bank.verify().faults == [])
    }
  }

  @Test("an account that is closed before its days are ended gets their interest, and no month's end asks it again")
  func closed() async throws {
    try await BankingTestApp.run { bank in
      let (owner, parts, tenant) = (try await bank.customer(), bank.dependencies, BankingTestApp.tenant)
      let (account, other) = (try await bank.open(owner, funds: 365_000_00), try await bank.open(owner))
      try await parts.accountTerms.set(Self.terms, of: tenant, yearlyInterest: 10_000, monthlyFee: nil, by: "test")
      try await parts.fourEyes.setAmount(1_000_000_00, of: tenant, by: "test")
      let first = Ledger.day(of: bank.clock.now)
      bank.clock.set(Instant(milliseconds: (first + 3) * 86_400_000 + 600_000))
      _ = try await parts.bankStops.setStatus(
        BankAccount.Status.closed, of: account.rawValue, tenant: tenant, reason: "CUSTOMER_REQUEST",
        payout: other.rawValue, by: "test")
      let name = BankAccount.ledgerTenant(tenant)
      #expect(try await bank.ledger.account(other, tenant: name)?.actual == 365_000_00 + 3 * 1000)
      #expect(try await bank.verify().faults == [])
      // As a node of the release before left it: a day that nothing was booked for.
      try await bank.database.write {
        _ = try $0.execute(
          """
          INSERT INTO ledger_accrual (account_id, day, balance, yearly_interest_millionths, millionths)
          VALUES (\(account), \(first + 3), 0, 10000, 5000000)
          """)
      }
      let month = DayEnd.Month(of: first + 3)
      bank.clock.set(Instant(milliseconds: (month.lastDay + 1) * 86_400_000 + 600_000))
      // The other account alone.
      #expect(try await parts.dayEnd.run().paid == 1)
      let expense = InternalAccounts.account(.interest, tenant: tenant)
      #expect(try await bank.database.read { try LedgerStore($0).declined(of: expense, limit: 9) }.isEmpty)
      #expect(try await bank.ledger.account(account, tenant: name)?.actual == 0)
    }
  }

  @Test("an account that cannot get its interest is told by its tenant and id, and the others get theirs")
  func deadLettered() async throws {
    try await BankingTestApp.run { bank in
      let (owner, dayEnd, tenant) = (try await bank.customer(), bank.dependencies.dayEnd, BankingTestApp.tenant)
      let (bad, good) = (try await bank.open(owner, funds: 365_000_00), try await bank.open(owner, funds: 365_000_00))
      try await bank.dependencies.accountTerms.set(
        Self.terms, of: tenant, yearlyInterest: 10_000, monthlyFee: nil, by: "test")
      let first = Ledger.day(of: bank.clock.now)
      let month = DayEnd.Month(of: first)
      // The key of the interest of this month is another transfer's.
      let taken = TransferOrder(
        .deposit, tenant: tenant, key: "interest \(bad) \(month.number)",
        debit: InternalAccounts.account(.cash, tenant: tenant), credit: bad, amount: Money(1, "CAD"))
      _ = try #require(try await bank.ledger.transfer(taken).done)
      bank.clock.set(Instant(milliseconds: (month.lastDay + 1) * 86_400_000 + 600_000))
      let thrown = await #expect(throws: PartialFailure.self) { _ = try await dayEnd.run() }
      let failure = try #require(thrown)
      #expect(failure.parts.map(\.error) == ["keyReused"])
      #expect(failure.parts.first?.metadata["tenant"] == "\(tenant)")
      #expect(failure.parts.first?.metadata["account"] == "\(bad)")
      #expect(failure.parts.first?.metadata["duty"] == "interest")
      // The day is ended, what waits is known, and no run tells it again.
      #expect(try await dayEnd.run() == DayEnd.Done())
      #expect(try await dayEnd.deadLettered(of: tenant).map(\.account) == [bad])
      #expect(try await dayEnd.deadLettered(of: BankingTestApp.otherTenant).isEmpty)
      let days = month.lastDay - first + 1
      let name = BankAccount.ledgerTenant(tenant)
      #expect(try await bank.ledger.account(good, tenant: name)?.actual == 365_000_00 + days * 1000)
      #expect(try await bank.ledger.account(bad, tenant: name)?.actual == 365_000_01)
    }
  }

  @Test("a tenant whose day cannot be ended is told by its number, and the others end theirs")
  func tenantsApart() async throws {
    // SQLite keeps a text where a number belongs; PostgreSQL would not.
    try await BankingTestApp.run(.sqlite) { bank in
      let (owner, dayEnd) = (try await bank.customer(tenant: BankingTestApp.otherTenant), bank.dependencies.dayEnd)
      _ = try await bank.open(owner, funds: 365_000_00)
      try await bank.dependencies.accountTerms.set(
        Self.terms, of: BankingTestApp.otherTenant, yearlyInterest: 10_000, monthlyFee: nil, by: "test")
      try await bank.database.write {
        _ = try $0.execute(
          "INSERT INTO finaptic_day_end (tenant_id, last_day) VALUES (\(BankingTestApp.tenant), 'no day')")
      }
      let first = Ledger.day(of: bank.clock.now)
      bank.clock.set(Instant(milliseconds: (first + 2) * 86_400_000 + 600_000))
      let thrown = await #expect(throws: PartialFailure.self) { _ = try await dayEnd.run() }
      let failure = try #require(thrown)
      #expect(failure.parts.map(\.error) == ["SQLError.unreadable"])
      #expect(failure.parts.first?.metadata["tenant"] == "\(BankingTestApp.tenant)")
      let ended = try await bank.database.read { try DayEndStore($0).last(of: BankingTestApp.otherTenant) }
      #expect(ended == first + 1)
    }
  }

  @Test("a day that is ended leaves a checkpoint, and what customers see is compared with the books")
  func proved() async throws {
    try await BankingTestApp.run { bank in
      let (owner, tenant) = (try await bank.customer(), BankingTestApp.tenant)
      let account = try await bank.open(owner, funds: 1000)
      let seal = LedgerSeal(bank.dependencies.core.vault)
      @Sendable func faults() async throws -> [LedgerVerification.Rule] {
        try await bank.database.read { tx in
          var found = try LedgerStore(tx).verify(under: seal)
          try BankTransactionStore.verify(in: tx, into: &found)
          return found.faults.map(\.rule)
        }
      }
      let order = HoldOrder(bank.order(.purchase, 100, from: account, to: BankingTestApp.cards))
      let (first, second) = (
        try #require(try await bank.ledger.hold(order).done),
        HoldOrder(
          bank.order(.purchase, 50, from: account, to: BankingTestApp.cards))
      )
      _ = try await bank.ledger.settle(
        .init(tenant: BankAccount.ledgerTenant(tenant), key: "s", kind: "purchase", hold: first.id, minorUnits: 60))
      let other = try #require(try await bank.ledger.hold(second).done)
      _ = try await bank.ledger.release(other.id, tenant: BankAccount.ledgerTenant(tenant))
      let third = HoldOrder(bank.order(.purchase, 10_000, from: account, to: BankingTestApp.cards))
      #expect(try await bank.ledger.hold(third).declined != nil)
      bank.clock.advance(by: .days(1))
      _ = try await bank.dependencies.dayEnd.run()
      _ = try await bank.dependencies.dayEnd.run()
      let count = try await bank.database.read { try LedgerStore($0).verify(under: seal).checkpoints }
      // One for each tenant.
      #expect(count == 2)
      #expect(try await faults() == [])
      for forgery in [
        "UPDATE finaptic_transaction SET amount = amount + 1 WHERE category = 'CREDIT'",
        "UPDATE finaptic_transaction SET amount = amount - 1 WHERE category = 'CREDIT'",
        "UPDATE finaptic_transaction SET state = 'PENDING' WHERE state = 'CANCELLED'",
        "UPDATE finaptic_transaction SET settled_by = NULL WHERE settled_by IS NOT NULL",
        "DELETE FROM finaptic_transaction WHERE category = 'DEBIT'",
      ] {
        let before = try await faults().count
        try await bank.database.write { _ = try $0.execute(SQL(stringLiteral: forgery)) }
        let after = try await faults()
        // The second forgery takes the first one back.
        #expect(forgery.contains("- 1") ? after.count < before : after.count > before, "\(forgery)")
        #expect(after.allSatisfy { $0 == .transaction })
      }
    }
  }

  @Test("a day that is not over, an unknown product and terms out of range are refused")
  func refusals() async throws {
    try await BankingTestApp.run { bank in
      let terms = bank.dependencies.accountTerms
      await #expect(throws: Problem.notFound) {
        try await terms.set("house.cash", of: BankingTestApp.tenant, yearlyInterest: 1, monthlyFee: nil, by: "test")
      }
      await #expect(throws: Problem.self) {
        try await terms.set(Self.terms, of: BankingTestApp.tenant, yearlyInterest: -1, monthlyFee: nil, by: "test")
      }
      try await terms.set(Self.terms, of: BankingTestApp.tenant, yearlyInterest: 1, monthlyFee: nil, by: "test")
      await #expect(throws: Problem.self) {
        var done = DayEnd.Done()
        try await bank.dependencies.dayEnd.end(
          Ledger.day(of: bank.clock.now), of: BankingTestApp.tenant, into: &done)
      }
    }
  }

  @Test(
    "months end where the calendar says",
    arguments: [("2026-02-11", "2026-02-28"), ("2024-02-29", "2024-02-29"), ("2026-12-01", "2026-12-31")])
  func months(day: String, last: String) throws {
    let (day, last) = (try #require(WireDate(day)), try #require(WireDate(last)))
    let month = DayEnd.Month(of: Int64(day.daysSince1970))
    #expect(month.lastDay == Int64(last.daysSince1970))
    #expect(month.number == Int64((day.year - 1970) * 12 + day.month - 1))
  }
}
