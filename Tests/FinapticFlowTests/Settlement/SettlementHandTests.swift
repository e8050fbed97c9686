// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Kit
import Ledger
import Storage
import Testing

@testable import FinapticFlow
@testable import GatehouseApp
@testable import Payments

@Suite("Finaptic: payments between banks that are doubtful, or moved by hand")
struct SettlementHandTests {
  private static var tenant: Int { CardTestApp.tenant }
  private static let op = "operator:a"

  /// A message with one transfer to an account.
  private static func transfer(
    _ message: String, _ id: String, _ account: BankAccount.ID?, cents: Int64 = 10_00, reference: String = "RENT",
    uetr: String? = nil, bic: String = "DEUTDEFF"
  ) throws -> Data {
    let created = try #require(MessageTime("2026-11-26T10:00:00Z"))
    return try CreditTransferMessage(
      id: message, created: created, method: .clearing, instructing: Agent(bic: BIC(bic)),
      transfers: [
        CreditTransfer(
          endToEndID: reference, transactionID: id, uetr: uetr, amount: Money(cents, "CAD"),
          settlementDay: created.day, charges: .shared, debtor: "Ann Other", debtorAccount: .other("11-22"),
          debtorAgent: Agent(bic: BIC(bic)), creditorAgent: Agent(bic: BIC("WESTGB2L")), creditor: "Ada",
          creditorAccount: account.map { .other($0.rawValue.replacing("-", with: "")) })
      ]
    ).xml()
  }

  /// A notification of one payment of 10.00 to an account.
  private static func notice(_ id: String, _ detail: AccountStatement.Detail) throws -> Data {
    try NotificationMessage(
      id: id, created: try #require(MessageTime("2026-11-26T10:00:00Z")),
      notifications: [
        .init(
          id: "1", account: .other("SETTLEMENT-9"),
          entries: [
            .init(
              amount: Money(10_00, "CAD"), isReversal: false, status: "BOOK", booked: nil, valued: nil, reference: nil,
              servicerReference: nil, details: [detail])
          ])
      ]
    ).xml()
  }

  private static func balance(_ name: String, _ app: CardTestApp) async throws -> Int64? {
    try await app.database.read {
      try LedgerStore($0).account(.init(rawValue: "finaptic-\(tenant):\(name):CAD"))?.actual
    }
  }

  private static func order(
    _ account: BankAccount.ID, cents: Int64, creditor: String = "Ann Other"
  ) -> OutgoingPayments.Order {
    .init(
      account: account, amount: Money(cents, "CAD"), creditor: creditor, creditorAccount: "11-22",
      creditorBIC: "DEUTDEFF")
  }

  private static func code(_ call: () async throws -> Void) async -> String? {
    do {
      try await call()
      return nil
    } catch { return (error as? Problem)?.code }
  }

  @Test("a standing order is paid each month; what may have come before waits, and no reference is used twice")
  func standingOrder() async throws {
    try await CardTestApp.runSettling { app, desk in
      let messages = app.dependencies.incomingMessages
      let ids = (1...4).map { "00000000-0000-4000-8000-00000000000\($0)" }
      func take(_ bytes: Data) async throws -> [Int] {
        let outcome = try await messages.take(bytes, of: Self.tenant, by: Self.op)
        return [outcome.credited, outcome.suspended, outcome.repeated]
      }
      let account = desk.account
      #expect(try await take(Self.transfer("M-1", "T-1", account, uetr: ids[0])) == [1, 0, 0])
      #expect(try await take(Self.transfer("M-2", "T-1", account, uetr: ids[0])) == [0, 0, 1])
      // The same day, under references of its own.
      #expect(try await take(Self.transfer("M-3", "T-2", account, uetr: ids[1])) == [0, 1, 0])
      app.accounts.clock.advance(by: .days(30))
      #expect(try await take(Self.transfer("M-4", "T-3", account, uetr: ids[2])) == [1, 0, 0])
      // References that are known, with other amounts.
      #expect(try await take(Self.transfer("M-5", "T-4", account, cents: 9_00, uetr: ids[0])) == [0, 1, 0])
      #expect(try await take(Self.transfer("M-6", "T-3", account, cents: 8_00, uetr: ids[3])) == [0, 1, 0])
      let waiting = try await app.dependencies.settlement.suspended(of: Self.tenant)
      #expect(waiting.map(\.suspense) == [.possibleRepeat, .possibleRepeat, .possibleRepeat])
      #expect(try await app.balance(of: account) == [20_00, 20_00])
    }
  }

