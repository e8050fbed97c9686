// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import TestSupport
import Testing

@testable import gatehouse

@Suite("gatehouse payments check", .storeless)
struct PaymentsCommandTests {
  private static func message(_ id: String, count: Int = 1) -> Data {
    Data(
      """
      <Document xmlns="urn:iso:std:iso:20022:tech:xsd:pacs.008.001.08"><FIToFICstmrCdtTrf>
      <GrpHdr><MsgId>\(id)</MsgId><CreDtTm>2026-11-26T10:00:00Z</CreDtTm><NbOfTxs>\(count)</NbOfTxs>
      <IntrBkSttlmDt>2026-11-27</IntrBkSttlmDt><SttlmInf><SttlmMtd>CLRG</SttlmMtd></SttlmInf></GrpHdr>
      <CdtTrfTxInf><PmtId><EndToEndId>OUR-REF</EndToEndId><TxId>TX-1</TxId></PmtId>
      <IntrBkSttlmAmt Ccy="EUR">150.00</IntrBkSttlmAmt><ChrgBr>SLEV</ChrgBr><Dbtr><Nm>Ann Other</Nm></Dbtr>
      <DbtrAgt><FinInstnId><BICFI>DEUTDEFF</BICFI></FinInstnId></DbtrAgt>
      <CdtrAgt><FinInstnId><BICFI>WESTGB2L</BICFI></FinInstnId></CdtrAgt><Cdtr/></CdtTrfTxInf>
      </FIToFICstmrCdtTrf></Document>
      """.utf8)
  }

  private func run(_ files: [String]) throws {
    let command = try #require(
      try Gatehouse.parseAsRoot(["payments", "check"] + files) as? PaymentsCommand.Check)
    try command.run()
  }

  @Test("a sound file passes; a wrong count, a repeated transfer and a missing file end with a refusal")
  func check() throws {
    let folder = try TestFolder([
      "one.xml": Self.message("A"), "again.xml": Self.message("B"), "count.xml": Self.message("C", count: 2),
    ])
    try run([folder.file("one.xml")])
    for files in [["one.xml", "again.xml"], ["count.xml"], ["none.xml"]] {
      let refusal = try #require(throws: Problem.self) { try run(files.map(folder.file)) }
      #expect(refusal.detail == "Faults are in 1 of \(files.count == 1 ? "1 file" : "2 files").")
    }
  }

  @Test("an item of the suspense account is looked at, or decided in one way; no decision is without an item")
  func suspense() {
    func isTaken(_ words: String...) -> Bool {
      (try? PaymentsCommand.Suspense.parse(["finaptic-7"] + words)) != nil
    }
    #expect(isTaken() && isTaken("--item", "1") && isTaken("--item", "1", "--return", "--reason", "AC01"))
    #expect(!isTaken("--dismiss") && !isTaken("--item", "1", "--dismiss", "--return"))
  }

  @Test("a spreadsheet finds no formula in a line of CSV, and amounts stay amounts")
  func csv() {
    let line = CSVLine(["-1.50", "-1+1", "=1", "@a", "+1", "x-1", "a,\"b\""])
    #expect(line.description == "-1.50,'-1+1,'=1,'@a,'+1,x-1,\"a,\"\"b\"\"\"")
    let parted = CSVLine(["x;=1", "x\t-1", "\"=1", "\u{ff1d}1", "-", "a\nb"])
    #expect(parted.description == "x;'=1,x\t'-1,\"\"\"'=1\",'\u{ff1d}1,'-,\"a\nb\"")
  }

  @Test("nothing of a person or an account is printed")
  func secrets() throws {
    let folder = try TestFolder(["a": Self.message("MSG-A"), "b": Self.message("MSG-A"), "c": Data("<Ann".utf8)])
    let reports = PaymentsCommand.Check.reports(["a", "b", "c"].map(folder.file))
    let lines = reports.flatMap(\.lines)
    #expect(lines.contains { $0.hasSuffix("pacs.008.001.08, 1 transfer") })
    #expect(lines.contains { $0.hasSuffix("b: the message came before") })
    #expect(lines.contains { $0.hasSuffix("b: transfer 1 came before") })
    let json = try CommandJSON.line(reports)
    #expect(json.hasPrefix(#"[{"contents":"1 transfer","faults":[],"file":"#))
    let printed: String = lines.joined() + json
    for secret in ["Ann", "OUR-REF", "TX-1", "MSG-A", "150.00"] { #expect(!printed.contains(secret)) }
  }
}
