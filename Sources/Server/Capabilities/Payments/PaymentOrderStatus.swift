// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What became of orders at the bank that was to pay them: CustomerPaymentStatusReport, pain.002.001.10.
package struct PaymentOrderStatusMessage: Sendable, Equatable {
  package static let namespace = "urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"
  /// Batches and transactions of one message.
  package static let statusesMax = PaymentStatusMessage.statusesMax

  /// What became of a batch (`OrgnlPmtInfAndSts`).
  package struct Batch: Sendable, Equatable {
    /// `OrgnlPmtInfId`, up to 35 characters.
    package var id: String
    /// `PmtInfSts`, a code of ExternalPaymentGroupStatus1Code such as RJCT; nil when the transactions alone say it.
    package var status: String?
    package var reasons: [PaymentReason]
    package var transactions: [PaymentStatusMessage.Transaction]

    package init(
      id: String, status: String? = nil, reasons: [PaymentReason] = [],
      transactions: [PaymentStatusMessage.Transaction] = []
    ) {
      (self.id, self.status, self.reasons, self.transactions) = (id, status, reasons, transactions)
    }
  }

  package var id: String
  package var created: MessageTime
  /// `InitgPty/Nm`: who forwards the report; nil when it is not named.
  package var initiator: String?
  /// `DbtrAgt`: the bank that keeps the account.
  package var debtorAgent: Agent?
  /// Of the message of orders as a whole.
  package var group: PaymentStatusMessage.Group
  package var batches: [Batch]

  package init(
    id: String, created: MessageTime, initiator: String? = nil, debtorAgent: Agent? = nil,
    group: PaymentStatusMessage.Group, batches: [Batch] = []
  ) {
    (self.id, self.created, self.initiator, self.debtorAgent) = (id, created, initiator, debtorAgent)
    (self.group, self.batches) = (group, batches)
  }
}

/// Puts a pain.002 together.
struct PaymentOrderStatusBuilder: MessageBuilder {
  static let namespace = PaymentOrderStatusMessage.namespace
  static let root = "CstmrPmtStsRpt"
  static let containers: Set<String> = ["OrgnlPmtInfAndSts"]

  private struct Header {
    let id: String
    let created: MessageTime
    let initiator: String?
    let agent: Agent?
  }

  private var order = PartOrder(
    "GrpHdr OrgnlGrpInfAndSts OrgnlPmtInfAndSts SplmtryData", repeated: ["OrgnlPmtInfAndSts", "SplmtryData"])
  private var inner: (order: PartOrder, line: Int, id: String?)?
  private var batch = PaymentOrderStatusMessage.Batch(id: "")
  private var header: Header?
  private var built: PaymentOrderStatusMessage?
  private var count = 0

  mutating func begin(_ container: String, line: Int) throws(MessageFault) {
    try order.note(container, line: line)
    guard built != nil else { throw MessageFault(line: line, element: container, "stands before the header") }
    try countOne(MessageFault(line: line, element: container, "is one more than \(Self.statusesMax)"))
    let sequence = "OrgnlPmtInfId OrgnlNbOfTxs OrgnlCtrlSum PmtInfSts StsRsnInf NbOfTxsPerSts TxInfAndSts"
    let inside = PartOrder(sequence, repeated: ["StsRsnInf", "NbOfTxsPerSts", "TxInfAndSts"])
    (inner, batch) = ((inside, line, nil), .init(id: ""))
  }

  mutating func end(_ container: String) throws(MessageFault) {
    guard let ended = inner else { return }
    inner = nil
    guard let id = ended.id else { throw MessageFault(line: ended.line, element: container, "lacks OrgnlPmtInfId") }
    batch.id = id
    built?.batches.append(batch)
  }

