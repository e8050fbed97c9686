// SPDX-License-Identifier: Apache-2.0

import Casework
import Delivery
import Foundation
import GatehouseWire
import Kit
import Ledger
import Storage
import TestSupport
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

/// Tests stand at 2026-11-21.
@Suite("Finaptic: terms that are announced")
struct TermsChangeTests {
  private struct Notices: Decodable {
    struct One: Decodable {
      let change_id, kind, from, monthly_fee: String
      let yearly_interest_millionths: Int64
    }

    let notices: [One]
  }

  /// What the desk's account is of: it has a prepaid card.
  private static let code = AccountProduct.prepaid.code
  private static let op = "operator:a"

  private static func refusal(_ call: () async throws -> Void) async -> String? {
    do {
      try await call()
      return nil
    } catch { return (error as? Problem)?.code }
  }

  private static func days(_ account: BankAccount.ID, at interest: Int64, _ app: CardTestApp) async throws -> Int64? {
    try await app.database.read {
      try $0.first(
        """
        SELECT COUNT(*) AS n FROM ledger_accrual
        WHERE account_id = \(account) AND yearly_interest_millionths = \(interest)
        """)?.get("n")
    }
  }

  @Test("holders are told in time, once, and a second person agrees; the terms count from their day, however late")
  func announced() async throws {
    try await CardTestApp.run { app in
      let (desk, parts, tenant) = (try await FourEyesClients(app), app.dependencies, CardTestApp.tenant)
      let (terms, changes) = (parts.accountTerms, parts.termsChanges)
      try await app.deposit(1_000_00, on: desk.account)
      let today = Ledger.day(of: app.accounts.clock.now)
      func day(_ later: Int64) -> WireDate { WireDate(daysSince1970: Int(today + later)) }
      func announce(_ later: Int64, approval: String? = nil) async throws -> RequestedApproval? {
        try await terms.set(
          Self.code, of: tenant, yearlyInterest: 25_000, monthlyFee: 4_95, from: day(later), approval: approval,
          by: Self.op)
      }
      #expect(await Self.refusal { _ = try await announce(61) } == "validation-failed")
      try await changes.setNoticeDays(10, of: tenant, by: Self.op)
      #expect(await Self.refusal { _ = try await announce(9) } == "validation-failed")
      try await parts.fourEyes.setActs([.terms], of: tenant, by: Self.op)
      let asked = try #require(try await announce(10))
      #expect(asked.act.content.contains("from \(day(10)) on"))
      #expect(try await !desk.isVoid(asked.act))
      #expect(try await desk.decide(asked.id) == 200)
      #expect(await Self.refusal { _ = try await announce(11, approval: asked.id) } != nil)
      #expect(try await announce(10, approval: asked.id) == nil)
      // Other terms are announced.
      #expect(try await desk.isVoid(asked.act))
      try await parts.fourEyes.setActs([], of: tenant, by: Self.op)
      // What stands beside an announcement would be undone by it: on its day, on another one, and from now on.
      for later in [10, 20, nil] as [Int64?] {
        let refusal = await Self.refusal {
          try await terms.set(
            Self.code, of: tenant, yearlyInterest: nil, monthlyFee: 7_95, from: later.map(day), by: Self.op)
        }
        #expect(refusal == "terms-change-announced")
      }

      async let one: Void = changes.tell()
      async let other: Void = changes.tell()
      _ = try await (one, other)
      try await changes.tell()
      let mail = try await app.accounts.messages(to: "ada@example.ca")
      #expect(mail.count == 1 && mail.first?.body.contains("interest of 2.5 % a year") == true)
      #expect(mail.first?.body.contains("4.95 CAD") == true && mail.first?.body.contains("\(day(10))") == true)
      #expect(try await terms.list(of: tenant).first { $0.code == Self.code }?.monthlyFee == 0)
      let kept = try await parts.exporter.export("ada@example.ca", tenant: tenant, by: Self.op)
      let told = kept.accounts.flatMap(\.termsNotices)
      #expect(told.map(\.kind) == ["announced"] && told.map(\.from) == ["\(day(10))"])

      app.accounts.clock.set(Instant(milliseconds: (today + 13) * 86_400_000 + 600_000))
      _ = try await parts.dayEnd.run()
      #expect(try await Self.days(desk.account, at: 25_000, app) == 3)
      #expect(try await terms.list(of: tenant).first { $0.code == Self.code }?.monthlyFee == 4_95)
      let first = try #require(try await changes.list(of: tenant).first)
      #expect(first.state == .effective)
      let late = await Self.refusal { try await changes.withdraw(first.id, of: tenant, by: Self.op) }
      #expect(late == "terms-change-ended")
    }
  }

