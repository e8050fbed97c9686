// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Ledger
import ReferenceData
import TestSupport
import Testing

@testable import Payments

@Suite("Orders, statuses, returns, notifications and cancellations", .storeless)
struct OtherMessagesTests {
  @Test("each message is read from another hand, written, and read as the same", arguments: MessageSamples.all)
  func roundTrips(sample: String) throws {
    let message = try PaymentMessage.read(Data(sample.utf8))
    #expect(sample.contains("tech:xsd:\(message.definition)\""))
    #expect(try PaymentMessage.read(message.xml()) == message)
  }

  @Test("orders are read with their batches (pain.001.001.09)")
  func orders() throws {
    guard case .paymentOrders(let message) = try PaymentMessage.read(Data(MessageSamples.paymentOrders.utf8)) else {
      Issue.record("no orders")
      return
    }
    #expect(message.id == "ORDERS-1" && message.initiator == "Häuser AG")
    #expect(message.batches.map(\.id) == ["BATCH-1", "BATCH-2"])
    #expect(message.batches.map(\.executionDay.isoText) == ["2026-11-27", "2026-11-28"])
    #expect(message.batches[0].debtorAccount == .iban(try #require(IBAN("DE89370400440532013000"))))
    #expect(message.batches[0].charges == .serviceLevel && message.batches[1].charges == nil)
    #expect(message.batches[0].orders.map(\.amount) == [Money(150_00, "EUR"), Money(1_50, "EUR")])
    #expect(message.batches[0].orders[0].creditorAgent?.bic?.text == "WESTGB2L")
    #expect(message.batches[1].orders[0].uetr == "86d7da8e-6e41-4466-b9bb-9b41d5814d5a")
  }

