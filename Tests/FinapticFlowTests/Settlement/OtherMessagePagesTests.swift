// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Kit
import Ledger
import Storage
import Synchronization
import TestSupport
import Testing

@testable import FinapticFlow
@testable import Payments

@Suite("Finaptic: statuses, requests and statements by pages")
struct OtherMessagePagesTests {
  private static var tenant: Int { CardTestApp.tenant }
  private static let pages = MessagePage.Limit(parts: 2, bytes: .max)

  private static func created() throws -> MessageTime { try #require(MessageTime("2026-11-26T10:00:00Z")) }

  private static func run(_ play: @escaping @Sendable (CardTestApp) async throws -> Void) async throws {
    try await CardTestApp.run { app in
      try await app.dependencies.settlement.set(
        "SETTLEMENT-9", currency: "CAD", bic: "WESTGB2L", of: tenant, by: "op")
      try await play(app)
    }
  }

  /// Leaves a message as a program does that dies after some of its steps.
  private static func cut(_ message: PaymentMessage, after done: Int, _ app: CardTestApp) async throws {
    let messages = app.dependencies.incomingMessages
    let key = messages.name(of: message)
    let digest = try messages.core.vault.digest(message.xml(), for: IncomingMessages.digestPurpose)
    #expect(try await messages.note(key, digest: digest, of: tenant) == false)
    let accounts = try await app.dependencies.settlement.accounts(of: tenant)
    for (place, step) in try IncomingMessages.steps(of: message, accounts).prefix(done).enumerated() {
      let id = BankPayment.ID(rawValue: app.dependencies.core.world.randomUUID())
      try await app.database.write { tx in
        _ = try messages.perform(
          step, .init(tenant: tenant, actor: "op", message: key, place: place, id: id), in: tx)
      }
    }
  }

  @Test("requests to give back that are cut short in any page are asked once each", arguments: 0...5)
  func requests(done: Int) async throws {
    try await Self.run { app in
      let message = CancellationMessage(
        id: "C-1", created: try Self.created(), assigner: .agent(Agent(bic: BIC("DEUTDEFF"))),
        assignee: .agent(Agent(bic: BIC("WESTGB2L"))),
        requests: (0..<5).map { .init(original: .init(transactionID: "T-\($0)"), reasons: [.init(code: "DUPL")]) })
      try await Self.cut(.cancellation(message), after: done, app)
      var outcome = IncomingMessages.Outcome()
      (outcome.repeated, outcome.asked) = (done, 5 - done)
      let messages = app.dependencies.incomingMessages
      #expect(try await messages.take(.bytes(message.xml()), of: Self.tenant, by: "op", pages: Self.pages) == outcome)
      #expect(try await app.dependencies.paymentRecalls.open(of: Self.tenant).count == 5)
      var again = IncomingMessages.Outcome()
      again.repeated = 5
      #expect(try await messages.take(.bytes(message.xml()), of: Self.tenant, by: "op", pages: Self.pages) == again)
    }
  }

  /// Payments to another bank, of which all money left the account.
  private static func ordered(_ count: Int, _ app: CardTestApp) async throws -> (BankAccount.ID, [BankPayment]) {
    let account = try await app.open(for: app.customer("ada"), cents: Int64(count) * 10_00).account
    var payments: [BankPayment] = []
    for key in 0..<count {
      let order = OutgoingPayments.Order(
        account: account, amount: Money(10_00, "CAD"), creditor: "Ann Other", creditorAccount: "11-22",
        creditorBIC: "DEUTDEFF")
      let outgoing = app.dependencies.outgoingPayments
      guard case .ordered(let payment) = try await outgoing.order(order, key: "\(key)", of: tenant, by: "op") else {
        throw Problem.approvalRequired
      }
      payments.append(payment)
    }
    #expect(try await app.balance(of: account) == [0, 0])
    return (account, payments)
  }

  @Test("rejections that are cut short in any page put the money back once", arguments: 0...5, [false, true])
  func rejections(done: Int, ofOrders: Bool) async throws {
    try await Self.run { app in
      let (account, payments) = try await Self.ordered(5, app)
      // One payment is named by its message, or by its batch.
      let transactions = payments.dropFirst().map { payment in
        PaymentStatusMessage.Transaction(
          original: ofOrders ? .init(instructionID: payment.reference) : .init(transactionID: payment.reference),
          status: "RJCT", reasons: [.init(code: "AC04")])
      }
      let created = try Self.created()
      let message: PaymentMessage =
        ofOrders
        ? .orderStatuses(
          .init(
            id: "S-1", created: created, debtorAgent: Agent(bic: BIC("DEUTDEFF")),
            group: .init(messageID: "X", messageName: "pain.001.001.09", status: "PART"),
            batches: [
              .init(id: payments[0].reference, status: "RJCT", transactions: Array(transactions.prefix(3))),
              .init(id: "OTHER", status: "PART", transactions: Array(transactions.suffix(1))),
            ]))
        : .statuses(
          .init(
            id: "S-1", created: created, instructing: Agent(bic: BIC("DEUTDEFF")),
            groups: [.init(messageID: payments[0].reference, messageName: "pacs.008.001.08", status: "RJCT")],
            transactions: transactions))
      try await Self.cut(message, after: done, app)
      var outcome = IncomingMessages.Outcome()
      (outcome.repeated, outcome.reversed) = (done, 5 - done)
      let messages = app.dependencies.incomingMessages
      #expect(try await messages.take(.bytes(message.xml()), of: Self.tenant, by: "op", pages: Self.pages) == outcome)
      #expect(try await app.balance(of: account) == [50_00, 50_00])
    }
  }

  /// Two statements of one account, with some differences.
  private static func statements(
    _ app: CardTestApp, id: String = "S-1", planted: Int64 = 6_00
  ) throws -> StatementMessage {
    let today = try #require(CalendarDate(app.dependencies.core.world.now().rfc3339.prefix(10)))
    func statement(_ id: String, _ lines: [(String, Int64)]) -> AccountStatement {
      let balances = [("OPBD", Int64(0)), ("CLBD", lines.reduce(0) { $0 + $1.1 })]
      return AccountStatement(
        id: id, account: .other("SETTLEMENT-9"),
        balances: balances.map { .init(type: $0.0, amount: Money($0.1, "CAD"), day: today) },
        entries: lines.map { line in
          .init(
            amount: Money(line.1, "CAD"), isReversal: false, status: "BOOK", booked: today,
            details: [.init(transactionID: line.0)])
        })
    }
    return StatementMessage(
      id: id, created: try created(),
      statements: [
        // The second payment is a cent less, the fourth is missing, and one is there that was never told of.
        statement("DAY-1", [("M-0", 1_00), ("M-1", 1_99), ("M-2", 3_00), ("OTHER", planted), ("M-4", 5_00)]),
        statement("DAY-2", []), statement("DAY-3", [("M-3", 4_00)]),
      ])
  }

  private static func received(_ app: CardTestApp, count: Int = 5) async throws {
    let account = try await app.open(for: app.customer("ada"), cents: 0).account.rawValue.replacing("-", with: "")
    let created = try created()
    let message = CreditTransferMessage(
      id: "M", created: created, method: .clearing, instructing: Agent(bic: BIC("DEUTDEFF")),
      transfers: (0..<count).map { place in
        CreditTransfer(
          endToEndID: "E-\(place)", transactionID: "M-\(place)", amount: Money((Int64(place) + 1) * 100, "CAD"),
          settlementDay: created.day, charges: .shared, debtor: "Ann Other", debtorAccount: .other("11-22"),
          debtorAgent: Agent(bic: BIC("DEUTDEFF")), creditorAgent: Agent(bic: BIC("WESTGB2L")), creditor: "Ada",
          creditorAccount: .other(account))
      })
    #expect(
      try await app.dependencies.incomingMessages.take(message.xml(), of: tenant, by: "op").credited == count)
  }

