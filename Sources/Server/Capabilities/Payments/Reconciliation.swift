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

  /// How many lines of the books have the line of the statement that belongs to them.
  package private(set) var matched = 0
  /// The same reference, and another amount.
  package private(set) var differing: [Pair] = []
  package private(set) var onlyInBooks: [Line] = []
  package private(set) var onlyInStatement: [Line] = []

  private init() {}

  /// What a person has to look into.
  package var openCount: Int { differing.count + onlyInBooks.count + onlyInStatement.count }

  package init(books: [Line], statement: [Line]) {
    var matching = Matching()
    matching.take(statement: statement)
    matching.take(books: books)
    self = matching.found()
  }

  /// Compares two sides that come by pages (decision 187): first all lines of the statement are taken, and kept, then
  /// those of the books, of which only what is left is kept. What belongs to each other does not depend on the pages.
  package struct Matching: Sendable {
    private struct Key: Hashable {
      let reference: String
      let amount: Money
    }

    private struct Direction: Hashable {
      let reference: String
      let isDebit: Bool
    }

    private var statement: [Line] = []
    private var places = FreePositions<Key>()
    /// References and amounts that the statement has, whether their lines are free or not.
    private var references: Set<String> = []
    private var amounts: Set<Money> = []
    private var isFree: [Bool] = []
    /// Of the books: what a line of the statement may still belong to, and what is due.
    private var rest: [Line] = []
    /// Lines of the books that are not due, share no reference and are not in `rest`, by their amounts: they tell that
    /// the amount is not the only one.
    private var passed: [Money: Int] = [:]
    private var outcome = Reconciliation()

    package init() {}

    package mutating func take(statement lines: [Line]) {
      for line in lines {
        for reference in line.references {
          places.add(statement.count, for: Key(reference: reference, amount: line.amount))
          references.insert(reference)
        }
        amounts.insert(line.amount)
        statement.append(line)
        isFree.append(true)
      }
    }

    /// Takes lines of the books, when all of the statement were taken.
    package mutating func take(books lines: [Line]) {
      for line in lines {
        var same: [Int] = []
        for reference in line.references {
          let key = Key(reference: reference, amount: line.amount)
          if let place = places.first(for: key, in: isFree) { same.append(place) }
        }
        if let place = same.min() {
          isFree[place] = false
          outcome.matched += 1
        } else if line.isDue || !references.isDisjoint(with: line.references) {
          rest.append(line)
        } else if amounts.contains(line.amount) {
          // Of most of the days around a statement's own no line is in it.
          if passed[line.amount] == nil { rest.append(line) }
          passed[line.amount, default: -1] += 1
        }
      }
    }

    /// What became of all lines.
    package consuming func found() -> Reconciliation {
      differ()
      pairByAmount()
      outcome.onlyInBooks = rest.filter(\.isDue)
      outcome.onlyInStatement = statement.indices.filter { isFree[$0] }.map { statement[$0] }.filter(\.isDue)
      return outcome
    }

    /// Lines of one direction that share a reference.
    private mutating func differ() {
      var places = FreePositions<Direction>()
      for place in statement.indices where isFree[place] {
        let isDebit = statement[place].amount.minorUnits < 0
        for reference in statement[place].references {
          places.add(place, for: Direction(reference: reference, isDebit: isDebit))
        }
      }
      let lines = rest
      rest = []
      for line in lines {
        var same: [Int] = []
        for reference in line.references {
          let key = Direction(reference: reference, isDebit: line.amount.minorUnits < 0)
          if let place = places.first(for: key, in: isFree) { same.append(place) }
        }
        guard let place = same.min() else {
          rest.append(line)
          continue
        }
        isFree[place] = false
        outcome.differing.append(Pair(book: line, statement: statement[place]))
      }
    }

    private mutating func pairByAmount() {
      let counts = Dictionary(rest.map { ($0.amount, 1) }, uniquingKeysWith: +)
        .merging(passed, uniquingKeysWith: +)
      let places = Dictionary(grouping: statement.indices.filter { isFree[$0] }) { statement[$0].amount }
      let lines = rest
      rest = []
      for line in lines {
        guard counts[line.amount] == 1, let only = places[line.amount], only.count == 1, let place = only.first,
          line.references.isEmpty || statement[place].references.isEmpty
        else {
          rest.append(line)
          continue
        }
        isFree[place] = false
        outcome.matched += 1
      }
    }
  }
}

extension AccountStatement {
  /// Its booked entries as lines: one for each payment that it gives an amount of, or one for the whole entry.
  /// - Parameters:
  ///   - first: which of the whole statement's entries is the first one here, from 0.
  ///   - reference: makes of a reference what the other side has, such as a keyed digest.
  package func lines(from first: Int = 0, reference: (String) -> String) -> [Reconciliation.Line] {
    entries.enumerated().filter { $0.element.status == "BOOK" }.flatMap { place, entry -> [Reconciliation.Line] in
      let name = "entry \(first + place + 1)"
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
