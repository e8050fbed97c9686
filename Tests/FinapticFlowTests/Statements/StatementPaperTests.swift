// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import GatehouseWire
import Kit
import Paper
import Payments
import TestSupport
import Testing

@testable import FinapticFlow
@testable import Ledger

@Suite("Finaptic: a statement as strangers read it", .storeless)
struct StatementPaperTests {
  private static let readers = ["pdfinfo", "pdftotext", "qpdf"]
  private static let areHere = readers.allSatisfy { FileManager.default.fileExists(atPath: "/usr/bin/\($0)") }

  /// A statement with an entry for each name, of one cent more each.
  private static func content(
    _ names: [String], language: String = "en", valueDate: WireDate? = nil, notices: [TermsNotice] = []
  ) throws -> StatementContent {
    let (account, month) = (BankAccount.ID(rawValue: "6f1c2d3e-0000-4000-8000-000000000001"), DayEnd.Month(number: 681))
    var balance: Int64 = 1_234_567_00
    let opening = balance
    let lines = names.enumerated().map { place, name in
      let amount = Int64(place + 1) * (place.isMultiple(of: 2) ? -1 : 1)
      balance += amount
      return StatementContent.Line(
        transaction: BankTransaction(
          id: .init(rawValue: "6f1c2d3e-0000-4000-9000-\(String(format: "%012d", place))"), account: account, tenant: 7,
          lifecycle: "", kind: "purchase", category: amount < 0 ? .debit : .credit, state: .posted,
          amount: Money(amount, "CAD"), actual: balance, available: balance, counterpart: account, domain: "core-card",
          entry: Int64(place + 1), at: LedgerTime(microseconds: month.from.microseconds + Int64(place)),
          settledBy: nil, particulars: nil),
        name: name, remittance: "", valueDate: valueDate)
    }
    return StatementContent(
      id: .init(rawValue: "6f1c2d3e-0000-4000-a000-000000000001"), corrects: nil, bank: "Bank",
      account: LedgerAccount(
        id: account, tenant: "finaptic-7", product: "p", kind: .customer, name: "Everyday", currency: "CAD",
        state: .active, stop: nil, availableMin: nil, actual: balance, held: 0, sequence: 9,
        openedAt: Instant(milliseconds: 0)),
      number: nil,
      holders: ["Zoë Müller"], month: month, opening: opening, closing: balance, debits: -1, credits: 1, lines: lines,
      notices: notices, language: language, createdAt: Instant(milliseconds: 1_790_000_000_000))
  }

