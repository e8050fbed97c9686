// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Ledger
import TestSupport
import Testing

@testable import Payments

@Suite("Statements of accounts (camt.053.001.08)", .storeless)
struct AccountStatementTests {
  static func read(_ bytes: Data) throws -> StatementMessage {
    guard case .statement(let message) = try PaymentMessage.read(bytes) else { throw NotStatements() }
    return message
  }

  struct NotStatements: Error {}

  @Test("a statement is read: balances and entries with their signs, and the references of each transaction")
  func sample() throws {
    let message = try Self.read(Data(MessageSamples.statement.utf8))
    let statement = try #require(message.statements.first)
    #expect(message.id == "STATEMENTS-1" && message.statements.count == 1)
    #expect(statement.id == "DAY-331" && statement.account.text == "DE89370400440532013000")
    #expect(statement.balances.map(\.type) == ["OPBD", "CLBD"])
    #expect(statement.balances.map(\.amount) == [Money(-100_00, "EUR"), Money(50_25, "EUR")])
    #expect(statement.balances.map(\.day.isoText) == ["2026-11-26", "2026-11-26"])
    #expect(statement.entries.map(\.amount) == [Money(200_25, "EUR"), Money(-50_00, "EUR"), Money(9_00, "EUR")])
    #expect(statement.entries.map(\.isReversal) == [false, true, false])
    #expect(statement.entries.map(\.status) == ["BOOK", "BOOK", "PDNG"])
    let entry = statement.entries[0]
    #expect(entry.reference == "1" && entry.servicerReference == "BANK-1")
    #expect(entry.booked?.isoText == "2026-11-26" && entry.valued?.isoText == "2026-11-27")
    #expect(
      entry.details == [
        .init(messageID: "PAY-1", endToEndID: "E2E-1", transactionID: "TX-1", amount: Money(150_00, "EUR")),
        .init(uetr: "86d7da8e-6e41-4466-b9bb-9b41d5814d5a", amount: Money(50_25, "EUR")),
      ])
  }

  @Test("booked entries are counted between the balances, pending ones are not")
  func difference() throws {
    #expect(try Self.read(Data(MessageSamples.statement.utf8)).statements[0].difference == Money(0, "EUR"))
    let missing = MessageSamples.changed(MessageSamples.statement, ">50.25<", ">50.24<")
    #expect(try Self.read(missing).statements[0].difference == Money(-1, "EUR"))
    let page = MessageSamples.changed(MessageSamples.statement, "<Cd>CLBD</Cd>", "<Cd>CLAV</Cd>")
    #expect(try Self.read(page).statements[0].difference == nil)
  }

  @Test(
    "what breaks a rule is refused",
    arguments: [
      ("<GrpHdr><MsgId>STATEMENTS-1</MsgId><CreDtTm>2026-11-27T06:00:00Z</CreDtTm></GrpHdr>", ""),
      ("<Id>DAY-331</Id>", ""), ("<CdtDbtInd>DBIT</CdtDbtInd>", "<CdtDbtInd>debit</CdtDbtInd>"),
      ("<CdtDbtInd>DBIT</CdtDbtInd>", ""), ("<Sts><Cd>BOOK</Cd></Sts>", "<Sts>BOOK</Sts>"),
      ("<RvslInd>true</RvslInd>", "<RvslInd>yes</RvslInd>"), ("<Dt><Dt>2026-11-26</Dt></Dt>", "<Dt>2026-11-26</Dt>"),
      ("<BkTxCd><Prtry><Cd>REVERSAL</Cd></Prtry></BkTxCd>", ""), ("<ElctrncSeqNb>331</ElctrncSeqNb>", "<Seq>1</Seq>"),
      ("<Acct>", "<Bal/><Acct>"), ("<Amt Ccy=\"EUR\">9.00<", "<Amt Ccy=\"EUR\">9.000<"),
    ])
  func rules(old: String, new: String) {
    let bytes = MessageSamples.changed(MessageSamples.statement, old, new)
    #expect(throws: MessageFault.self) { try PaymentMessage.read(bytes) }
  }
}
