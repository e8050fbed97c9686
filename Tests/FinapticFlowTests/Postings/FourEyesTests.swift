// SPDX-License-Identifier: Apache-2.0

import Casework
import FinapticWire
import Foundation
import GatehouseWire
import Identity
import Kit
import Ledger
import Storage
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

@Suite("Finaptic: what moves much money takes a second person")
struct FourEyesTests {
  @Test("a large posting is booked once, by the maker, after another client agreed to it; both are in the audit")
  func whole() async throws {
    try await CardTestApp.run { app in
      let desk = try await FourEyesClients(app)
      let (posting, key) = (FourEyesClients.Posting(desk.account), FourEyesClients.key())
      let approval = try await desk.ask(posting, once: key)
      // Asked again, it is the same request, and nothing is booked.
      #expect(try await desk.ask(posting, once: key) == approval)
      #expect(try await desk.balance() == 0)
      let list = try await desk.call("/approvals", nil, as: desk.checker)
      let waiting = try JSONDecoder().decode(FourEyesClients.Approvals.self, from: list.body).approvals
      #expect(waiting.map(\.approval_id) == [approval])
      #expect(waiting.first?.content.contains("10000.01 CAD") == true)
      #expect(waiting.first?.content.contains("reference WIRE 4711") == true)
      #expect(waiting.first?.maker == desk.maker.client.actor)
      #expect(try await desk.decide(approval) == 200)
      #expect(try await desk.decide(approval) == 409)
      let booked = try await desk.post(posting, once: key)
      #expect(booked.status == 200 && booked.answer?.status == "BOOKED")
      // A replay has the same answer and books nothing.
      let again = try await desk.post(posting, once: key)
      #expect(again.status == 200 && again.answer?.transaction_id == booked.answer?.transaction_id)
      #expect(try await desk.balance() == 10_000_01)
      // The word is used up: the same posting under another key asks anew.
      #expect(try await desk.ask(posting, once: FourEyesClients.key()) != approval)
      let account = desk.account
      let facts = try await app.database.read { tx in
        try AuditStore(tx).lines(of: "finaptic-account-\(account)").filter { $0.action == "finaptic.act.carriedOut" }
          .map(\.facts)
      }
      #expect(facts.count == 1)
      #expect(facts.first?["maker"] == desk.maker.client.actor && facts.first?["checker"] == desk.checker.client.actor)
    }
  }

  @Test("nothing else than what was approved is booked: another amount, reason or reference, or a moved account")
  func bound() async throws {
    try await CardTestApp.run { app in
      let desk = try await FourEyesClients(app)
      let (posting, key) = (FourEyesClients.Posting(desk.account), FourEyesClients.key())
      #expect(try await desk.decide(desk.ask(posting, once: key)) == 200)
      var changed = [posting, posting, posting, posting]
      changed[0].amount = .init(amount: "99999.99", currency: "CAD")
      changed[1].reason = "GOODWILL"
      changed[2].reference = nil
      changed[3].purpose = "ADJUSTMENT_CREDIT"
      for other in changed {
        #expect(try await desk.problem(other, once: key) == "409 idempotency-conflict")
        // Under another key it is another request.
        #expect(try await desk.post(other, once: FourEyesClients.key()).status == 202)
      }
      #expect(try await desk.balance() == 0)
      // Something small was booked since.
      var small = posting
      small.amount = .init(amount: "1.00", currency: "CAD")
      #expect(try await desk.post(small, once: FourEyesClients.key()).status == 200)
      #expect(try await desk.problem(posting, once: key) == "409 subject-changed")
      // The account was frozen since.
      let next = FourEyesClients.key()
      #expect(try await desk.decide(desk.ask(posting, once: next)) == 200)
      _ = try await app.dependencies.bankStops.setStatus(
        BankAccount.Status.frozen, of: desk.account.rawValue, tenant: CardTestApp.tenant, reason: "LEGAL_ORDER",
        payout: nil, by: "test")
      #expect(try await desk.problem(posting, once: next) == "409 subject-changed")
      #expect(try await desk.balance() == 1_00)
    }
  }

