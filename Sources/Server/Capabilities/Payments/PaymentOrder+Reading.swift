// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Ledger

/// Puts a pain.001 together. Numbers and control sums are checked for each batch and for the message.
struct PaymentOrderBuilder: MessageBuilder {
  static let namespace = PaymentOrderMessage.namespace
  static let root = "CstmrCdtTrfInitn"
  static let containers: Set<String> = ["PmtInf"]

  /// The children of a batch, in the order of the schema.
  private static let batchOrder = """
    PmtInfId PmtMtd BtchBookg NbOfTxs CtrlSum PmtTpInf ReqdExctnDt PoolgAdjstmntDt Dbtr DbtrAcct DbtrAgt DbtrAgtAcct \
    InstrForDbtrAgt UltmtDbtr ChrgBr ChrgsAcct ChrgsAcctAgt CdtTrfTxInf
    """

  private struct Open {
    let line: Int
    var order = ElementOrder(PaymentOrderBuilder.batchOrder, repeated: ["CdtTrfTxInf"])
    var id: String?
    var isTransfer = false
    var count: Int?
    var sum: ControlSum?
    /// Of the orders that came.
    var counted = 0
    var summed: ControlSum?
    var day: CalendarDate?
    var debtor: String??
    var account: AccountNumber?
    var agent: Agent?
    var charges: CreditTransfer.ChargeBearer?
    /// Of the page.
    var orders: [PaymentOrder] = []

    /// Nil where a member lacks.
    var batch: PaymentOrderMessage.Batch? {
      guard let id, isTransfer, let day, let debtor, let account, let agent else { return nil }
      return .init(
        id: id, executionDay: day, debtor: debtor, debtorAccount: account, debtorAgent: agent, charges: charges,
        orders: orders)
    }
  }

  var page = PartPage()

  private var order = ElementOrder("GrpHdr PmtInf SplmtryData", repeated: ["PmtInf", "SplmtryData"])
  private var header: (element: MessageElement, count: Int, sum: ControlSum?)?
  private var built: PaymentOrderMessage?
  private var open: Open?
  private var sum: ControlSum?

  mutating func begin(_ container: String, line: Int) throws(MessageFault) {
    try order.note(container, line: line)
    guard built != nil else { throw MessageFault(line: line, element: container, "stands before the header") }
    open = Open(line: line)
  }

  mutating func end(_ container: String) throws(MessageFault) {
    guard let ended = open else { return }
    open = nil
    func fault(_ reason: String) -> MessageFault { MessageFault(line: ended.line, element: container, reason) }
    guard let batch = ended.batch, ended.counted > 0 else {
      throw fault("lacks PmtInfId, PmtMtd, ReqdExctnDt, Dbtr, DbtrAcct, DbtrAgt or CdtTrfTxInf")
    }
    if let said = ended.count, said != ended.counted {
      throw fault("says another number of orders (NbOfTxs) than there are")
    }
    // The sum is that of the whole batch on the first page alone.
    if page.first == 0, let said = ended.sum, said != ended.summed {
      throw fault("says another control sum (CtrlSum) than the amounts have")
    }
    page.groups += 1
    if !batch.orders.isEmpty { built?.batches.append(batch) }
  }

  mutating func take(_ part: MessageElement) throws(MessageFault) {
    guard open != nil else { return try takeOutside(part) }
    try open?.order.note(part)
    switch part.name {
    case "PmtInfId": open?.id = try part.text(max: 35)
    case "PmtMtd":
      guard try part.token() == "TRF" else { throw part.fault("is not TRF: cheques and advices are not taken") }
      open?.isTransfer = true
    case "NbOfTxs": open?.count = try part.count()
    case "CtrlSum":
      open?.sum = try part.controlSum()
      open?.summed = try ControlSum()
    case "ReqdExctnDt": open?.day = try part.day()
    case "Dbtr": open?.debtor = .some(try part.partyName())
    case "DbtrAcct": open?.account = try part.accountNumber()
    case "DbtrAgt": open?.agent = try part.agent()
    case "ChrgBr": open?.charges = try part.code(CreditTransfer.ChargeBearer.self)
    case "CdtTrfTxInf":
      guard page.count < PaymentOrderMessage.ordersMax else {
        throw part.fault("is one more than \(PaymentOrderMessage.ordersMax)")
      }
      open?.counted += 1
      if page.passesOver() { break }
      let order = try Self.order(part)
      try open?.summed?.add(order.amount)
      try sum?.add(order.amount)
      if page.keeps(part) { open?.orders.append(order) }
    default: break
    }
  }

