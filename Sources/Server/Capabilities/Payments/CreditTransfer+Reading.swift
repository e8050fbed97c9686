// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Ledger

/// Puts a pacs.008 together from its header and its transfers, and checks what the standard says about them together.
struct CreditTransferBuilder: MessageBuilder {
  static let namespace = CreditTransferMessage.namespace
  static let root = "FIToFICstmrCdtTrf"

  private struct Header {
    let id: String
    let created: MessageTime
    let method: CreditTransferMessage.SettlementMethod
    let day: CalendarDate?
    let instructing: Agent?
    let instructed: Agent?
  }

  var page = PartPage()
  private var header: Header?
  /// Of the page.
  private var transfers: [CreditTransfer] = []
  private var totals: HeaderTotals?
  private var hasSupplement = false

  mutating func take(_ part: MessageElement) throws(MessageFault) {
    guard !hasSupplement || part.name == "SplmtryData" else { throw part.fault("stands too late in the message") }
    switch part.name {
    case "GrpHdr":
      guard header == nil else { throw part.fault("stands twice in the message") }
      header = try Self.header(part)
      totals = try HeaderTotals(part, totalName: "TtlIntrBkSttlmAmt")
    case "CdtTrfTxInf":
      guard let header else { throw part.fault("stands before the header") }
      guard page.count < CreditTransferMessage.transfersMax else {
        throw part.fault("is one more than \(CreditTransferMessage.transfersMax)")
      }
      if page.passesOver() { break }
      let transfer = try Self.transfer(part, of: header)
      try totals?.add(transfer.amount)
      page.note(transfer.amount)
      if page.keeps(part) { transfers.append(transfer) }
    case "SplmtryData": hasSupplement = true
    default: throw part.fault("has no place in the message")
    }
  }

  func message() throws(MessageFault) -> PaymentMessage {
    guard let totals else { throw MessageFault("the message has no header (GrpHdr)") }
    guard page.count > 0 else { throw totals.element.fault("is followed by no transfer") }
    try totals.check(page, "transfers")
    return try kept()
  }

  func kept() throws(MessageFault) -> PaymentMessage {
    guard let header else { throw MessageFault("the message has no header (GrpHdr)") }
    return .creditTransfers(
      CreditTransferMessage(
        id: header.id, created: header.created, method: header.method, instructing: header.instructing,
        instructed: header.instructed, transfers: transfers))
  }

  private static func header(_ part: MessageElement) throws(MessageFault) -> Header {
    try part.check(
      """
      MsgId CreDtTm BtchBookg NbOfTxs CtrlSum TtlIntrBkSttlmAmt IntrBkSttlmDt SttlmInf PmtTpInf InstgAgt InstdAgt
      """)
    return Header(
      id: try part.one("MsgId").text(max: 35), created: try part.one("CreDtTm").time(),
      method: try part.one("SttlmInf").one("SttlmMtd").code(CreditTransferMessage.SettlementMethod.self),
      day: try part.first("IntrBkSttlmDt")?.date(), instructing: try part.first("InstgAgt")?.agent(),
      instructed: try part.first("InstdAgt")?.agent())
  }

  private static func transfer(_ part: MessageElement, of header: Header) throws(MessageFault) -> CreditTransfer {
    try part.check(
      """
      PmtId PmtTpInf IntrBkSttlmAmt IntrBkSttlmDt SttlmPrty SttlmTmIndctn SttlmTmReq AccptncDtTm PoolgAdjstmntDt \
      InstdAmt XchgRate ChrgBr ChrgsInf PrvsInstgAgt1 PrvsInstgAgt1Acct PrvsInstgAgt2 PrvsInstgAgt2Acct PrvsInstgAgt3 \
      PrvsInstgAgt3Acct InstgAgt InstdAgt IntrmyAgt1 IntrmyAgt1Acct IntrmyAgt2 IntrmyAgt2Acct IntrmyAgt3 \
      IntrmyAgt3Acct UltmtDbtr InitgPty Dbtr DbtrAcct DbtrAgt DbtrAgtAcct CdtrAgt CdtrAgtAcct Cdtr CdtrAcct \
      UltmtCdtr InstrForCdtrAgt InstrForNxtAgt Purp RgltryRptg Tax RltdRmtInf RmtInf SplmtryData
      """,
      repeated: ["ChrgsInf", "InstrForCdtrAgt", "InstrForNxtAgt", "RgltryRptg", "RltdRmtInf", "SplmtryData"])
    let ids = try part.one("PmtId")
    try ids.check("InstrId EndToEndId TxId UETR ClrSysRef")
    let own = try part.first("IntrBkSttlmDt")
    let ownDay = try own?.date()
    // The header's day holds for all transfers. Some senders repeat it, which is harmless as long as it is the same.
    if let own, let ownDay, let day = header.day, ownDay != day { throw own.fault("is another day than the header's") }
    guard let day = ownDay ?? header.day else { throw part.fault("has no day of settlement (IntrBkSttlmDt)") }
    return CreditTransfer(
      endToEndID: try ids.one("EndToEndId").text(max: 35), instructionID: try ids.first("InstrId")?.text(max: 35),
      transactionID: try ids.first("TxId")?.text(max: 35), uetr: try ids.first("UETR")?.uetr(),
      amount: try part.one("IntrBkSttlmAmt").moved(), settlementDay: day,
      charges: try part.one("ChrgBr").code(CreditTransfer.ChargeBearer.self),
      debtor: try part.one("Dbtr").partyName(), debtorAccount: try part.first("DbtrAcct")?.accountNumber(),
      debtorAgent: try part.one("DbtrAgt").agent(), creditorAgent: try part.one("CdtrAgt").agent(),
      creditor: try part.one("Cdtr").partyName(), creditorAccount: try part.first("CdtrAcct")?.accountNumber(),
      remittance: try part.first("RmtInf")?.remittance() ?? [])
  }
}
