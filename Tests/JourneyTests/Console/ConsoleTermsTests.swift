// SPDX-License-Identifier: Apache-2.0

import Casework
import Foundation
import GatehouseWire
import Identity
import Kit
import Ledger
import Storage
import TestSupport
import Testing

@testable import Console
@testable import Demonstration
@testable import FinapticFlow
@testable import GatehouseApp

@Suite("Console: changed terms of which owners were not told", .onOneEngine, .serialized)
struct ConsoleTermsTests {
  private static let (tenant, queue) = (7, "/console/queue")

  /// Two accounts whose owners have no user, and terms that are announced.
  private static func announce(_ console: ConsoleTestApp) async throws -> TermsChange {
    let parts = console.app.finaptic.dependencies
    try await parts.tenants.add(tenant, name: "Maple Bank", kind: .sandbox, by: "test")
    for _ in 0..<2 { try await BankFixture(dependencies: parts).openForStranger(tenant: tenant) }
    let from = WireDate(daysSince1970: Int(Ledger.day(of: console.clock.now)) + 70)
    let waiting = try await parts.accountTerms.set(
      AccountProduct.current.code, of: tenant, yearlyInterest: 25_000, monthlyFee: 4_00, from: from, by: "test")
    #expect(waiting == nil)
    try await parts.termsChanges.tell()
    return try #require(try await parts.termsChanges.list(of: tenant).first)
  }

  private static func member(
    _ name: String, may permissions: Set<StaffPermission>, _ console: ConsoleTestApp
  ) async throws -> (browser: DemoBrowser, actor: String) {
    let member = try await console.app.staff.add(
      NewStaffMember(
        tenant: "default", email: "\(name)@bank.example", name: "Tea Novak", gender: .female, languages: ["en"],
        permissions: permissions, password: ConsoleTestApp.password), by: "operator")
    let browser = console.browser()
    try await browser.open("/console/sign-in")
    try await browser.submit(
      "/console/sign-in", ["email": "\(name)@bank.example", "password": ConsoleTestApp.password])
    return (browser, member.actor)
  }

  @Test("who changes tenants sees the accounts and notes each that was written to; the last one ends the case")
  func told() async throws {
    try await ConsoleTestApp.run { console in
      let change = try await Self.announce(console)
      let (browser, actor) = try await Self.member("terms", may: [.manageTenants], console)
      let list = try await browser.open("\(Self.queue)?kind=finaptic-terms-notice")
      #expect(list.html.contains("Changed terms of which owners were not told"))
      let page = try await browser.submit("\(Self.queue)/next").html
      let path = String(try #require(page.firstMatch(of: #/\/console\/queue\/cases\/[0-9a-f-]{36}/#)).output)
      let changes = console.app.finaptic.dependencies.termsChanges
      let accounts = try await changes.unnotifiedAccounts(change.id, of: Self.tenant).map(\.account.rawValue)
      #expect(accounts.count == 2)
      let facts = [change.product, "4.00 CAD", "25,000", "Announced", "Owners whom no mail reaches</dt><dd>2"]
      for words in facts + accounts {
        #expect(page.contains(words), "\(words)")
      }
      let form = ["form": "told", "verdict": "told"]
      #expect(try await browser.submit("\(path)/decision", form).status == 422)
      let foreign = form.merging(["answer_account": console.app.core.world.randomUUID()]) { $1 }
      #expect(try await browser.submit("\(path)/decision", foreign).status == 422)
      try await browser.open(path)
      for (account, left) in zip(accounts, [1, 0]) {
        try await browser.submit("\(path)/decision", form.merging(["answer_account": account]) { $1 })
        #expect(try await changes.unnotifiedAccounts(change.id, of: Self.tenant).count == left)
        if left > 0 { try await browser.open(path) }
      }
      let (item, lines) = try await console.app.database.read { tx in
        (
          try CaseStore(tx).find(subject: change.id.rawValue, kind: .termsNotice),
          try accounts.flatMap { try AuditStore(tx).lines(of: "finaptic-account-\($0)") }
        )
      }
      #expect(item?.state.isClosed == true && item?.decidedBy == actor)
      #expect(lines.filter { $0.actor == actor }.count == 2)
    }
  }

  @Test("who manages cases, or books money, finds no such page")
  func strangers() async throws {
    try await ConsoleTestApp.run { console in
      let change = try await Self.announce(console)
      let item = try await console.app.database.read { tx in
        try #require(try CaseStore(tx).find(subject: change.id.rawValue, kind: .termsNotice))
      }
      for (name, permission) in [("manager", StaffPermission.manageCases), ("teller", .postMoney)] {
        let (browser, _) = try await Self.member(name, may: [permission], console)
        let page = try await browser.open("\(Self.queue)/cases/\(item.id)")
        #expect(page.status == 404 || !page.html.contains("answer_account"), "\(name)")
      }
    }
  }
}
