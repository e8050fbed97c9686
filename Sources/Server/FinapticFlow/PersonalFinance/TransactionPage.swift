// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Kit
import Ledger
import Storage

/// A page of the transactions that customers see, in either order, with cursors to the pages before and after it
/// (finaptic §8.6).
///
/// A cursor is a direction in time and an instant, which is itself excluded: a transaction that is booked meanwhile
/// lies on exactly one side of it.
struct TransactionPage: Sendable {
  enum Cursor: Sendable, Hashable {
    case older(LedgerTime)
    case newer(LedgerTime)

    var text: String {
      switch self {
      case .older(let time): "o\(time.microseconds)"
      case .newer(let time): "n\(time.microseconds)"
      }
    }

    init?(_ text: String) {
      guard let number = Int64(text.dropFirst()) else { return nil }
      switch text.first {
      case "o": self = .older(LedgerTime(microseconds: number))
      case "n": self = .newer(LedgerTime(microseconds: number))
      default: return nil
      }
    }
  }

  /// The newest first.
  let transactions: [BankTransaction]
  /// Nil when there are no transactions in that direction.
  let older: Cursor?
  let newer: Cursor?

  static func load(
    _ way: Cursor, of account: BankAccount.ID, size: Int, from store: BankTransactionStore
  ) throws -> TransactionPage {
    switch way {
    case .older(let time):
      let found = try store.older(than: time, on: account, limit: size + 1)
      let page = Array(found.prefix(size))
      let newest =
        page.first?.at ?? LedgerTime(microseconds: time.microseconds.subtractingReportingOverflow(1).partialValue)
      return TransactionPage(
        transactions: page, older: found.count > size ? page.last.map { .older($0.at) } : nil,
        newer: try store.newer(than: newest, on: account, limit: 1).isEmpty ? nil : .newer(newest))
    case .newer(let time):
      let found = try store.newer(than: time, on: account, limit: size + 1)
      let page = Array(found.prefix(size))
      let oldest = page.first?.at ?? LedgerTime(microseconds: time.microseconds.addingReportingOverflow(1).partialValue)
      return TransactionPage(
        transactions: page.reversed(),
        older: try store.older(than: oldest, on: account, limit: 1).isEmpty ? nil : .older(oldest),
        newer: found.count > size ? page.last.map { .newer($0.at) } : nil)
    }
  }
}
