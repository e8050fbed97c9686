// SPDX-License-Identifier: Apache-2.0

import Ledger

/// Some of the parts that a message has many of, in their order, beside its header: transfers, orders, returns,
/// statuses, requests, answers or entries (decision 181, decision 187).
package struct MessagePage: Sendable {
  package let message: PaymentMessage
  /// The place of its first part, from 0, and that of the first one of the next page.
  package let first, next: Int
  /// How many parts the message has; of a later page only as far as it was read.
  package let count: Int
  /// Batches, notifications of accounts, statements, or statuses of whole messages, in the whole message; of a later
  /// page as far as it was read. Statuses of messages and of batches are parts, too.
  package let groups: Int
  /// Where the money of the whole message is settled; empty on later pages, and of kinds that move no money.
  package let settled: Set<SettledIn>
  /// What each statement of the whole message says, in their order; empty on later pages, and of other kinds.
  package let summaries: [AccountStatement.Summary]
  /// Where in the message each statement of the page is, as far as the page has it; empty of other kinds.
  package let places: [AccountStatement.Place]

  init(_ message: PaymentMessage, _ page: PartPage) {
    (self.message, first, next, count) = (message, page.first, page.next, page.count)
    (groups, settled, summaries, places) = (page.groups, page.settled, page.summaries, page.places)
  }

  /// The currency in which money comes, and the account on which it does, where the message names one.
  package struct SettledIn: Sendable, Hashable {
    package let currency: String
    package let account: String?
  }

  /// How much of a message a page has.
  package struct Limit: Sendable {
    package var parts: Int
    /// Text of the parts, about, in bytes of memory. The part with which it is reached is kept.
    package var bytes: Int

    package init(parts: Int, bytes: Int) { (self.parts, self.bytes) = (parts, bytes) }

    /// Up to some 40 MB of memory: each page reads the message from its beginning, so few are better than many.
    package static let standard = Limit(parts: 20_000, bytes: 32 << 20)
    static let none = Limit(parts: .max, bytes: .max)
  }
}

/// Which parts a builder keeps.
struct PartPage {
  let first: Int
  private let limit: MessagePage.Limit
  /// Parts that came.
  private(set) var count = 0
  /// Parts that are kept.
  private var kept = 0
  private var bytes = 0
  private(set) var settled: Set<MessagePage.SettledIn> = []
  /// Containers that came.
  var groups = 0
  /// Of statements: those that ended, and those of which something is kept.
  private(set) var summaries: [AccountStatement.Summary] = []
  var places: [AccountStatement.Place] = []

  init(first: Int = 0, limit: MessagePage.Limit = .none) { (self.first, self.limit) = (first, limit) }

  /// Notes a part.
  /// - Returns: whether it is one of the page.
  mutating func keeps(_ part: MessageElement) -> Bool { keeps(textBytes: part.textBytes) }

  mutating func keeps(textBytes: @autoclosure () -> Int) -> Bool {
    defer { count += 1 }
    guard count >= first, !isFull else { return false }
    kept += 1
    if limit.bytes < .max { bytes += textBytes() + 1_000 }
    return true
  }

  /// Passes over a part of a page before, which was read and checked with the first one.
  mutating func passesOver() -> Bool {
    guard count < first else { return false }
    count += 1
    return true
  }

  /// Notes where money is settled, as far as the whole message is read.
  mutating func note(_ amount: Money, on account: AccountNumber? = nil) {
    if first == 0 { settled.insert(.init(currency: amount.currency, account: account?.text)) }
  }

  /// Notes what a statement says, as far as the whole message is read.
  mutating func note(_ summary: AccountStatement.Summary) {
    if first == 0 { summaries.append(summary) }
  }

  private var isFull: Bool { kept >= limit.parts || bytes >= limit.bytes }
  var next: Int { first + kept }
  /// Whether parts that follow belong to it.
  var wantsMore: Bool { !isFull }
  /// Whether it is to hold all that there is.
  var isUnlimited: Bool { limit.parts == .max }
}

extension MessageElement {
  /// Bytes of its text and that of all in it.
  var textBytes: Int { children.reduce(text.utf8.count) { $0 + $1.textBytes } }
}