  private static func run(_ tool: String, _ arguments: [String]) throws -> (status: Int32, text: String) {
    let (process, output) = (ChildProcess(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/\(tool)")
    process.arguments = arguments
    (process.standardOutput, process.standardError) = (output, output)
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  @Test(
    "Poppler finds title, structure and every amount, and qpdf no fault, in each language",
    .enabled(if: areHere, "pdfinfo, pdftotext and qpdf are not here"),
    arguments: [
      ("en", "Account statement", "1,234,566.99", "Card purchase"), ("fr-CA", "Relevé de compte", "566,99", "Achat"),
      ("ar", "كشف حساب", "1,234,566.99", "شراء بالبطاقة"),
    ])
  func read(language: String, title: String, balance: String, kind: String) throws {
    let folder = try TestFolder()
    let file = folder.file("statement.pdf")
    // Enough for three pages.
    let names = (0..<90).map { $0.isMultiple(of: 3) ? "مطعم القدس \($0)" : "Café office \($0)" }
    let pdf = try Self.content(names, language: language).paper.pdf()
    try pdf.write(to: URL(fileURLWithPath: file))
    #expect(try Self.content(names, language: language).paper.pdf() == pdf)
    #expect(pdf.range(of: Data("/Lang (\(language.prefix(2)))".utf8)) != nil)
    #expect(try Self.run("qpdf", ["--check", file]).status == 0)
    let about = try Self.run("pdfinfo", [file]).text
    #expect(about.contains("Tagged:          yes") && about.contains(title))
    let structure = try Self.run("pdfinfo", ["-struct-text", file]).text
    #expect(structure.contains("H1 (block)") && structure.contains("\"\(title)\""))
    #expect(structure.contains("مطعم القدس 0") && structure.contains("Café office 89"))
    #expect(structure.contains(kind) && structure.contains("Zoë Müller"))
    // Each page begins its part of the table with the names of the columns.
    let headings = structure.split(separator: "\n").count { $0.contains("/Scope /Column") }
    #expect(headings >= 8 && headings.isMultiple(of: 4))
    #expect(structure.split(separator: "\n").count { $0.trimmingCharacters(in: .whitespaces) == "TD" } == 4 * 90)
    #expect(try Self.run("pdftotext", ["-layout", file, "-"]).text.contains(balance))
  }

  @Test("what holders were told of their terms stands in the statement", arguments: ["en", "fr-CA", "ar"])
  func notices(language: String) throws {
    let change = TermsChange(
      id: .init(rawValue: "6f1c2d3e-0000-4000-b000-000000000001"), tenant: 7, product: "p", currency: "CAD",
      yearlyInterest: 12_340, monthlyFee: 4_95, fromDay: 20_800, announcedAt: Instant(milliseconds: 0),
      state: .announced, version: 1)
    let notice = TermsNotice(
      change: change, kind: .announced, account: .init(rawValue: "6f1c2d3e-0000-4000-8000-000000000001"),
      madeAt: Instant(milliseconds: 0))
    let content = try Self.content([], language: language, notices: [notice])
    let paragraphs = content.paper.blocks.compactMap { block -> String? in
      if case .paragraph(let text) = block { text } else { nil }
    }
    #expect(paragraphs.contains { $0.contains("1.234 %") && $0.contains("4.95 CAD") && $0.contains("\(change.from)") })
    #expect(paragraphs.allSatisfy { !$0.contains("{") })
  }

  @Test("whatever a name is, the document is whole, the message is read again, and no mark of direction gets out")
  func hostile() throws {
    var generator = SeededGenerator(seed: 31)
    let ranges: [ClosedRange<UInt32>] = [
      0x20...0x7E, 0x600...0x6FF, 0x2000...0x206F, 0x4E00...0x4E20, 0x1F600...0x1F64F, 0...0x1F, 0xFFF0...0xFFFF,
    ]
    var names = ["\u{202E}00.001", "a\u{0}b", "<&>\"'", "\u{2069}\u{2066}x\u{200F}", ""]
    names.append(String(repeating: "W", count: 900))
    for _ in 0..<60 {
      let range = ranges.randomElement(using: &generator) ?? 0x20...0x7E
      let scalars = (0..<Int.random(in: 0...60, using: &generator)).compactMap { _ in
        Unicode.Scalar(UInt32.random(in: range, using: &generator))
      }
      names.append(String(String.UnicodeScalarView(scalars)))
    }
    let content = try Self.content(names)
    guard case .statement(let read) = try PaymentMessage.read(try content.message()) else { throw Problem.unexpected }
    let statement = try #require(read.statements.first)
    #expect(statement.entries.count == names.count && statement.difference == Money(0, "CAD"))
    let pdf = try content.paper.pdf()
    guard Self.areHere else { return }
    let folder = try TestFolder()
    try pdf.write(to: URL(fileURLWithPath: folder.file("s.pdf")))
    #expect(try Self.run("qpdf", ["--check", folder.file("s.pdf")]).status == 0)
    let structure = try Self.run("pdfinfo", ["-struct-text", folder.file("s.pdf")]).text
    #expect(structure.contains("00.001") && !structure.unicodeScalars.contains { $0.value == 0x202E })
  }

  @Test("a value date that is not the booking date stands in both forms")
  func valueDate() throws {
    let content = try Self.content(["Bakery"], valueDate: WireDate("2026-09-28"))
    guard case .statement(let read) = try PaymentMessage.read(try content.message()) else { throw Problem.unexpected }
    let entry = try #require(read.statements.first?.entries.first)
    #expect(entry.valued?.isoText == "2026-09-28" && entry.booked?.isoText == "2026-10-01")
    let texts = content.paper.blocks.flatMap { block -> [Paper.Piece] in
      if case .table(let table) = block { table.rows.flatMap(\.self) } else { [] }
    }
    #expect(texts.contains { if case .text(let text) = $0 { text.contains("2026-09-28") } else { false } })
  }

  @Test("names in letters that no font has do not make a statement impossible")
  func noLetters() throws {
    let content = try Self.content(Array(repeating: String(repeating: "\u{E000}", count: 300), count: 20))
    #expect(try content.paper.pdf().starts(with: Data("%PDF-".utf8)))
  }

  @Test(
    "amounts are written as their language does",
    arguments: [
      ("en", "0.00", "0.00"), ("en", "-1234567.89", "-1,234,567.89"), ("en", "999", "999"),
      ("fr", "1000.50", "1\u{A0}000,50"), ("ar", "-12.30", "-12.30"), ("de", "1000.00", "1,000.00"),
    ])
  func amounts(language: String, decimal: String, text: String) {
    #expect(StatementTexts.of(language).words.amount(decimal) == text)
  }
}