  @Test("statuses name group and transactions with their reasons (pacs.002.001.10)")
  func statuses() throws {
    guard case .statuses(let message) = try PaymentMessage.read(Data(MessageSamples.statuses.utf8)) else {
      Issue.record("no statuses")
      return
    }
    #expect(message.groups == [.init(messageID: "PAY-1", messageName: "pacs.008.001.08", status: "PART")])
    let first = try #require(message.transactions.first)
    #expect(
      first.original
        == OriginalPayment(
          messageID: "PAY-1", messageName: "pacs.008.001.08", endToEndID: "E2E-1", transactionID: "TX-1"))
    #expect(first.status == PaymentStatusMessage.rejected)
    #expect(
      first.reasons == [
        .init(code: "AC04", additional: ["The account was closed."]), .init(proprietary: "OUR-7"),
      ])
  }

  @Test("what stands once for all returns holds for each that does not say it itself (pacs.004.001.09)")
  func returns() throws {
    guard case .returns(let message) = try PaymentMessage.read(Data(MessageSamples.returns.utf8)) else {
      Issue.record("no returns")
      return
    }
    #expect(message.returns.map(\.original.messageID) == ["PAY-1", "PAY-2"])
    #expect(message.returns.map { $0.reasons.map(\.code) } == [["AC04"], ["AM05"]])
    #expect(message.returns.map(\.amount) == [Money(148_00, "EUR"), Money(10_00, "EUR")])
    #expect(message.returns.map(\.originalAmount) == [Money(150_00, "EUR"), nil])
    #expect(message.returns.allSatisfy { $0.settlementDay?.isoText == "2026-11-27" })
  }

  @Test("a notification names whose account is meant, and who instructed (camt.054.001.08)")
  func notification() throws {
    guard case .notification(let message) = try PaymentMessage.read(Data(MessageSamples.notification.utf8)) else {
      Issue.record("no notification")
      return
    }
    let notice = try #require(message.notifications.first)
    #expect(notice.account == .other("SETTLEMENT-9") && notice.entries.map(\.amount) == [Money(25_00, "CAD")])
    let detail = try #require(notice.entries.first?.details.first)
    #expect(detail.debtor == "Ann Other" && detail.creditor == nil)
    #expect(detail.creditorAccount == .other("1000001") && detail.debtorAccount == .other("11-22"))
    #expect(detail.instructing?.bic?.text == "DEUTDEFF" && detail.remittance == ["Rent"])
  }

  @Test("a cancellation names the payment and why (camt.056.001.08)")
  func cancellation() throws {
    guard case .cancellation(let message) = try PaymentMessage.read(Data(MessageSamples.cancellation.utf8)) else {
      Issue.record("no cancellation")
      return
    }
    #expect(message.assigner == .agent(Agent(bic: BIC("DEUTDEFF"))) && message.assignee == .party("The other bank"))
    let request = try #require(message.requests.first)
    #expect(request.original.transactionID == "TX-1" && request.amount == Money(150_00, "EUR"))
    #expect(request.reasons == [.init(code: "DUPL", additional: ["Paid twice."])])
  }

  @Test("an answer says what becomes of what was asked back (camt.029.001.09)")
  func cancellationAnswer() throws {
    guard
      case .cancellationAnswer(let message) = try PaymentMessage.read(Data(MessageSamples.cancellationAnswer.utf8))
    else {
      Issue.record("no answer")
      return
    }
    #expect(message.confirmation == "RJCR" && message.assignee == .agent(Agent(bic: BIC("DEUTDEFF"))))
    let answer = try #require(message.answers.first)
    #expect(answer.outcome == .rejected && answer.original.transactionID == "TX-1" && answer.amount?.currency == "EUR")
    #expect(answer.reasons.map(\.code) == [CancellationRejection.customerDecision.rawValue])
  }

  @Test("a report of orders tells batches and transactions apart (pain.002.001.10)")
  func orderStatuses() throws {
    guard case .orderStatuses(let message) = try PaymentMessage.read(Data(MessageSamples.orderStatuses.utf8)) else {
      Issue.record("no report")
      return
    }
    #expect(message.group.status == "PART" && message.debtorAgent?.bic?.text == "DEUTDEFF")
    #expect(message.batches.map(\.id) == ["BATCH-1", "BATCH-2"] && message.batches.map(\.status) == [nil, "RJCT"])
    #expect(message.batches[0].transactions.map(\.status) == ["RJCT", "ACSC"])
    #expect(message.batches[0].transactions[0].original.instructionID == "I-1")
    #expect(message.batches[1].reasons == [.init(proprietary: "OUR-7")])
  }

  private static let rules: [(sample: String, old: String, new: String, element: String)] = [
    (MessageSamples.paymentOrders, "<NbOfTxs>3<", "<NbOfTxs>2<", "GrpHdr"),
    (MessageSamples.paymentOrders, ">161.51<", ">161.50<", "GrpHdr"),
    (MessageSamples.paymentOrders, "<NbOfTxs>2<", "<NbOfTxs>3<", "PmtInf"),
    (MessageSamples.paymentOrders, ">151.50<", ">151.51<", "PmtInf"),
    (MessageSamples.paymentOrders, ">TRF<", ">CHK<", "PmtMtd"),
    (MessageSamples.paymentOrders, "<ReqdExctnDt><Dt>2026-11-27</Dt></ReqdExctnDt>", "", "PmtInf"),
    (MessageSamples.paymentOrders, ">150.00<", ">0<", "InstdAmt"),
    (
      MessageSamples.paymentOrders, "<PmtMtd>TRF</PmtMtd><BtchBookg>true</BtchBookg>",
      "<BtchBookg>true</BtchBookg><PmtMtd>TRF</PmtMtd>", "PmtMtd"
    ),
    (MessageSamples.paymentOrders, "<PmtInf>", "<PmtInf/><PmtInf>", "PmtInf"),
    (MessageSamples.statuses, "<TxSts>RJCT<", "<TxSts>REJECTED<", "TxSts"),
    (MessageSamples.statuses, "<Cd>AC04</Cd>", "<Cd>AC04</Cd><Prtry>x</Prtry>", "Rsn"),
    (MessageSamples.statuses, "<OrgnlMsgNmId>pacs.008.001.08</OrgnlMsgNmId><GrpSts>", "<GrpSts>", "OrgnlGrpInfAndSts"),
    (MessageSamples.returns, "<NbOfTxs>2<", "<NbOfTxs>1<", "GrpHdr"),
    (MessageSamples.returns, "Ccy=\"EUR\">158.00<", "Ccy=\"EUR\">159.00<", "GrpHdr"),
    (MessageSamples.returns, "<TxInf>", "<TxInf><Other/>", "Other"),
    (MessageSamples.notification, "<Id>NOTICE-1</Id>", "", "Ntfctn"),
    (MessageSamples.notification, "<Dbtr><Pty>", "<Dbtr><Nm>x</Nm><Pty>", "Nm"),
    (MessageSamples.cancellation, "<NbOfTxs>1<", "<NbOfTxs>2<", "CtrlData"),
    (MessageSamples.cancellation, "<CtrlSum>150<", "<CtrlSum>151<", "CtrlData"),
    (MessageSamples.cancellation, "<Undrlyg>", "<Undrlyg><OrgnlGrpInfAndCxl/>", "OrgnlGrpInfAndCxl"),
    (MessageSamples.cancellation, "<Undrlyg>", "<TxInf/><Undrlyg>", "TxInf"),
    (MessageSamples.cancellationAnswer, "<Conf>RJCR</Conf>", "<AssgnmtCxlConf>true</AssgnmtCxlConf>", "Sts"),
    (MessageSamples.cancellationAnswer, "<TxCxlSts>RJCR<", "<TxCxlSts>CNCL<", "TxCxlSts"),
    (MessageSamples.cancellationAnswer, "<CxlDtls>", "<CxlDtls><OrgnlGrpInfAndSts/>", "OrgnlGrpInfAndSts"),
    (MessageSamples.cancellationAnswer, "<Sts><Conf>RJCR</Conf></Sts>", "", "TxInfAndSts"),
    (MessageSamples.orderStatuses, "<OrgnlPmtInfId>BATCH-1</OrgnlPmtInfId>", "", "OrgnlPmtInfAndSts"),
    (MessageSamples.orderStatuses, "<TxSts>ACSC<", "<OrgnlTxId>T</OrgnlTxId><TxSts>ACSC<", "OrgnlTxId"),
    (MessageSamples.orderStatuses, "<PmtInfSts>RJCT<", "<PmtInfSts>REJECTED<", "PmtInfSts"),
    (MessageSamples.orderStatuses, "<OrgnlMsgId>ORDERS-1</OrgnlMsgId>", "", "OrgnlGrpInfAndSts"),
  ]

  @Test("what breaks a rule is refused at its element", arguments: 0..<Self.rules.count)
  func refusals(place: Int) throws {
    let rule = Self.rules[place]
    let bytes = MessageSamples.changed(rule.sample, rule.old, rule.new)
    let fault = try #require(throws: MessageFault.self) { try PaymentMessage.read(bytes) }
    #expect(fault.element == rule.element, "\(fault)")
    for secret in ["Ann", "DE8", "E2E", "150", "closed"] { #expect(!fault.description.contains(secret)) }
  }

  @Test("parts outside the root, and the root of another kind, are refused", arguments: MessageSamples.all)
  func outside(sample: String) {
    let place = sample.range(of: "Document>", options: .backwards)
    let prefix = sample.contains("</p:Document>") ? "</p:" : "</"
    guard let place, let end = sample.range(of: prefix + sample[place], options: .backwards) else {
      Issue.record("the sample has no end")
      return
    }
    let open = String(prefix.dropFirst(2))
    for extra in ["<\(open)GrpHdr/>", "<\(open)BkToCstmrStmt/>", "<\(open)PmtRtr/>"] {
      let changed = sample.replacingCharacters(in: end, with: extra + String(sample[end]))
      #expect(throws: MessageFault.self) { try PaymentMessage.read(Data(changed.utf8)) }
    }
  }

  @Test("return reasons and Nacha's codes lead to each other")
  func reasons() {
    for reason in ReturnReason.allCases {
      #expect((3...4).contains(reason.rawValue.utf8.count))
      if let code = reason.nacha { #expect(ReturnReason(nacha: code) == reason) }
    }
    #expect(ReturnReason(nacha: "R02") == .closedAccount && ReturnReason(nacha: "R04") == .incorrectAccountNumber)
    #expect(ReturnReason.fraud.nacha == "R17" && ReturnReason(nacha: "R99") == nil)
  }
}
