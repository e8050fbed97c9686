// SPDX-License-Identifier: Apache-2.0

/// Puts a camt.054 together from its header and the parts of its notifications.
struct NotificationBuilder: MessageBuilder {
  static let namespace = NotificationMessage.namespace
  static let root = "BkToCstmrDbtCdtNtfctn"
  static let containers: Set<String> = ["Ntfctn"]

  private struct Open {
    let line: Int
    var order = ElementOrder(
      """
      Id NtfctnPgntn ElctrncSeqNb RptgSeq LglSeqNb CreDtTm FrToDt CpyDplctInd RptgSrc Acct RltdAcct Intrst TxsSummry \
      Ntry AddtlNtfctnInf
      """, repeated: ["Intrst", "Ntry"])
    var id: String?
    var account: AccountNumber?
    var entries: [AccountStatement.Entry] = []
  }

  private var order = ElementOrder("GrpHdr Ntfctn SplmtryData", repeated: ["Ntfctn", "SplmtryData"])
  private var built: NotificationMessage?
  private var open: Open?
  var page = PartPage()

  mutating func begin(_ container: String, line: Int) throws(MessageFault) {
    try order.note(container, line: line)
    guard built != nil else { throw MessageFault(line: line, element: container, "stands before the header") }
    open = Open(line: line)
  }

  mutating func end(_ container: String) throws(MessageFault) {
    guard let ended = open else { return }
    open = nil
    guard let id = ended.id, let account = ended.account else {
      throw MessageFault(line: ended.line, element: container, "lacks Id or Acct")
    }
    page.groups += 1
    // The first one tells the sender, and a page has those whose entries it has.
    guard page.isUnlimited || page.first == 0 && page.groups == 1 || !ended.entries.isEmpty else { return }
    built?.notifications.append(.init(id: id, account: account, entries: ended.entries))
  }

  mutating func take(_ part: MessageElement) throws(MessageFault) {
    guard open != nil else { return try takeOutside(part) }
    try open?.order.note(part)
    switch part.name {
    case "Id": open?.id = try part.text(max: 35)
    case "Acct":
      try part.check("Id Tp Ccy Nm Prxy Ownr Svcr")
      open?.account = try part.accountNumber()
    case "Ntry":
      guard page.count < NotificationMessage.entriesMax else {
        throw part.fault("is one more than \(NotificationMessage.entriesMax)")
      }
      if page.passesOver() { break }
      let entry = try part.entry()
      if entry.status == "BOOK", entry.amount.minorUnits > 0 { page.note(entry.amount, on: open?.account) }
      if page.keeps(part) { open?.entries.append(entry) }
    default: break
    }
  }

  private mutating func takeOutside(_ part: MessageElement) throws(MessageFault) {
    try order.note(part)
    guard part.name == "GrpHdr" else { return }
    try part.check("MsgId CreDtTm MsgRcpt MsgPgntn OrgnlBizQry AddtlInf")
    built = NotificationMessage(
      id: try part.one("MsgId").text(max: 35), created: try part.one("CreDtTm").time(), notifications: [])
  }

  func message() throws(MessageFault) -> PaymentMessage {
    guard let built else { throw MessageFault("the message has no header (GrpHdr)") }
    guard !built.notifications.isEmpty else { throw MessageFault("the message has no notification (Ntfctn)") }
    return .notification(built)
  }

  func kept() throws(MessageFault) -> PaymentMessage {
    guard var built else { throw MessageFault("the message has no header (GrpHdr)") }
    // Where the page ends within a notification.
    if let open, let id = open.id, let account = open.account, !open.entries.isEmpty {
      built.notifications.append(.init(id: id, account: account, entries: open.entries))
    }
    return .notification(built)
  }
}
