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
    /// Of the entries that came.
    var sums = AccountStatement.Sums()
    var count = 0
    var id: String?
    var account: AccountNumber?
    var balances: [AccountStatement.Balance] = []
    /// Of the page.
    var entries: [AccountStatement.Entry] = []

    /// Nil where a member lacks.
    var statement: AccountStatement? {
      guard let id, let account, !balances.isEmpty else { return nil }
      return AccountStatement(id: id, account: account, balances: balances, entries: entries)
    }
  }

  var page = PartPage()
  private var built: StatementMessage?
  private var open: Open?
  private var hasSupplement = false

  mutating func begin(_ container: String, line: Int) throws(MessageFault) {
    guard built != nil, !hasSupplement else {
      throw MessageFault(line: line, element: "Stmt", "stands before the header or after the supplement")
    }
    guard page.groups < StatementMessage.statementsMax else {
      throw MessageFault(line: line, element: "Stmt", "is one more than \(StatementMessage.statementsMax)")
    }
    open = Open(line: line)
  }

  mutating func end(_ container: String) throws(MessageFault) {
    guard let ended = open else { return }
    open = nil
    guard let statement = ended.statement else {
      throw MessageFault(line: ended.line, element: "Stmt", "lacks Id, Acct or Bal")
    }
    page.note(ended.sums.summary(of: statement))
    page.groups += 1
    // The first one tells the sender, and a page has those whose entries it has.
    guard page.isUnlimited || page.first == 0 && page.groups == 1 || !ended.entries.isEmpty else { return }
    if ended.entries.isEmpty { page.places.append(.init(statement: page.groups - 1, entry: 0)) }
    built?.statements.append(statement)
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
    case "Bal":
      let balance = try Self.balance(part)
      statement.sums.note(balance)
      statement.balances.append(balance)
    case "Ntry":
      guard page.count < StatementMessage.entriesMax else {
        throw part.fault("is one more than \(StatementMessage.entriesMax)")
      }
      try take(entry: part, of: &statement)
    default: break
    }
    open = statement
  }

  private mutating func take(entry part: MessageElement, of statement: inout Open) throws(MessageFault) {
    statement.count += 1
    if page.passesOver() { return }
    let entry = try part.entry()
    statement.sums.note(entry)
    guard page.keeps(part) else { return }
    if statement.entries.isEmpty { page.places.append(.init(statement: page.groups, entry: statement.count - 1)) }
    statement.entries.append(entry)
  }

  private mutating func takeOutside(_ part: MessageElement) throws(MessageFault) {
    switch part.name {
    case "GrpHdr" where built == nil:
      try part.check("MsgId CreDtTm MsgRcpt MsgPgntn OrgnlBizQry AddtlInf")
      built = StatementMessage(
        id: try part.one("MsgId").text(max: 35), created: try part.one("CreDtTm").time(), statements: [])
    case "SplmtryData" where page.groups > 0: hasSupplement = true
    default: throw part.fault("has no place in the message, or stands twice")
    }
  }

  func message() throws(MessageFault) -> PaymentMessage {
    let read = try kept()
    guard page.groups > 0 else { throw MessageFault("the message has no statement (Stmt)") }
    return read
  }

  func kept() throws(MessageFault) -> PaymentMessage {
    guard var built else { throw MessageFault("the message has no header (GrpHdr)") }
    // Where the page ends within a statement.
    if let statement = open?.statement, !statement.entries.isEmpty { built.statements.append(statement) }
    return .statement(built)
  }

  private static func balance(_ part: MessageElement) throws(MessageFault) -> AccountStatement.Balance {
    try part.check("Tp CdtLine Amt CdtDbtInd Dt Avlbty", repeated: ["CdtLine", "Avlbty"])
    let type = try part.one("Tp")
    try type.check("CdOrPrtry SubTp")
    return AccountStatement.Balance(
      type: try type.one("CdOrPrtry").codeOrProprietary(), amount: try part.signed(), day: try part.one("Dt").day())
  }
}
