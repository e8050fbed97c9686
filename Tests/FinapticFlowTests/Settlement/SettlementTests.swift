// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Kit
import Ledger
import Storage
import TestSupport
import Testing

@testable import FinapticFlow
@testable import GatehouseApp
@testable import Payments

@Suite("Finaptic: payments between banks")
struct SettlementTests {
  private static var tenant: Int { CardTestApp.tenant }
  private static let uetr = "86d7da8e-6e41-4466-b9bb-9b41d5814d5a"

  /// A transfer of another bank: its transaction id, the account that it names, and cents.
  private typealias Sent = (id: String, account: String?, cents: Int64)

  private static func transfers(_ id: String, _ list: [Sent]) throws -> Data { try message(id, list).xml() }

  private static func message(_ id: String, _ list: [Sent]) throws -> CreditTransferMessage {
    let created = try #require(MessageTime("2026-11-26T10:00:00Z"))
    return CreditTransferMessage(
      id: id, created: created, method: .clearing, instructing: Agent(bic: BIC("DEUTDEFF")),
      transfers: list.map { sent in
        CreditTransfer(
          endToEndID: "E-\(sent.id)", transactionID: sent.id, amount: Money(sent.cents, "CAD"),
          settlementDay: created.day, charges: .shared, debtor: "Ann Other", debtorAccount: .other("11-22"),
          debtorAgent: Agent(bic: BIC("DEUTDEFF")), creditorAgent: Agent(bic: BIC("WESTGB2L")), creditor: "Ada",
          creditorAccount: sent.account.map { .other($0.replacing("-", with: "")) })
      })
  }

  /// A bank that settles over an account at another one.
  private static func run(_ play: @escaping @Sendable (CardTestApp) async throws -> Void) async throws {
    try await CardTestApp.run { app in
      try await app.dependencies.settlement.set(
        "SETTLEMENT-9", currency: "CAD", bic: "WESTGB2L", of: tenant, by: "operator")
      try await play(app)
    }
  }

  private static func ordered(
    _ outgoing: OutgoingPayments, _ order: OutgoingPayments.Order, key: String
  ) async throws -> BankPayment {
    guard case .ordered(let payment) = try await outgoing.order(order, key: key, of: tenant, by: "operator") else {
      throw Problem.approvalRequired
    }
    return payment
  }

  private static func balance(_ name: String, _ app: CardTestApp) async throws -> Int64? {
    try await app.database.read {
      try LedgerStore($0).account(.init(rawValue: "finaptic-\(tenant):\(name):CAD"))?.actual
    }
  }