  @Test("who asks does not agree; nor do other tenants, other scopes and revoked clients")
  func secondOne() async throws {
    try await CardTestApp.run { app in
      let desk = try await FourEyesClients(app)
      let other = try await app.accounts.app.addFinapticClient(
        .approve, "control", tenant: AccountTestApp.otherTenant, by: "operator")
      let (posting, key) = (FourEyesClients.Posting(desk.account), FourEyesClients.key())
      let approval = try await desk.ask(posting, once: key)
      #expect(try await desk.decide(approval, as: desk.maker) == 403)
      #expect(try await desk.decide(approval, as: other) == 404)
      #expect(try await desk.decide(approval, "maybe") == 422)
      // In the domain, whatever its scopes are.
      await #expect(throws: Problem.self) {
        try await app.database.write { tx in
          try app.dependencies.core.cases.decide(
            approval, agreeing: true, by: desk.maker.client.actor, holding: "approve:money", in: tx)
        }
      }
      #expect(try await desk.post(posting, once: key).status == 202)
      #expect(try await desk.decide(approval) == 200)
      try await app.accounts.app.serviceClients.revoke(desk.checker.client.id, by: "operator")
      // Its word does not count any more.
      #expect(try await desk.problem(posting, once: key) == "403 approval-required")
      #expect(try await desk.balance() == 0)
    }
  }

  @Test("a refusal stands, and an approval ends after a day")
  func endings() async throws {
    try await CardTestApp.run { app in
      let desk = try await FourEyesClients(app)
      let (posting, refused, late) = (
        FourEyesClients.Posting(desk.account), FourEyesClients.key(), FourEyesClients.key()
      )
      #expect(try await desk.decide(desk.ask(posting, once: refused), "refused") == 200)
      #expect(try await desk.problem(posting, once: refused) == "409 approval-refused")
      let approval = try await desk.ask(posting, once: late)
      #expect(try await desk.decide(approval) == 200)
      app.accounts.clock.advance(by: .hours(24))
      #expect(try await desk.problem(posting, once: late) == "409 approval-expired")
      #expect(try await desk.balance() == 0)
    }
  }

  @Test("holds, releases and reversals take a second one from the same amount on")
  func others() async throws {
    try await CardTestApp.run { app in
      let desk = try await FourEyesClients(app)
      let hold = [
        "reason": FourEyesClients.AnyJSON.text("FRAUD"), "account_id": .text(desk.account.rawValue),
        "amount": .amount("60.00"),
      ]
      try await app.deposit(100_00, on: desk.account)
      var posting = FourEyesClients.Posting(desk.account)
      posting.amount = .init(amount: "60.00", currency: "CAD")
      let booked = try await desk.post(posting, once: FourEyesClients.key())
      let held = try await desk.call("/postings/holds", hold, as: desk.maker, once: FourEyesClients.key())
      let holdID = try #require(try JSONDecoder().decode(FourEyesClients.Answer.self, from: held.body).transaction_id)
      try await app.dependencies.fourEyes.setAmount(50_00, of: CardTestApp.tenant, by: "test")
      let reason = ["reason": "BANK_ERROR"]
      let transfer = try #require(booked.answer?.transaction_id)
      let acts: [(String, any Encodable)] = [
        ("/postings/\(transfer)/reversal", reason), ("/postings/holds/\(holdID)/release", reason),
        ("/postings/holds", hold),
      ]
      for (path, body) in acts {
        let key = FourEyesClients.key()
        let asked = try await desk.call(path, body, as: desk.maker, once: key)
        #expect(asked.status == 202, "\(path)")
        let approval = try #require(try JSONDecoder().decode(FourEyesClients.Answer.self, from: asked.body).approval_id)
        #expect(try await desk.decide(approval) == 200)
        for _ in 0..<2 { #expect(try await desk.call(path, body, as: desk.maker, once: key).status == 200, "\(path)") }
      }
      #expect(try await app.balance(of: desk.account) == [100_00, 40_00])
    }
  }

  @Test("terms, and letting an account or a card pay again, take a second one where the tenant demands it")
  func acts() async throws {
    try await CardTestApp.run { app in
      let desk = try await FourEyesClients(app)
      let tenant = CardTestApp.tenant
      let (parts, product) = (app.dependencies, try await app.open(for: app.customer("bob")))
      let account = product.account.rawValue
      try await parts.fourEyes.setActs([.terms, .interest, .unblock], of: tenant, by: "test")
      let frozen = try await parts.bankStops.setStatus(
        BankAccount.Status.frozen, of: account, tenant: tenant, reason: "LEGAL_ORDER", payout: nil, by: "operator:a")
      #expect(frozen == .done(BankAccount.Status.frozen))
      let active = BankAccount.Status.active
      guard
        case .waiting(let asked) = try await parts.bankStops.setStatus(
          active, of: account, tenant: tenant, reason: nil, payout: nil, by: "operator:a")
      else {
        Issue.record("an account pays again without a second person")
        return
      }
      #expect(try await desk.decide(asked.id) == 200)
      // Another one than who asked does not use the approval.
      await #expect(throws: Problem.self) {
        try await parts.bankStops.setStatus(
          active, of: account, tenant: tenant, reason: nil, payout: nil, approval: asked.id, by: "operator:b")
      }
      let done = try await parts.bankStops.setStatus(
        active, of: account, tenant: tenant, reason: nil, payout: nil, approval: asked.id, by: "operator:a")
      #expect(done == .done(active))
      // Frozen again, the word from before is used up.
      _ = try await parts.bankStops.setStatus(
        BankAccount.Status.frozen, of: account, tenant: tenant, reason: "LEGAL_ORDER", payout: nil, by: "operator:a")
      await #expect(throws: FourEyesGate.alreadyUsed) {
        try await parts.bankStops.setStatus(
          active, of: account, tenant: tenant, reason: nil, payout: nil, approval: asked.id, by: "operator:a")
      }
      let terms = AccountProduct.current.code
      let waiting = try await parts.accountTerms.set(
        terms, of: tenant, yearlyInterest: 25_000, monthlyFee: nil, by: "operator:a")
      let approval = try #require(waiting)
      #expect(approval.act.content.contains("25000 millionths") && approval.act.content.contains("before interest 0"))
      #expect(try await desk.decide(approval.id) == 200)
      await #expect(throws: Problem.self) {
        try await parts.accountTerms.set(
          terms, of: tenant, yearlyInterest: 99_000, monthlyFee: nil, approval: approval.id, by: "operator:a")
      }
      #expect(
        try await parts.accountTerms.set(
          terms, of: tenant, yearlyInterest: 25_000, monthlyFee: nil, approval: approval.id, by: "operator:a") == nil)
      #expect(
        try await parts.accountTerms.list(of: tenant).first { $0.code == terms }?.yearlyInterestMillionths == 25_000)
      _ = try await parts.bankStops.setBlocked(
        true, card: product.card, tenant: tenant, reason: "FRAUD_SUSPECTED", by: "operator:a")
      let unblocked = try await parts.bankStops.setBlocked(
        false, card: product.card, tenant: tenant, reason: nil, by: "operator:a")
      guard case .waiting = unblocked else {
        Issue.record("a card pays again without a second person")
        return
      }
      // Interest is corrected by two, whatever it is.
      var correction = FourEyesClients.Posting(desk.account)
      (correction.purpose, correction.amount) = ("INTEREST_CREDIT", .init(amount: "0.01", currency: "CAD"))
      #expect(try await desk.post(correction, once: FourEyesClients.key()).status == 202)
    }
  }

  @Test("without a word of an operator, real customers' banks demand it for terms, interest and unblocks")
  func standard() async throws {
    try await CardTestApp.run { app in
      let fourEyes = app.dependencies.fourEyes
      #expect(try await fourEyes.look(of: CardTestApp.tenant).acts == [])
      let production = try await fourEyes.look(of: AccountTestApp.otherTenant)
      #expect(production.acts == [.terms, .interest, .unblock] && production.amount(in: "CAD") == 10_000_00)
      await #expect(throws: Problem.self) {
        try await fourEyes.setAmount(-1, of: CardTestApp.tenant, by: "test")
      }
    }
  }

  @Test("what is booked by command goes the same way, and the approving client's credentials are the second one's")
  func commands() async throws {
    try await CardTestApp.run { app in
      let desk = try await FourEyesClients(app)
      let (postings, tenant) = (app.dependencies.bankPostings, CardTestApp.tenant)
      let order = BankPostings.Order(
        "DEPOSIT", "10000.01", on: desk.account.rawValue, reason: "CUSTOMER_PAYMENT", reference: "WIRE 4712")
      guard case .waiting(let asked) = try await postings.post(order, tenant: tenant, by: "operator:a") else {
        Issue.record("a large posting is booked without a second person")
        return
      }
      let approvals = app.dependencies.bankApprovals
      #expect(try await approvals.waiting(for: desk.checker.client).map(\.id) == [asked.id])
      await #expect(throws: Problem.self) { try await approvals.waiting(for: desk.maker.client) }
      let looks = try await app.database.read { try AuditStore($0).lines(of: "finaptic-approvals-\(tenant)") }
      #expect(looks.map(\.action) == ["finaptic.acts.listed"] && looks.first?.facts["why"] == "list")
      #expect(looks.first?.actor == desk.checker.client.actor)
      await #expect(throws: Problem.self) {
        try await approvals.decide(asked.id, agreeing: true, by: desk.maker.client)
      }
      #expect(try await approvals.decide(asked.id, agreeing: true, by: desk.checker.client).state == .approved)
      let dearer = BankPostings.Order(
        "DEPOSIT", "10000.02", on: desk.account.rawValue, reason: "CUSTOMER_PAYMENT", reference: "WIRE 4712")
      await #expect(throws: Problem.self) {
        try await postings.post(dearer, tenant: tenant, approval: asked.id, by: "operator:a")
      }
      let booked = try await postings.post(order, tenant: tenant, approval: asked.id, by: "operator:a")
      guard case .booked = booked else {
        Issue.record("what was approved is not booked")
        return
      }
      #expect(try await postings.post(order, tenant: tenant, approval: asked.id, by: "operator:a") == booked)
      let small = BankPostings.Order("DEPOSIT", "1.00", on: desk.account.rawValue, reason: "GOODWILL")
      let key = FourEyesClients.key()
      let first = try await postings.post(small, tenant: tenant, key: key, by: "operator:a")
      #expect(try await postings.post(small, tenant: tenant, key: key, by: "operator:a") == first)
      // Foundation takes the space for a zero.
      let near = "0190b0c0- 000-4000-8000-000000000001"
      await #expect(throws: Problem.self) {
        try await postings.post(small, tenant: tenant, key: near, by: "operator:a")
      }
      #expect(try await desk.balance() == 10_001_01)

      // A hold and a reversal go the same way, and each is done once.
      guard
        case .booked(let hold) = try await postings.hold(
          "0.40", on: desk.account.rawValue, reason: "LEGAL_ORDER", tenant: tenant, by: "operator:a"),
        case .booked(let transfer) = first
      else {
        Issue.record("a small posting or hold is not made")
        return
      }
      #expect(try await app.balance(of: desk.account) == [10_001_01, 10_000_61])
      for _ in 0..<2 {
        let back = try await postings.reverse(transfer, reason: "BANK_ERROR", tenant: tenant, by: "operator:a")
        let free = try await postings.release(hold, reason: "LEGAL_ORDER", tenant: tenant, by: "operator:a")
        guard case .booked = back, case .booked = free else {
          Issue.record("a small reversal or release is not made")
          return
        }
        #expect(try await app.balance(of: desk.account) == [10_000_01, 10_000_01])
      }
      guard case .booked(let large) = booked else { return }
      let undo = try await postings.reverse(large, reason: "BANK_ERROR", tenant: tenant, by: "operator:a")
      guard case .waiting = undo else {
        Issue.record("a large reversal is booked without a second person")
        return
      }
      #expect(try await desk.balance() == 10_000_01)
    }
  }

  @Test("a member of staff with the permission agrees at the desk, and counts while they are active")
  func staff() async throws {
    try await CardTestApp.run { app in
      let (desk, house) = (try await FourEyesClients(app), app.accounts.app)
      let institution = try #require(house.tenants.all.first).id
      let permitted: [Set<StaffPermission>] = [[.approveMoney], [.readCustomers]]
      var members: [StaffMember] = []
      for (number, permissions) in permitted.enumerated() {
        members.append(
          try await house.staff.add(
            NewStaffMember(
              tenant: institution, email: "checker\(number)@bank.example", name: "Noor Haddad", gender: .female,
              languages: ["en"], permissions: permissions, password: "correct horse battery"), by: "operator"))
      }
      let (checker, reader) = (CaseWorker(members[0]), CaseWorker(members[1]))
      let (posting, key) = (FourEyesClients.Posting(desk.account), FourEyesClients.key())
      let approval = try await desk.ask(posting, once: key)
      #expect(try await house.approvalCommands.pending(for: checker).map(\.id.rawValue) == [approval])
      #expect(try await house.approvalCommands.pending(for: reader).isEmpty)
      let id = Approval.ID(rawValue: approval)
      await #expect(throws: Problem.self) {
        try await house.approvalCommands.decide(id, agreeing: true, by: reader)
      }
      let decided = try await house.approvalCommands.decide(id, agreeing: true, by: checker)
      #expect(decided.act.content.contains("10000.01 CAD"))
      let member = members[0].id
      try await app.database.write { try house.staff.setActive(false, of: member, by: "operator", in: $0) }
      #expect(try await desk.problem(posting, once: key) == "403 approval-required")
      try await app.database.write { try house.staff.setActive(true, of: member, by: "operator", in: $0) }
      #expect(try await desk.post(posting, once: key).status == 200)
    }
  }
}
