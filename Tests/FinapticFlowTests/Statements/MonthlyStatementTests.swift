// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import Kit
import Ledger
import Payments
import Storage
import TestSupport
import Testing

@testable import FinapticFlow

@Suite("Finaptic: monthly statements")
struct MonthlyStatementTests {
  private typealias Wire = FinapticAPI
  private static let tenant = BankingTestApp.tenant

  /// Ends a month after something was booked in it.
  private static func endMonth(_ bank: BankingTestApp) async throws {
    let month = DayEnd.Month(of: Ledger.day(of: bank.clock.now))
    bank.clock.set(Instant(milliseconds: (month.lastDay + 1) * 86_400_000 + 600_000))
    #expect(try await bank.dependencies.statements.run() == 0, "the last day is not ended")
    _ = try await bank.dependencies.dayEnd.run()
  }

  private static func buy(_ bank: BankingTestApp, from account: BankAccount.ID) async throws {
    let order = bank.order(.purchase, 9_99, from: account, to: BankingTestApp.cards)
    _ = try #require(try await bank.ledger.transfer(order, note: try BankingTestApp.bakery.note).done)
  }

  private static func all(_ bank: BankingTestApp, _ account: BankAccount.ID) async throws -> [MonthlyStatement] {
    try await bank.database.read { try MonthlyStatementStore($0).all(of: account) }
  }