  @Test("what is taken back before its day does not count, and customers who were told of it are told of that")
  func withdrawn() async throws {
    try await CardTestApp.run { app in
      let (desk, parts, tenant) = (try await FourEyesClients(app), app.dependencies, CardTestApp.tenant)
      let changes = parts.termsChanges
      let today = Ledger.day(of: app.accounts.clock.now)
      for (later, isTold) in [(70, true), (80, false)] as [(Int64, Bool)] {
        _ = try await parts.accountTerms.set(
          Self.code, of: tenant, yearlyInterest: nil, monthlyFee: 9_95,
          from: WireDate(daysSince1970: Int(today + later)), by: Self.op)
        if isTold { try await changes.tell() }
        app.accounts.clock.advance(by: .seconds(1))
        let change = try #require(try await changes.list(of: tenant).first)
        for round in 0..<2 {
          let refusal = await Self.refusal { try await changes.withdraw(change.id, of: tenant, by: Self.op) }
          #expect(refusal == (round == 0 ? nil : "terms-change-ended"))
        }
        try await changes.tell()
      }
      // The second one was taken back before it was told.
      let mail = try await app.accounts.messages(to: "ada@example.ca").map(\.body)
      #expect(mail.count == 2 && mail.count { $0.contains("does not take place") } == 1)
      let bank = try await app.accounts.app.addFinapticClient(.bank, "bank", tenant: tenant, by: "operator")
      let answer = try await desk.call("/accounts/\(desk.account)/terms-notices", nil, as: bank)
      let notices = try JSONDecoder().decode(Notices.self, from: answer.body).notices
      #expect(notices.map(\.kind) == ["announced", "withdrawn"] && Set(notices.map(\.change_id)).count == 1)
      #expect(notices.first?.monthly_fee == "9.95" && notices.first?.yearly_interest_millionths == 0)
      #expect(try await desk.call("/accounts/\(desk.account)/terms-notices", nil, as: desk.maker).status == 403)
      app.accounts.clock.set(Instant(milliseconds: (today + 71) * 86_400_000 + 600_000))
      try await parts.accountTerms.beginDue(of: tenant)
      #expect(try await parts.accountTerms.list(of: tenant).first { $0.code == Self.code }?.monthlyFee == 0)
    }
  }

  /// An account whose owners are told of nothing when it is opened, with as much on it as on others of the next test.
  private static func openSilently(for owners: [String], _ app: CardTestApp) async throws -> BankAccount.ID {
    let (ledger, name) = (app.dependencies.ledger, BankAccount.ledgerTenant(CardTestApp.tenant))
    let id = BankAccount.ID(rawValue: app.dependencies.core.world.randomUUID())
    try await app.database.write { tx in
      _ = try ledger.open(.init(id: id, tenant: name, product: code, name: "Joint", owners: owners), in: tx)
      _ = try ledger.activate(id, tenant: name, in: tx)
    }
    try await app.deposit(1_000_00, on: id)
    return id
  }

