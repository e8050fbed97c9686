// SPDX-License-Identifier: Apache-2.0

import Ledger

/// Some of the parts that a message has many of, in their order, beside its header: transfers, orders, returns or
/// entries (decision 181). Messages of other kinds are one page.
package struct MessagePage: Sendable {
  package let message: PaymentMessage
  /// The place of its first part, from 0, and that of the first one of the next page.
  package let first, next: Int
  /// How many parts the message has; of a later page only as far as it was read.
  package let count: Int
  /// Batches of orders or notifications of accounts, in the whole message; of a later page as far as it was read.
  package let groups: Int
  /// Where the money of the whole message is settled; empty on later pages, and of kinds that are one page.
  package let settled: Set<SettledIn>

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

  init(first: Int = 0, limit: MessagePage.Limit = .none) { (self.first, self.limit) = (first, limit) }

  /// Notes a part.
  /// - Returns: whether it is one of the page.
  mutating func keeps(_ part: MessageElement) -> Bool {
    defer { count += 1 }
    guard count >= first, !isFull else { return false }
    kept += 1
    if limit.bytes < .max { bytes += part.textBytes + 1_000 }
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

  private var isFull: Bool { kept >= limit.parts || bytes >= limit.bytes }
  var next: Int { first + kept }
  /// Whether parts that follow belong to it.
  var wantsMore: Bool { !isFull }
  /// Whether it is to hold all that there is.
  var isUnlimited: Bool { limit.parts == .max }
}

/// A builder that keeps a page of its parts and checks all of them.
protocol PagedBuilder: MessageBuilder {
  var page: PartPage { get set }
  /// What was kept, without a look at what the header says of the whole message.
  func kept() throws(MessageFault) -> PaymentMessage
}

extension MessageElement {
  /// Bytes of its text and that of all in it.
  var textBytes: Int { children.reduce(text.utf8.count) { $0 + $1.textBytes } }
}
