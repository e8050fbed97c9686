import Kit
import Ledger
import Storage
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

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
      _ = try await app.pay(1_00, by: product.card, "authorizePurchase")
      await #expect(throws: FinapticErasure.moneyLeft) { try await Self.erase(ada, app) }
      await #expect(throws: Problem.self) { try await Self.settle(ada, app) }
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

  @Test("an approved payout and the erasure are one commit; what changed since the approval voids it", arguments: [
    ErasureMoney.payout, .writeOff,
  ])
  func settled(way: ErasureMoney) async throws {
    try await CardTestApp.run { app in
      let desk = try await FourEyesDesk(app)
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
      try await app.deposit(10_00, on: product.account)
      await #expect(throws: Problem.self) { try await Self.settle(ada, by: way, approval: first.id, app) }
      #expect(try await app.balance(of: product.account) == [100_00, 100_00])
      guard case .waiting(let second) = try await Self.settle(ada, by: way, app) else {
        Issue.record("money is ended without a second person")
        return
      }
      #expect(try await desk.decide(second.id) == 200)
      let own = InternalAccounts.account(way == .payout ? .cash : .fees, tenant: Self.tenant)
      let before = try await app.balance(of: own)[0]
      guard case .erased(let outcome) = try await Self.settle(ada, by: way, approval: second.id, app) else {
        Issue.record("what was approved is not done")
        return
      }
      #expect(outcome.accounts == 1)
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
}
