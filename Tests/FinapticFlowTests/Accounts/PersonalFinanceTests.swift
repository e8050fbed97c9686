// SPDX-License-Identifier: Apache-2.0

import Ledger
import Foundation
import FinapticWire
import Kit
import TestSupport
import Testing

@testable import FinapticFlow

@Suite("Finaptic: what was spent and received")
struct PersonalFinanceTests {
  private typealias Wire = FinapticAPI

  private func list(
    _ bank: BankingTestApp, _ account: BankAccount.ID, by customer: BankingTestApp.Customer,
    order: String = "DESCENDING",
    size: Int = 50, token: String? = nil
  ) async throws -> FinapticAPI.TransactionsResponse {
    try await bank.call(
      .getTransactions,
      FinapticAPI.GetTransactionsRequest(
        accountId: account.rawValue, pageSize: size, pageToken: token, sortOrder: order), by: customer
    ).view()
  }

  private func get(
    _ bank: BankingTestApp, _ id: String, by customer: BankingTestApp.Customer
  ) async throws -> FinapticAPI.Transaction {
    try await bank.call(.getTransaction, FinapticAPI.TransactionRequest(transactionId: id), by: customer)
      .view(FinapticAPI.TransactionResponse.self).transaction
  }

  @Test("every kind of order is seen as the right type, state, amount and name")
  func kinds() async throws {
    try await BankingTestApp.run { bank in
      let (owner, other) = (try await bank.customer(), try await bank.customer("Bob", "Cratchit"))
      let (one, theirs) = (try await bank.open(owner, funds: 10_000), try await bank.open(other))
      let (cards, interac) = (BankingTestApp.cards, InternalAccounts.account(.interac, tenant: 7))
      func book(
        _ kind: BankTransaction.Kind, from: LedgerAccount.ID, to: LedgerAccount.ID,
        _ particulars: BankTransaction.Particulars? = nil
      ) async throws {
        _ = try await bank.ledger.transfer(bank.order(kind, 100, from: from, to: to), note: try particulars?.note)
      }
      try await book(.transfer, from: one, to: theirs)
      try await book(.purchase, from: one, to: cards, BankingTestApp.bakery)
      try await book(.refund, from: cards, to: one, BankingTestApp.bakery)
      try await book(.chargeback, from: cards, to: one, BankingTestApp.bakery)
      try await book(.autodeposit, from: interac, to: one, .init(counterparty: "Carol Danvers"))
      try await book(.interest, from: InternalAccounts.account(.interest, tenant: 7), to: one)
      try await book(.fee, from: one, to: InternalAccounts.account(.fees, tenant: 7))
      let seen = try await list(bank, one, by: owner, order: "ASCENDING").transactions
      let lines = seen.map {
        "\($0.transactionType) \($0.transactionState) \($0.amount.amount) \($0.initiatingDomain) \($0.transactorName)"
          + ($0.category.isEmpty ? "" : " (\($0.category))")
      }
      #expect(
        lines == [
          "CREDIT POSTED 100.00 core-banking Bank 7", "DEBIT POSTED -1.00 core-transfer Bob Cratchit",
          "DEBIT POSTED -1.00 core-card Bakery Toronto ON (Groceries)",
          "REFUND POSTED 1.00 core-card Bakery Toronto ON (Groceries)",
          "CHARGEBACK POSTED 1.00 core-card Bakery Toronto ON (Groceries)",
          "CREDIT POSTED 1.00 core-transfer Carol Danvers", "CREDIT POSTED 1.00 core-banking Bank 7",
          "DEBIT POSTED -1.00 core-banking Bank 7",
        ])
      #expect(try await list(bank, theirs, by: other).transactions.map(\.transactorName) == ["Ada Lovelace"])
      #expect(seen.last?.balance.actual == seen.last?.balance.available)
    }
  }

  @Test("a hold is pending, then what settled it; a released one is cancelled; a declined one changes no balance")
  func holds() async throws {
    try await BankingTestApp.run { bank in
      let owner = try await bank.customer()
      let account = try await bank.open(owner, funds: 1000)
      func hold(_ amount: Int64) async throws -> LedgerAnswer<LedgerHold> {
        try await bank.ledger.hold(
          HoldOrder(bank.order(.purchase, amount, from: account, to: BankingTestApp.cards)),
          note: try BankingTestApp.bakery.note)
      }
      let first = try #require(try await hold(400).done)
      let pending = try await get(bank, first.id.rawValue, by: owner)
      #expect(pending.transactionType == "AUTHORIZED" && pending.transactionState == "PENDING")
      #expect(pending.amount.amount == "-4.00" && pending.balance.actual.amount == "10.00")
      #expect(pending.balance.available.amount == "6.00")
      let declined = try #require(try await hold(700).declined)
      let refused = try await get(bank, declined.id.rawValue, by: owner)
      #expect(refused.transactionType == "DECLINED" && refused.transactionState == "POSTED")
      #expect(refused.amount.amount == "-7.00" && refused.balance.available.amount == "6.00")
      let settled = try #require(
        try await bank.ledger.settle(
          SettlementOrder(
            tenant: BankAccount.ledgerTenant(7), key: "s", kind: first.order.kind, hold: first.id, minorUnits: 350),
          note: try BankingTestApp.bakery.note
        ).done)
      let posted = try await get(bank, first.id.rawValue, by: owner)
      #expect(posted.transactionId == settled.id.rawValue && posted.transactionType == "DEBIT")
      #expect(posted.transactionState == "POSTED" && posted.lifecycleTransactionId == first.id.rawValue)
      #expect(posted.amount.amount == "-3.50" && posted.balance.available.amount == "6.50")
      let second = try #require(try await hold(100).done)
      #expect(try await bank.ledger.release(second.id, tenant: BankAccount.ledgerTenant(7)).done != nil)
      let seen = try await list(bank, account, by: owner).transactions
      #expect(seen.map(\.transactionType) == ["AUTHORIZED", "DEBIT", "DECLINED", "CREDIT"])
      #expect(seen.map(\.transactionState) == ["CANCELLED", "POSTED", "POSTED", "POSTED"])
    }
  }

  @Test("of a transfer between two accounts that the customer sees, the debit leg is the transaction")
  func legs() async throws {
    try await BankingTestApp.run { bank in
      let (owner, other) = (try await bank.customer(), try await bank.customer("Bob", "Cratchit"))
      let (one, two) = (try await bank.open(owner, funds: 10), try await bank.open(owner, authorized: other))
      let id = try #require(
        try await bank.ledger.transfer(bank.order(.transfer, 5, from: one, to: two)).done
      ).id.rawValue
      #expect(try await get(bank, id, by: owner).amount.amount == "-0.05")
      #expect(try await get(bank, id, by: other).amount.amount == "0.05")
      let stranger = try await bank.customer("Eve", "Moneypenny")
      let asked = Wire.TransactionRequest(transactionId: id)
      #expect(try await bank.call(.getTransaction, asked, by: stranger).refusal == "404 NOT_FOUND")
      for (id, refusal) in [("x", "400 INVALID_ARGUMENT"), ("0190b0c0-0000-4000-8000-000000000001", "404 NOT_FOUND")] {
        let answer = try await bank.call(.getTransaction, Wire.TransactionRequest(transactionId: id), by: owner)
        #expect(answer.refusal == refusal)
      }
    }
  }

  @Test("categories are in the customer's language")
  func languages() async throws {
    try await BankingTestApp.run { bank in
      let owner = try await bank.customer(language: "LANGUAGE_FR_CA")
      let account = try await bank.open(owner, funds: 100)
      _ = try await bank.ledger.transfer(
        bank.order(.purchase, 5, from: account, to: BankingTestApp.cards), note: try BankingTestApp.bakery.note)
      #expect(try await list(bank, account, by: owner).transactions.first?.category == "Épicerie")
    }
  }

  @Test(
    "pages lead both ways, and nothing that comes meanwhile makes them skip or repeat",
    arguments: ["DESCENDING", "ASCENDING"], [UInt64(1), 2, 3])
  func bothWays(order: String, seed: UInt64) async throws {
    try await BankingTestApp.run { bank in
      var randomness = SeededGenerator(seed: seed)
      let owner = try await bank.customer()
      let account = try await bank.open(owner)
      for _ in 0..<12 { try await bank.deposit(1, to: account) }
      /// What is on a way through the pages, in the order of time.
      func truth() async throws -> [String] {
        try await bank.database.read {
          try BankTransactionStore($0, vault: bank.dependencies.core.vault)
            .newer(than: LedgerTime(microseconds: .min), on: account, limit: 1000).map(\.id.rawValue)
        }
      }
      var at = try await list(bank, account, by: owner, order: order, size: 3)
      #expect(at.previousPageToken == nil && at.sortOrder == order)
      for _ in 0..<25 {
        try await bank.deposit(1, to: account)
        let size = Int.random(in: 1...4, using: &randomness)
        let isNext = Bool.random(using: &randomness)
        guard let token = (isNext ? at.nextPageToken : at.previousPageToken) ?? at.nextPageToken ?? at.previousPageToken
        else { break }
        let forward = token == at.nextPageToken
        let then = try await list(bank, account, by: owner, order: order, size: size, token: token)
        let all = try await truth()
        let ordered = order == "ASCENDING" ? all : all.reversed()
        let (from, to) = (at.transactions.map(\.transactionId), then.transactions.map(\.transactionId))
        let joined = forward ? from + to : to + from
        let start = try #require(ordered.firstIndex(of: joined[0]))
        #expect(Array(ordered[start..<(start + joined.count)]) == joined)
        #expect(to.count <= size && !to.isEmpty)
        at = then
      }
    }
  }

  @Test("no order, no size and no such account are told")
  func refusals() async throws {
    try await BankingTestApp.run { bank in
      let owner = try await bank.customer()
      let account = try await bank.open(owner)
      for order in [nil, "ORDER_UNSPECIFIED", "descending"] {
        let asked = Wire.GetTransactionsRequest(accountId: account.rawValue, pageSize: 0, sortOrder: order)
        let answer = try await bank.call(.getTransactions, asked, by: owner)
        #expect(Set(answer.error?.details?.fieldViolations?.map(\.field) ?? []) == ["pageSize", "sortOrder"])
      }
      let stranger = try await bank.customer("Eve", "Moneypenny")
      let asked = Wire.GetTransactionsRequest(accountId: account.rawValue, pageSize: 1, sortOrder: "ASCENDING")
      #expect(try await bank.call(.getTransactions, asked, by: stranger).refusal == "404 NOT_FOUND")
    }
  }

  @Test("the file of categories has no code twice, and others of its form are read or refused by line", .storeless)
  func categories() throws {
    let shipped = SpendingCategories.shipped
    #expect(
      shipped.name(of: "5411", in: .english) == "Groceries" && shipped.name(of: "5411", in: .french) == "Épicerie")
    for code in ["", "541", "54111", "abcd", "0000"] { #expect(shipped.name(of: code, in: .english).isEmpty) }
    let own = try SpendingCategories(Data("from,to,en,fr\n0001,0009,A,B\n".utf8))
    #expect(own.name(of: "0005", in: .french) == "B" && own.name(of: "0010", in: .french).isEmpty)
    for wrong in ["", "from,to,en\n1,2,a\n", "from,to,en,fr\n0002,0001,a,b\n", "from,to,en,fr\n0001,0002,a,\n"] {
      #expect(throws: SpendingCategories.Fault.self) { try SpendingCategories(Data(wrong.utf8)) }
    }
    let twice = "from,to,en,fr\n0001,0005,a,b\n0005,0006,a,b\n"
    #expect(throws: SpendingCategories.Fault.self) { try SpendingCategories(Data(twice.utf8)) }
  }
}