  private static func run(_ statements: [String], _ app: CardTestApp) async throws {
    try await app.database.write { tx in
      for statement in statements { _ = try tx.execute(SQL(stringLiteral: statement)) }
    }
  }

  /// Why the cases of the queue wait.
  private static func queue(_ app: CardTestApp) async throws -> [[String]] {
    let house = app.accounts.app
    let worker = CaseWorker(operator: op, at: try #require(house.tenants.all.first).id)
    var query = CaseQuery()
    query.kinds = [.termsNotice]
    return try await house.caseCommands.page(query, for: worker).cases.map(\.reasons)
  }

  /// How many notices the statement of a month names.
  private static func stated(in month: DayEnd.Month, of account: BankAccount.ID, _ app: CardTestApp) async throws -> Int
  {
    let (tenant, core) = (CardTestApp.tenant, app.dependencies.core)
    let books = try await app.dependencies.ledger.statement(
      of: account, tenant: BankAccount.ledgerTenant(tenant), from: month.from, to: month.to)
    let statement = try #require(books)
    return try await app.database.read { tx in
      let content = try StatementContent(
        .init(core.world), correcting: nil, statement, of: #require(try AccountStore(tx).find(account, tenant: tenant)),
        month, tenant: #require(try TenantStore(tx).find(tenant)), at: core.world.now(), vault: core.vault, in: tx)
      return content.notices.count
    }
  }

  @Test("one account that cannot be told stops no other; a change begins for an account when its notice has run out")
  func late() async throws {
    try await CardTestApp.run { app in
      let (parts, tenant) = (app.dependencies, CardTestApp.tenant)
      let changes = parts.termsChanges
      let today = Ledger.day(of: app.accounts.clock.now)
      func day(_ later: Int64) -> WireDate { WireDate(daysSince1970: Int(today + later)) }
      let ada = try await app.customer("ada")
      let told = try await app.open(for: ada, cents: 1_000_00).account
      let bad = try await app.open(for: app.customer("bob"), cents: 1_000_00).account
      let erased = try await app.customer("erased")
      try await app.database.write { tx in
        try RightsStore(tx, vault: parts.core.vault).emptyUser(erased.user, as: "erased", at: parts.core.world.now())
      }
      let stranger = try await Self.openSilently(for: ["stranger", erased.customer], app)
      // What was booked by now is pushed to no device.
      try await app.accounts.settle()
      try await app.database.write { tx in
        try PushChannelStore(tx, vault: parts.core.vault).put(
          PushChannel(
            id: .init(parts.core.world), tenant: tenant, customer: ada.customer, platform: .google,
            registration: "fcm:1"), device: "phone", at: parts.core.world.now())
      }
      try await changes.setNoticeDays(10, of: tenant, by: Self.op)
      try await parts.accountTerms.set(
        Self.code, of: tenant, yearlyInterest: 25_000, monthlyFee: nil, from: day(10), by: Self.op)
      let change = try #require(try await changes.list(of: tenant).first)

      // SQLite keeps a text where a number belongs; PostgreSQL keeps any word once it may.
      try await Self.run(
        Engine.current == .sqlite
          ? ["UPDATE ledger_account SET opened_at = 'x' WHERE id = '\(bad)'"]
          : [
            "ALTER TABLE ledger_account DROP CONSTRAINT ledger_account_kind_check",
            "UPDATE ledger_account SET kind = 'x' WHERE id = '\(bad)'",
          ], app)
      let thrown = await #expect(throws: PartialFailure.self) { try await changes.tell() }
      let failure = try #require(thrown)
      #expect(failure.parts.map(\.error) == ["SQLError.unreadable"])
      #expect(failure.parts.first?.metadata["account"] == "\(bad)")
      // A dead letter is told once, and rests for an hour.
      try await changes.tell()
      #expect(try await app.accounts.messages(to: "ada@example.ca").count == 1)
      let pushes = try await app.accounts.app.devOutbox.list().map(\.message).filter { $0.channel == .push }
      #expect(pushes.map(\.body) == ["Changed terms of your account"])
      #expect(pushes.first?.data?["accountId"] == told.rawValue)
      let waiting = try await changes.unnotifiedAccounts(change.id, of: tenant)
      #expect(waiting.map(\.account) == [bad, stranger])
      #expect(waiting.map(\.fault) == ["SQLError.unreadable", nil] && waiting.map(\.owners) == [0, 2])
      #expect(try await Self.queue(app) == [["owners-without-user:2", "accounts-not-told:1"]])

      // A customer who opens an account now is told at once, and agrees to the change with it.
      let new = try await app.open(for: app.customer("carol"), cents: 1_000_00).account
      #expect(try await app.accounts.messages(to: "carol@example.ca").first?.body.contains("\(day(10))") == true)
      // The notice of one is forgotten, and the mail of one who opens on the eve goes out on the day of the change.
      let missed = try await Self.openSilently(for: [app.customer("dave").customer], app)
      app.accounts.clock.set(Instant(milliseconds: (today + 9) * 86_400_000 + 600_000))
      let slow = try await app.open(for: app.customer("eve"), cents: 1_000_00).account
      app.accounts.clock.set(Instant(milliseconds: (today + 10) * 86_400_000 + 600_000))
      #expect(try await app.accounts.messages(to: "eve@example.ca").first?.body.contains("\(day(11))") == true)

      let opened = "(SELECT opened_at FROM ledger_account WHERE id = '\(told)')"
      try await Self.run(
        ["UPDATE ledger_account SET kind = 'customer', opened_at = \(opened) WHERE id = '\(bad)'"], app)
      app.accounts.clock.set(Instant(milliseconds: (today + 13) * 86_400_000 + 600_000))
      _ = try await parts.dayEnd.run()
      let begun: [(BankAccount.ID, Int64)] = [(told, 3), (new, 3), (slow, 2), (bad, 0), (stranger, 0), (missed, 0)]
      for (account, grown) in begun { #expect(try await Self.days(account, at: 25_000, app) == grown) }
      #expect(try await changes.counted(of: tenant).map(\.waiting) == [3])
      #expect(
        try await Self.queue(app) == [["owners-without-user:2", "accounts-not-told:1", "accounts-waiting:3"]])

      // A customer who opens an account after the change began has its terms from the beginning.
      let later = try await Self.openSilently(for: [app.customer("frank").customer], app)
      try await changes.tell()
      for name in ["bob", "dave"] {
        let mail = try await app.accounts.messages(to: "\(name)@example.ca")
        #expect(mail.first?.body.contains("\(day(23))") == true)
      }
      #expect(try await app.accounts.messages(to: "frank@example.ca").isEmpty)
      try await changes.toldByBank(stranger, of: change.id, tenant: tenant, by: Self.op)
      let again = await Self.refusal {
        try await changes.toldByBank(stranger, of: change.id, tenant: tenant, by: Self.op)
      }
      #expect(again == "not-found")
      #expect(try await changes.unnotifiedAccounts(change.id, of: tenant).isEmpty)
      #expect(try await Self.queue(app).isEmpty)
      try await parts.accountTerms.beginDue(of: tenant)
      app.accounts.clock.set(Instant(milliseconds: (today + 25) * 86_400_000 + 600_000))
      _ = try await parts.dayEnd.run()
      let all: [(BankAccount.ID, Int64)] = [
        (told, 15), (new, 15), (slow, 14), (later, 12), (bad, 2), (stranger, 2), (missed, 2),
      ]
      for (account, grown) in all { #expect(try await Self.days(account, at: 25_000, app) == grown) }
      // On the eve, in November, nothing had been sent.
      #expect(try await Self.stated(in: .init(of: today), of: told, app) == 1)
      #expect(try await Self.stated(in: .init(of: today), of: slow, app) == 0)
    }
  }
}
