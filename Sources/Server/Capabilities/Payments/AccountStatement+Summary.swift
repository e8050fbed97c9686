// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Ledger

extension AccountStatement {
  /// What a statement says as a whole, however many entries it has.
  package struct Summary: Sendable, Equatable {
    package let id: String
    package let account: AccountNumber
    /// Of its first balance.
    package let currency: String?
    /// As `AccountStatement.days` and `AccountStatement.difference`, of all its entries.
    package let days: ClosedRange<CalendarDate>?
    package let difference: Money?
  }

  /// Where a part of a statement stands in its message.
  package struct Place: Sendable, Equatable {
    /// Which of the statements it is of, from 0.
    package let statement: Int
    /// Which of the statement's entries is its first one, from 0.
    package let entry: Int
  }

  /// Adds a statement up, one balance and one entry after the other.
  struct Sums {
    private var openings: [Money] = []
    private var closings: [Money] = []
    private var currencies: Set<String> = []
    private var booked = Int128(0)
    private(set) var days: ClosedRange<CalendarDate>?

    init() {}

    mutating func note(_ balance: Balance) {
      switch balance.type {
      case "OPBD": openings.append(balance.amount)
      case "PRCD":
        openings.append(balance.amount)
        return
      case "CLBD": closings.append(balance.amount)
      default: return
      }
      // An opening balance can be the closing one of the day before.
      note(balance.day)
    }

    mutating func note(_ entry: Entry) {
      guard entry.status == "BOOK" else { return }
      booked += Int128(entry.amount.minorUnits)
      currencies.insert(entry.amount.currency)
      if let day = entry.booked { note(day) }
    }

    private mutating func note(_ day: CalendarDate) {
      days = days.map { min($0.lowerBound, day)...max($0.upperBound, day) } ?? day...day
    }

    /// What the booked entries miss between the two balances (`AccountStatement.difference`).
    var difference: Money? {
      guard openings.count == 1, closings.count == 1, let opening = openings.first, let closing = closings.first,
        closing.currency == opening.currency, currencies.isSubset(of: [opening.currency])
      else { return nil }
      let missing = Int128(closing.minorUnits) - Int128(opening.minorUnits) - booked
      return Int64(exactly: missing).map { Money($0, opening.currency) }
    }

    func summary(of statement: AccountStatement) -> Summary {
      Summary(
        id: statement.id, account: statement.account, currency: statement.balances.first?.amount.currency, days: days,
        difference: difference)
    }
  }

  var sums: Sums {
    var sums = Sums()
    for balance in balances { sums.note(balance) }
    for entry in entries { sums.note(entry) }
    return sums
  }

  /// The days that its booked entries and its balances are about; nil when it says none.
  package var days: ClosedRange<CalendarDate>? { sums.days }
}
