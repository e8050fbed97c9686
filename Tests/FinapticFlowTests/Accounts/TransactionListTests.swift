// SPDX-License-Identifier: Apache-2.0

import Foundation
import FinapticWire
import Ledger
import Kit
import TestSupport
import Testing

@testable import FinapticFlow

@Suite("Finaptic: the ledger of an account")
struct TransactionListTests {
  private typealias Wire = FinapticAPI

  private func page(
    _ bank: BankingTestApp, _ asked: FinapticAPI.ListTransactionsRequest, by customer: BankingTestApp.Customer
  ) async throws -> FinapticAPI.AccountTransactionsResponse {
    try await bank.call(.listTransactions, asked, by: customer).view()
  }

  @Test("entries come newest first, with the balance after each; what was held or declined is no entry")
  func entries() async throws {
    try await BankingTestApp.run { bank in
      let owner = try await bank.customer()
      let (one, other) = (try await bank.open(owner, funds: 1000), try await bank.open(owner))
      let transfer = try #require(
        try await bank.ledger.transfer(bank.order(.transfer, 300, from: one, to: other)).done)
      #expect(try await bank.ledger.transfer(bank.order(.transfer, 900, from: one, to: other)).declined != nil)
      let hold = try await bank.ledger.hold(
        HoldOrder(bank.order(.purchase, 50, from: one, to: BankingTestApp.cards)))
      #expect(hold.done != nil)
      let found = try await page(bank, .init(accountId: one.rawValue, pageSize: 10), by: owner).transactions
      #expect(found.map(\.amount.amount) == ["-3.00", "10.00"])
      #expect(found.map(\.balance.actual.amount) == ["7.00", "10.00"])
      #expect(found.map(\.initiatingDomain) == ["core-transfer", "core-banking"])
      let twin = try await page(bank, .init(accountId: other.rawValue, pageSize: 10), by: owner).transactions
      #expect(twin.map(\.amount.amount) == ["3.00"])
      #expect(twin[0].transactionId == found[0].transactionId && found[0].transactionId == transfer.id.rawValue)
      #expect(twin[0].lifecycleTransactionId == found[0].lifecycleTransactionId)
    }
  }

  @Test("from is included, to is not; wrong instants, sizes and orders are told at once")
  func bounds() async throws {
    try await BankingTestApp.run { bank in
      let owner = try await bank.customer()
      let account = try await bank.open(owner)
      var times: [Wire.Instant] = []
      for amount in 1...5 {
        times.append(try await bank.deposit(Int64(amount), to: account).at.wire)
        bank.clock.advance(by: .seconds(1))
      }
      func amounts(_ from: Wire.Instant?, _ to: Wire.Instant?) async throws -> [String] {
        try await page(
          bank, .init(accountId: account.rawValue, from: from?.description, to: to?.description, pageSize: 9), by: owner
        ).transactions.map(\.amount.amount)
      }
      #expect(try await amounts(times[1], times[3]) == ["0.03", "0.02"])
      #expect(try await amounts(times[4], nil) == ["0.05"])
      #expect(try await amounts(nil, times[1]) == ["0.01"])
      #expect(try await amounts(times[2], times[2]) == [])
      for wrong in [
        Wire.ListTransactionsRequest(accountId: account.rawValue, from: times[1].description, to: times[0].description),
        .init(accountId: "x", from: "yesterday", to: "2026-13-01T00:00:00Z", pageSize: 0),
      ] {
        let answer = try await bank.call(.listTransactions, wrong, by: owner)
        #expect(answer.refusal == "400 INVALID_ARGUMENT")
        let fields = Set(answer.error?.details?.fieldViolations?.map(\.field) ?? [])
        #expect(fields == (wrong.accountId == "x" ? ["accountId", "from", "to", "pageSize"] : ["from", "pageSize"]))
      }
    }
  }

  @Test("following the pages sees each entry once while others are booked", arguments: [UInt64(1), 2])
  func stable(seed: UInt64) async throws {
    try await BankingTestApp.run { bank in
      var randomness = SeededGenerator(seed: seed)
      let owner = try await bank.customer()
      let account = try await bank.open(owner)
      var before: [String] = []
      for _ in 0..<23 { before.append(try await bank.deposit(1, to: account).id.rawValue) }
      var (seen, token) = ([String](), String?.none)
      repeat {
        let size = Int.random(in: 1...4, using: &randomness)
        let answer = try await page(
          bank, .init(accountId: account.rawValue, pageSize: size, pageToken: token), by: owner)
        seen += answer.transactions.map(\.transactionId)
        token = answer.nextPageToken
        try await bank.deposit(1, to: account)
      } while token != nil
      #expect(seen == before.reversed())
    }
  }

  @Test("a token is of one account, caller and range")
  func bound() async throws {
    try await BankingTestApp.run { bank in
      let (owner, other) = (try await bank.customer(), try await bank.customer("Bob", "Cratchit"))
      let account = try await bank.open(owner, funds: 5, authorized: other)
      let second = try await bank.open(owner, funds: 5)
      try await bank.deposit(1, to: account)
      let token = try #require(
        try await page(bank, .init(accountId: account.rawValue, pageSize: 1), by: owner).nextPageToken)
      #expect(token.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil)
      let now = Wire.Instant(millisecondsSince1970: bank.clock.now.milliseconds).description
      for (asked, customer) in [
        (Wire.ListTransactionsRequest(accountId: account.rawValue, pageSize: 1, pageToken: token), other),
        (.init(accountId: second.rawValue, pageSize: 1, pageToken: token), owner),
        (.init(accountId: account.rawValue, to: now, pageSize: 1, pageToken: token), owner),
        (.init(accountId: account.rawValue, pageSize: 1, pageToken: String(token.dropLast(2))), owner),
      ] {
        #expect(try await bank.call(.listTransactions, asked, by: customer).refusal == "400 INVALID_ARGUMENT")
      }
      let crossed = try await bank.call(
        .getTransactions,
        Wire.GetTransactionsRequest(
          accountId: account.rawValue, pageSize: 1, pageToken: token, sortOrder: "DESCENDING"), by: owner)
      #expect(crossed.refusal == "400 INVALID_ARGUMENT")
    }
  }
}
