// SPDX-License-Identifier: Apache-2.0

import Kit
import Ledger
import Storage
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

@Suite("Finaptic: what the desk ends")
struct DeskClosingTests {
  private static let tenant = CardTestApp.tenant
  private static let why = StopReason.customerRequest.rawValue
  private static let reader = RecordReader(
    chain: "reader", actor: "agent:1", email: "r@bank.example", scope: .only(FinapticTenant.session(tenant)))

  @Test("an account is closed into another one of its customer's, and into no other's")
  func closed() async throws {
    try await CardTestApp.run { app in
      let (ada, bob) = (try await app.customer("ada"), try await app.customer("bob"))
      let (first, second) = (try await app.open(for: ada).account, try await app.open(for: ada, cents: 0).account)
      let foreign = try await app.open(for: bob, cents: 0).account
      let (id, repository) = (ada.user.rawValue, app.dependencies.userRepository)
      let offered = try await repository.record(id, for: Self.reader).acts.filter { $0.code == "close-account" }
      var act = try #require(offered.first { $0.subject == first.rawValue })
      #expect(act.fields.map(\.code) == ["payout"] && act.fields.first?.isRequired == true)
      let ofSecond = try #require(offered.first { $0.subject == second.rawValue })
      #expect(ofSecond.fields.map(\.isRequired) == [false], "nothing is on it")
      let empty = try await #require(throws: Problem.self) {
        try await repository.act(act, of: id, because: Self.why, for: Self.reader)
      }
      #expect(empty.code == "account-has-balance")
      act.filled["payout"] = foreign.rawValue
      await #expect(throws: Problem.notFound) {
        try await repository.act(act, of: id, because: Self.why, for: Self.reader)
      }
      act.filled["payout"] = second.rawValue
      #expect(try await repository.act(act, of: id, because: Self.why, for: Self.reader))
      #expect(try await app.balance(of: second) == [100_00, 100_00])
      let closed = try await app.database.read { try AccountStore($0).find(first, tenant: Self.tenant) }
      #expect(closed?.account.stop == .closed)
      let acts = try await repository.record(id, for: Self.reader).acts
      #expect(!acts.contains { $0.subject == first.rawValue })
      await #expect(throws: Problem.notFound) {
        try await repository.act(act, of: id, because: Self.why, for: Self.reader)
      }
    }
  }

  @Test("interest that is booked when an account without a balance closes goes to the other account, too")
  func interest() async throws {
    try await CardTestApp.run { app in
      let ada = try await app.customer("ada")
      for product in AccountProduct.standard {
        try await app.dependencies.accountTerms.set(
          product.code, of: Self.tenant, yearlyInterest: 36_500, monthlyFee: nil, by: "test")
      }
      let first = try await app.open(for: ada, cents: 1_000_00).account
      app.accounts.clock.advance(by: .days(2))
      try await app.empty(ada)
      let second = try await app.open(for: ada, cents: 0).account
      let (id, repository) = (ada.user.rawValue, app.dependencies.userRepository)
      var act = try #require(
        try await repository.record(id, for: Self.reader).acts.first {
          $0.code == "close-account" && $0.subject == first.rawValue
        })
      #expect(act.fields.map(\.code) == ["payout"])
      let unsaid = try await #require(throws: Problem.self) {
        try await repository.act(act, of: id, because: Self.why, for: Self.reader)
      }
      #expect(unsaid.code == "account-has-balance")
      act.filled["payout"] = second.rawValue
      #expect(try await repository.act(act, of: id, because: Self.why, for: Self.reader))
      // 1000.00 × 3.65 % ÷ 365, twice.
      #expect(try await app.balance(of: second) == [20, 20])
    }
  }

  @Test("where the bank wants a second person, closing waits with its reason and where the balance goes")
  func ofTwo() async throws {
    try await CardTestApp.run { app in
      let (desk, ada) = (try await FourEyesClients(app), try await app.customer("mia"))
      let (first, second) = (try await app.open(for: ada).account, try await app.open(for: ada, cents: 0).account)
      try await app.dependencies.fourEyes.setActs([.block], of: Self.tenant, by: "test")
      let (id, repository) = (ada.user.rawValue, app.dependencies.userRepository)
      func form() async throws -> RecordAct? {
        try await repository.record(id, for: Self.reader).acts.first {
          $0.code == "close-account" && $0.subject == first.rawValue
        }
      }
      var act = try #require(try await form())
      act.filled["payout"] = second.rawValue
      #expect(try await !repository.act(act, of: id, because: Self.why, for: Self.reader))
      let pending = try #require(try await form())
      #expect(pending.asked == .init(Self.why, isAgreed: false) && pending.filled == ["payout": second.rawValue])
      let asked = try #require(
        try await app.dependencies.bankApprovals.waiting(for: desk.checker.client).map(\.id).first)
      #expect(try await desk.decide(asked) == 200)
      #expect(try await repository.act(pending, of: id, because: Self.why, for: Self.reader))
      #expect(try await app.balance(of: second) == [100_00, 100_00])
    }
  }

  @Test("an authorized user is taken off, and sees the account no more")
  func removed() async throws {
    try await CardTestApp.run { app in
      let (ada, kim) = (try await app.customer("ada"), try await app.customer("kim"))
      let account = try await app.open(for: ada).account
      try await app.authorize(kim, on: account)
      let (id, repository) = (ada.user.rawValue, app.dependencies.userRepository)
      var act = try #require(
        try await repository.record(id, for: Self.reader).acts.first { $0.code == "remove-authorized" })
      #expect(act.fields.first?.kind == .choice([.init(kim.customer, "Kim Tremblay")]))
      for other in ["", ada.customer, "someone"] {
        act.filled["authorized"] = other
        await #expect(throws: Problem.self) {
          try await repository.act(act, of: id, because: Self.why, for: Self.reader)
        }
      }
      act.filled["authorized"] = kim.customer
      #expect(try await repository.act(act, of: id, because: Self.why, for: Self.reader))
      let role = try await app.database.read { try AccountStore($0).role(of: kim.customer, on: account) }
      #expect(role == nil)
      let left = try await repository.record(id, for: Self.reader).acts.map(\.code)
      #expect(!left.contains("remove-authorized"))
    }
  }
}
