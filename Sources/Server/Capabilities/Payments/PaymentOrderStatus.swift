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

/// Puts a pain.002 together. The status of a batch is a part, like those of its transactions that follow it: a batch of
/// which a page before had the beginning has no status and no reasons on those that go on, nor has the whole message.
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

  private var order = ElementOrder(
    "GrpHdr OrgnlGrpInfAndSts OrgnlPmtInfAndSts SplmtryData", repeated: ["OrgnlPmtInfAndSts", "SplmtryData"])
  private struct Open {
    let line: Int
    var order = ElementOrder(
      "OrgnlPmtInfId OrgnlNbOfTxs OrgnlCtrlSum PmtInfSts StsRsnInf NbOfTxsPerSts TxInfAndSts",
      repeated: ["StsRsnInf", "NbOfTxsPerSts", "TxInfAndSts"])
    var id: String?
    var batch = PaymentOrderStatusMessage.Batch(id: "")
    /// Of its reasons.
    var textBytes = 0
    /// Whether all that stands before its transactions came, and is of the page.
    var isNoted = false
    var isKept = false

    /// As far as the page has it; nil when the page has none of it.
    func part() -> PaymentOrderStatusMessage.Batch? {
      guard let id, isKept || !batch.transactions.isEmpty else { return nil }
      var part = batch
      part.id = id
      if !isKept { (part.status, part.reasons) = (nil, []) }
      return part
    }
  }

  var page = PartPage()
  private var open: Open?
  private var header: Header?
  private var built: PaymentOrderStatusMessage?

  mutating func begin(_ container: String, line: Int) throws(MessageFault) {
    try order.note(container, line: line)
    guard built != nil else { throw MessageFault(line: line, element: container, "stands before the header") }
    open = Open(line: line)
  }

  mutating func end(_ container: String) throws(MessageFault) {
    try noteBatch()
    guard let ended = open else { return }
    open = nil
    guard ended.id != nil else { throw MessageFault(line: ended.line, element: container, "lacks OrgnlPmtInfId") }
    if let batch = ended.part() { built?.batches.append(batch) }
  }

  /// Takes the status of the batch that is open for a part, when all of it came.
  private mutating func noteBatch() throws(MessageFault) {
    guard let noted = open, !noted.isNoted else { return }
    try countOne(MessageFault(line: noted.line, element: "OrgnlPmtInfAndSts", Self.tooMany))
    page.groups += 1
    open?.isNoted = true
    if !page.passesOver() { open?.isKept = page.keeps(textBytes: noted.textBytes) }
  }

  mutating func take(_ part: MessageElement) throws(MessageFault) {
    guard open != nil else { return try takeOutside(part) }
    try open?.order.note(part)
    switch part.name {
    case "OrgnlPmtInfId": open?.id = try part.text(max: 35)
    case "PmtInfSts": open?.batch.status = try part.codeText()
    case "StsRsnInf":
      open?.batch.reasons.append(try part.reason())
      open?.textBytes += part.textBytes
    case "TxInfAndSts":
      try noteBatch()
      try countOne(part.fault(Self.tooMany))
      if page.passesOver() { break }
      let transaction = try Self.transaction(part)
      if page.keeps(part) { open?.batch.transactions.append(transaction) }
    default: break
    }
  }

  private static let tooMany = "is one more than \(PaymentOrderStatusMessage.statusesMax)"

  /// Looks whether one more part may come.
  private func countOne(_ fault: @autoclosure () -> MessageFault) throws(MessageFault) {
    guard page.count < PaymentOrderStatusMessage.statusesMax else { throw fault() }
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

  func message() throws(MessageFault) -> PaymentMessage { try kept() }

  func kept() throws(MessageFault) -> PaymentMessage {
    guard var built else { throw MessageFault("the message has no header (GrpHdr, OrgnlGrpInfAndSts)") }
    if page.first > 0 { (built.group.status, built.group.reasons) = (nil, []) }
    // Where the page ends within a batch.
    if let batch = open?.part() { built.batches.append(batch) }
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
