// SPDX-License-Identifier: Apache-2.0
import FinapticWire
import Foundation
import Kit
import Ledger
import Storage
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

@Suite("Finaptic: what staff book on an account by hand")
struct AccountRepositoryTests {
  private static let tenant = CardTestApp.tenant
  private static let bank = FinapticTenant.session(tenant)

  private static func reader(
    _ email: String = "r@bank.example", _ scope: TenantScope = .only(bank)
  ) -> RecordReader { RecordReader(chain: "reader", actor: "agent:1", email: email, scope: scope) }

  /// The form of an act as the page has it, filled in.
  private static func form(
    _ code: String, on account: BankAccount.ID, _ filled: [String: String], _ repository: FinapticAccountRepository
  ) async throws -> RecordAct {
    let acts = try await repository.record(account.rawValue, for: reader()).acts
    var act = try #require(acts.first { $0.code == code && $0.asked == nil })
    act.filled = filled
    return act
  }

  @Test("a form books, holds, releases or reverses once; no other desk finds the account, nor does its own party")
  func booked() async throws {
    try await CardTestApp.run { app in
      let (ada, bob) = (try await app.customer("ada"), try await app.customer("bob"))
      let (account, other) = (
        try await app.open(for: ada, cents: 0).account, try await app.open(for: bob, cents: 5_00).account
      )
      let (id, repository) = (account.rawValue, app.dependencies.accountRepository)
      for name in [id, ada.customer] {
        #expect(try await repository.page(.init(name: name), for: Self.reader()).rows.map(\.id) == [id], "\(name)")
        for stranger in [Self.reader(ada.email), Self.reader("r@bank.example", .allBut([Self.bank]))] {
          #expect(try await repository.page(.init(name: name), for: stranger).rows.isEmpty, "\(name)")
        }
      }
      #expect(try await repository.page(.init(), for: Self.reader()).rows.isEmpty)
      #expect(try await repository.record(id, for: Self.reader()).acts.map(\.code) == ["post-money", "hold-money"])
      for stranger in [Self.reader(ada.email), Self.reader("r@bank.example", .allBut([Self.bank]))] {
        await #expect(throws: Problem.self) { try await repository.record(id, for: stranger) }
      }

      let deposit = try await Self.form(
        "post-money", on: account, ["purpose": "DEPOSIT", "amount": "100.00", "reference": "WIRE 1"], repository)
      await #expect(throws: Problem.self) { try await repository.act(deposit, of: id, because: "", for: Self.reader()) }
      await #expect(throws: Problem.self) {
        try await repository.act(deposit, of: id, because: "GOODWILL", for: Self.reader(ada.email))
      }
      await #expect(throws: Problem.notFound) {
        try await repository.act(deposit, of: other.rawValue, because: "GOODWILL", for: Self.reader())
      }
      for _ in 0..<2 {
        #expect(try await repository.act(deposit, of: id, because: "CUSTOMER_PAYMENT", for: Self.reader()))
      }
      #expect(try await app.balance(of: account) == [100_00, 100_00])
      let short = try await Self.form(
        "post-money", on: account, ["purpose": "WITHDRAWAL", "amount": "100.01"], repository)
      let refused = await #expect(throws: Problem.self) {
        try await repository.act(short, of: id, because: "CUSTOMER_PAYMENT", for: Self.reader())
      }
      #expect(refused?.code == "posting-declined")

      let hold = try await Self.form("hold-money", on: account, ["amount": "30.00"], repository)
      for _ in 0..<2 { #expect(try await repository.act(hold, of: id, because: "FRAUD", for: Self.reader())) }
      #expect(try await app.balance(of: account) == [100_00, 70_00])
      var release = try await Self.form("release-hold", on: account, [:], repository)
      release.filled["hold"] = try Self.choice(release)
      #expect(try await repository.act(release, of: id, because: "FRAUD", for: Self.reader()))
      #expect(try await app.balance(of: account) == [100_00, 100_00])

      var reversal = try await Self.form("reverse-entry", on: account, [:], repository)
      reversal.filled["entry"] = try Self.choice(try await Self.form("reverse-entry", on: other, [:], repository))
      let foreign = reversal
      await #expect(throws: Problem.self) {
        try await repository.act(foreign, of: id, because: "BANK_ERROR", for: Self.reader())
      }
      reversal.filled["entry"] = try Self.choice(reversal)
      for _ in 0..<2 { #expect(try await repository.act(reversal, of: id, because: "BANK_ERROR", for: Self.reader())) }
      #expect(try await app.balance(of: account) == [0, 0])
      #expect(try await app.balance(of: other) == [5_00, 5_00])
      let lines = try await app.database.read { try AuditStore($0).lines(of: "finaptic-account-\(id)") }
      let booked = lines.filter { $0.actor == "agent:1" && $0.action.hasPrefix("finaptic.posting.") }.map(\.action)
      #expect(
        booked == ["booked", "booked", "held", "released", "reversed"].map { "finaptic.posting.\($0)" })
    }
  }

  /// The first one that the form of an act offers.
  private static func choice(_ act: RecordAct) throws -> String {
    guard case .choice(let options)? = act.fields.first?.kind else { throw Problem.unexpected }
    return try #require(options.first).code
  }

  @Test("above what one moves the form waits, is kept as it was filled in, and books that alone after the second word")
  func ofTwo() async throws {
    try await CardTestApp.run { app in
      let (desk, repository) = (try await FourEyesClients(app), app.dependencies.accountRepository)
      let (account, id) = (desk.account, desk.account.rawValue)
      let filled = [
        "purpose": "DEPOSIT", "amount": "10000.01", "value_date": "", "reference": "A; reason B; account C",
      ]
      let posting = try await Self.form("post-money", on: account, filled, repository)
      for _ in 0..<2 {
        #expect(try await !repository.act(posting, of: id, because: "GOODWILL", for: Self.reader()))
      }
      func kept() async throws -> [RecordAct] {
        try await repository.record(id, for: Self.reader()).acts.filter { $0.asked != nil }
      }
      let waiting = try #require(try await kept().first)
      #expect(waiting.key == posting.key && waiting.asked == .init("GOODWILL", isAgreed: false))
      for (field, value) in filled where !value.isEmpty { #expect(waiting.filled[field] == value, "\(field)") }
      let asked = try await app.dependencies.bankApprovals.waiting(for: desk.checker.client).map(\.id)
      try #require(asked.count == 1)
      #expect(try await desk.decide(asked[0]) == 200)
      let agreed = try #require(try await kept().first)
      #expect(agreed.asked?.isAgreed == true)
      #expect(try await app.balance(of: account) == [0, 0])
      var changed = agreed
      changed.filled["amount"] = "10000.02"
      let another = changed
      let refused = await #expect(throws: Problem.self) {
        try await repository.act(another, of: id, because: "GOODWILL", for: Self.reader())
      }
      #expect(refused?.code == "idempotency-conflict")
      for _ in 0..<2 { #expect(try await repository.act(agreed, of: id, because: "GOODWILL", for: Self.reader())) }
      #expect(try await app.balance(of: account) == [10_000_01, 10_000_01])
      #expect(try await kept().isEmpty)
    }
  }
}
