import Foundation
import GatehouseWire
import Kit
import Ledger
import Storage
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
      let (desk, parts, tenant) = (try await FourEyesDesk(app), app.dependencies, CardTestApp.tenant)
      let (terms, changes) = (parts.accountTerms, parts.termsChanges)
      try await app.deposit(1_000_00, on: desk.account)
      let today = Ledger.day(of: app.accounts.clock.now)
      func day(_ later: Int64) -> WireDate { WireDate(daysSince1970: Int(today + later)) }
      func announce(_ later: Int64, approval: String? = nil) async throws -> AskedApproval? {
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
      #expect(try await desk.decide(asked.id) == 200)
      #expect(await Self.refusal { _ = try await announce(11, approval: asked.id) } != nil)
      #expect(try await announce(10, approval: asked.id) == nil)
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

  @Test("what is taken back before its day does not count, and whoever was told of it is told of that")
  func withdrawn() async throws {
    try await CardTestApp.run { app in
      let (desk, parts, tenant) = (try await FourEyesDesk(app), app.dependencies, CardTestApp.tenant)
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
      let bank = try await app.accounts.app.addFinapticBankClient("bank", tenant: tenant, by: "operator")
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
}
