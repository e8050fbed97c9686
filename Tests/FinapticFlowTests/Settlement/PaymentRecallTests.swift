// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Identity
import Kit
import Ledger
import Storage
import TestSupport
import Testing

@testable import FinapticFlow
@testable import GatehouseApp
@testable import Payments

@Suite("Finaptic: payments that other banks ask back")
struct PaymentRecallTests {
  private static var tenant: Int { CardTestApp.tenant }
  private static let op = "operator:a"

  /// A message with one payment of some cents to an account.
  private static func transfer(_ id: String, _ account: BankAccount.ID?, cents: Int64) throws -> Data {
    let created = try #require(MessageTime("2026-11-26T10:00:00Z"))
    return try CreditTransferMessage(
      id: "M-\(id)", created: created, method: .clearing, instructing: Agent(bic: BIC("DEUTDEFF")),
      transfers: [
        CreditTransfer(
          endToEndID: "E-\(id)", transactionID: id, amount: Money(cents, "CAD"), settlementDay: created.day,
          charges: .shared, debtor: "Ann Other", debtorAccount: .other("11-22"),
          debtorAgent: Agent(bic: BIC("DEUTDEFF")), creditorAgent: Agent(bic: BIC("WESTGB2L")), creditor: "Ada",
          creditorAccount: account.map { .other($0.rawValue.replacing("-", with: "")) })
      ]
    ).xml()
  }

  private static func request(
    _ id: String, _ original: OriginalPayment, cents: Int64? = nil, bic: String = "DEUTDEFFXXX"
  ) throws -> Data {
    try CancellationMessage(
      id: id, created: try #require(MessageTime("2026-11-27T10:00:00Z")), assigner: .agent(Agent(bic: BIC(bic))),
      assignee: .agent(Agent(bic: BIC("WESTGB2L"))),
      requests: [.init(original: original, amount: cents.map { Money($0, "CAD") }, reasons: [.init(code: "DUPL")])]
    ).xml()
  }

  /// What the folder for other banks gets, by kind.
  private static func written(_ app: CardTestApp) async throws -> [PaymentMessage] {
    let folder = try TestFolder()
    _ = try await app.dependencies.outgoingPayments.write(of: tenant, into: folder.path, by: op)
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
      try PaymentMessage.read(try #require(FileManager.default.contents(atPath: folder.file($0))))
    }
  }

  private static func code(_ call: () async throws -> Void) async -> String? {
    do {
      try await call()
      return nil
    } catch { return (error as? Problem)?.code }
  }

  private static func settled(_ app: CardTestApp) async throws -> Int64? {
    try await app.database.read {
      try LedgerStore($0).account(.init(rawValue: "finaptic-\(tenant):settlement:CAD"))?.actual
    }
  }

  @Test("what another bank asks back waits for a person, goes back once and is answered")
  func accepted() async throws {
    try await CardTestApp.runSettling { app, desk in
      let (messages, recalls) = (app.dependencies.incomingMessages, app.dependencies.paymentRecalls)
      _ = try await messages.take(Self.transfer("T-1", desk.account, cents: 10_00), of: Self.tenant, by: Self.op)
      let asked = try Self.request(
        "C-1", .init(messageID: "M-T-1", messageName: "pacs.008.001.08", transactionID: "T-1"), cents: 10_00)
      #expect(try await messages.take(asked, of: Self.tenant, by: Self.op).asked == 1)
      #expect(try await messages.take(asked, of: Self.tenant, by: Self.op).repeated == 1)
      let item = try #require(try await recalls.open(of: Self.tenant).first)
      let kinds: [String] = try await app.database.read { tx in
        try tx.query("SELECT kind FROM casework_case WHERE subject_id = \(item.recall.id.rawValue)").map {
          try $0.get("kind")
        }
      }
      #expect(kinds == ["finaptic-recall"] && item.payment?.state == .credited)
      #expect(item.recall.content?.reason == "DUPL")

      try await recalls.postpone(item.recall.id, of: Self.tenant, by: Self.op)
      // An answer that was not handed over cannot be acknowledged.
      let outgoing = app.dependencies.outgoingPayments
      let owed = try #require(try await outgoing.owed(of: Self.tenant).first)
      #expect(await Self.code { try await outgoing.told(owed.id, of: Self.tenant, by: Self.op) } == "not-found")
      guard case .cancellationAnswer(let pending)? = try await Self.written(app).first else {
        Issue.record("no answer")
        return
      }
      #expect(pending.confirmation == "PDCR" && pending.answers.map(\.outcome) == [.pending])
      #expect(try await recalls.accept(item.recall.id, of: Self.tenant, by: Self.op) == nil)
      let again = await Self.code { try await recalls.accept(item.recall.id, of: Self.tenant, by: Self.op) }
      #expect(again == "recall-answered")
      #expect(try await app.balance(of: desk.account) == [0, 0])
      #expect(try await Self.settled(app) == 0)
      // A second request finds the money gone.
      let second = try Self.request("C-2", .init(endToEndID: "E-T-1"), cents: 10_00)
      #expect(try await messages.take(second, of: Self.tenant, by: Self.op).asked == 1)
      let late = try #require(try await recalls.open(of: Self.tenant).first)
      let gone = await Self.code { try await recalls.accept(late.recall.id, of: Self.tenant, by: Self.op) }
      #expect(gone == "not-returnable" && late.payment?.id == item.payment?.id)
      try await recalls.decline(late.recall.id, because: .alreadyReturned, of: Self.tenant, by: Self.op)

      var (answers, returns) = ([CancellationAnswerMessage](), [PaymentReturn]())
      for message in try await Self.written(app) {
        if case .cancellationAnswer(let answer) = message { answers.append(answer) }
        if case .returns(let back) = message { returns += back.returns }
      }
      #expect(Set(answers.map(\.confirmation)) == ["CNCL", "RJCR"] && answers.count == 2)
      let refused = try #require(answers.first { $0.confirmation == "RJCR" })
      #expect(refused.answers.map(\.reasons) == [[.init(code: "ARDT")]])
      #expect(refused.assignee == .agent(Agent(bic: BIC("DEUTDEFFXXX"))))
      #expect(returns.map(\.original.transactionID) == ["T-1"] && returns.map(\.amount) == [Money(10_00, "CAD")])
      #expect(returns.first?.reasons.map(\.code) == ["FOCR"] && returns.first?.original.messageID == "M-T-1")
      #expect(try await Self.written(app).isEmpty)
    }
  }

