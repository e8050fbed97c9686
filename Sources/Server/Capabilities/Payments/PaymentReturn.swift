// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Ledger

/// Payments that come back after they were settled: PaymentReturn, pacs.004.001.09.
package struct PaymentReturnMessage: Sendable, Equatable {
  package static let namespace = "urn:iso:std:iso:20022:tech:xsd:pacs.004.001.09"
  /// Returns of one message.
  package static let returnsMax = 100_000

  package var id: String
  package var created: MessageTime
  package var method: CreditTransferMessage.SettlementMethod
  package var instructing: Agent?
  package var instructed: Agent?
  package var returns: [PaymentReturn]

  package init(
    id: String, created: MessageTime, method: CreditTransferMessage.SettlementMethod, instructing: Agent? = nil,
    instructed: Agent? = nil, returns: [PaymentReturn]
  ) {
    (self.id, self.created, self.method, self.returns) = (id, created, method, returns)
    (self.instructing, self.instructed) = (instructing, instructed)
  }
}

/// One payment that comes back (`TxInf`).
package struct PaymentReturn: Sendable, Equatable {
  /// `RtrId`: the returning bank's own.
  package var id: String?
  package var original: OriginalPayment
  /// `OrgnlIntrBkSttlmAmt`: what was paid; nil when the message does not say.
  package var originalAmount: Money?
  /// `RtrdIntrBkSttlmAmt`: what comes back, which can be less; above zero.
  package var amount: Money
  /// `IntrBkSttlmDt`, from the return or from the header; nil when neither has one.
  package var settlementDay: CalendarDate?
  package var reasons: [PaymentReason]

  package init(
    id: String? = nil, original: OriginalPayment, originalAmount: Money? = nil, amount: Money,
    settlementDay: CalendarDate? = nil, reasons: [PaymentReason] = []
  ) {
    (self.id, self.original, self.originalAmount, self.amount) = (id, original, originalAmount, amount)
    (self.settlementDay, self.reasons) = (settlementDay, reasons)
  }
}

/// Puts a pacs.004 together. What the standard lets stand once for all returns, the original message and its reasons,
/// is handed down to each of them.
struct PaymentReturnBuilder: MessageBuilder {
  static let namespace = PaymentReturnMessage.namespace
  static let root = "PmtRtr"

  var page = PartPage()
  private var order = ElementOrder("GrpHdr OrgnlGrpInf TxInf SplmtryData", repeated: ["TxInf", "SplmtryData"])
  private var totals: HeaderTotals?
  /// Of the header.
  private var day: CalendarDate?
  private var group: (original: OriginalPayment, reasons: [PaymentReason])?
  private var built: PaymentReturnMessage?

  mutating func take(_ part: MessageElement) throws(MessageFault) {
    try order.note(part)
    switch part.name {
    case "GrpHdr": try takeHeader(part)
    case "OrgnlGrpInf":
      try part.check("OrgnlMsgId OrgnlMsgNmId OrgnlCreDtTm RtrRsnInf", repeated: ["RtrRsnInf"])
      let original = OriginalPayment(
        messageID: try part.one("OrgnlMsgId").text(max: 35), messageName: try part.one("OrgnlMsgNmId").text(max: 35))
      group = (original, try part.reasons("RtrRsnInf"))
    case "TxInf":
      guard totals != nil else { throw part.fault("stands before the header") }
      guard page.count < PaymentReturnMessage.returnsMax else {
        throw part.fault("is one more than \(PaymentReturnMessage.returnsMax)")
      }
      if page.passesOver() { break }
      let returned = try self.returned(part)
      try totals?.add(returned.amount)
      page.note(returned.amount)
      if page.keeps(part) { built?.returns.append(returned) }
    default: break
    }
  }

  private mutating func takeHeader(_ part: MessageElement) throws(MessageFault) {
    try part.check(
      """
      MsgId CreDtTm Authstn BtchBookg NbOfTxs CtrlSum GrpRtr TtlRtrdIntrBkSttlmAmt IntrBkSttlmDt SttlmInf InstgAgt \
      InstdAgt
      """, repeated: ["Authstn"])
    totals = try HeaderTotals(part, totalName: "TtlRtrdIntrBkSttlmAmt")
    day = try part.first("IntrBkSttlmDt")?.date()
    built = PaymentReturnMessage(
      id: try part.one("MsgId").text(max: 35), created: try part.one("CreDtTm").time(),
      method: try part.one("SttlmInf").one("SttlmMtd").code(CreditTransferMessage.SettlementMethod.self),
      instructing: try part.first("InstgAgt")?.agent(), instructed: try part.first("InstdAgt")?.agent(), returns: [])
  }

