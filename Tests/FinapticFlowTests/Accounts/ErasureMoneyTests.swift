// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Kit
import Ledger
import Storage
import TestSupport
import Testing

@testable import FinapticFlow
@testable import GatehouseApp
@testable import Payments

@Suite("Finaptic: the money of a customer who is erased")
struct ErasureMoneyTests {
  private static let tenant = CardTestApp.tenant

  private static func erase(_ person: CardTestApp.Person, _ app: CardTestApp) async throws {
    _ = try await app.dependencies.erasure.erase(
      person.customer, tenant: tenant, reason: .ended, by: "operator:a", despiteDuty: true)
  }

  private static func settle(
    _ person: CardTestApp.Person, by way: ErasureMoney = .payout, approval: String? = nil,
    actor: String = "operator:a", _ app: CardTestApp
  ) async throws -> FinapticErasure.Settled {
    try await app.dependencies.erasure.erase(
      person.customer, tenant: tenant, settling: way, approval: approval, reason: .ended, by: actor, despiteDuty: true)
  }

  /// Money of Interac that waits for a customer.
  private static func send(_ number: String, to person: CardTestApp.Person, _ app: CardTestApp) async throws {
    let (core, now) = (app.dependencies.core, app.accounts.clock.now)
    try await app.database.write { tx in
      try IncomingTransferStore(tx, vault: core.vault).insert(
        IncomingTransfer(
          number: .init(rawValue: number), tenant: tenant, kind: .regular, customer: person.customer,
          status: .available, amount: Money(5_00, "CAD"),
          content: .init(
            alias: .email(person.email), senderName: "Bob", senderMemo: nil, question: nil, salt: nil,
            remittance: nil),
          answerDigest: nil, wrongAnswers: 0, account: nil, transaction: nil, expiresAt: now + .days(30),
          createdAt: now, endedAt: nil, version: 0))
    }
  }

  @Test("an erasure is refused with a balance, with a hold and with Interac money that waits, and nothing is erased")
  func refused() async throws {
    try await CardTestApp.run { app in
      let (ada, bob) = (try await app.customer("ada"), try await app.customer("bob"))
      let product = try await app.open(for: ada, cents: 1_00)
      await #expect(throws: FinapticErasure.moneyLeft) { try await Self.erase(ada, app) }
      // All of it is held: no balance is available, and it is no money that could be paid out either.
      let held = try await app.pay(1_00, by: product.card, "authorizePurchase")
      let ways: [() async throws -> Void] = [
        { try await Self.erase(ada, app) }, { _ = try await Self.settle(ada, app) },
      ]
      for erase in ways {
        let refusal = try await #require(throws: Problem.self) { try await erase() }
        #expect(refusal.code == "card-payments-open" && refusal.detail.contains("authorization \(held.id)"))
      }
      try await Self.send("waits-1", to: bob, app)
      await #expect(throws: FinapticErasure.moneyLeft) { try await Self.erase(bob, app) }
      let kept = try await app.database.read { [vault = app.dependencies.core.vault] in
        try FinapticUserStore($0, vault: vault).find(ada.user)?.user.profile.email
      }
      #expect(kept == ada.email)
      // What is over goes back by itself.
      app.accounts.clock.advance(by: .days(31))
      try await Self.erase(bob, app)
    }
  }