  @Test("above the amount a second person agrees, and what the account has not is not given back")
  func secondPerson() async throws {
    try await CardTestApp.runSettling { app, desk in
      let (messages, recalls) = (app.dependencies.incomingMessages, app.dependencies.paymentRecalls)
      try await app.dependencies.fourEyes.setAmount(50_00, of: Self.tenant, by: Self.op)
      _ = try await messages.take(Self.transfer("T-1", desk.account, cents: 60_00), of: Self.tenant, by: Self.op)
      _ = try await messages.take(
        Self.request("C-1", .init(transactionID: "T-1"), bic: "BNPAFRPP"), of: Self.tenant, by: Self.op)
      let item = try #require(try await recalls.open(of: Self.tenant).first)
      let word = try #require(try await recalls.accept(item.recall.id, of: Self.tenant, by: Self.op))
      #expect(try await (desk.decide(word.id), desk.isVoid(word.act)) == (200, false))
      #expect(try await desk.balance() == 60_00)
      _ = try await app.dependencies.outgoingPayments.order(
        .init(
          account: desk.account, amount: Money(20_00, "CAD"), creditor: "Ann Other", creditorAccount: "11-22",
          creditorBIC: "DEUTDEFF"), key: "1", of: Self.tenant, by: Self.op)
      let short = await Self.code {
        try await recalls.accept(item.recall.id, of: Self.tenant, under: .command(approval: word.id), by: Self.op)
      }
      #expect(short == "declined")
      try await app.deposit(20_00, on: desk.account)
      #expect(
        try await recalls.accept(
          item.recall.id, of: Self.tenant, under: .command(approval: word.id), by: Self.op) == nil)
      #expect(try await desk.isVoid(word.act))
      #expect(try await desk.balance() == 0)
    }
  }

  @Test("a payment is found by what a request says, and by nothing that speaks against it")
  func matching() async throws {
    try await CardTestApp.runSettling { app, desk in
      let (messages, recalls) = (app.dependencies.incomingMessages, app.dependencies.paymentRecalls)
      _ = try await messages.take(Self.transfer("T-1", nil, cents: 10_00), of: Self.tenant, by: Self.op)
      let cases: [(OriginalPayment, Int64?, Bool)] = [
        (.init(transactionID: "T-1"), nil, true), (.init(transactionID: "T-1"), 9_99, false),
        (.init(endToEndID: "E-T-1"), 10_00, true), (.init(endToEndID: "E-T-1"), nil, false),
        (.init(endToEndID: "E-T-1", transactionID: "T-2"), 10_00, false),
        (.init(messageID: "M-T-1", messageName: "pacs.008.001.08"), 10_00, false),
        (.init(endToEndID: "NOTPROVIDED"), 10_00, false),
        (.init(transactionID: "T-1", uetr: "86d7da8e-6e41-4466-b9bb-9b41d5814d5a"), nil, true),
      ]
      for (place, (original, cents, isFound)) in cases.enumerated() {
        let id = "C-\(place)"
        #expect(
          try await messages.take(Self.request(id, original, cents: cents), of: Self.tenant, by: Self.op).asked == 1)
        let item = try #require(try await recalls.open(of: Self.tenant).first)
        #expect((item.payment != nil) == isFound, "case \(place)")
        if !isFound {
          let unknown = await Self.code { try await recalls.accept(item.recall.id, of: Self.tenant, by: Self.op) }
          #expect(unknown == "payment-unknown", "case \(place)")
        }
        try await recalls.decline(
          item.recall.id, because: .noOriginalTransactionReceived, of: Self.tenant, by: Self.op)
      }
      // From the suspense account, in the words of the payment itself.
      _ = try await messages.take(Self.request("C-9", .init(transactionID: "T-1")), of: Self.tenant, by: Self.op)
      let item = try #require(try await recalls.open(of: Self.tenant).first)
      try await recalls.accept(item.recall.id, of: Self.tenant, by: Self.op)
      #expect(try await Self.settled(app) == 0)
      #expect(try await app.dependencies.settlement.suspended(of: Self.tenant).isEmpty)
    }
  }

  @Test("a payment to another bank goes back to its customer while nothing of it was told, and never after")
  func outgoing() async throws {
    try await CardTestApp.runSettling { app, desk in
      let (parts, tenant) = (app.dependencies, Self.tenant)
      try await app.deposit(100_00, on: desk.account)
      func order(_ key: String) async throws -> BankPayment {
        let order = OutgoingPayments.Order(
          account: desk.account, amount: Money(30_00, "CAD"), creditor: "Ann Other", creditorAccount: "11-22",
          creditorBIC: "DEUTDEFF")
        guard
          case .ordered(let payment) = try await parts.outgoingPayments.order(order, key: key, of: tenant, by: Self.op)
        else { throw Problem.approvalRequired }
        return payment
      }
      for (key, isTold) in [("1", false), ("2", true)] {
        let payment = try await order(key)
        let listed = try await parts.outgoingPayments.owed(of: tenant)
        #expect(listed.contains { $0.id == payment.reference && $0.leavesSince == nil })
        // As a program leaves it that ends before the file is whole. To be listed alone ends no right.
        if isTold { _ = try await parts.outgoingPayments.handOver(payment.reference, of: tenant, by: Self.op) }
        _ = try await parts.incomingMessages.take(
          Self.request("C-\(key)", .init(transactionID: payment.reference)), of: tenant, by: Self.op)
        let item = try #require(try await parts.paymentRecalls.open(of: tenant).first)
        #expect(item.payment?.id == payment.id)
        let refusal = await Self.code {
          try await parts.paymentRecalls.accept(item.recall.id, of: tenant, by: Self.op)
        }
        #expect(refusal == (isTold ? "not-returnable" : nil))
        #expect(try await desk.balance() == (isTold ? 70_00 : 100_00))
        guard !isTold else { continue }
        #expect(try await parts.outgoingPayments.owed(of: tenant).map(\.row) == [item.recall.id.rawValue])
        let late = await Self.code {
          _ = try await parts.outgoingPayments.handOver(payment.reference, of: tenant, by: Self.op)
        }
        #expect(late == "not-found")
      }
    }
  }

  private struct Owed: Decodable {
    struct One: Decodable {
      let id: String
      let leaves_since: String?
    }
    let messages: [One]
  }

  private struct HandedOver: Decodable { let id, definition, xml: String }

  @Test("a message that cannot be written is dead-lettered by its name, and the rest goes on")
  func deadLettered() async throws {
    try await CardTestApp.runSettling { app, desk in
      let (outgoing, tenant) = (app.dependencies.outgoingPayments, Self.tenant)
      try await app.deposit(100_00, on: desk.account)
      var payments: [BankPayment] = []
      for key in ["1", "2", "3"] {
        let order = OutgoingPayments.Order(
          account: desk.account, amount: Money(10_00, "CAD"), creditor: "Ann Other", creditorAccount: "11-22",
          creditorBIC: "DEUTDEFF")
        guard case .ordered(let payment) = try await outgoing.order(order, key: key, of: tenant, by: Self.op) else {
          throw Problem.approvalRequired
        }
        payments.append(payment)
      }
      let bad = payments[1].id
      func content() async throws -> Data? {
        try await app.database.read {
          try $0.first("SELECT sealed_content FROM finaptic_bank_payment WHERE id = \(bad.rawValue)")?
            .get("sealed_content")
        }
      }
      func put(_ content: Data) async throws {
        try await app.database.write {
          _ = try $0.execute(
            "UPDATE finaptic_bank_payment SET sealed_content = \(content) WHERE id = \(bad.rawValue)")
        }
      }
      let whole = try #require(try await content())
      try await put(whole.dropLast())
      #expect(try await Self.written(app).count == 2)
      let waiting = try await outgoing.deadLettered(of: tenant)
      #expect(waiting.map(\.row) == [bad.rawValue] && waiting.first?.fault != nil && waiting.first?.leavesSince == nil)
      #expect(try await app.database.read { try OutgoingMessageStore($0).deadLetteredCount() } == 1)
      #expect(try await Self.written(app).isEmpty)
      let told = await #expect(throws: PartialFailure.self) { try await outgoing.retryDeadLettered() }
      #expect(told?.parts.map { "\($0.metadata["id"] ?? "")" } == [bad.rawValue])
      // A payment after the bad one is not kept back by it, and the bad one goes when its row is whole again.
      try await put(whole)
      try await outgoing.retryDeadLettered()
      #expect(try await outgoing.deadLettered(of: tenant).isEmpty)
      let left = try await Self.written(app)
      #expect(left.map(\.id) == [payments[1].reference])
    }
  }

  @Test("messages come and go by HTTP for a client of the tenant whose scope is that, once each")
  func overHTTP() async throws {
    try await CardTestApp.runSettling { app, desk in
      let client = try await app.accounts.app.addFinapticClient(.payments, "hub", tenant: Self.tenant, by: Self.op)
      func call(
        _ path: String, _ bytes: Data? = nil, as caller: IssuedSecret? = nil, type: String = "application/xml"
      ) async throws -> CardTestApp.Answer {
        let caller = caller ?? client
        let basic = Data("\(caller.client.id):\(caller.secret)".utf8).base64EncodedString()
        return try await app.accounts.call(
          bytes == nil ? .get : .post, "\(FinapticServerDialect.base)/payments/messages\(path)", bytes ?? Data(),
          headers: ["Authorization": "Basic \(basic)", "Content-Type": type])
      }
      func owed(_ after: String = "") async throws -> [Owed.One] {
        try JSONDecoder().decode(Owed.self, from: try await call(after).body).messages
      }
      func code(_ answer: CardTestApp.Answer) throws -> String {
        struct Refusal: Decodable { let code: String }
        return "\(answer.status) \(try JSONDecoder().decode(Refusal.self, from: answer.body).code)"
      }
      let bytes = try Self.transfer("T-1", desk.account, cents: 10_00)
      #expect(try await call("", bytes, as: desk.maker).status == 403)
      #expect(try await call("", bytes, type: "application/json").status == 415)
      #expect(try await call("", bytes).status == 200)
      #expect(try await call("", bytes).status == 200)
      #expect(try await desk.balance() == 10_00)
      #expect(try code(try await call("", Data("<Ann/>".utf8))) == "422 message-refused")
      let reused = try Self.transfer("T-1", desk.account, cents: 11_00)
      #expect(try code(try await call("", reused)) == "409 message-reused")
      let asked = try await call("", try Self.request("C-1", .init(transactionID: "T-1"), cents: 10_00))
      #expect(asked.status == 202)

      let recalls = app.dependencies.paymentRecalls
      let item = try #require(try await recalls.open(of: Self.tenant).first)
      try await recalls.accept(item.recall.id, of: Self.tenant, by: Self.op)
      let messages = try await owed()
      #expect(try await owed().map(\.id) == messages.map(\.id) && messages.compactMap(\.leaves_since).isEmpty)
      // What was not handed over has not arrived.
      #expect(try await call("/\(messages[0].id)/acknowledgement", Data()).status == 404)
      var kinds: [String] = []
      #expect(try await owed("?after=\(messages[0].id)").map(\.id) == [messages[1].id])
      for message in messages {
        for _ in 0..<2 {
          let answer = try await call("/\(message.id)/handover", Data())
          let given = try JSONDecoder().decode(HandedOver.self, from: answer.body)
          let read = try PaymentMessage.read(Data(given.xml.utf8))
          #expect(read.id == message.id && given.id == message.id && read.definition == given.definition)
          kinds.append(given.definition)
        }
        for _ in 0..<2 { #expect(try await call("/\(message.id)/acknowledgement", Data()).status == 204) }
      }
      #expect(kinds == ["pacs.004.001.09", "pacs.004.001.09", "camt.029.001.09", "camt.029.001.09"])
      #expect(try await owed().isEmpty)
      #expect(try await call("/\(messages[0].id)/handover", Data()).status == 404)
      #expect(try await call("/\(UUID().uuidString.lowercased())/acknowledgement", Data()).status == 404)
      #expect(try await call("?after=none").status == 404)
    }
  }
}
