// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Ledger
import ReferenceData
import TestSupport
import Testing

@testable import Payments

@Suite("Credit transfers between banks (pacs.008.001.08)", .storeless)
struct CreditTransferTests {
  static func read(_ bytes: Data) throws -> CreditTransferMessage {
    guard case .creditTransfers(let message) = try PaymentMessage.read(bytes) else { throw NotTransfers() }
    return message
  }

  struct NotTransfers: Error {}

  @Test("a message of another hand is read, with prefixes, entities, CDATA and comments")
  func sample() throws {
    let message = try Self.read(Data(MessageSamples.creditTransfers.utf8))
    #expect(message.id == "PAY-1" && message.method == .clearing)
    #expect(message.created.text == "2026-11-26T10:11:12.123+01:00")
    #expect(message.instructing == Agent(bic: BIC("DEUTDEFF")) && message.instructed == nil)
    let first = CreditTransfer(
      endToEndID: "E2E-1", transactionID: "TX-1", amount: Money(150_00, "EUR"),
      settlementDay: try #require(CalendarDate("2026-11-27")), charges: .serviceLevel, debtor: "Müller & Söhne",
      debtorAccount: .iban(try #require(IBAN("DE89370400440532013000"))), debtorAgent: Agent(bic: BIC("DEUTDEFF")),
      creditorAgent: Agent(bic: BIC("WESTGB2LXXX")), creditor: "Ann Other",
      creditorAccount: .iban(try #require(IBAN("GB82WEST12345698765432"))), remittance: ["Invoice <7>"])
    let second = CreditTransfer(
      endToEndID: CreditTransfer.notProvided, amount: Money(1_005, "KWD"), settlementDay: first.settlementDay,
      charges: .shared, debtorAgent: Agent(clearingMember: "200000"), creditorAgent: Agent(),
      creditorAccount: .other("12-34"))
    #expect(message.transfers == [first, second])
  }

  @Test("what is written is read as the same, and the count and the control sum are right")
  func roundTrip() throws {
    let message = try Self.read(Data(MessageSamples.creditTransfers.utf8))
    let written = try message.xml()
    #expect(try PaymentMessage.read(written) == .creditTransfers(message))
    let text = String(decoding: written, as: UTF8.self)
    #expect(text.contains("<NbOfTxs>2</NbOfTxs><CtrlSum>151.005</CtrlSum>"))
    #expect(text.contains(#"<IntrBkSttlmAmt Ccy="KWD">1.005</IntrBkSttlmAmt>"#))
    #expect(text.contains("<Nm>Müller &amp; Söhne</Nm>"))
  }

  @Test(
    "what breaks a rule is refused at its element, and the fault does not repeat it",
    arguments: [
      ("<p:NbOfTxs>2<", "<p:NbOfTxs>3<", "GrpHdr"), ("151.005", "151.006", "GrpHdr"),
      ("150.00<", "150.001<", "IntrBkSttlmAmt"), ("150.00<", "-150.00<", "IntrBkSttlmAmt"),
      ("150.00<", "0.00<", "IntrBkSttlmAmt"), ("150.00<", "1e2<", "IntrBkSttlmAmt"),
      (#"Ccy="EUR""#, #"Ccy="XXX""#, "IntrBkSttlmAmt"), (#" Ccy="EUR""#, "", "IntrBkSttlmAmt"),
      ("DE89370400440532013000", "DE88370400440532013000", "IBAN"), ("DEUTDEFF", "DEUTD3FF", "BICFI"),
      ("<p:Dbtr><p:Nm>", "<p:Dbtr><p:Name/><p:Nm>", "Name"), ("<p:ChrgBr>SLEV<", "<p:ChrgBr>FREE<", "ChrgBr"),
      ("<p:EndToEndId>E2E-1</p:EndToEndId><p:TxId>TX-1</p:TxId>", "<p:TxId>TX-1</p:TxId>", "PmtId"),
      (
        "<p:EndToEndId>E2E-1</p:EndToEndId><p:TxId>TX-1</p:TxId>",
        "<p:TxId>TX-1</p:TxId><p:EndToEndId>E2E-1</p:EndToEndId>", "EndToEndId"
      ),
      ("E2E-1", "A-reference-of-thirty-six-characters", "EndToEndId"), ("2026-11-27", "2026-02-29", "IntrBkSttlmDt"),
      ("<p:IntrBkSttlmDt>2026-11-27</p:IntrBkSttlmDt>", "", "CdtTrfTxInf"),
      ("<p:ChrgBr>SLEV", "<p:IntrBkSttlmDt>2026-11-28</p:IntrBkSttlmDt><p:ChrgBr>SLEV", "IntrBkSttlmDt"),
      ("T10:11:12.123", "T24:11:12.123", "CreDtTm"), ("<p:TxId>TX-1</p:TxId>", "<p:UETR>TX-1</p:UETR>", "UETR"),
      ("<p:Cdtr><p:Nm>Ann Other</p:Nm></p:Cdtr>", "", "CdtTrfTxInf"),
    ])
  func rules(old: String, new: String, element: String) throws {
    let bytes = MessageSamples.changed(MessageSamples.creditTransfers, old, new)
    let fault = try #require(throws: MessageFault.self) { try PaymentMessage.read(bytes) }
    #expect(fault.element == element, "\(fault)")
    #expect(fault.line > 1)
    for secret in ["Müller", "DE8", "E2E", "Ann", "150"] { #expect(!fault.description.contains(secret)) }
  }

  @Test(
    "what is not one message in UTF-8 is refused as a whole",
    arguments: [
      ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>"),
      ("<!-- Written by hand, not by our own writer. -->", "<!DOCTYPE p [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>"),
      // Each of these ended the program: Foundation's parser takes no instruction that is a name alone.
      ("<!-- Written by hand, not by our own writer. -->", "<?x?>"), ("<p:Cdtr/>", "<p:Cdtr><?x?></p:Cdtr>"),
      ("</p:Document>", "</p:Document><?x?>"), ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<?xml?>"),
      ("pacs.008.001.08", "pacs.008.001.02"), ("</p:Document>", ""),
      ("</p:FIToFICstmrCdtTrf>", "text</p:FIToFICstmrCdtTrf>"),
      ("<p:Cdtr/>", "<Cdtr/>"), ("<p:Cdtr/>", "<p:Cdtr>&unknown;</p:Cdtr>"),
      ("</p:FIToFICstmrCdtTrf>", "</p:FIToFICstmrCdtTrf><p:FIToFICstmrCdtTrf/>"),
    ])
  func files(old: String, new: String) {
    let bytes = MessageSamples.changed(MessageSamples.creditTransfers, old, new)
    #expect(throws: MessageFault.self) { try PaymentMessage.read(bytes) }
  }

  @Test(
    "attributes of an element are bounded before the parser compares them with each other", arguments: ["1", ">", "'"])
  func attributes(value: String) {
    func message(_ count: Int) -> Data {
      let attributes = (0..<count).map { " a\($0)=\"\(value)\"" }.joined()
      return MessageSamples.changed(MessageSamples.creditTransfers, "<p:Cdtr/>", "<p:Cdtr\(attributes)/>")
    }
    let fault = #expect(throws: MessageFault.self) { try PaymentMessage.read(message(1001)) }
    #expect(fault?.reason.contains("1,000 attributes") == true)
    // Attributes that no schema has are passed over.
    #expect(throws: Never.self) { try PaymentMessage.read(message(1000)) }
  }

  @Test(
    "a name that takes long to compare is refused, written out or by references (decision 176)",
    arguments: ["\u{301}", "&#769;", "&#x301;"])
  func marks(mark: String) throws {
    func read(_ count: Int) throws {
      let name = "Mu" + String(repeating: mark, count: count) + "ller"
      _ = try PaymentMessage.read(MessageSamples.changed(MessageSamples.creditTransfers, "Müller", name))
    }
    try read(30)
    #expect(throws: MessageFault.self) { try read(31) }
  }

  @Test(
    "a namespace, a name and an attribute are bounded before the parser or the message looks at them",
    arguments: [
      ("xmlns:p=\"urn:", "xmlns:p=\"ROW"), ("<p:Cdtr/>", "<p:CdtrROW/>"), ("<p:Cdtr/>", "<p:Cdtr aROW=\"1\"/>"),
      ("<p:Cdtr/>", "<p:Cdtr a=\"ROW\"/>"), ("<p:Cdtr/>", "<p:Cdtr><!-- ROW --></p:Cdtr>"),
    ])
  func names(old: String, new: String) {
    for mark in new.contains("\"ROW") ? ["\u{301}", "&#769;"] : ["\u{301}"] {
      let row = String(repeating: mark, count: 31)
      let bytes = MessageSamples.changed(
        MessageSamples.creditTransfers, old, new.replacing("ROW", with: row))
      let fault = #expect(throws: MessageFault.self) { try PaymentMessage.read(bytes) }
      #expect(fault?.reason.contains("combining marks") == true, "\(mark)")
    }
  }

  @Test(
    "bytes that are not UTF-8, no bytes, and other roots are refused", arguments: ["", "<a/>", "{}", "<Document/>"])
  func noMessages(text: String) {
    #expect(throws: MessageFault.self) { try PaymentMessage.read(Data(text.utf8)) }
    #expect(throws: MessageFault.self) { try PaymentMessage.read(Data(text.utf8) + [0xFF]) }
  }

  @Test("a writer of SEPA's characters refuses others, and references with slashes at their ends")
  func characters() throws {
    var message = try Self.read(Data(MessageSamples.creditTransfers.utf8))
    #expect(throws: MessageFault.self) { try message.xml(.basicLatin) }
    message.transfers[0].debtor = "Mueller + Soehne"
    message.transfers[0].remittance = ["Invoice (7)"]
    #expect(try PaymentMessage.read(message.xml(.basicLatin)) == .creditTransfers(message))
    for id in ["/PAY", "PAY/", "PA//Y", "PAY_1"] {
      message.id = id
      #expect(throws: MessageFault.self, "\(id)") { try message.xml(.basicLatin) }
    }
    message.id = "PA/Y"
    #expect(throws: Never.self) { try message.xml(.basicLatin) }
  }

  @Test("a writer refuses what no reader would take")
  func unwritable() throws {
    let message = try Self.read(Data(MessageSamples.creditTransfers.utf8))
    let changes: [(inout CreditTransferMessage) -> Void] = [
      { $0.transfers = [] }, { $0.id = "" }, { $0.id = String(repeating: "x", count: 36) },
      { $0.transfers[0].amount = Money(0, "EUR") }, { $0.transfers[0].uetr = "86D7DA8E-6E41-4466-B9BB-9B41D5814D5A" },
      { $0.transfers[0].remittance = ["\u{1}"] }, { $0.transfers[0].debtor = "\u{FFFF}" },
    ]
    for (place, change) in changes.enumerated() {
      var changed = message
      change(&changed)
      #expect(throws: MessageFault.self, "change \(place)") { try changed.xml() }
    }
  }

  @Test("sums are exact beyond what a binary fraction holds")
  func sums() throws {
    let amounts = [Money(999_999_999_999_99, "EUR"), Money(1, "EUR"), Money(5, "JPY"), Money(1, "KWD")]
    let sum = try ControlSum(amounts)
    #expect(sum.decimal == "1000000000005.001")
    #expect(ControlSum(decimal: "1000000000005.00100") == sum)
    #expect(ControlSum(decimal: "1000000000005.002") != sum)
    for wrong in ["", ".", "-", "1e3", "1,0", "1.2.3", "1234567890123456789", "0.123456789012345678"] {
      #expect(ControlSum(decimal: wrong) == nil, "\(wrong)")
    }
  }
}