  mutating func take(_ part: MessageElement) throws(MessageFault) {
    guard inner != nil else { return try takeOutside(part) }
    try inner?.order.note(part)
    switch part.name {
    case "OrgnlPmtInfId": inner?.id = try part.text(max: 35)
    case "PmtInfSts": batch.status = try part.codeText()
    case "StsRsnInf": batch.reasons.append(try part.reason())
    case "TxInfAndSts":
      try countOne(part.fault("is one more than \(Self.statusesMax)"))
      batch.transactions.append(try Self.transaction(part))
    default: break
    }
  }

  private static let statusesMax = PaymentOrderStatusMessage.statusesMax

  private mutating func countOne(_ fault: @autoclosure () -> MessageFault) throws(MessageFault) {
    count += 1
    guard count <= Self.statusesMax else { throw fault() }
  }

  private mutating func takeOutside(_ part: MessageElement) throws(MessageFault) {
    try order.note(part)
    switch part.name {
    case "GrpHdr":
      try part.check("MsgId CreDtTm InitgPty FwdgAgt DbtrAgt CdtrAgt")
      header = Header(
        id: try part.one("MsgId").text(max: 35), created: try part.one("CreDtTm").time(),
        initiator: try part.first("InitgPty")?.partyName(), agent: try part.first("DbtrAgt")?.agent())
    case "OrgnlGrpInfAndSts":
      guard let header else { throw part.fault("stands before the header") }
      built = PaymentOrderStatusMessage(
        id: header.id, created: header.created, initiator: header.initiator, debtorAgent: header.agent,
        group: try part.statusGroup())
    default: break
    }
  }

  func message() throws(MessageFault) -> PaymentMessage {
    guard let built else { throw MessageFault("the message has no header (GrpHdr, OrgnlGrpInfAndSts)") }
    return .orderStatuses(built)
  }

  private static func transaction(_ part: MessageElement) throws(MessageFault) -> PaymentStatusMessage.Transaction {
    try part.check(
      """
      StsId OrgnlInstrId OrgnlEndToEndId OrgnlUETR TxSts StsRsnInf ChrgsInf TrckrData AccptncDtTm AcctSvcrRef \
      ClrSysRef OrgnlTxRef SplmtryData
      """, repeated: ["StsRsnInf", "ChrgsInf", "SplmtryData"])
    return try part.statusTransaction()
  }
}

extension PaymentOrderStatusMessage {
  /// The message as pain.002.001.10.
  /// - Throws: as `PaymentMessage.xml`.
  package func xml(_ characters: MessageCharacters = .any) throws(MessageFault) -> Data {
    guard batches.reduce(batches.count, { $0 + $1.transactions.count }) <= Self.statusesMax else {
      throw MessageFault("a message has at most \(Self.statusesMax) statuses")
    }
    var writer = MessageWriter(characters)
    try writer.document(Self.namespace) { writer throws(MessageFault) in
      try writer.element("CstmrPmtStsRpt") { writer throws(MessageFault) in
        try writer.element("GrpHdr") { writer throws(MessageFault) in
          try writer.identifier("MsgId", id)
          try writer.leaf("CreDtTm", created.text, max: 35)
          if let initiator { try writer.party("InitgPty", initiator) }
          if let debtorAgent { try writer.agent("DbtrAgt", debtorAgent) }
        }
        try group.write(&writer)
        for batch in batches { try batch.write(&writer) }
      }
    }
    return Data(writer.text.utf8)
  }
}

extension PaymentOrderStatusMessage.Batch {
  fileprivate func write(_ writer: inout MessageWriter) throws(MessageFault) {
    try writer.element("OrgnlPmtInfAndSts") { writer throws(MessageFault) in
      try writer.identifier("OrgnlPmtInfId", id)
      if let status { try writer.token("PmtInfSts", status, max: 4) }
      try writer.reasons("StsRsnInf", reasons)
      for transaction in transactions {
        guard transaction.original.transactionID == nil, transaction.original.messageID == nil else {
          throw MessageFault(element: "TxInfAndSts", "names a message or a transaction id, which orders do not have")
        }
        try transaction.write(&writer)
      }
    }
  }
}
