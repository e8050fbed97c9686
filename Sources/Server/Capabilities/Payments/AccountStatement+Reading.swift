// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Ledger

/// Puts a camt.053 together from its header and the parts of its statements.
struct StatementBuilder: MessageBuilder {
  static let namespace = StatementMessage.namespace
  static let root = "BkToCstmrStmt"
  static let containers: Set<String> = ["Stmt"]

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

  mutating func begin(_ container: String, line: Int) throws(MessageFault) {
    guard header != nil, !hasSupplement else {
      throw MessageFault(line: line, element: "Stmt", "stands before the header or after the supplement")
    }
    open = Open(line: line)
  }

  mutating func end(_ container: String) throws(MessageFault) {
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
      statement.entries.append(try part.entry())
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

  func message() throws(MessageFault) -> PaymentMessage {
    guard let header else { throw MessageFault("the message has no header (GrpHdr)") }
    guard !statements.isEmpty else { throw MessageFault("the message has no statement (Stmt)") }
    return .statement(StatementMessage(id: header.id, created: header.created, statements: statements))
  }

  private static func balance(_ part: MessageElement) throws(MessageFault) -> AccountStatement.Balance {
    try part.check("Tp CdtLine Amt CdtDbtInd Dt Avlbty", repeated: ["CdtLine", "Avlbty"])
    let type = try part.one("Tp")
    try type.check("CdOrPrtry SubTp")
    return AccountStatement.Balance(
      type: try type.one("CdOrPrtry").codeOrProprietary(), amount: try part.signed(), day: try part.one("Dt").day())
  }
}
