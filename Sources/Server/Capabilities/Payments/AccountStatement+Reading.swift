import DocumentCore
import Ledger

/// Puts a camt.053 together from its header and the parts of its statements.
struct StatementBuilder {
  private enum Direction: String { case credit = "CRDT", debit = "DBIT" }

  /// The children of a statement, in the order of the schema.
  private static let order = """
    Id StmtPgntn ElctrncSeqNb RptgSeq LglSeqNb CreDtTm FrToDt CpyDplctInd RptgSrc Acct RltdAcct Intrst Bal TxsSummry \
    Ntry AddtlStmtInf
    """.split(separator: " ").map(String.init)
  private static let repeated: Set<String> = ["Intrst", "Bal", "Ntry"]

  private struct Open {
    let line: Int
    var place = -1
    var id: String?
    var account: AccountNumber?
    var balances: [AccountStatement.Balance] = []
    var entries: [AccountStatement.Entry] = []
  }

  private var header: (id: String, created: MessageTime)?
  private var statements: [AccountStatement] = []
  private var open: Open?
  private var entryCount = 0
  private var hasSupplement = false

  mutating func begin(line: Int) throws(MessageFault) {
    guard header != nil, !hasSupplement else {
      throw MessageFault(line: line, element: "Stmt", "stands before the header or after the supplement")
    }
    open = Open(line: line)
  }

  mutating func end() throws(MessageFault) {
    guard let ended = open else { return }
    open = nil
    guard let id = ended.id, let account = ended.account, !ended.balances.isEmpty else {
      throw MessageFault(line: ended.line, element: "Stmt", "lacks Id, Acct or Bal")
    }
    statements.append(
      AccountStatement(id: id, account: account, balances: ended.balances, entries: ended.entries))
  }

  mutating func take(_ part: MessageElement) throws(MessageFault) {
    guard var statement = open else { return try takeOutside(part) }
    guard let place = Self.order.firstIndex(of: part.name) else { throw part.fault("has no place in Stmt") }
    guard place > statement.place || place == statement.place && Self.repeated.contains(part.name) else {
      throw part.fault("stands too late or twice in Stmt")
    }
    // Taken out, so that growing lists are not copied.
    open = nil
    statement.place = place
    switch part.name {
    case "Id": statement.id = try part.text(max: 35)
    case "Acct":
      try part.check("Id Tp Ccy Nm Prxy Ownr Svcr")
      statement.account = try part.accountNumber()
    case "Bal": statement.balances.append(try Self.balance(part))
    case "Ntry":
      entryCount += 1
      guard entryCount <= StatementMessage.entriesMax else {
        throw part.fault("is one more than \(StatementMessage.entriesMax)")
      }
      statement.entries.append(try Self.entry(part))
    default: break
    }
    open = statement
  }

  private mutating func takeOutside(_ part: MessageElement) throws(MessageFault) {
    switch part.name {
    case "GrpHdr" where header == nil:
      try part.check("MsgId CreDtTm MsgRcpt MsgPgntn OrgnlBizQry AddtlInf")
      header = (try part.one("MsgId").text(max: 35), try part.one("CreDtTm").time())
    case "SplmtryData" where !statements.isEmpty: hasSupplement = true
    default: throw part.fault("has no place in the message, or stands twice")
    }
  }

  func message() throws(MessageFault) -> StatementMessage {
    guard let header else { throw MessageFault("the message has no header (GrpHdr)") }
    guard !statements.isEmpty else { throw MessageFault("the message has no statement (Stmt)") }
    return StatementMessage(id: header.id, created: header.created, statements: statements)
  }

  private static func balance(_ part: MessageElement) throws(MessageFault) -> AccountStatement.Balance {
    try part.check("Tp CdtLine Amt CdtDbtInd Dt Avlbty", repeated: ["CdtLine", "Avlbty"])
    let type = try part.one("Tp")
    try type.check("CdOrPrtry SubTp")
    return AccountStatement.Balance(
      type: try type.one("CdOrPrtry").codeOrProprietary(), amount: try signed(part), day: try part.one("Dt").day())
  }

  private static func entry(_ part: MessageElement) throws(MessageFault) -> AccountStatement.Entry {
    try part.check(
      """
      NtryRef Amt CdtDbtInd RvslInd Sts BookgDt ValDt AcctSvcrRef Avlbty BkTxCd ComssnWvrInd AddtlInfInd AmtDtls Chrgs \
      TechInptChanl Intrst CardTx NtryDtls AddtlNtryInf
      """, repeated: ["Avlbty", "NtryDtls"])
    _ = try part.one("BkTxCd")
    var details: [AccountStatement.Detail] = []
    for group in part.all("NtryDtls") {
      try group.check("Btch TxDtls", repeated: ["TxDtls"])
      for transaction in group.all("TxDtls") { details.append(try detail(transaction)) }
    }
    return AccountStatement.Entry(
      amount: try signed(part), isReversal: try part.first("RvslInd")?.flag() ?? false,
      status: try part.one("Sts").codeOrProprietary(), booked: try part.first("BookgDt")?.day(),
      valued: try part.first("ValDt")?.day(), reference: try part.first("NtryRef")?.text(max: 35),
      servicerReference: try part.first("AcctSvcrRef")?.text(max: 35), details: details)
  }

  private static func detail(_ part: MessageElement) throws(MessageFault) -> AccountStatement.Detail {
    var detail = AccountStatement.Detail()
    if let refs = try part.first("Refs") {
      detail.messageID = try refs.first("MsgId")?.text(max: 35)
      detail.instructionID = try refs.first("InstrId")?.text(max: 35)
      detail.endToEndID = try refs.first("EndToEndId")?.text(max: 35)
      detail.transactionID = try refs.first("TxId")?.text(max: 35)
      detail.uetr = try refs.first("UETR")?.uetr()
    }
    // An amount without a direction would be taken for a credit.
    if try part.first("Amt") != nil, try part.first("CdtDbtInd") != nil { detail.amount = try signed(part) }
    return detail
  }

  /// An amount with the sign of its direction.
  private static func signed(_ part: MessageElement) throws(MessageFault) -> Money {
    let money = try part.one("Amt").money()
    switch try part.one("CdtDbtInd").code(Direction.self) {
    case .credit: return money
    case .debit: return Money(-money.minorUnits, money.currency)
    }
  }
}

extension MessageElement {
  /// The text of `Cd` or `Prtry`, one of which it has.
  fileprivate func codeOrProprietary() throws(MessageFault) -> String {
    try check("Cd Prtry")
    guard children.count == 1, let choice = children.first else { throw fault("is not one of Cd and Prtry") }
    return choice.name == "Cd" ? try choice.codeText() : try choice.text(max: 35)
  }

  /// A code of an external list of ISO 20022: 1 to 4 characters.
  private func codeText() throws(MessageFault) -> String {
    let code = try token()
    guard (1...4).contains(code.unicodeScalars.count) else { throw fault("has not 1 to 4 characters") }
    return code
  }

  /// The day of `Dt` or `DtTm`, one of which it has.
  fileprivate func day() throws(MessageFault) -> CalendarDate {
    try check("Dt DtTm")
    guard children.count == 1, let choice = children.first else { throw fault("is not one of Dt and DtTm") }
    return choice.name == "Dt" ? try choice.date() : try choice.time().day
  }

  /// `xs:boolean`.
  fileprivate func flag() throws(MessageFault) -> Bool {
    switch try token() {
    case "true", "1": true
    case "false", "0": false
    default: throw fault("is neither true nor false")
    }
  }
}
