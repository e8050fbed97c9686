// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import GatehouseWire
import Kit
import Ledger
import Storage
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

@Suite("Finaptic: a bank stops cards and persons")
struct BankStopTests {
  private static let tenant = CardTestApp.tenant

  @Test("a blocked card pays nothing, is not unlocked and shows no number, until the bank lets it")
  func card() async throws {
    try await CardTestApp.run { app in
      let ada = try await app.customer("ada")
      let product = try await app.open(for: ada)
      let stops = app.dependencies.bankStops
      let card = FinapticAPI.CardRequest(cardId: product.card)
      #expect(try await app.call(.createCardSDKSignOnToken, card, as: ada).status == 200)
      await #expect(throws: Problem.self) {
        try await stops.setBlocked(true, card: product.card, tenant: Self.tenant, reason: nil, by: "test")
      }
      for _ in 0..<2 {
        try await stops.setBlocked(
          true, card: product.card, tenant: Self.tenant, reason: "FRAUD_SUSPECTED", by: "test")
      }
      #expect(try await app.pay(1_00, by: product.card).responseCode == CardResponseCode.restrictedCard.rawValue)
      #expect(try await app.call(.createCardSDKSignOnToken, card, as: ada).status != 200)
      _ = try await app.call(.lockCard, card, as: ada)
      #expect(try await app.call(.unlockCard, card, as: ada).status != 200)
      try await stops.setBlocked(false, card: product.card, tenant: Self.tenant, reason: nil, by: "test")
      #expect(try await app.call(.unlockCard, card, as: ada).status == 200)
      #expect(try await app.pay(1_00, by: product.card).responseCode == CardResponseCode.approved.rawValue)
      let story = try await app.accounts.story(chain: "card-\(product.card)")
      #expect(story.filter { $0.hasSuffix("blocked") } == ["finaptic.card.blocked", "finaptic.card.unblocked"])
    }
  }

  @Test("the desk of a tenant finds a user by what is theirs, and stops that with a reason; no other desk does")
  func desk() async throws {
    try await CardTestApp.run { app in
      let ada = try await app.customer("ada")
      let product = try await app.open(for: ada)
      let bob = try await app.open(for: app.customer("bob"))
      let (repository, bank) = (app.dependencies.userRepository, FinapticTenant.session(Self.tenant))
      let reader = RecordReader(chain: "reader", actor: "agent:1", email: "r@bank.example", scope: .only(bank))
      let other = RecordReader(chain: "reader", actor: "agent:2", email: "r@bank.example", scope: .allBut([bank]))
      let (id, account) = (ada.user.rawValue, product.account.rawValue)
      let file = try await repository.record(id, for: reader)
      for name in [id, ada.customer, ada.email, account, product.card] {
        #expect(try await repository.page(.init(name: name), for: reader).rows == [file.row], "\(name)")
        #expect(try await repository.page(.init(name: name), for: other).rows.isEmpty)
      }
      #expect(try await repository.page(.init(state: "customer"), for: reader).rows.count == 2)
      #expect(try await repository.page(.init(state: "blocked"), for: reader).rows.isEmpty)
      #expect(file.facts.contains { $0.code == "account" && $0.value.contains("100.00 (100.00) CAD") })
      #expect(file.facts.contains { $0.code == "entry" } && file.facts.contains { $0.code == "card" })
      let acts = [RecordAct("block-user", id), .init("freeze-account", account), .init("block-card", product.card)]
      #expect(file.acts == [acts[0], acts[1], .init("close-account", account), acts[2]])
      let why = StopReason.customerRequest.rawValue
      for act in acts {
        await #expect(throws: Problem.notFound) { try await repository.act(act, of: id, because: why, for: other) }
        await #expect(throws: Problem.self) { try await repository.act(act, of: id, because: "", for: reader) }
        for _ in 0..<2 { #expect(try await repository.act(act, of: id, because: why, for: reader)) }
      }
      // What is another customer's is not stopped by this one's page.
      let foreign = RecordAct("block-card", bob.card)
      await #expect(throws: Problem.notFound) { try await repository.act(foreign, of: id, because: why, for: reader) }
      let stopped = try await repository.record(id, for: reader)
      #expect(stopped.row.state == "blocked")
      let undoing = ["unblock-user", "unfreeze-account", "unblock-card"]
      #expect(stopped.acts.map(\.code).filter { $0 != "close-account" } == undoing)
      for act in stopped.acts where undoing.contains(act.code) {
        #expect(try await repository.act(act, of: id, because: why, for: reader))
      }
      let lines = try await app.dependencies.core.database.read { tx in
        try ["user-\(id)", "account-\(account)", "card-\(product.card)"].flatMap {
          try AuditStore(tx).lines(of: "finaptic-\($0)")
        }
      }
      #expect(lines.filter { $0.action == "finaptic.user.seen" }.count == 2)
      let told = lines.filter { $0.actor == "agent:1" && $0.facts["reason"] == why }.map(\.action)
      #expect(
        told == [
          "finaptic.user.blocked", "finaptic.user.unblocked", "finaptic.account.frozen", "finaptic.account.unfrozen",
          "finaptic.card.blocked", "finaptic.card.unblocked",
        ])
    }
  }

  @Test("the desk begins no account, and reaches none of a reader or of who only may use it, nor a reader's card")
  func notAtDesk() async throws {
    try await CardTestApp.run { app in
      let (ada, kim) = (try await app.customer("ada"), try await app.customer("kim"))
      let sam = try await app.customer("sam")
      let product = try await app.open(for: ada)
      try await app.authorize(kim, on: product.account)
      let (parts, idle) = (app.dependencies, BankAccount.ID(rawValue: app.dependencies.core.world.randomUUID()))
      let tenant = try await parts.tenants.find(Self.tenant)
      _ = try await app.database.write(retrying: .outdated, .readCommitted) { tx in
        try tx.execute("UPDATE finaptic_card SET holder_id = \(sam.customer) WHERE id = \(product.card)")
        return try parts.bankAccounts.open(
          .init(customer_id: ada.customer, account_type: "current_account.v39", name: nil), id: idle,
          of: tenant, by: "test", in: tx)
      }
      let (repository, desk) = (parts.userRepository, TenantScope.only(FinapticTenant.session(Self.tenant)))
      let (freeze, block) = (
        RecordAct("freeze-account", product.account.rawValue), RecordAct("block-card", product.card)
      )
      // (reader, user of the page, what is offered beside the block of the user)
      let ofAccount = ["freeze-account", "close-account", "remove-authorized"]
      let cases: [(String, CardTestApp.Person, [String])] = [
        ("r@bank.example", ada, ofAccount + ["block-card"]), ("r@bank.example", kim, []), (sam.email, ada, ofAccount),
        (kim.email, ada, []),
      ]
      let why = StopReason.customerRequest.rawValue
      for (email, person, offered) in cases {
        let (id, reader) = (
          person.user.rawValue, RecordReader(chain: "reader", actor: "agent:1", email: email, scope: desk)
        )
        let file = try await repository.record(id, for: reader)
        #expect(file.acts.map(\.code) == ["block-user"] + offered, "\(email)")
        // Who may use an account is shown it; its reader is not.
        #expect(file.facts.contains { $0.value.contains(product.account.rawValue) } == (email != kim.email))
        let ofIdle = (ofAccount + ["unfreeze-account"]).map { RecordAct($0, idle.rawValue) }
        let others = ofAccount.dropFirst().map { RecordAct($0, product.account.rawValue) }
        for act in [freeze, block] + others + ofIdle where act.subject == idle.rawValue || !offered.contains(act.code) {
          await #expect(throws: Problem.notFound, "\(act.code) by \(email)") {
            try await repository.act(act, of: id, because: why, for: reader)
          }
        }
        await #expect(throws: Problem.self) {
          try await repository.act(.init("block-user", id), of: id, because: "CARD_LOST", for: reader)
        }
      }
      let account = try await app.database.read { try AccountStore($0).find(idle, tenant: Self.tenant) }
      #expect(account?.isActive == false)
    }
  }

  @Test("at the desk a stop waits for a second person where the bank wants one, who agrees to one reason")
  func deskOfTwo() async throws {
    try await CardTestApp.run { app in
      let (desk, bob) = (try await FourEyesClients(app), try await app.customer("bob"))
      let (product, repository) = (try await app.open(for: bob), app.dependencies.userRepository)
      try await app.dependencies.fourEyes.setActs([.block, .unblock], of: Self.tenant, by: "test")
      let (id, why) = (bob.user.rawValue, StopReason.customerRequest.rawValue)
      let reader = RecordReader(
        chain: "reader", actor: "agent:1", email: "r@bank.example",
        scope: .only(FinapticTenant.session(Self.tenant)))
      func waiting() async throws -> [String] {
        try await app.dependencies.bankApprovals.waiting(for: desk.checker.client).map(\.id)
      }
      for act in [RecordAct("freeze-account", product.account.rawValue), .init("block-card", product.card)] {
        for _ in 0..<2 { #expect(try await !repository.act(act, of: id, because: why, for: reader)) }
        let asked = try #require(try await waiting().first)
        // Nothing is stopped, and the form knows what was asked for.
        let pending = RecordAct(act.code, act.subject, asked: .init(why, isAgreed: false))
        #expect(try await repository.record(id, for: reader).acts.contains(pending))
        #expect(try await !repository.act(act, of: id, because: "LEGAL_ORDER", for: reader))
        #expect(try await waiting().count == 2)
        #expect(try await desk.decide(asked) == 200)
        let agreed = RecordAct(act.code, act.subject, asked: .init(why, isAgreed: true))
        #expect(try await repository.record(id, for: reader).acts.contains(agreed))
        #expect(try await repository.act(act, of: id, because: why, for: reader))
        for other in try await waiting() { #expect(try await desk.decide(other, "refused") == 200) }
      }
      #expect(try await repository.act(.init("block-user", id), of: id, because: why, for: reader))
      // One member does not undo a stop alone.
      let letIn = RecordAct("unblock-user", id)
      #expect(try await !repository.act(letIn, of: id, because: why, for: reader))
      let asked = try #require(try await waiting().first)
      #expect(try await repository.record(id, for: reader).row.state == "blocked")
      #expect(try await desk.decide(asked) == 200)
      let agreed = RecordAct("unblock-user", id, asked: .init(why, isAgreed: true))
      #expect(
        try await repository.record(id, for: reader).acts.map(\.code) == [
          "unblock-user", "unfreeze-account", "close-account", "unblock-card",
        ])
      #expect(try await repository.record(id, for: reader).acts.contains(agreed))
      #expect(try await repository.act(letIn, of: id, because: why, for: reader))
      #expect(try await repository.record(id, for: reader).row.state == "customer")
    }
  }

  @Test("a card that is blocked for two reasons is used again when both have ended, each by its name")
  func twoReasons() async throws {
    try await CardTestApp.run { app in
      let product = try await app.open(for: app.customer("ada"))
      let card: @Sendable (Bool, String?) async -> String = { isBlocked, reason in
        do {
          let outcome = try await app.dependencies.bankStops.setBlocked(
            isBlocked, card: product.card, tenant: Self.tenant, reason: reason, by: "test")
          guard case .done(let text) = outcome else { return "waits" }
          return text
        } catch { return (error as? Problem)?.code ?? "\(error)" }
      }
      let fraud = "FRAUD_SUSPECTED"
      // (is blocked, reason, answer, what the card's terminal is told)
      let steps: [(Bool, String?, String, CardResponseCode)] = [
        (true, "CARD_LOST", "Blocked.", .lostCard), (true, fraud, "Blocked.", .lostCard),
        (true, fraud, "Blocked.", .lostCard), (false, nil, "blocked-otherwise", .lostCard),
        (false, "COMPLIANCE", "blocked-otherwise", .lostCard),
        (false, "CARD_LOST", "Blocked still for \(fraud).", .restrictedCard),
        (false, "CARD_LOST", "blocked-otherwise", .restrictedCard), (false, nil, "Unblocked.", .approved),
        (false, nil, "Unblocked.", .approved),
      ]
      for (index, step) in steps.enumerated() {
        #expect(await card(step.0, step.1) == step.2, "step \(index)")
        #expect(try await app.pay(1_00, by: product.card).responseCode == step.3.rawValue, "step \(index)")
      }
      let story = try await app.accounts.story(chain: "card-\(product.card)")
      #expect(story.filter { $0.hasSuffix("blocked") }.count == 4)
      // A block of a release that kept no reason is not lifted by the reason of a later one.
      let now = app.accounts.clock.now
      try await app.database.write {
        _ = try $0.execute("UPDATE finaptic_card SET blocked_at = \(now) WHERE id = \(product.card)")
      }
      let old: [(Bool, String?, String)] = [
        (true, fraud, "Blocked."), (false, fraud, "Blocked still for a reason that was not kept."),
        (true, fraud, "Blocked."), (false, nil, "Blocked still for \(fraud)."), (false, nil, "Unblocked."),
      ]
      for (isBlocked, reason, answer) in old { #expect(await card(isBlocked, reason) == answer) }
    }
  }

  @Test("a blocked user's cards do not pay and transfers are not booked, and both do again when let in")
  func user() async throws {
    try await CardTestApp.run { app in
      let ada = try await app.customer("ada")
      let (product, other) = (try await app.open(for: ada), try await app.open(for: ada, cents: 0))
      let (users, ledger) = (app.dependencies.users, app.dependencies.ledger)
      @Sendable func move(_ key: String) async throws -> LedgerAnswer<LedgerTransfer> {
        try await ledger.transfer(
          TransferOrder(
            .transfer, tenant: Self.tenant, key: key, debit: product.account, credit: other.account,
            amount: Money(1, "CAD")), by: ada.customer)
      }
      #expect(
        try await users.setBlocked(true, ada.user.rawValue, tenant: Self.tenant, by: "test") == .done(isNew: true))
      #expect(try await app.pay(1_00, by: product.card).responseCode == CardResponseCode.restrictedCard.rawValue)
      // As one that was on its way when the user was blocked.
      #expect(try await move("blocked") == .refused(.notParty))
      // Money still comes in.
      try await app.deposit(5, on: product.account)
      #expect(
        try await users.setBlocked(false, ada.user.rawValue, tenant: Self.tenant, by: "test") == .done(isNew: true))
      #expect(try await app.pay(1_00, by: product.card).responseCode == CardResponseCode.approved.rawValue)
      guard case .done = try await move("blocked") else {
        Issue.record("The transfer is not booked.")
        return
      }
    }
  }

  @Test("who was blocked without an account is stopped on the first one, no matter who opens or shares it")
  func blockedBefore() async throws {
    try await CardTestApp.run { app in
      let (ada, kim) = (try await app.customer("ada"), try await app.customer("kim"))
      let bob = try await app.customer("bob")
      let users = app.dependencies.users
      for person in [ada, kim] {
        #expect(
          try await users.setBlocked(true, person.user.rawValue, tenant: Self.tenant, by: "test") == .done(isNew: true))
      }
      let (own, shared) = (try await app.open(for: ada), try await app.open(for: bob))
      #expect(try await app.pay(1_00, by: own.card).responseCode == CardResponseCode.restrictedCard.rawValue)
      let tenant = try await app.dependencies.tenants.find(Self.tenant)
      let accounts = app.dependencies.bankAccounts
      try await app.database.write(retrying: .outdated, .readCommitted) { tx in
        _ = try accounts.add(
          .init(customer_id: kim.customer), as: .authorized, to: shared.account, of: tenant, by: "test", in: tx)
      }
      let mayUse = { @Sendable (id: BankAccount.ID) in
        try await app.database.read { try LedgerStore($0).mayUse(kim.customer, id) }
      }
      #expect(try await !mayUse(shared.account))
      #expect(
        try await users.setBlocked(false, kim.user.rawValue, tenant: Self.tenant, by: "test") == .done(isNew: true))
      #expect(try await mayUse(shared.account))
    }
  }

  @Test("who was blocked by a release before is stopped by the migration, and by blocking again")
  func blockedByOlder() async throws {
    try await CardTestApp.run { app in
      let ada = try await app.customer("ada")
      let product = try await app.open(for: ada)
      let users = app.dependencies.users
      #expect(
        try await users.setBlocked(true, ada.user.rawValue, tenant: Self.tenant, by: "test") == .done(isNew: true))
      let steps = String(FinapticUserStore.stopMigration.statements.dropLast())
      for isMigrated in [true, false] {
        // As the release before left it.
        try await app.database.write { _ = try $0.execute("UPDATE ledger_party SET stopped_at = NULL") }
        #expect(try await app.pay(1_00, by: product.card).responseCode == CardResponseCode.approved.rawValue)
        if isMigrated {
          try await app.database.write { _ = try $0.execute(SQL(stringLiteral: steps)) }
        } else {
          #expect(
            try await users.setBlocked(true, ada.user.rawValue, tenant: Self.tenant, by: "test") == .done(isNew: false))
        }
        #expect(try await app.pay(1_00, by: product.card).responseCode == CardResponseCode.restrictedCard.rawValue)
      }
    }
  }

  @Test("who was taken off an account sees no number of a card of it, by no token made before")
  func removed() async throws {
    try await CardTestApp.run { app in
      let (ada, kim) = (try await app.customer("ada"), try await app.customer("kim"))
      let product = try await app.open(for: ada)
      // The card that kim carries of ada's account.
      try await app.authorize(kim, on: product.account)
      try await app.database.write {
        _ = try $0.execute("UPDATE finaptic_card SET holder_id = \(kim.customer) WHERE id = \(product.card)")
      }
      let card = FinapticAPI.CardRequest(cardId: product.card)
      #expect(try await app.call(.createCardSDKSignOnToken, card, as: kim).status == 200)
      try await app.dependencies.bankStops.remove(
        kim.customer, from: product.account.rawValue, tenant: Self.tenant, reason: "CUSTOMER_REQUEST", by: "test")
      #expect(try await app.call(.createCardSDKSignOnToken, card, as: kim).status != 200)
      await #expect(throws: Problem.notFound) {
        try await app.dependencies.bankStops.remove(
          kim.customer, from: product.account.rawValue, tenant: Self.tenant, reason: "CUSTOMER_REQUEST", by: "test")
      }
    }
  }
}
