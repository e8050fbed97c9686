// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What became of payments at another bank: FIToFIPaymentStatusReport, pacs.002.001.10.
package struct PaymentStatusMessage: Sendable, Equatable {
  package static let namespace = "urn:iso:std:iso:20022:tech:xsd:pacs.002.001.10"
  /// Groups and transactions of one message.
  package static let statusesMax = 100_000

  /// What became of a whole message (`OrgnlGrpInfAndSts`).
  package struct Group: Sendable, Equatable {
    package var messageID: String
    /// Such as `pacs.008.001.08`.
    package var messageName: String
    /// `GrpSts`, a code of ExternalPaymentGroupStatus1Code such as RJCT; nil when the transactions alone say it.
    package var status: String?
    package var reasons: [PaymentReason]

    package init(messageID: String, messageName: String, status: String? = nil, reasons: [PaymentReason] = []) {
      (self.messageID, self.messageName, self.status, self.reasons) = (messageID, messageName, status, reasons)
    }
  }

  /// What became of one payment (`TxInfAndSts`).
  package struct Transaction: Sendable, Equatable {
    /// `StsId`: the sender's own.
    package var id: String?
    package var original: OriginalPayment
    /// `TxSts`, a code of ExternalPaymentTransactionStatus1Code such as ACSC or RJCT.
    package var status: String?
    package var reasons: [PaymentReason]

    package init(id: String? = nil, original: OriginalPayment, status: String? = nil, reasons: [PaymentReason] = []) {
      (self.id, self.original, self.status, self.reasons) = (id, original, status, reasons)
    }
  }

  /// The status of what is rejected, in groups and transactions.
  package static let rejected = "RJCT"

  package var id: String
  package var created: MessageTime
  package var instructing: Agent?
  package var instructed: Agent?
  package var groups: [Group]
  package var transactions: [Transaction]

  package init(
    id: String, created: MessageTime, instructing: Agent? = nil, instructed: Agent? = nil, groups: [Group] = [],
    transactions: [Transaction] = []
  ) {
    (self.id, self.created, self.instructing, self.instructed) = (id, created, instructing, instructed)
    (self.groups, self.transactions) = (groups, transactions)
  }
}

/// Puts a pacs.002 together.
struct PaymentStatusBuilder: MessageBuilder {
  static let namespace = PaymentStatusMessage.namespace
  static let root = "FIToFIPmtStsRpt"

  private var order = ElementOrder(
    "GrpHdr OrgnlGrpInfAndSts TxInfAndSts SplmtryData", repeated: ["OrgnlGrpInfAndSts", "TxInfAndSts", "SplmtryData"])
  var page = PartPage()
  private var built: PaymentStatusMessage?

  mutating func take(_ part: MessageElement) throws(MessageFault) {
    try order.note(part)
    switch part.name {
    case "GrpHdr":
      try part.check("MsgId CreDtTm InstgAgt InstdAgt OrgnlBizQry")
      built = PaymentStatusMessage(
        id: try part.one("MsgId").text(max: 35), created: try part.one("CreDtTm").time(),
        instructing: try part.first("InstgAgt")?.agent(), instructed: try part.first("InstdAgt")?.agent())
    case "OrgnlGrpInfAndSts", "TxInfAndSts":
      guard built != nil else { throw part.fault("stands before the header") }
      guard page.count < PaymentStatusMessage.statusesMax else {
        throw part.fault("is one more than \(PaymentStatusMessage.statusesMax)")
      }
      let isGroup = part.name == "OrgnlGrpInfAndSts"
      if isGroup { page.groups += 1 }
      if page.passesOver() { break }
      if isGroup {
        let group = try part.statusGroup()
        if page.keeps(part) { built?.groups.append(group) }
      } else {
        let transaction = try Self.transaction(part)
        if page.keeps(part) { built?.transactions.append(transaction) }
      }
    default: break
    }
  }

  func message() throws(MessageFault) -> PaymentMessage { try kept() }

  func kept() throws(MessageFault) -> PaymentMessage {
    guard let built else { throw MessageFault("the message has no header (GrpHdr)") }
    return .statuses(built)
  }

  private static func transaction(_ part: MessageElement) throws(MessageFault) -> PaymentStatusMessage.Transaction {
    try part.check(
      """
      StsId \(OriginalPayment.order) TxSts StsRsnInf ChrgsInf AccptncDtTm FctvIntrBkSttlmDt AcctSvcrRef ClrSysRef \
      InstgAgt InstdAgt OrgnlTxRef SplmtryData
      """, repeated: ["StsRsnInf", "ChrgsInf", "SplmtryData"])
    return try part.statusTransaction()
  }
}

extension MessageElement {
  /// The status of a whole message.
  func statusGroup() throws(MessageFault) -> PaymentStatusMessage.Group {
    try check(
      "OrgnlMsgId OrgnlMsgNmId OrgnlCreDtTm OrgnlNbOfTxs OrgnlCtrlSum GrpSts StsRsnInf NbOfTxsPerSts",
      repeated: ["StsRsnInf", "NbOfTxsPerSts"])
    return PaymentStatusMessage.Group(
      messageID: try one("OrgnlMsgId").text(max: 35), messageName: try one("OrgnlMsgNmId").text(max: 35),
      status: try first("GrpSts")?.codeText(), reasons: try reasons("StsRsnInf"))
  }

  /// The status of one payment, of which the order of elements is checked.
  func statusTransaction() throws(MessageFault) -> PaymentStatusMessage.Transaction {
    PaymentStatusMessage.Transaction(
      id: try first("StsId")?.text(max: 35), original: try originalPayment(),
      status: try first("TxSts")?.codeText(), reasons: try reasons("StsRsnInf"))
  }
}

extension PaymentStatusMessage {
  /// The message as pacs.002.001.10.
  /// - Throws: as `PaymentMessage.xml`.
  package func xml(_ characters: MessageCharacters = .any) throws(MessageFault) -> Data {
    guard groups.count + transactions.count <= Self.statusesMax else {
      throw MessageFault("a message has at most \(Self.statusesMax) statuses")
    }
    var writer = MessageWriter(characters)
    try writer.document(Self.namespace) { writer throws(MessageFault) in
      try writer.element("FIToFIPmtStsRpt") { writer throws(MessageFault) in
        try writer.element("GrpHdr") { writer throws(MessageFault) in
          try writer.identifier("MsgId", id)
          try writer.leaf("CreDtTm", created.text, max: 35)
          if let instructing { try writer.agent("InstgAgt", instructing) }
          if let instructed { try writer.agent("InstdAgt", instructed) }
        }
        for group in groups { try group.write(&writer) }
        for transaction in transactions { try transaction.write(&writer) }
      }
    }
    return Data(writer.text.utf8)
  }
}

extension PaymentStatusMessage.Group {
  func write(_ writer: inout MessageWriter) throws(MessageFault) {
    try writer.element("OrgnlGrpInfAndSts") { writer throws(MessageFault) in
      try writer.identifier("OrgnlMsgId", messageID)
      try writer.leaf("OrgnlMsgNmId", messageName, max: 35)
      if let status { try writer.token("GrpSts", status, max: 4) }
      try writer.reasons("StsRsnInf", reasons)
    }
  }
}

extension PaymentStatusMessage.Transaction {
  func write(_ writer: inout MessageWriter) throws(MessageFault) {
    try writer.element("TxInfAndSts") { writer throws(MessageFault) in
      if let id { try writer.identifier("StsId", id) }
      try writer.original(original)
      if let status { try writer.token("TxSts", status, max: 4) }
      try writer.reasons("StsRsnInf", reasons)
    }
  }
}