  @Test("a statement has the same result by any pages, after it was cut short, and when it comes again")
  func reconciled() async throws {
    try await Self.run { app in
      try await Self.received(app)
      let reconciliation = app.dependencies.settlementReconciliation
      let message = try Self.statements(app)
      let file = MessageFile.bytes(try message.xml())
      // As a program leaves it that dies at any time of a run.
      try await Self.noted(.statement(message), app)
      let first = try await reconciliation.run(file, of: Self.tenant, by: "op", pages: .init(parts: 1, bytes: .max))
      #expect(!first.isRepeated && first.differs && first.reports.map(\.statement) == ["DAY-1", "DAY-2", "DAY-3"])
      let found = first.reports.map(\.found)
      #expect(found.map(\.matched) == [3, 0, 1] && first.reports.allSatisfy { $0.difference == Money(0, "CAD") })
      #expect(found[0].differing.map(\.statement.name) == ["entry 2"])
      #expect(found[0].onlyInStatement.map(\.name) == ["entry 4"])
      #expect(found[0].onlyInBooks.map(\.amount) == [Money(4_00, "CAD")])
      #expect(found[1].onlyInBooks.count == 5 && found[2].onlyInBooks.count == 4)
      for size in [2, 3, 4, 100] {
        let again = try await reconciliation.run(
          file, of: Self.tenant, by: "op", pages: .init(parts: size, bytes: .max))
        #expect(again.isRepeated && again.reports == first.reports)
      }
      let other = MessageFile.bytes(try Self.statements(app, planted: 6_01).xml())
      let refused = try await #require(throws: Problem.self) {
        try await reconciliation.run(other, of: Self.tenant, by: "op")
      }
      #expect(refused.code == "message-reused")
      let next = MessageFile.bytes(try Self.statements(app, id: "S-2", planted: 6_01).xml())
      #expect(try await !reconciliation.run(next, of: Self.tenant, by: "op").isRepeated)
    }
  }

  @Test("a page of the books is looked up by as many statements of SQL, however many payments it has")
  func lookups() async throws {
    let counts = Mutex<[Int]>([])
    for count in [2, 40] {
      try await Self.run { app in
        try await Self.received(app, count: count)
        let core = app.dependencies.core
        let counted = CountingDatabase(core.database)
        let reconciliation = SettlementReconciliation(
          core: CoreDependencies(database: counted, world: core.world, vault: core.vault, blobs: core.blobs),
          ledger: app.dependencies.ledger)
        let found = try await reconciliation.run(.bytes(try Self.statements(app).xml()), of: Self.tenant, by: "op")
        #expect(found.reports[1].found.onlyInBooks.count == count)
        counts.withLock { $0.append(counted.statements) }
      }
    }
    let counted = counts.withLock { $0 }
    #expect(counted.count == 2 && counted.first == counted.last)
  }

  private static func noted(_ message: PaymentMessage, _ app: CardTestApp) async throws {
    let messages = app.dependencies.incomingMessages
    let digest = try messages.core.vault.digest(message.xml(), for: IncomingMessages.digestPurpose)
    #expect(try await messages.note(messages.name(of: message), digest: digest, of: tenant) == false)
  }

  @Test("of a statement of which one account is not settled over, and of a file that is wrong, no name is kept")
  func refused() async throws {
    try await Self.run { app in
      let reconciliation = app.dependencies.settlementReconciliation
      var message = try Self.statements(app)
      message.statements[2].account = .other("ANOTHER")
      let bytes = try message.xml()
      let refused = try await #require(throws: Problem.self) {
        try await reconciliation.run(.bytes(bytes), of: Self.tenant, by: "op", pages: Self.pages)
      }
      #expect(refused.code == "no-settlement-account")
      let wrong = Data(String(decoding: bytes, as: UTF8.self).replacing("CRDT", with: "X").utf8)
      await #expect(throws: MessageFault.self) {
        try await reconciliation.run(.bytes(wrong), of: Self.tenant, by: "op", pages: Self.pages)
      }
      let rows = try await app.database.read { try $0.query("SELECT name FROM finaptic_bank_message").count }
      #expect(rows == 0)
    }
  }
}
