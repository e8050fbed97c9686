import Ledger
import Foundation
import GatehouseWire
import FinapticWire
import Kit
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
