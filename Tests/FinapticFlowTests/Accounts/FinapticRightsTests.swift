// SPDX-License-Identifier: Apache-2.0

import Foundation
import FinapticWire
import Kit
import Storage
import TestSupport
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

@Suite("Finaptic: what a customer may ask of what is kept")
struct FinapticRightsTests {
  @Test("an export has the profile, the accounts and what happened on them; an erasure leaves the books, unnamed")
  func rights() async throws {
    try await BankingTestApp.run { bank in
      let (owner, other) = (try await bank.customer(), try await bank.customer("Bob", "Cratchit"))
      let (account, theirs) = (try await bank.open(owner, funds: 1000), try await bank.open(other))
      _ = try await bank.ledger.transfer(
        bank.order(.purchase, 5, from: account, to: BankingTestApp.cards), note: try BankingTestApp.bakery.note)
      _ = try await bank.ledger.transfer(bank.order(.transfer, 5, from: account, to: theirs))
      let exporter = bank.app.finaptic.dependencies.exporter
      let found = try await exporter.export(owner.id, tenant: BankingTestApp.tenant, by: "test")
      let text = String(decoding: try JSONEncoder().encode(found), as: UTF8.self)
      for word in ["Lovelace", "Bakery", account.rawValue, "\(owner.user)@example.ca", "Bob Cratchit"] {
        #expect(text.contains(word), "\(word)")
      }
      let erasure = bank.app.finaptic.dependencies.erasure
      await #expect(throws: FinapticErasure.dutyToKeep) {
        _ = try await erasure.erase(owner.id, tenant: BankingTestApp.tenant, reason: .ended, by: "test")
      }
      await #expect(throws: Problem.notFound) {
        _ = try await erasure.erase(
          owner.id, tenant: BankingTestApp.otherTenant, reason: .ended, by: "test", despiteDuty: true)
      }
      await #expect(throws: FinapticErasure.moneyLeft) {
        _ = try await erasure.erase(
          owner.id, tenant: BankingTestApp.tenant, reason: .ended, by: "test", despiteDuty: true)
      }
      _ = try await bank.ledger.transfer(bank.order(.withdrawal, 990, from: account, to: BankingTestApp.cards))
      let outcome = try await erasure.erase(
        owner.id, tenant: BankingTestApp.tenant, reason: .ended, by: "test", despiteDuty: true)
      #expect(outcome == .init(applications: 0, accounts: 1))
      await #expect(throws: Problem.notFound) {
        _ = try await exporter.export(owner.id, tenant: BankingTestApp.tenant, by: "test")
      }
      let asked = FinapticAPI.AccountRequest(accountId: account.rawValue)
      #expect(try await bank.call(.getAccount, asked, by: owner).status == 401)
      let seen: FinapticAPI.TransactionsResponse = try await bank.call(
        .getTransactions,
        FinapticAPI.GetTransactionsRequest(accountId: theirs.rawValue, pageSize: 9, sortOrder: "ASCENDING"),
        by: other
      ).view()
      #expect(seen.transactions.map(\.transactorName) == [""])
      let notes = try await bank.database.read { try $0.query("SELECT id FROM finaptic_transaction_note") }
      #expect(notes.isEmpty)
      #expect(try await bank.verify().faults == [])
      let chain = "finaptic-user-\(owner.user)"
      #expect(try await bank.database.read { try AuditStore($0).lines(of: chain, after: 0, limit: 9) }.isEmpty)
    }
  }

  @Test("abandoned applications are cancelled and emptied; those that made a customer stay")
  func retention() async throws {
    try await OnboardingTestApp.run { app in
      let applicant = try await OnboardingApplicant(app, bundle: "kycV1")
      _ = try await applicant.personal()
      let (started, id) = (applicant.id, OnboardingApplication.ID(rawValue: applicant.id))
      let retention = app.dependencies.retention
      app.clock.advance(by: .days(89))
      #expect(try await retention.run() == 0)
      app.clock.advance(by: .days(2))
      #expect(try await retention.run() == 1)
      #expect(try await retention.run() == 0)
      let left = try await app.database.read { try OnboardingStore($0, vault: app.vault).find(id) }
      #expect(left?.status == .applicationCancelled && left?.content == .init())
      #expect(try await app.story(started).last == "finaptic.application.emptied")
    }
  }

  @Test("an application that is changed after it was found is not emptied")
  func touched() async throws {
    try await OnboardingTestApp.run { app in
      let applicant = try await OnboardingApplicant(app, bundle: "kycV1")
      _ = try await applicant.personal()
      let id = OnboardingApplication.ID(rawValue: applicant.id)
      let retention = app.dependencies.retention
      app.clock.advance(by: .days(91))
      let horizon = app.clock.now - app.dependencies.policy.applicationRetention
      let found = try await app.database.read {
        try RightsStore($0, vault: app.vault).untouched(since: horizon, besides: [], limit: 9)
      }
      #expect(found == [id])
      var person = OnboardingApplicant.Person()
      person.first = "Grace"
      #expect(try await applicant.personal(person).status == 200)
      #expect(try await retention.empty(id, untouchedSince: horizon) == false)
      #expect(try await retention.run() == 0)
      let left = try await app.database.read { try OnboardingStore($0, vault: app.vault).find(id) }
      #expect(left?.content.personal?.firstName == "Grace")
    }
  }
}
