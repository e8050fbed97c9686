// SPDX-License-Identifier: Apache-2.0
import Identity
import Kit
import Ledger
import Storage
import Testing

@testable import Console
@testable import Demonstration
@testable import FinapticFlow
@testable import GatehouseApp

@Suite("Console: payments between banks that wait", .onOneEngine, .serialized)
struct ConsolePaymentTests {
  private static let (teller, queue, tenant) = ("payer@bank.example", "/console/queue", 7)

  /// Money that waits, and a request to give a payment back, with their cases; a member of staff who may book is signed
  /// in.
  private static func open(_ console: ConsoleTestApp) async throws -> DemoBrowser {
    let (app, dependencies) = (console.app, console.app.finaptic.dependencies)
    try await dependencies.tenants.add(tenant, name: "Maple Bank", kind: .sandbox, by: "test")
    try await dependencies.settlement.set("SETTLEMENT-9", currency: "CAD", bic: "WESTGB2L", of: tenant, by: "test")
    var content = BankPayment.Content()
    (content.debtor, content.debtorAccount, content.remittance) = ("Ann Other", "11-22", ["Rent of May"])
    let payment = BankPayment(
      id: .init(app.core.world), tenant: tenant, direction: .incoming, amount: Money(7_00, "CAD"), message: "M-1",
      place: 0, references: .init(agent: ""), receivedAt: console.clock.now, state: .suspended, account: nil,
      transfer: .init(rawValue: app.core.world.randomUUID()), suspense: .unknownAccount, returnReason: nil,
      reversedBy: nil, content: content, owesFile: false)
    var asked = PaymentRecall.Content()
    (asked.bic, asked.reason, asked.transactionID) = ("DEUTDEFF", "DUPL", "T-9")
    let recall = PaymentRecall(
      id: .init(app.core.world), tenant: tenant, message: "C-1", place: 0, receivedAt: console.clock.now, state: .open,
      content: asked, owesMessage: false)
    let work = [BankPaymentMachine.work(for: payment), PaymentRecallMachine.work(for: recall)].compactMap(\.self)
    let isKept = try await app.database.write { tx in
      try BankPaymentStore(tx, vault: app.core.vault).insert(payment)
      let isKept = try PaymentRecallStore(tx, vault: app.core.vault).insert(recall)
      for item in work { try app.core.cases.open(item, formerly: nil, by: "client:hub", in: tx) }
      return isKept
    }
    #expect(isKept)
    try await app.staff.add(
      NewStaffMember(
        tenant: "default", email: teller, name: "Tea", gender: .female, languages: ["en"],
        permissions: [.readCustomers, .postMoney], password: ConsoleTestApp.password), by: "operator")
    let browser = console.browser()
    try await browser.open("/console/sign-in")
    try await browser.submit("/console/sign-in", ["email": teller, "password": ConsoleTestApp.password])
    return browser
  }

  /// Takes the one case of a kind.
  private static func take(_ kind: String, _ browser: DemoBrowser) async throws -> (path: String, html: String) {
    let list = try await browser.open("\(queue)?kind=\(kind)").html
    let path = String(try #require(list.firstMatch(of: #/\/console\/queue\/cases\/[0-9a-f-]{36}/#)).output)
    try await browser.open(path)
    try await browser.submit("\(path)/claim")
    return (path, try await browser.open(path).html)
  }

  @Test("a case of a payment shows what the message said of it, keeps who looked, and is decided once at its page")
  func decided() async throws {
    try await ConsoleTestApp.run { console in
      let browser = try await Self.open(console)
      let (money, shown) = try await Self.take("finaptic-suspense", browser)
      for words in ["7.00 CAD", "Ann Other", "11-22", "Rent of May", "The account is not known"] {
        #expect(shown.contains(words), "\(words)")
      }
      try await browser.submit("\(money)/decision", ["form": "dismiss", "verdict": "dismiss"])

      let (request, asked) = try await Self.take("finaptic-recall", browser)
      for words in ["DEUTDEFF", "DUPL", "T-9", "No payment is found, or several are"] {
        #expect(asked.contains(words), "\(words)")
      }
      #expect(!asked.contains("Give the money back"))
      try await browser.submit("\(request)/decision", ["form": "postpone-recall", "verdict": "postpone-recall"])
      let later = try await browser.open(request).html
      #expect(!later.contains("Tell the other bank that it will take time"))
      try await browser.submit(
        "\(request)/decision", ["form": "decline-recall", "verdict": "decline-recall", "answer_reason": "NOOR"])

      let (states, looks) = try await console.app.database.read { tx in
        (
          try tx.query(
            "SELECT state FROM finaptic_bank_payment UNION ALL SELECT state FROM finaptic_payment_recall"
          ).map { try $0.get("state", as: String.self) },
          try tx.query("SELECT DISTINCT action FROM audit_line WHERE action LIKE '%.seen'").map {
            try $0.get("action", as: String.self)
          }
        )
      }
      #expect(Set(states) == ["reversed", "declined"])
      #expect(Set(looks).isSuperset(of: ["finaptic.payment.seen", "finaptic.recall.seen"]))
    }
  }
}
