// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Ledger

/// Compares what a bank's books say of its account at another bank with the statement of that bank.
///
/// A line of the one side belongs to a line of the other when the amounts are the same and a reference is; lines that
/// share a reference and differ in their amounts are told as such; lines that have no reference in common belong to
/// each other when they are the only ones of their amount that are left on either side and one of them has none.
package struct Reconciliation: Sendable, Equatable {
  /// A line of one side.
  package struct Line: Sendable, Equatable {
    /// What its side calls it, for people.
    package var name: String
    /// From the account holder's view: above zero came in.
    package var amount: Money
    /// Texts that both sides write alike.
    package var references: Set<String>
    package var day: CalendarDate?
    /// Whether the other side has to have it: false for a line of a day that the statement is not about.
    package var isDue: Bool

    package init(
      _ name: String, _ amount: Money, references: Set<String>, day: CalendarDate? = nil, isDue: Bool = true
    ) {
      (self.name, self.amount, self.references, self.day, self.isDue) = (name, amount, references, day, isDue)
    }
  }

  package struct Pair: Sendable, Equatable {
    package let book: Line
    package let statement: Line
  }

  package private(set) var matched: [Pair] = []
  /// The same reference, and another amount.
  package private(set) var differing: [Pair] = []
  package private(set) var onlyInBooks: [Line] = []
  package private(set) var onlyInStatement: [Line] = []

  /// What a person has to look into.
  package var openCount: Int { differing.count + onlyInBooks.count + onlyInStatement.count }

  package init(books: [Line], statement: [Line]) {
    var places: [Key: [Int]] = [:]
    for (place, line) in statement.enumerated() {
      for reference in line.references { places[.same(reference, line.amount), default: []].append(place) }
    }
    var free = Set(statement.indices)
    var rest: [Line] = []
    for line in books {
      let found = line.references.flatMap { places[.same($0, line.amount)] ?? [] }.filter(free.contains).min()
      if let found {
        free.remove(found)
        matched.append(Pair(book: line, statement: statement[found]))
      } else {
        rest.append(line)
      }
    }
    rest = differ(rest, statement, &free)
    rest = pairByAmount(rest, statement, &free)
    onlyInBooks = rest.filter(\.isDue)
    onlyInStatement = free.sorted().map { statement[$0] }.filter(\.isDue)
  }

  private enum Key: Hashable {
    case same(String, Money)
  }

  /// Lines of one direction that share a reference.
  private mutating func differ(_ books: [Line], _ statement: [Line], _ free: inout Set<Int>) -> [Line] {
    var places: [String: [Int]] = [:]
    for place in free.sorted() {
      for reference in statement[place].references { places[reference, default: []].append(place) }
    }
    return books.filter { line in
      let found = line.references.flatMap { places[$0] ?? [] }.filter { place in
        free.contains(place) && (statement[place].amount.minorUnits < 0) == (line.amount.minorUnits < 0)
      }.min()
      guard let found else { return true }
      free.remove(found)
      differing.append(Pair(book: line, statement: statement[found]))
      return false
    }
  }

  private mutating func pairByAmount(_ books: [Line], _ statement: [Line], _ free: inout Set<Int>) -> [Line] {
    let counts = Dictionary(books.map { ($0.amount, 1) }, uniquingKeysWith: +)
    let places = Dictionary(grouping: free.sorted()) { statement[$0].amount }
    return books.filter { line in
      guard counts[line.amount] == 1, let found = places[line.amount], found.count == 1, let place = found.first,
        line.references.isEmpty || statement[place].references.isEmpty
      else { return true }
      free.remove(place)
      matched.append(Pair(book: line, statement: statement[place]))
      return false
    }
  }
}

extension AccountStatement {
  /// The days that its booked entries and its balances are about; nil when it says none.
  package var days: ClosedRange<CalendarDate>? {
    let booked = entries.filter { $0.status == "BOOK" }.compactMap(\.booked)
    // An opening balance can be the closing one of the day before.
    let days = booked + balances.filter { $0.type == "CLBD" || $0.type == "OPBD" }.map(\.day)
    guard let first = days.min(), let last = days.max() else { return nil }
    return first...last
  }

  /// Its booked entries as lines: one for each payment that it gives an amount of, or one for the whole entry.
  /// - Parameter reference: makes of a reference what the other side has, such as a keyed digest.
  package func lines(reference: (String) -> String) -> [Reconciliation.Line] {
    entries.enumerated().filter { $0.element.status == "BOOK" }.flatMap { place, entry -> [Reconciliation.Line] in
      let name = "entry \(place + 1)"
      let amounts = entry.details.compactMap(\.amount)
      let sum = amounts.reduce(Int128(0)) { $0 + Int128($1.minorUnits) }
      let isTold =
        !amounts.isEmpty && amounts.count == entry.details.count && sum == Int128(entry.amount.minorUnits)
        && amounts.allSatisfy { $0.currency == entry.amount.currency }
      guard isTold, entry.details.count > 1 else {
        let references = entry.details.flatMap(\.references) + [entry.servicerReference].compactMap(\.self)
        return [.init(name, entry.amount, references: Set(references.map(reference)), day: entry.booked)]
      }
      return entry.details.enumerated().map { number, detail in
        .init(
          "\(name), payment \(number + 1)", detail.amount ?? entry.amount,
          references: Set(detail.references.map(reference)), day: entry.booked)
      }
    }
  }
}

extension AccountStatement.Detail {
  /// By what the payment is found in the books of the other side.
  fileprivate var references: [String] {
    let endToEnd = endToEndID == CreditTransfer.notProvided ? nil : endToEndID
    return [uetr, transactionID, endToEnd, instructionID].compactMap(\.self)
  }
}