  private func returned(_ part: MessageElement) throws(MessageFault) -> PaymentReturn {
    try part.check(
      """
      RtrId \(OriginalPayment.order) OrgnlClrSysRef OrgnlIntrBkSttlmAmt OrgnlIntrBkSttlmDt RtrdIntrBkSttlmAmt \
      IntrBkSttlmDt SttlmPrty SttlmTmIndctn SttlmTmReq RtrdInstdAmt XchgRate CompstnAmt ChrgBr \
      ChrgsInf ClrSysRef InstgAgt InstdAgt RtrChain RtrRsnInf OrgnlTxRef SplmtryData
      """, repeated: ["ChrgsInf", "RtrRsnInf", "SplmtryData"])
    var original = try part.originalPayment()
    if original.messageID == nil {
      (original.messageID, original.messageName) = (group?.original.messageID, group?.original.messageName)
    }
    let own = try part.first("IntrBkSttlmDt")
    let ownDay = try own?.date()
    if let own, let ownDay, let day, ownDay != day { throw own.fault("is another day than the header's") }
    let reasons = try part.reasons("RtrRsnInf")
    return PaymentReturn(
      id: try part.first("RtrId")?.text(max: 35), original: original,
      originalAmount: try part.first("OrgnlIntrBkSttlmAmt")?.money(),
      amount: try part.one("RtrdIntrBkSttlmAmt").moved(), settlementDay: ownDay ?? day,
      reasons: reasons.isEmpty ? group?.reasons ?? [] : reasons)
  }

  func message() throws(MessageFault) -> PaymentMessage {
    guard let totals else { throw MessageFault("the message has no header (GrpHdr)") }
    guard page.count > 0 else { throw totals.element.fault("is followed by no return that can be told") }
    try totals.check(page, "returns")
    return try kept()
  }

  func kept() throws(MessageFault) -> PaymentMessage {
    guard let built else { throw MessageFault("the message has no header (GrpHdr)") }
    return .returns(built)
  }
}

extension PaymentReturnMessage {
  /// The message as pacs.004.001.09, with the number of its returns and their control sum.
  /// - Throws: as `PaymentMessage.xml`.
  package func xml(_ characters: MessageCharacters = .any) throws(MessageFault) -> Data {
    guard (1...Self.returnsMax).contains(returns.count) else {
      throw MessageFault("a message has 1 to \(Self.returnsMax) returns")
    }
    guard let sum = try ControlSum(returns.map(\.amount)).decimal else {
      throw MessageFault(element: "CtrlSum", "has more than 18 digits")
    }
    var writer = MessageWriter(characters)
    try writer.document(Self.namespace) { writer throws(MessageFault) in
      try writer.element("PmtRtr") { writer throws(MessageFault) in
        try writer.element("GrpHdr") { writer throws(MessageFault) in
          try writer.identifier("MsgId", id)
          try writer.leaf("CreDtTm", created.text, max: 35)
          try writer.leaf("NbOfTxs", "\(returns.count)", max: 15)
          try writer.leaf("CtrlSum", sum, max: 20)
          try writer.element("SttlmInf") { writer throws(MessageFault) in
            try writer.leaf("SttlmMtd", method.rawValue, max: 4)
          }
          if let instructing { try writer.agent("InstgAgt", instructing) }
          if let instructed { try writer.agent("InstdAgt", instructed) }
        }
        for returned in returns { try returned.write(&writer) }
      }
    }
    return Data(writer.text.utf8)
  }
}

extension PaymentReturn {
  fileprivate func write(_ writer: inout MessageWriter) throws(MessageFault) {
    try writer.element("TxInf") { writer throws(MessageFault) in
      if let id { try writer.identifier("RtrId", id) }
      try writer.original(original)
      if let originalAmount { try writer.money("OrgnlIntrBkSttlmAmt", originalAmount) }
      try writer.money("RtrdIntrBkSttlmAmt", amount)
      if let settlementDay { try writer.leaf("IntrBkSttlmDt", settlementDay.isoText, max: 10) }
      try writer.reasons("RtrRsnInf", reasons)
    }
  }
}