  @Test(
    "an approved payout and the erasure are one commit; what changed since the approval voids it",
    arguments: [
      ErasureMoney.payout, .writeOff,
    ])
  func settled(way: ErasureMoney) async throws {
    try await CardTestApp.run { app in
      let desk = try await FourEyesClients(app)
      let ada = try await app.customer("kim")
      let product = try await app.open(for: ada, cents: 90_00)
      try await Self.send("waits-2", to: ada, app)
      guard case .waiting(let first) = try await Self.settle(ada, by: way, app) else {
        Issue.record("money is ended without a second person")
        return
      }
      #expect(first.act.content.contains("90.00 CAD") && first.act.content.contains("waits-2 5.00 CAD"))
      guard case .waiting = try await Self.settle(ada, by: way, approval: first.id, app) else {
        Issue.record("money is ended before the second person agreed")
        return
      }
      #expect(try await desk.decide(first.id) == 200)
      // Another way than the approved one, and another maker.
      let other: ErasureMoney = way == .payout ? .writeOff : .payout
      await #expect(throws: Problem.self) { try await Self.settle(ada, by: other, approval: first.id, app) }
      await #expect(throws: Problem.self) {
        try await Self.settle(ada, by: way, approval: first.id, actor: "operator:b", app)
      }
      #expect(try await !desk.isVoid(first.act))
      try await app.deposit(10_00, on: product.account)
      #expect(try await desk.isVoid(first.act))
      await #expect(throws: Problem.self) { try await Self.settle(ada, by: way, approval: first.id, app) }
      #expect(try await app.balance(of: product.account) == [100_00, 100_00])
      guard case .waiting(let second) = try await Self.settle(ada, by: way, app) else {
        Issue.record("money is ended without a second person")
        return
      }
      #expect(try await !desk.isVoid(second.act))
      #expect(try await desk.decide(second.id) == 200)
      let own = InternalAccounts.account(way == .payout ? .cash : .fees, tenant: Self.tenant)
      let before = try await app.balance(of: own)[0]
      guard case .erased(let outcome) = try await Self.settle(ada, by: way, approval: second.id, app) else {
        Issue.record("what was approved is not done")
        return
      }
      #expect(outcome.accounts == 1)
      #expect(try await desk.isVoid(second.act))
      #expect(try await app.balance(of: product.account) == [0, 0])
      #expect(try await app.balance(of: own)[0] == before + 100_00)
      try await app.database.read { [vault = app.dependencies.core.vault] tx in
        #expect(try AccountStore(tx).find(product.account, tenant: Self.tenant)?.account.stop == .closed)
        #expect(try IncomingTransferStore(tx, vault: vault).find(.init(rawValue: "waits-2"))?.status == .canceled)
        #expect(try FinapticUserStore(tx, vault: vault).find(ada.user)?.user.profile.email == "")
        let lines = try AuditStore(tx).lines(of: "finaptic-account-\(product.account)")
        let acts = lines.filter { $0.action == "finaptic.act.carriedOut" }.map(\.facts)
        #expect(acts.count == 1 && acts.first?["maker"] == "operator:a")
        #expect(acts.first?["checker"] == desk.checker.client.actor)
      }
    }
  }

  @Test("Interac money whose content no key opens waits, goes back and is emptied as any other")
  func unopenable() async throws {
    try await CardTestApp.run { app in
      let (desk, eli) = (try await FourEyesClients(app), try await app.customer("eli"))
      for number in ["waits-3", "over-3"] { try await Self.send(number, to: eli, app) }
      try await app.database.write { tx in
        _ = try tx.execute(
          "UPDATE finaptic_incoming_transfer SET sealed_content = \(Data("spoiled".utf8)) WHERE number LIKE '%-3'")
        _ = try tx.execute(
          "UPDATE finaptic_incoming_transfer SET expires_at = \(app.accounts.clock.now) WHERE number = 'over-3'")
      }
      await #expect(throws: FinapticErasure.moneyLeft) { try await Self.erase(eli, app) }
      guard case .waiting(let asked) = try await Self.settle(eli, app) else {
        Issue.record("money is ended without a second person")
        return
      }
      #expect(asked.act.content.contains("waits-3 5.00 CAD") && !asked.act.content.contains("over-3"))
      #expect(try await desk.decide(asked.id) == 200)
      guard case .erased = try await Self.settle(eli, approval: asked.id, app) else {
        Issue.record("what was approved is not done")
        return
      }
      try await app.database.read { [vault = app.dependencies.core.vault] tx in
        let store = IncomingTransferStore(tx, vault: vault)
        let waited = try store.find(.init(rawValue: "waits-3"))
        let over = try store.find(.init(rawValue: "over-3"))
        #expect(waited?.status == .canceled && over?.content.senderName == "")
      }
      // What was over is ended by the worker, now that its content is gone.
      try await app.dependencies.incomingTransfers.sweep()
      let ended = try await app.database.read { [vault = app.dependencies.core.vault] in
        try IncomingTransferStore($0, vault: vault).find(.init(rawValue: "over-3"))?.status
      }
      #expect(ended == .canceled)
    }
  }

  @Test("the desk finds a customer by each of their names, and ends the money by a word of its own")
  func atTheDesk() async throws {
    try await CardTestApp.run { app in
      let (desk, bea) = (try await FourEyesClients(app), try await app.customer("bea"))
      _ = try await app.open(for: bea, cents: 20_00)
      let (erasure, session) = (app.dependencies.erasure, FinapticTenant.session(Self.tenant))
      let found = try await app.database.read { tx in
        try [bea.customer, bea.email, bea.user.rawValue, "otto@example.com"].map {
          try erasure.person($0, of: session, in: tx)?.id
        } + [erasure.person(bea.email, of: "finaptic-99", in: tx)?.id]
      }
      #expect(found == [bea.user.rawValue, bea.user.rawValue, bea.user.rawValue, nil, nil])
      let subject = DataSubject(bea.user.rawValue, of: session, by: "agent:a")
      let asked = try await app.database.write { tx in
        try erasure.propose("payout", of: subject, despiteDuty: true, in: tx)
      }
      let word = try #require(asked)
      func end() async throws -> [String] {
        try await erasure.erase(subject, settling: "payout", approval: word, for: .ended, despiteDuty: true)
      }
      await #expect(throws: Problem.approvalRequired) { try await end() }
      #expect(try await desk.decide(word) == 200)
      #expect(try await end().allSatisfy { $0.contains("1 account is closed") })
      #expect(try await end() == ["Erased before."])
    }
  }

  private static func suspense(_ app: CardTestApp) async throws -> [SuspenseReason?] {
    try await app.dependencies.settlement.suspended(of: tenant).map(\.suspense)
  }

  @Test("an empty account closes with its owner: what comes later from another bank waits for a person")
  func empty() async throws {
    try await CardTestApp.run { app in
      let ada = try await app.customer("ada")
      try await app.dependencies.settlement.set("S-9", currency: "CAD", bic: "WESTGB2L", of: Self.tenant, by: "test")
      let (frozen, account) = (
        try await app.open(for: ada, cents: 0).account, try await app.open(for: ada, cents: 0).account
      )
      _ = try await app.dependencies.bankStops.setStatus(
        BankAccount.Status.frozen, of: frozen.rawValue, tenant: Self.tenant, reason: "DECEASED", payout: nil,
        by: "test")
      try await Self.erase(ada, app)
      for id in [frozen, account] {
        let stop = try await app.database.read { try AccountStore($0).find(id, tenant: Self.tenant)?.account.stop }
        #expect(stop == .closed)
      }
      let created = try #require(MessageTime("2026-11-26T10:00:00Z"))
      let message = CreditTransferMessage(
        id: "M-1", created: created, method: .clearing, instructing: Agent(bic: BIC("DEUTDEFF")),
        transfers: [
          CreditTransfer(
            endToEndID: "E-1", transactionID: "T-1", amount: Money(10_00, "CAD"), settlementDay: created.day,
            charges: .shared, debtor: "Ann Other", debtorAccount: .other("11-22"),
            debtorAgent: Agent(bic: BIC("DEUTDEFF")), creditorAgent: Agent(bic: BIC("WESTGB2L")), creditor: "Ada",
            creditorAccount: .other(account.rawValue.replacing("-", with: "")))
        ])
      let outcome = try await app.dependencies.incomingMessages.take(message.xml(), of: Self.tenant, by: "test")
      #expect(outcome.credited == 0 && outcome.suspended == 1)
      #expect(try await Self.suspense(app) == [.closedAccount])
      #expect(try await app.balance(of: account) == [0, 0])
    }
  }

  @Test("a payment on its way to another bank is money, until a return is not to be expected any more")
  func leaving() async throws {
    try await CardTestApp.run { app in
      let ada = try await app.customer("ada")
      let (parts, folder) = (app.dependencies, try TestFolder())
      try await parts.settlement.set("S-9", currency: "CAD", bic: "WESTGB2L", of: Self.tenant, by: "test")
      let account = try await app.open(for: ada, cents: 30_00).account
      let order = OutgoingPayments.Order(
        account: account, amount: Money(30_00, "CAD"), creditor: "Ann Other", creditorAccount: "11-22",
        creditorBIC: "DEUTDEFF", endToEndID: "RENT")
      guard
        case .ordered(let payment) = try await parts.outgoingPayments.order(
          order, key: "1", of: Self.tenant, by: "test")
      else {
        Issue.record("a small payment waits")
        return
      }
      #expect(try await app.balance(of: account) == [0, 0])
      await #expect(throws: FinapticErasure.moneyLeft) { try await Self.erase(ada, app) }
      guard case .waiting(let asked) = try await Self.settle(ada, app) else {
        Issue.record("a payment on its way is ended without a second person")
        return
      }
      #expect(asked.act.content.contains("payment \(payment.id) 30.00 CAD is on its way"))
      app.accounts.clock.advance(by: ErasureSettlement.returnsWithin + .hours(1))
      // Its file is not written yet.
      await #expect(throws: FinapticErasure.moneyLeft) { try await Self.erase(ada, app) }
      #expect(try await parts.outgoingPayments.write(of: Self.tenant, into: folder.path, by: "test") == 1)
      try await Self.erase(ada, app)
      let late = try PaymentReturnMessage(
        id: "B-1", created: #require(MessageTime("2026-11-26T10:00:00Z")), method: .clearing,
        returns: [.init(id: "RTR-1", original: .init(uetr: payment.id.rawValue), amount: Money(30_00, "CAD"))])
      #expect(try await parts.incomingMessages.take(late.xml(), of: Self.tenant, by: "test").suspended == 1)
      #expect(try await Self.suspense(app) == [.unknownReturn])
      #expect(try await app.balance(of: account) == [0, 0])
    }
  }

  @Test("interest that has grown is money, also when the day end is late, and is paid out with a second person's word")
  func interest() async throws {
    try await CardTestApp.run { app in
      let desk = try await FourEyesClients(app)
      let ada = try await app.customer("kim")
      for product in AccountProduct.standard {
        let waiting = try await app.dependencies.accountTerms.set(
          product.code, of: Self.tenant, yearlyInterest: 36_500, monthlyFee: nil, by: "test")
        #expect(waiting == nil)
      }
      let account = try await app.open(for: ada, cents: 1_000_00).account
      app.accounts.clock.advance(by: .days(2))
      try await app.empty(ada)
      #expect(try await app.balance(of: account) == [0, 0])
      // 1000.00 × 3.65 % ÷ 365, twice.
      await #expect(throws: FinapticErasure.moneyLeft) { try await Self.erase(ada, app) }
      guard case .waiting(let asked) = try await Self.settle(ada, app) else {
        Issue.record("interest is ended without a second person")
        return
      }
      #expect(asked.act.content.contains("interest 0.20"))
      #expect(try await desk.decide(asked.id) == 200)
      let cash = InternalAccounts.account(.cash, tenant: Self.tenant)
      let before = try await app.balance(of: cash)[0]
      guard case .erased = try await Self.settle(ada, approval: asked.id, app) else {
        Issue.record("what was approved is not done")
        return
      }
      #expect(try await app.balance(of: cash)[0] == before + 20)
    }
  }
}