  @Test("money comes in once, and what has no account waits for a person")
  func incoming() async throws {
    try await Self.run { app in
      let messages = app.dependencies.incomingMessages
      let account = try await app.open(for: app.customer("ada"), cents: 0).account
      let bytes = try Self.transfers("M-1", [("T-1", account.rawValue, 10_00), ("T-2", nil, 5_00)])
      var outcome = IncomingMessages.Outcome()
      (outcome.credited, outcome.suspended) = (1, 1)
      #expect(try await messages.take(bytes, of: Self.tenant, by: "operator") == outcome)
      var again = IncomingMessages.Outcome()
      again.repeated = 2
      #expect(try await messages.take(bytes, of: Self.tenant, by: "operator") == again)
      // The same transfers in another message, and the same id with another content.
      let resent = try Self.transfers("M-2", [("T-1", account.rawValue, 10_00), ("T-2", nil, 5_00)])
      #expect(try await messages.take(resent, of: Self.tenant, by: "operator") == again)
      let reused = try Self.transfers("M-1", [("T-3", account.rawValue, 10_00)])
      let refusal = try await #require(throws: Problem.self) {
        try await messages.take(reused, of: Self.tenant, by: "operator")
      }
      #expect(refusal.code == "message-reused")
      #expect(try await app.balance(of: account) == [10_00, 10_00])
      #expect(try await Self.balance("settlement", app) == -15_00)
      #expect(try await Self.balance("suspense", app) == 5_00)

      let waiting = try await app.dependencies.settlement.suspended(of: Self.tenant)
      let item = try #require(waiting.first)
      #expect(waiting.count == 1 && item.suspense == .unknownAccount && item.content?.debtor == "Ann Other")
      let cases: [String] = try await app.database.read { tx in
        try tx.query("SELECT kind FROM casework_case WHERE subject_id = \(item.id.rawValue)").map { try $0.get("kind") }
      }
      #expect(cases == ["finaptic-suspense"])
      try await app.dependencies.settlement.assign(item.id, to: account, of: Self.tenant, by: "operator")
      #expect(try await app.balance(of: account) == [15_00, 15_00])
      #expect(try await Self.balance("suspense", app) == 0)
      let late = try await #require(throws: Problem.self) {
        try await app.dependencies.settlement.sendBack(item.id, reason: nil, of: Self.tenant, by: "operator")
      }
      #expect(late.code == "not-suspended")
    }
  }

  @Test("a notification of the same payment books nothing; one of another payment does, and an unclear entry waits")
  func notifications() async throws {
    try await Self.run { app in
      let messages = app.dependencies.incomingMessages
      let account = try await app.open(for: app.customer("ada"), cents: 0).account
      _ = try await messages.take(
        Self.transfers("M-1", [("T-1", account.rawValue, 10_00)]), of: Self.tenant, by: "operator")
      func entry(_ cents: Int64, _ details: [AccountStatement.Detail]) -> AccountStatement.Entry {
        .init(
          amount: Money(cents, "CAD"), isReversal: false, status: "BOOK", booked: nil, valued: nil, reference: nil,
          servicerReference: "S-\(cents)", details: details)
      }
      func detail(_ id: String) -> AccountStatement.Detail {
        .init(
          transactionID: id, creditorAccount: .other(account.rawValue.replacing("-", with: "")),
          debtorAgent: Agent(bic: BIC("DEUTDEFF")))
      }
      let notice = NotificationMessage(
        id: "N-1", created: try #require(MessageTime("2026-11-26T10:00:00Z")),
        notifications: [
          .init(
            id: "1", account: .other("SETTLEMENT-9"),
            entries: [
              entry(10_00, [detail("T-1")]), entry(7_00, [detail("T-7")]), entry(3_00, [detail("T-8"), detail("T-9")]),
              entry(-4_00, []),
            ])
        ])
      let outcome = try await messages.take(notice.xml(), of: Self.tenant, by: "operator")
      #expect(outcome.repeated == 1 && outcome.credited == 1 && outcome.suspended == 1)
      #expect(try await app.balance(of: account) == [17_00, 17_00])
      let waiting = try await app.dependencies.settlement.suspended(of: Self.tenant)
      #expect(waiting.map(\.suspense) == [.unclearEntry] && waiting.map(\.amount) == [Money(3_00, "CAD")])
    }
  }

  @Test("a payment to another bank leaves once, and comes back once by a rejection or a return")
  func outgoing() async throws {
    try await Self.run { app in
      let (messages, outgoing) = (app.dependencies.incomingMessages, app.dependencies.outgoingPayments)
      let account = try await app.open(for: app.customer("ada"), cents: 100_00).account
      let folder = try TestFolder()
      let order = OutgoingPayments.Order(
        account: account, amount: Money(30_00, "CAD"), creditor: "Ann Other", creditorAccount: "11-22",
        creditorBIC: "DEUTDEFF", endToEndID: "RENT")
      let payment = try await Self.ordered(outgoing, order, key: "1")
      #expect(try await Self.ordered(outgoing, order, key: "1").id == payment.id)
      #expect(try await app.balance(of: account) == [70_00, 70_00])
      #expect(try await outgoing.write(of: Self.tenant, into: folder.path, by: "operator") == 1)
      #expect(try await outgoing.write(of: Self.tenant, into: folder.path, by: "operator") == 0)
      let file = folder.file("pacs.008.001.08-\(payment.reference).xml")
      let bytes = try #require(FileManager.default.contents(atPath: file))
      guard case .creditTransfers(let sent) = try PaymentMessage.read(bytes) else {
        Issue.record("no transfer")
        return
      }
      #expect(sent.transfers.map(\.uetr) == [payment.id.rawValue] && sent.transfers[0].endToEndID == "RENT")
      #expect(sent.transfers[0].debtorAgent.bic?.text == "WESTGB2L")

      let created = try #require(MessageTime("2026-11-26T10:00:00Z"))
      func rejection(_ id: String, _ reference: String) throws -> Data {
        try PaymentStatusMessage(
          id: id, created: created,
          transactions: [
            .init(
              original: .init(transactionID: reference), status: "RJCT", reasons: [.init(ReturnReason.closedAccount)])
          ]
        ).xml()
      }
      #expect(try await messages.take(rejection("R-1", payment.reference), of: Self.tenant, by: "op").reversed == 1)
      #expect(try await messages.take(rejection("R-2", payment.reference), of: Self.tenant, by: "op").repeated == 1)
      #expect(try await messages.take(rejection("R-3", "none"), of: Self.tenant, by: "op").unknown == 1)
      #expect(try await app.balance(of: account) == [100_00, 100_00])

      let second = try await Self.ordered(outgoing, order, key: "2")
      func returned(_ id: String, _ cents: Int64) throws -> Data {
        try PaymentReturnMessage(
          id: id, created: created, method: .clearing,
          returns: [
            .init(id: "RTR-\(id)", original: .init(uetr: second.id.rawValue), amount: Money(cents, "CAD"))
          ]
        ).xml()
      }
      #expect(try await messages.take(returned("B-1", 29_50), of: Self.tenant, by: "op").reversed == 1)
      #expect(try await app.balance(of: account) == [99_50, 99_50])
      // What comes a second time is money all the same: a person has to find out whose.
      #expect(try await messages.take(returned("B-2", 29_50), of: Self.tenant, by: "op").suspended == 1)
      #expect(try await app.balance(of: account) == [99_50, 99_50])
      #expect(try await outgoing.write(of: Self.tenant, into: folder.path, by: "operator") == 0)
    }
  }

  @Test("a bank that takes orders gets a pain.001 from the settlement account, for what was ordered from then on")
  func orders() async throws {
    try await Self.run { app in
      let (messages, outgoing) = (app.dependencies.incomingMessages, app.dependencies.outgoingPayments)
      let (settlement, folder) = (app.dependencies.settlement, try TestFolder())
      let account = try await app.open(for: app.customer("ada"), cents: 100_00).account
      let order = OutgoingPayments.Order(
        account: account, amount: Money(30_00, "CAD"), creditor: "Ann Other", creditorAccount: "11-22",
        creditorBIC: "DEUTDEFF", remittance: "Rent")
      let before = try await Self.ordered(outgoing, order, key: "1")
      await #expect(throws: Problem.self) {
        try await settlement.set(
          "SETTLEMENT-9", currency: "CAD", bic: "WESTGB2L", ordersTo: "none", of: Self.tenant, by: "op")
      }
      try await settlement.set(
        "SETTLEMENT-9", currency: "CAD", bic: "WESTGB2L", ordersTo: "CHASUS33", of: Self.tenant, by: "op")
      // What is not named stays; an empty name ends it.
      try await settlement.set("SETTLEMENT-9", currency: "CAD", bic: "WESTGB2L", of: Self.tenant, by: "op")
      let payment = try await Self.ordered(outgoing, order, key: "2")
      #expect(try await outgoing.write(of: Self.tenant, into: folder.path, by: "op") == 2)
      try await settlement.set(
        "SETTLEMENT-9", currency: "CAD", bic: "WESTGB2L", ordersTo: "", of: Self.tenant, by: "op")
      #expect(try await settlement.accounts(of: Self.tenant).allSatisfy { $0.ordersTo == nil })
      let names = Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
      #expect(
        names == ["pacs.008.001.08-\(before.reference).xml", "pain.001.001.09-\(payment.reference).xml"])
      let file = folder.file("pain.001.001.09-\(payment.reference).xml")
      let bytes = try #require(FileManager.default.contents(atPath: file))
      guard case .paymentOrders(let sent) = try PaymentMessage.read(bytes), let batch = sent.batches.first else {
        Issue.record("no order")
        return
      }
      #expect(batch.debtorAccount.text == "SETTLEMENT-9" && batch.debtorAgent.bic?.text == "CHASUS33")
      let one = try #require(batch.orders.first)
      #expect(one.uetr == payment.id.rawValue && one.endToEndID == "NOTPROVIDED" && one.amount == order.amount)
      #expect(one.creditorAccount?.text == "11-22" && one.remittance == ["Rent"])
      let bank = try await app.dependencies.tenants.find(Self.tenant).name
      #expect(sent.initiator == bank && batch.debtor == bank && one.ultimateDebtorName == "Ada Tremblay")
      #expect(one.ultimateDebtor == payment.account?.rawValue.replacing("-", with: ""))
      // The other bank does not take it, and says it of the message, the batch and the order: the money is back once.
      let reasons = [PaymentReason(ReturnReason.closedAccount)]
      let original = OriginalPayment(instructionID: one.instructionID, endToEndID: one.endToEndID)
      let report = try PaymentOrderStatusMessage(
        id: "S-1", created: sent.created, debtorAgent: batch.debtorAgent,
        group: .init(messageID: sent.id, messageName: "pain.001.001.09", status: "RJCT", reasons: reasons),
        batches: [
          .init(
            id: batch.id, status: "RJCT", reasons: reasons,
            transactions: [
              .init(original: original, status: "RJCT"), .init(original: .init(endToEndID: "X"), status: "RJCT"),
              .init(original: original, status: "ACSC"),
            ])
        ]
      ).xml()
      let outcome = try await messages.take(report, of: Self.tenant, by: "op")
      #expect(outcome.reversed == 1 && outcome.repeated == 2 && outcome.unknown == 1)
      #expect(try await messages.take(report, of: Self.tenant, by: "op").reversed == 0)
      #expect(try await app.balance(of: account) == [70_00, 70_00])
    }
  }

  @Test("a message that was cut short is taken up where it ended, from the folder, and a broken file is put aside")
  func folder() async throws {
    try await Self.run { app in
      let messages = app.dependencies.incomingMessages
      let account = try await app.open(for: app.customer("ada"), cents: 0).account
      let bytes = try Self.transfers("M-1", [("T-1", account.rawValue, 10_00), ("T-2", account.rawValue, 5_00)])
      // As a program leaves it that dies after the first transfer.
      let message = try PaymentMessage.read(bytes)
      let name = messages.name(of: message)
      let accounts = try await app.dependencies.settlement.accounts(of: Self.tenant)
      let step = try #require(try IncomingMessages.steps(of: message, accounts).first)
      let id = BankPayment.ID(rawValue: app.dependencies.core.world.randomUUID())
      try await app.database.write { tx in
        try SettlementStore(tx).insert(
          name, digest: messages.core.vault.digest(bytes, for: IncomingMessages.digestPurpose), tenant: Self.tenant,
          at: app.dependencies.core.world.now())
        _ = try messages.perform(
          step, .init(tenant: Self.tenant, actor: "op", message: name, place: 0, id: id), in: tx)
      }
      let folder = try TestFolder()
      for part in ["inbox", "processing"] {
        try FileManager.default.createDirectory(atPath: folder.file(part), withIntermediateDirectories: true)
      }
      try bytes.write(to: URL(fileURLWithPath: folder.file("processing/left.xml")))
      try bytes.write(to: URL(fileURLWithPath: folder.file("inbox/left.xml")))
      try Data("<Ann".utf8).write(to: URL(fileURLWithPath: folder.file("inbox/broken.xml")))
      let port = PaymentFolder(folder.path, messages: messages, outgoing: app.dependencies.outgoingPayments)
      let run = try await port.run(of: Self.tenant, by: "op")
      #expect(run.failed == 1 && run.written == 0)
      #expect(try await app.balance(of: account) == [15_00, 15_00])
      func names(_ part: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.file(part)).sorted()
      }
      #expect(try names("done") == ["left.xml", "left.xml.2"] && names("failed") == ["broken.xml"])
      #expect(try names("inbox").isEmpty && names("processing").isEmpty)
    }
  }

  @Test("money that is sent back leaves by a pacs.004, and a statement shows exactly the planted differences")
  func reconciliation() async throws {
    try await Self.run { app in
      let parts = app.dependencies
      let account = try await app.open(for: app.customer("ada"), cents: 100_00).account
      _ = try await parts.incomingMessages.take(
        Self.transfers(
          "M-1", [("T-1", account.rawValue, 10_00), ("T-2", nil, 5_00), ("T-3", account.rawValue, 8_00)]),
        of: Self.tenant, by: "op")
      let item = try #require(try await parts.settlement.suspended(of: Self.tenant).first)
      try await parts.settlement.sendBack(item.id, reason: nil, of: Self.tenant, by: "op")
      let order = OutgoingPayments.Order(
        account: account, amount: Money(30_00, "CAD"), creditor: "Ann Other", creditorAccount: "11-22",
        creditorBIC: "DEUTDEFF")
      let sent = try await Self.ordered(parts.outgoingPayments, order, key: "1")
      let folder = try TestFolder()
      #expect(try await parts.outgoingPayments.write(of: Self.tenant, into: folder.path, by: "op") == 2)
      let file = try #require(
        FileManager.default.contents(atPath: folder.file("pacs.004.001.09-\(item.reference).xml")))
      guard case .returns(let back) = try PaymentMessage.read(file) else {
        Issue.record("no return")
        return
      }
      #expect(back.returns.map(\.amount) == [Money(5_00, "CAD")])
      #expect(back.returns[0].reasons == [.init(.incorrectAccountNumber)])
      #expect(back.returns[0].original.transactionID == "T-2" && back.returns[0].original.messageID == "M-1")

      let today = try #require(CalendarDate(parts.core.world.now().rfc3339.prefix(10)))
      func entry(_ cents: Int64, _ detail: AccountStatement.Detail) -> AccountStatement.Entry {
        .init(
          amount: Money(cents, "CAD"), isReversal: false, status: "BOOK", booked: today, valued: nil, reference: nil,
          servicerReference: nil, details: [detail])
      }
      // T-3 is missing, T-1 is a cent less, and a payment is there that was never told of.
      let statement = StatementMessage(
        id: "S-1", created: try #require(MessageTime("2026-11-26T10:00:00Z")),
        statements: [
          AccountStatement(
            id: "DAY-1", account: .other("SETTLEMENT-9"),
            balances: [
              .init(type: "OPBD", amount: Money(0, "CAD"), day: today),
              .init(type: "CLBD", amount: Money(-14_01, "CAD"), day: today),
            ],
            entries: [
              entry(9_99, .init(transactionID: "T-1")), entry(5_00, .init(transactionID: "T-2")),
              entry(-5_00, .init(transactionID: "T-2")), entry(-30_00, .init(uetr: sent.id.rawValue)),
              entry(6_00, .init(uetr: Self.uetr)),
            ])
        ])
      let outcome = try await parts.settlementReconciliation.run(.bytes(statement.xml()), of: Self.tenant, by: "op")
      let report = try #require(outcome.reports.first)
      #expect(report.difference == Money(0, "CAD") && report.found.matched == 3 && outcome.differs)
      #expect(report.found.differing.map(\.book.amount) == [Money(10_00, "CAD")])
      #expect(report.found.onlyInBooks.map(\.amount) == [Money(8_00, "CAD")])
      #expect(report.found.onlyInStatement.map(\.amount) == [Money(6_00, "CAD")])
    }
  }
}