  private mutating func takeOutside(_ part: MessageElement) throws(MessageFault) {
    try order.note(part)
    guard part.name == "GrpHdr" else { return }
    try part.check("MsgId CreDtTm Authstn NbOfTxs CtrlSum InitgPty FwdgAgt", repeated: ["Authstn"])
    let said = try part.first("CtrlSum")?.controlSum()
    if said != nil { sum = try ControlSum() }
    header = (part, try part.one("NbOfTxs").count(), said)
    built = PaymentOrderMessage(
      id: try part.one("MsgId").text(max: 35), created: try part.one("CreDtTm").time(),
      initiator: try part.one("InitgPty").partyName(), batches: [])
  }

  func message() throws(MessageFault) -> PaymentMessage {
    guard let header, let built else { throw MessageFault("the message has no header (GrpHdr)") }
    guard !built.batches.isEmpty else { throw header.element.fault("is followed by no batch (PmtInf)") }
    guard header.count == page.count else {
      throw header.element.fault("says another number of orders (NbOfTxs) than there are")
    }
    if let said = header.sum, sum != said {
      throw header.element.fault("says another control sum (CtrlSum) than the amounts have")
    }
    return .paymentOrders(built)
  }

  func kept() throws(MessageFault) -> PaymentMessage {
    guard var built else { throw MessageFault("the message has no header (GrpHdr)") }
    // Where the page ends within a batch.
    if let batch = open?.batch, !batch.orders.isEmpty { built.batches.append(batch) }
    return .paymentOrders(built)
  }

  private static func order(_ part: MessageElement) throws(MessageFault) -> PaymentOrder {
    try part.check(
      """
      PmtId PmtTpInf Amt XchgRateInf ChrgBr ChqInstr UltmtDbtr IntrmyAgt1 IntrmyAgt1Acct IntrmyAgt2 IntrmyAgt2Acct \
      IntrmyAgt3 IntrmyAgt3Acct CdtrAgt CdtrAgtAcct Cdtr CdtrAcct UltmtCdtr InstrForCdtrAgt InstrForDbtrAgt Purp \
      RgltryRptg Tax RltdRmtInf RmtInf SplmtryData
      """, repeated: ["InstrForCdtrAgt", "RgltryRptg", "RltdRmtInf", "SplmtryData"])
    let ids = try part.one("PmtId")
    try ids.check("InstrId EndToEndId UETR")
    let amount = try part.one("Amt")
    try amount.check("InstdAmt EqvtAmt")
    guard amount.children.count == 1, let instructed = try amount.first("InstdAmt") else {
      throw amount.fault("is no amount in the currency in which it is paid (InstdAmt)")
    }
    return PaymentOrder(
      endToEndID: try ids.one("EndToEndId").text(max: 35), instructionID: try ids.first("InstrId")?.text(max: 35),
      uetr: try ids.first("UETR")?.uetr(), amount: try instructed.moved(),
      charges: try part.first("ChrgBr")?.code(CreditTransfer.ChargeBearer.self),
      ultimateDebtor: try part.first("UltmtDbtr")?.person(),
      ultimateDebtorName: try part.first("UltmtDbtr")?.partyName(),
      creditorAgent: try part.first("CdtrAgt")?.agent(),
      creditor: try part.first("Cdtr")?.partyName(),
      creditorAccount: try part.first("CdtrAcct")?.accountNumber(),
      remittance: try part.first("RmtInf")?.remittance() ?? [])
  }
}