  @Test("a month that is over gets one statement of each account, by two nodes too, and its people read it")
  func month() async throws {
    try await BankingTestApp.run { bank in
      let (ada, eve) = (try await bank.customer(language: "LANGUAGE_FR_CA"), try await bank.customer("Eve", "Other"))
      let (account, empty) = (try await bank.open(ada, funds: 100_00), try await bank.open(eve))
      let sleeping = try await bank.open(eve, isActive: false)
      try await Self.buy(bank, from: account)
      try await Self.endMonth(bank)
      let statements = bank.dependencies.statements
      async let one = statements.run()
      async let other = statements.run()
      #expect(try await one + other == 2)
      #expect(try await statements.run() == 0)
      #expect(try await Self.all(bank, empty).count == 1)
      #expect(try await Self.all(bank, sleeping).isEmpty)
      let found = try await Self.all(bank, account)
      let first = try #require(found.first)
      #expect(found.count == 1 && first.language == "fr-CA" && first.revision == 1 && first.corrects == nil)
      guard case .statement(let read) = try PaymentMessage.read(try await statements.document(first, .message)) else {
        throw Problem.unexpected
      }
      let stated = try #require(read.statements.first)
      #expect(stated.difference == Money(0, "CAD"))
      #expect(stated.entries.map(\.amount.minorUnits) == [100_00, -9_99])
      #expect(stated.entries.last?.details.first?.creditor == "Bakery Toronto ON")
      let asked = Wire.StatementRequest(
        accountId: account.rawValue, statementId: first.id.rawValue, format: "PDF")
      let answer: Wire.StatementResponse = try await bank.call(.getStatement, asked, by: bank.again(ada)).view()
      #expect(answer.content.sha256Hex == first.pdf.digest && answer.content.starts(with: Data("%PDF-".utf8)))
      #expect(answer.statement == first.view && answer.mediaType == "application/pdf")
      let list: Wire.StatementsResponse = try await bank.call(
        .listStatements, Wire.AccountRequest(accountId: account.rawValue), by: bank.again(ada)
      ).view()
      #expect(list.statements == [first.view])
      #expect(try await bank.call(.getStatement, asked, by: bank.again(eve)).status == 404)
      let desk = "finaptic-\(Self.tenant)"
      #expect(try await statements.list(of: account, at: desk, by: "agent:a", why: .search) == found)
      let shown = try await statements.document(
        first.id, suffix: "xml", of: account, at: desk, by: "agent:a", why: .list)
      let looks = try await bank.database.read { try AuditStore($0).lines(of: "finaptic-account-\(account)") }
        .filter { $0.actor == "agent:a" }
      #expect(looks.map(\.action) == ["finaptic.statement.listed", "finaptic.statement.read"])
      #expect(looks.map { $0.facts["why"] } == ["search", "list"])
      #expect(shown.sha256Hex == first.message.digest)
      await #expect(throws: Problem.notFound) {
        _ = try await statements.list(
          of: account, at: "finaptic-\(BankingTestApp.otherTenant)", by: "agent:b", why: .search)
      }
      let foreign = Wire.StatementRequest(accountId: empty.rawValue, statementId: first.id.rawValue, format: "PDF")
      #expect(try await bank.call(.getStatement, foreign, by: bank.again(eve)).status == 404)
    }
  }

  @Test("an account that fails keeps no account from later months, and is made up for when it is right again")
  func failing() async throws {
    try await BankingTestApp.run { bank in
      let (ada, eve) = (try await bank.customer(), try await bank.customer("Eve", "Other"))
      let (good, bad) = (try await bank.open(ada, funds: 100_00), try await bank.open(eve, funds: 100_00))
      try await Self.endMonth(bank)
      let month = DayEnd.Month(of: Ledger.day(of: bank.clock.now))
      bank.clock.set(Instant(milliseconds: (month.lastDay + 1) * 86_400_000 + 600_000))
      _ = try await bank.dependencies.dayEnd.run()
      func change(_ amount: Int64, to other: Int64) async throws {
        let changed = try await bank.database.write {
          try $0.execute(
            "UPDATE finaptic_transaction SET amount = \(other) WHERE account_id = \(bad) AND amount = \(amount)")
        }
        #expect(changed == 1)
      }
      try await change(100_00, to: 100_01)
      let statements = bank.dependencies.statements
      for _ in 0..<2 { await #expect(throws: PartialFailure.self) { _ = try await statements.run() } }
      #expect(try await [Self.all(bank, good).count, Self.all(bank, bad).count] == [2, 1])
      try await change(100_01, to: 100_00)
      #expect(try await statements.run() == 1)
      #expect(try await Self.all(bank, bad).map(\.month.number) == [month.number, month.number - 1])
    }
  }

  @Test("statements of several accounts are few transactions, and one that fails keeps none of the others back")
  func together() async throws {
    try await BankingTestApp.run { bank in
      let ada = try await bank.customer()
      var accounts: [BankAccount.ID] = []
      for _ in 0..<7 { accounts.append(try await bank.open(ada, funds: 100_00)) }
      try await Self.endMonth(bank)
      let bad = accounts.sorted { $0.rawValue < $1.rawValue }[3]
      func change(_ amount: Int64, to other: Int64) async throws {
        let changed = try await bank.database.write {
          try $0.execute(
            "UPDATE finaptic_transaction SET amount = \(other) WHERE account_id = \(bad) AND amount = \(amount)")
        }
        #expect(changed == 1)
      }
      let parts = bank.dependencies
      let counted = CountingDatabase(parts.core.database)
      let statements = MonthlyStatements(
        core: CoreDependencies(
          database: counted, world: parts.core.world, vault: parts.core.vault, blobs: parts.core.blobs),
        ledger: parts.ledger, tenants: parts.tenants)
      try await change(100_00, to: 100_01)
      let failure = await #expect(throws: PartialFailure.self) { _ = try await statements.run() }
      #expect(failure?.parts.count == 1)
      #expect(failure.map { "\($0.parts)".contains(bad.rawValue) } == true)
      for account in accounts { #expect(try await Self.all(bank, account).count == (account == bad ? 0 : 1)) }
      // What is left behind by attempts that fail is deleted by the sweep of objects.
      try await change(100_01, to: 100_00)
      for account in accounts where account != bad {
        try await bank.database.write { try MonthlyStatementStore($0).deleteAll(of: account) }
      }
      let before = counted.writes
      #expect(try await statements.run() == 7)
      // Keys, rows, and for each tenant how far its months are made.
      #expect(counted.writes - before <= 4)
      for account in accounts {
        let made = try await Self.all(bank, account)
        #expect(made.count == 1)
        for one in made { #expect(try await statements.document(one, .pdf).starts(with: Data("%PDF-".utf8))) }
      }
    }
  }

  @Test("a store that does not answer ends the run of a tenant, and is not asked again for each account")
  func away() async throws {
    try await BankingTestApp.run { bank in
      let ada = try await bank.customer()
      for _ in 0..<3 { _ = try await bank.open(ada, funds: 100_00) }
      try await Self.endMonth(bank)
      let parts = bank.dependencies
      let core = CoreDependencies(
        database: OvertakenDatabase(parts.core.database) { throw SQLError.unreachable("away") },
        world: parts.core.world, vault: parts.core.vault, blobs: parts.core.blobs)
      let statements = MonthlyStatements(core: core, ledger: parts.ledger, tenants: parts.tenants)
      let failure = await #expect(throws: PartialFailure.self) { _ = try await statements.run() }
      #expect(failure?.parts.map { $0.metadata["account"] == nil } == [true])
      #expect(try await statements.run() == 3)
    }
  }

  @Test("a correction names the statement that it follows, which stays, and a changed document is not given out")
  func correction() async throws {
    try await BankingTestApp.run { bank in
      let account = try await bank.open(try await bank.customer(), funds: 100_00)
      try await Self.endMonth(bank)
      let statements = bank.dependencies.statements
      #expect(try await statements.run() == 1)
      let (first, tenant) = (
        try #require(try await Self.all(bank, account).first), try await bank.dependencies.tenants.find(Self.tenant)
      )
      let bytes = try await statements.document(first, .pdf)
      let next = try await statements.correct(first.id, on: account, of: tenant, reason: "The name", by: "test")
      #expect(next.revision == 2 && next.corrects == first.id && next.id != first.id)
      let refusal = await #expect(throws: Problem.self) {
        _ = try await statements.correct(first.id, on: account, of: tenant, reason: "Again", by: "test")
      }
      #expect(refusal?.code == "statement-corrected")
      #expect(try await Self.all(bank, account) == [next, first])
      #expect(try await statements.document(first, .pdf) == bytes)
      let keys = [first, next].flatMap { [$0.pdf.blob, $0.message.blob] }
      let kept = try await bank.database.read { tx in
        try [FinapticBlobStore.kept(after: "", limit: 9, in: tx), FinapticBlobStore.kept(after: "", limit: 3, in: tx)]
      }
      #expect(kept == [keys.sorted(), Array(keys.sorted().prefix(3))])
      #expect(try await bank.database.read { try FinapticBlobStore.referenced(keys + ["other"], in: $0) } == Set(keys))
      let digest = String(repeating: "0", count: 64)
      try await bank.database.write {
        _ = try $0.execute("UPDATE finaptic_statement SET pdf_digest = \(digest) WHERE id = \(next.id)")
      }
      let changed = try await statements.find(next.id, on: account, of: Self.tenant)
      await #expect(throws: StatementFault.changed) { _ = try await statements.document(changed, .pdf) }
    }
  }

  @Test("the erasure of the last owner ends the statements, and none is made of the account after it")
  func erasure() async throws {
    try await BankingTestApp.run { bank in
      let ada = try await bank.customer()
      let account = try await bank.open(ada, funds: 9_99)
      try await Self.buy(bank, from: account)
      try await Self.endMonth(bank)
      let statements = bank.dependencies.statements
      #expect(try await statements.run() == 1)
      let first = try #require(try await Self.all(bank, account).first)
      #expect(try await !statements.document(first, .pdf).isEmpty)
      _ = try await bank.dependencies.erasure.erase(
        ada.id, tenant: Self.tenant, reason: .ended, by: "test", despiteDuty: true)
      #expect(try await Self.all(bank, account).isEmpty)
      await #expect(throws: VaultError.erased) { _ = try await statements.document(first, .pdf) }
      try await Self.endMonth(bank)
      #expect(try await statements.run() == 0)
    }
  }
}