  @Test("a payment that two kinds of message tell of is credited once, and the tenant says which kind books")
  func kinds() async throws {
    try await CardTestApp.runSettling { app, desk in
      let (messages, settlement) = (app.dependencies.incomingMessages, app.dependencies.settlement)
      func take(_ bytes: Data) async throws -> IncomingMessages.Outcome {
        try await messages.take(bytes, of: Self.tenant, by: Self.op)
      }
      let number = AccountNumber.other(desk.account.rawValue.replacing("-", with: ""))
      #expect(try await take(Self.transfer("M-1", "T-1", desk.account, bic: "DEUTDEFFXXX")).credited == 1)
      let named = AccountStatement.Detail(
        transactionID: "T-1", creditorAccount: number, debtorAgent: Agent(bic: BIC("DEUTDEFF")))
      #expect(try await take(Self.notice("N-1", named)).repeated == 1)
      // No bank is named: it may be the same one.
      let unnamed = [
        AccountStatement.Detail(transactionID: "T-1", creditorAccount: number),
        AccountStatement.Detail(endToEndID: "RENT", creditorAccount: number),
      ]
      for (place, detail) in unnamed.enumerated() {
        #expect(try await take(Self.notice("N-2\(place)", detail)).suspended == 1)
      }
      #expect(try await Self.balance("suspense", app) == 20_00)
      for item in try await settlement.suspended(of: Self.tenant) {
        #expect(item.suspense == .possibleRepeat)
        #expect(try await settlement.dismiss(item.id, of: Self.tenant, by: Self.op) == nil)
      }
      #expect(try await Self.balance("suspense", app) == 0)
      #expect(try await Self.balance("settlement", app) == -10_00)

      let fresh = AccountStatement.Detail(
        transactionID: "T-9", creditorAccount: number, debtorAgent: Agent(bic: BIC("DEUTDEFF")))
      try await settlement.set(
        "SETTLEMENT-9", currency: "CAD", bic: "WESTGB2L", books: .transfers, of: Self.tenant, by: Self.op)
      // What is not named stays.
      try await settlement.set("SETTLEMENT-9", currency: "CAD", bic: "WESTGB2L", of: Self.tenant, by: Self.op)
      #expect(try await take(Self.notice("N-3", fresh)).told == 1)
      try await settlement.set(
        "SETTLEMENT-9", currency: "CAD", bic: "WESTGB2L", books: .notifications, of: Self.tenant, by: Self.op)
      #expect(try await take(Self.transfer("M-9", "T-9", desk.account, reference: "OTHER")).told == 1)
      #expect(try await take(Self.notice("N-4", fresh)).credited == 1)
      #expect(try await app.balance(of: desk.account) == [20_00, 20_00])
    }
  }

  @Test("money that comes back for a closed account waits once, and goes to an account and to no bank")
  func closed() async throws {
    try await CardTestApp.runSettling { app, desk in
      let (messages, settlement) = (app.dependencies.incomingMessages, app.dependencies.settlement)
      let closed = try await app.open(for: app.customer("bob"), cents: 100_00).account
      guard
        case .ordered(let payment) = try await app.dependencies.outgoingPayments.order(
          Self.order(closed, cents: 100_00), key: "1", of: Self.tenant, by: Self.op)
      else {
        Issue.record("100.00 needs no second person")
        return
      }
      try await app.database.write {
        _ = try app.dependencies.ledger.close(closed, tenant: "finaptic-\(Self.tenant)", in: $0)
      }
      let created = try #require(MessageTime("2026-11-26T10:00:00Z"))
      for (place, expected) in [[1, 1], [0, 2]].enumerated() {
        let message = PaymentStatusMessage(
          id: "R-\(place)", created: created,
          groups: [.init(messageID: payment.reference, messageName: "pacs.008.001.08", status: "RJCT")],
          transactions: [.init(original: .init(transactionID: payment.reference), status: "RJCT")])
        let outcome = try await messages.take(message.xml(), of: Self.tenant, by: Self.op)
        #expect([outcome.suspended, outcome.repeated] == expected)
      }
      let item = try #require(try await settlement.suspended(of: Self.tenant).first)
      #expect(item.content?.own == payment.id.rawValue)
      #expect(try await Self.balance("suspense", app) == 100_00)
      let returned = PaymentReturnMessage(
        id: "B-1", created: created, method: .clearing,
        returns: [.init(id: "RTR-1", original: .init(uetr: payment.id.rawValue), amount: Money(99_00, "CAD"))])
      #expect(try await messages.take(returned.xml(), of: Self.tenant, by: Self.op).suspended == 1)
      let back = await Self.code { try await settlement.sendBack(item.id, reason: nil, of: Self.tenant, by: Self.op) }
      let off = await Self.code { try await settlement.dismiss(item.id, of: Self.tenant, by: Self.op) }
      #expect([back, off] == ["own-payment", "own-payment"])
      #expect(try await settlement.assign(item.id, to: desk.account, of: Self.tenant, by: Self.op) == nil)
      #expect(try await app.balance(of: desk.account) == [100_00, 100_00])
      #expect(try await Self.balance("suspense", app) == 99_00)
    }
  }

