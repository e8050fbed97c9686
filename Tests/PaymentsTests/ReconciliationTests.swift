// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Ledger
import TestSupport
import Testing

@testable import Payments

@Suite("Books beside a statement", .storeless)
struct ReconciliationTests {
  private typealias Line = Reconciliation.Line

  @Test("planted differences are found, exactly those, in any order")
  func planted() {
    var generator = SeededGenerator(seed: 53)
    for _ in 0..<100 {
      var (books, statement): ([Line], [Line]) = ([], [])
      for place in 0..<Int.random(in: 0...40, using: &generator) {
        // Amounts repeat; references do not.
        let amount = Money(Int64.random(in: 1...5, using: &generator) * (place % 3 == 0 ? -100 : 100), "EUR")
        let (one, other) = ("U-\(place)", "T-\(place)")
        books.append(Line("book \(place)", amount, references: [one, other]))
        statement.append(Line("entry \(place)", amount, references: [place % 2 == 0 ? one : other]))
      }
      var planted: Set<String> = []
      for kind in 0..<3 {
        for number in 0..<Int.random(in: 0...3, using: &generator) {
          let name = "planted \(kind) \(number)"
          planted.insert(name)
          let references: Set<String> = ["P-\(kind)-\(number)"]
          if kind != 1 { books.append(Line(name, Money(7_00, "EUR"), references: references)) }
          if kind != 0 { statement.append(Line(name, Money(kind == 2 ? 7_01 : 7_00, "EUR"), references: references)) }
        }
      }
      let found = Reconciliation(
        books: books.shuffled(using: &generator), statement: statement.shuffled(using: &generator))
      let names =
        found.onlyInBooks.map(\.name) + found.onlyInStatement.map(\.name) + found.differing.map(\.book.name)
      #expect(Set(names) == planted && names.count == planted.count && found.openCount == planted.count)
      #expect(found.onlyInBooks.allSatisfy { $0.name.hasPrefix("planted 0") })
      #expect(found.onlyInStatement.allSatisfy { $0.name.hasPrefix("planted 1") })
      #expect(found.differing.allSatisfy { $0.statement.amount == Money(7_01, "EUR") })
      #expect(found.matched.allSatisfy { $0.book.amount == $0.statement.amount })
      #expect(found.matched.count + planted.count == books.count + planted.count { $0.hasPrefix("planted 1") })
    }
  }

  @Test("a line without references belongs to the only one of its amount, and to none of several")
  func byAmount() {
    let fee = Line("fee", Money(-5_00, "EUR"), references: [])
    let one = Reconciliation(
      books: [Line("a", Money(-5_00, "EUR"), references: ["X"])], statement: [fee])
    #expect(one.matched.count == 1 && one.openCount == 0)
    let two = Reconciliation(
      books: [Line("a", Money(-5_00, "EUR"), references: ["X"]), Line("b", Money(-5_00, "EUR"), references: ["Y"])],
      statement: [fee])
    #expect(two.matched.isEmpty && two.onlyInBooks.count == 2 && two.onlyInStatement == [fee])
    let named = Reconciliation(
      books: [Line("a", Money(-5_00, "EUR"), references: ["X"])],
      statement: [Line("s", Money(-5_00, "EUR"), references: ["Z"])])
    #expect(named.matched.isEmpty && named.openCount == 2)
  }

  @Test("what is not due is no difference, and still finds its other side")
  func due() {
    let early = Line("early", Money(1, "EUR"), references: ["E"], isDue: false)
    #expect(Reconciliation(books: [early], statement: []).openCount == 0)
    let late = Line("late", Money(1, "EUR"), references: ["E"])
    #expect(Reconciliation(books: [early], statement: [late]).matched.count == 1)
  }

  @Test("a statement's booked entries become lines, one for each payment with an amount")
  func lines() throws {
    let statement = try AccountStatementTests.read(Data(MessageSamples.statement.utf8)).statements[0]
    let lines = statement.lines { $0.lowercased() }
    #expect(lines.map(\.name) == ["entry 1, payment 1", "entry 1, payment 2", "entry 2"])
    #expect(lines.map(\.amount) == [Money(150_00, "EUR"), Money(50_25, "EUR"), Money(-50_00, "EUR")])
    #expect(lines[0].references == ["tx-1", "e2e-1"])
    #expect(lines[1].references == ["86d7da8e-6e41-4466-b9bb-9b41d5814d5a"] && lines[2].references.isEmpty)
    #expect(statement.days?.lowerBound.isoText == "2026-11-26" && statement.days?.upperBound.isoText == "2026-11-26")
  }
}
