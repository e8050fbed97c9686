// SPDX-License-Identifier: Apache-2.0

import Foundation
import Ledger
import TestSupport
import Testing

@testable import Payments

@Suite("Statuses, requests, answers and statements by pages", .storeless)
struct MessageKindPagesTests {
  private struct Missing: Error {}

  /// All pages of a message.
  private static func pages(_ bytes: Data, _ size: Int) throws -> [MessagePage] {
    var reading = MessagePages(.bytes(bytes), limit: .init(parts: size, bytes: .max))
    var pages = [try reading.first()]
    while let page = try reading.following() { pages.append(page) }
    #expect(pages.map(\.first) == pages.indices.map { $0 * size })
    #expect(pages.count == max(1, (pages[0].count + size - 1) / size))
    return pages
  }

  @Test("a pacs.002 comes by pages, the statuses of messages before those of payments", arguments: [1, 2, 3, 7, 8])
  func statuses(size: Int) throws {
    guard case .statuses(var message) = try PaymentMessage.read(Data(MessageSamples.statuses.utf8)) else {
      throw Missing()
    }
    message.groups = (0..<3).map { .init(messageID: "M-\($0)", messageName: "pacs.008.001.08", status: "RJCT") }
    message.transactions = (0..<4).map { .init(original: .init(transactionID: "T-\($0)"), status: "RJCT") }
    let pages = try Self.pages(message.xml(), size)
    #expect(pages[0].groups == 3 && pages[0].count == 7)
    var whole = message
    (whole.groups, whole.transactions) = ([], [])
    for page in pages {
      guard case .statuses(let part) = page.message else { throw Missing() }
      #expect(part.groups.count + part.transactions.count == page.next - page.first)
      whole.groups += part.groups
      whole.transactions += part.transactions
    }
    #expect(whole == message)
  }

  @Test("a batch of a pain.002 that goes on over a page says its status once", arguments: [1, 2, 3, 4, 9, 10])
  func orderStatuses(size: Int) throws {
    guard case .orderStatuses(var message) = try PaymentMessage.read(Data(MessageSamples.orderStatuses.utf8)) else {
      throw Missing()
    }
    func transactions(_ count: Int) -> [PaymentStatusMessage.Transaction] {
      (0..<count).map { .init(original: .init(endToEndID: "E-\($0)"), status: "RJCT") }
    }
    (message.group.status, message.group.reasons) = ("RJCT", [.init(code: "AC01")])
    message.batches = [
      .init(id: "B-1", status: "RJCT", reasons: [.init(code: "AC04")], transactions: transactions(4)),
      .init(id: "B-2", status: "PART", transactions: transactions(2)), .init(id: "B-3", status: "RJCT"),
    ]
    let pages = try Self.pages(message.xml(), size)
    #expect(pages[0].groups == 3 && pages[0].count == 9)
    var (whole, groups) = (message, [String?]())
    whole.batches = []
    for page in pages {
      guard case .orderStatuses(let part) = page.message else { throw Missing() }
      groups.append(part.group.status)
      for batch in part.batches {
        if let last = whole.batches.indices.last, whole.batches[last].id == batch.id {
          #expect(batch.status == nil && batch.reasons.isEmpty)
          whole.batches[last].transactions += batch.transactions
        } else {
          whole.batches.append(batch)
        }
      }
    }
    #expect(whole == message)
    #expect(groups.compactMap(\.self) == ["RJCT"] && groups[0] != nil)
  }

  @Test("requests to give back and answers come by pages, and their sums are those of all", arguments: [1, 2, 5, 6])
  func requests(size: Int) throws {
    guard
      case .cancellation(var requests) = try PaymentMessage.read(Data(MessageSamples.cancellation.utf8)),
      case .cancellationAnswer(var answers) = try PaymentMessage.read(Data(MessageSamples.cancellationAnswer.utf8))
    else { throw Missing() }
    requests.requests = (0..<5).map { place in
      .init(original: .init(transactionID: "T-\(place)"), amount: Money(Int64(place) + 1, "EUR"))
    }
    answers.answers = (0..<5).map { .init(original: .init(transactionID: "T-\($0)"), outcome: .accepted) }
    let asked = try Self.pages(requests.xml(), size).flatMap { page -> [CancellationMessage.Request] in
      if case .cancellation(let part) = page.message { part.requests } else { [] }
    }
    let said = try Self.pages(answers.xml(), size).flatMap { page -> [CancellationAnswerMessage.Answer] in
      if case .cancellationAnswer(let part) = page.message { part.answers } else { [] }
    }
    #expect(asked == requests.requests && said == answers.answers)
    // The sum is that of all pages, whatever the first one has.
    let text = String(decoding: try requests.xml(), as: UTF8.self)
    func summed(_ sum: String) -> Data {
      Data(text.replacing("<NbOfTxs>5</NbOfTxs>", with: "<NbOfTxs>5</NbOfTxs><CtrlSum>\(sum)</CtrlSum>").utf8)
    }
    #expect(try Self.pages(summed("0.15"), size)[0].count == 5)
    #expect(throws: MessageFault.self) { try Self.pages(summed("0.14"), size) }
    answers.answers = []
    #expect(try Self.pages(answers.xml(), size).map(\.count) == [0])
  }

  @Test("a camt.053 comes by pages, and the first one says what each statement as a whole says", arguments: 1...8)
  func statements(size: Int) throws {
    var message = try AccountStatementTests.read(Data(MessageSamples.statement.utf8))
    let sample = try #require(message.statements.first)
    let entry = try #require(sample.entries.first)
    message.statements = [3, 0, 4].enumerated().map { place, count in
      var statement = sample
      statement.id = "S-\(place)"
      statement.entries = (0..<count).map { number in
        var entry = entry
        entry.amount = Money(Int64(number + 1), "EUR")
        entry.details = []
        return entry
      }
      return statement
    }
    let pages = try Self.pages(message.xml(), size)
    #expect(pages[0].groups == 3 && pages[0].count == 7)
    #expect(pages[0].summaries.map(\.difference) == message.statements.map(\.difference))
    #expect(pages[0].summaries.map(\.days) == message.statements.map(\.days))
    #expect(pages[0].summaries.map(\.id) == ["S-0", "S-1", "S-2"] && pages.dropFirst().allSatisfy(\.summaries.isEmpty))
    var entries: [[AccountStatement.Entry]] = [[], [], []]
    for page in pages {
      guard case .statement(let part) = page.message else { throw Missing() }
      #expect(part.statements.count == page.places.count)
      for (statement, place) in zip(part.statements, page.places) {
        #expect(statement.id == message.statements[place.statement].id)
        #expect(place.entry == entries[place.statement].count)
        entries[place.statement] += statement.entries
      }
    }
    #expect(entries == message.statements.map(\.entries))
  }
}