  @Test("a posting reverses no payment between banks, before it came back and after")
  func reversed() async throws {
    try await CardTestApp.runSettling { app, desk in
      let messages = app.dependencies.incomingMessages
      _ = try await messages.take(Self.transfer("M-1", "T-1", desk.account), of: Self.tenant, by: Self.op)
      guard
        case .ordered(let payment) = try await app.dependencies.outgoingPayments.order(
          Self.order(desk.account, cents: 4_00), key: "1", of: Self.tenant, by: Self.op)
      else {
        Issue.record("4.00 needs no second person")
        return
      }
      let transfers: [String] = try await app.database.read { tx in
        try tx.query("SELECT transfer_id FROM finaptic_bank_payment").map { try $0.get("transfer_id") }
      }
      func tryAll() async throws -> [Int] {
        var found: [Int] = []
        for transfer in transfers {
          let answer = try await desk.call(
            "/postings/\(transfer)/reversal", ["reason": "BANK_ERROR"], as: desk.maker, once: FourEyesClients.key())
          found.append(answer.status)
        }
        return found
      }
      #expect(try await tryAll() == [409, 409])
      let returned = PaymentReturnMessage(
        id: "B-1", created: try #require(MessageTime("2026-11-26T10:00:00Z")), method: .clearing,
        returns: [.init(id: "RTR-1", original: .init(uetr: payment.id.rawValue), amount: Money(4_00, "CAD"))])
      #expect(try await messages.take(returned.xml(), of: Self.tenant, by: Self.op).reversed == 1)
      #expect(try await tryAll() == [409, 409])
      #expect(try await app.balance(of: desk.account) == [10_00, 10_00])
    }
  }

  @Test("what is sent or assigned by hand takes a second one above the amount, and is within the caller's limits")
  func hands() async throws {
    try await CardTestApp.runSettling { app, desk in
      let (parts, tenant) = (app.dependencies, Self.tenant)
      let (settlement, outgoing) = (parts.settlement, parts.outgoingPayments)
      try await app.deposit(100_00, on: desk.account)
      try await parts.fourEyes.setAmount(50_00, of: tenant, by: Self.op)
      let order = Self.order(desk.account, cents: 60_00)
      guard case .waiting(let asked) = try await outgoing.order(order, key: "1", of: tenant, by: Self.op) else {
        Issue.record("a large payment leaves without a second person")
        return
      }
      #expect(asked.act.content.contains("amount 60.00 CAD") && asked.act.content.contains("creditor Ann Other"))
      #expect(try await desk.decide(asked.id) == 200)
      #expect(try await desk.balance() == 100_00)
      var payments: Set<String> = []
      // The same key is the same payment, no matter who gives it.
      for actor in [Self.op, Self.op, "operator:b"] {
        guard case .ordered(let payment) = try await outgoing.order(order, key: "1", of: tenant, by: actor) else {
          Issue.record("an approved payment waits")
          return
        }
        payments.insert(payment.id.rawValue)
      }
      #expect(payments.count == 1)
      let other = Self.order(desk.account, cents: 60_00, creditor: "Eve")
      let reused = await Self.code { _ = try await outgoing.order(other, key: "1", of: tenant, by: Self.op) }
      #expect(reused == "idempotency-conflict")
      #expect(try await desk.balance() == 40_00)

      _ = try await parts.incomingMessages.take(
        Self.transfer("M-1", "T-1", nil, cents: 60_00), of: tenant, by: Self.op)
      let item = try #require(try await settlement.suspended(of: tenant).first)
      let word = try #require(try await settlement.assign(item.id, to: desk.account, of: tenant, by: Self.op))
      let back = try #require(try await settlement.sendBack(item.id, reason: nil, of: tenant, by: Self.op))
      for act in [word.act, back.act] { #expect(try await !desk.isVoid(act)) }
      #expect(try await desk.decide(word.id) == 200)
      #expect(
        try await settlement.assign(
          item.id, to: desk.account, of: tenant, under: .command(approval: word.id), by: Self.op) == nil)
      for act in [word.act, back.act] { #expect(try await desk.isVoid(act)) }
      #expect(try await desk.balance() == 100_00)

      try await parts.fourEyes.setLimit(.init(posting: 10_00, day: 15_00), of: "operators", tenant: tenant, by: Self.op)
      func send(_ cents: Int64, _ key: String) async -> String? {
        await Self.code {
          _ = try await outgoing.order(Self.order(desk.account, cents: cents), key: key, of: tenant, by: Self.op)
        }
      }
      #expect(await send(10_01, "2") == "over-limit")
      #expect(await send(10_00, "3") == nil)
      #expect(await send(6_00, "4") == "over-limit")
      #expect(try await desk.balance() == 90_00)

      let unknown = await Self.code { try await parts.fourEyes.setAmount(1, in: "EUR", of: tenant, by: Self.op) }
      #expect(unknown == Problem.validation([]).code)
      try await settlement.set("SETTLEMENT-8", currency: "EUR", bic: "WESTGB2L", of: tenant, by: Self.op)
      try await parts.fourEyes.setAmount(1, in: "EUR", of: tenant, by: Self.op)
      #expect(try await parts.fourEyes.look(of: tenant).amount(in: "EUR") == 1)
    }
  }
}
