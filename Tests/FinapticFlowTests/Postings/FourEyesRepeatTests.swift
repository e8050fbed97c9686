// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Ledger
import Storage
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

@Suite("Finaptic: a second person's word is for one stop, and a repetition has the answer of before")
struct FourEyesRepeatTests {
  private static let tenant = CardTestApp.tenant

  @Test("an approved close and freeze that are sent again have the same answer, also after the policy was changed")
  func repeated() async throws {
    try await CardTestApp.run { app in
      let (desk, parts) = (try await FourEyesClients(app), app.dependencies)
      let bank = try await app.accounts.app.addFinapticClient(.bank, "bank", tenant: Self.tenant, by: "operator")
      let person = try await app.customer("bob")
      let (first, second) = (
        try await app.open(for: person, cents: 0).account, try await app.open(for: person, cents: 0).account
      )
      let body = ["status": BankAccount.Status.frozen, "reason": "LEGAL_ORDER"]
      // Without a second person, and sent again when one is demanded and the account is not frozen any more.
      let early = FourEyesClients.key()
      let path = "/accounts/\(first.rawValue)/status"
      #expect(try await desk.call(path, body, as: bank, once: early).status == 200)
      _ = try await parts.bankStops.setStatus(
        BankAccount.Status.active, of: first.rawValue, tenant: Self.tenant, reason: nil, payout: nil, by: "operator:a")
      try await parts.fourEyes.setActs([.block], of: Self.tenant, by: "test")
      #expect(try await desk.call(path, body, as: bank, once: early).status == 200)
      for (account, status) in [(first, BankAccount.Status.frozen), (second, BankAccount.Status.closed)] {
        let (path, key) = ("/accounts/\(account.rawValue)/status", FourEyesClients.key())
        let body = ["status": status, "reason": "LEGAL_ORDER"]
        let asked = try await desk.call(path, body, as: bank, once: key)
        #expect(asked.status == 202, "\(status)")
        let approval = try #require(try JSONDecoder().decode(FourEyesClients.Answer.self, from: asked.body).approval_id)
        #expect(try await desk.decide(approval) == 200)
        for _ in 0..<2 {
          let answer = try await desk.call(path, body, as: bank, once: key)
          let done = try? JSONDecoder().decode(FourEyesClients.Answer.self, from: answer.body).status
          #expect(answer.status == 200 && done == status)
        }
      }
    }
  }

  @Test("a spare word does not lift a later freeze or a later block, of a card or of a user")
  func spare() async throws {
    try await CardTestApp.run { app in
      let (desk, stops) = (try await FourEyesClients(app), app.dependencies.bankStops)
      let bob = try await app.customer("bob")
      let product = try await app.open(for: bob)
      try await app.dependencies.fourEyes.setActs([.unblock], of: Self.tenant, by: "test")
      let account: @Sendable (Bool, String?) async throws -> BankStops.Outcome = { isFrozen, approval in
        try await stops.setStatus(
          isFrozen ? BankAccount.Status.frozen : BankAccount.Status.active, of: product.account.rawValue,
          tenant: Self.tenant, reason: isFrozen ? "FRAUD_SUSPECTED" : nil, payout: nil, approval: approval,
          by: "operator:a")
      }
      let card: @Sendable (Bool, String?) async throws -> BankStops.Outcome = { isBlocked, approval in
        try await stops.setBlocked(
          isBlocked, card: product.card, tenant: Self.tenant, reason: isBlocked ? "FRAUD_SUSPECTED" : nil,
          approval: approval, by: "operator:a")
      }
      let user: @Sendable (Bool, String?) async throws -> BankStops.Outcome = { isBlocked, approval in
        switch try await app.dependencies.users.setBlocked(
          isBlocked, bob.user.rawValue, tenant: Self.tenant, key: .command(approval: approval), by: "operator:a")
        {
        case .done(let isNew): .done("\(isNew)")
        case .waiting(let asked): .waiting(asked)
        }
      }
      for stop in [account, card, user] {
        _ = try await stop(true, nil)
        var words = [String]()
        for _ in 0..<2 {
          guard case .waiting(let asked) = try await stop(false, nil) else {
            Issue.record("it pays again without a second person")
            return
          }
          #expect(try await desk.decide(asked.id) == 200)
          words.append(asked.id)
        }
        guard case .done = try await stop(false, words[0]) else {
          Issue.record("what was approved is not done")
          return
        }
        app.accounts.clock.advance(by: .minutes(1))
        _ = try await stop(true, nil)
        let refusal = try await #require(throws: Problem.self) { try await stop(false, words[1]) }
        #expect(refusal.code == "subject-changed")
      }
    }
  }

  @Test("what was decided, and what the reader asked for, takes no place in the list of what waits")
  func list() async throws {
    try await CardTestApp.run { app in
      let (desk, core) = (try await FourEyesClients(app), app.dependencies.core)
      let (account, now) = (desk.account.rawValue, app.accounts.clock.now)
      try await app.database.write { tx in
        for number in 0..<FourEyesGate.pageMax {
          let isOwn = number.isMultiple(of: 2)
          let maker = isOwn ? desk.checker.client.actor : "operator:a"
          let approval = try core.cases.propose(
            BoundAct("finaptic.posting", subject: account, version: 0, content: "\(number)"), under: BankAct.rule,
            tenant: BankAccount.ledgerTenant(Self.tenant), person: "finaptic-\(Self.tenant)", by: maker, in: tx)
          try BankActStore(tx).insert(
            BankAct(
              id: .init(core.world), tenant: Self.tenant, key: "key \(number)", action: .posting, subject: account,
              digest: "", maker: maker, approval: approval, state: .awaiting, askedAt: now, version: 1))
          if !isOwn {
            _ = try core.cases.decide(
              approval, agreeing: false, by: desk.checker.client.actor, holding: BankAct.rule.checker, in: tx)
          }
        }
      }
      app.accounts.clock.advance(by: .minutes(1))
      let waiting = try await desk.ask(FourEyesClients.Posting(desk.account), once: FourEyesClients.key())
      let approvals = app.dependencies.bankApprovals
      #expect(try await approvals.waiting(for: desk.checker.client).map(\.id) == [waiting])
      app.accounts.clock.advance(by: .hours(24))
      #expect(try await approvals.waiting(for: desk.checker.client).isEmpty)
    }
  }
}
