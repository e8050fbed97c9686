// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Ledger
import Paper
import Payments

extension StatementContent {
  // MARK: For people

  /// The statement as a document that is read and printed.
  var paper: Paper {
    let (words, language) = StatementTexts.of(language)
    var blocks: [Paper.Block] = [
      .heading(level: 1, words.title), .fact(words.holder, .text(holders.joined(separator: ", "))),
      .fact(words.account, .text(account.name)), .fact(words.account, .number(number?.shown ?? account.id.rawValue)),
      .fact(words.period, .number("\(firstDay) – \(lastDay)")), .paragraph(words.clock),
      .fact(words.number, .number(id.rawValue)),
    ]
    if let corrects { blocks.append(.fact(words.corrects, .number(corrects.rawValue))) }
    blocks += [
      .fact(words.opening, money(Int128(opening), words)), .fact(words.credits, money(credits, words)),
      .fact(words.debits, money(debits, words)), .fact(words.closing, money(Int128(closing), words)),
      .heading(level: 2, words.entries),
    ]
    if lines.isEmpty { blocks.append(.paragraph(words.noEntries)) } else { blocks.append(.table(table(words))) }
    let (terms, _) = TermsTexts.of(language)
    if !notices.isEmpty { blocks.append(.heading(level: 2, terms.title)) }
    blocks += notices.map { .paragraph(terms.body($0, on: account.name)) }
    blocks.append(.paragraph(words.end))
    return Paper(
      title: "\(words.title) \(month.text)", author: bank, language: language, createdAt: createdAt.rfc3339,
      footer: "\(bank) · \(words.title) \(month.text)", blocks: blocks)
  }

  private func table(_ words: StatementTexts) -> Paper.Table {
    let columns = [
      Paper.Table.Column(words.day, share: 17), .init(words.what, share: 49),
      .init("\(words.amount) (\(account.currency))", share: 17, isAtEnd: true),
      .init("\(words.balance) (\(account.currency))", share: 17, isAtEnd: true),
    ]
    return Paper.Table(
      columns,
      lines.map { line in
        let kind = BankTransaction.Kind(rawValue: line.transaction.kind).flatMap { words.kinds[$0] } ?? ""
        let valueDate = line.valueDate.map { "\(words.valueDate) \($0)" } ?? ""
        let what = [kind, line.name, line.remittance, valueDate].filter { !$0.isEmpty }.joined(separator: " · ")
        return [
          .number(Self.day(line.transaction.at)), .text(what),
          .number(words.amount(line.transaction.amount.decimal)),
          .number(words.amount(Money(line.transaction.actual, account.currency).decimal)),
        ]
      })
  }

  private func money(_ minorUnits: Int128, _ words: StatementTexts) -> Paper.Piece {
    .number("\(words.amount(Money.decimal(minorUnits, account.currency))) \(account.currency)")
  }

  // MARK: For programs

  /// The statement as camt.053.001.08. Transactions, and accounts without a number, have identifiers of ours, without
  /// their dashes.
  /// - Throws: `MessageFault` for more entries than a message holds.
  func message() throws -> Data {
    guard let created = MessageTime(createdAt.rfc3339), let first = CalendarDate(firstDay),
      let last = CalendarDate(lastDay)
    else { throw StatementFault.doesNotAddUp }
    let statement = AccountStatement(
      id: Self.compact(id.rawValue), account: number?.inMessages ?? .other(Self.compact(account.id.rawValue)),
      balances: [
        .init(type: "OPBD", amount: Money(opening, account.currency), day: first),
        .init(type: "CLBD", amount: Money(closing, account.currency), day: last),
      ],
      entries: try lines.map(entry))
    return try StatementMessage(id: Self.compact(id.rawValue), created: created, statements: [statement]).xml()
  }

  private func entry(_ line: Line) throws -> AccountStatement.Entry {
    let transaction = line.transaction
    var detail = AccountStatement.Detail(
      transactionID: Self.compact(transaction.id.rawValue), remittance: Self.parts(line.remittance))
    let name = Self.parts(line.name).first
    if transaction.isCredit { detail.debtor = name } else { detail.creditor = name }
    let day = CalendarDate(Self.day(transaction.at))
    let valued = line.valueDate.flatMap { CalendarDate("\($0)") } ?? day
    return AccountStatement.Entry(
      amount: transaction.amount, isReversal: transaction.kind == BankTransaction.Kind.reversal.rawValue,
      status: "BOOK", booked: day, valued: valued, reference: transaction.entry.map { "\($0)" },
      servicerReference: Self.compact(transaction.id.rawValue), details: [detail])
  }

  /// A text in parts of up to 140 characters, without what XML does not have.
  private static func parts(_ text: String) -> [String] {
    let written = text.unicodeScalars.filter { MessageCharacters.any.admits(String($0)) }
    return stride(from: 0, to: written.count, by: 140).map { from in
      let part = written.dropFirst(from).prefix(140)
      return String(String.UnicodeScalarView(part)).trimmingCharacters(in: .whitespacesAndNewlines)
    }.filter { !$0.isEmpty }
  }

  private static func compact(_ id: String) -> String { id.replacing("-", with: "") }
  private static func day(_ time: LedgerTime) -> String { String(time.instant.rfc3339.prefix(10)) }
  private var firstDay: String { month.firstDay.description }
  private var lastDay: String { Self.day(LedgerTime(microseconds: month.to.microseconds - 1)) }
}
