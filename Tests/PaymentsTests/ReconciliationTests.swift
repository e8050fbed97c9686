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
      #expect(found.matched + planted.count == books.count + planted.count { $0.hasPrefix("planted 1") })
    }
  }

  /// Flags that count how often one is looked at.
  private struct CountedFlags: RandomAccessCollection {
    var flags: [Bool]
    let looks = Counter()
    var startIndex: Int { flags.startIndex }
    var endIndex: Int { flags.endIndex }
    subscript(place: Int) -> Bool {
      _ = looks.next()
      return flags[place]
    }
  }

  @Test(
    "lines that share one reference are looked at about once each, however many they are", arguments: [100, 10_000])
  func sharedReference(count: Int) {
    var places = FreePositions<String>()
    var flags = CountedFlags(flags: Array(repeating: true, count: count))
    for place in 0..<count { places.add(place, for: "NONREF") }
    for place in 0..<count {
      #expect(places.first(for: "NONREF", in: flags) == place)
      flags.flags[place] = false
    }
    #expect(places.first(for: "NONREF", in: flags) == nil && places.first(for: "other", in: flags) == nil)
    #expect(flags.looks.count <= 2 * count + 1)
  }

  @Test("of lines that share a reference and differ in their amounts, the first free one of the direction is told")
  func sharedDifferences() {
    func lines(_ name: String, _ cents: Int64...) -> [Line] {
      cents.enumerated().map { Line("\(name) \($0)", Money($1, "EUR"), references: ["R"]) }
    }
    let found = Reconciliation(books: lines("book", 1, -2, 3, 4), statement: lines("entry", -20, 10, 30))
    #expect(found.differing.map(\.book.name) == ["book 0", "book 1", "book 2"])
    #expect(found.differing.map(\.statement.name) == ["entry 1", "entry 0", "entry 2"])
    #expect(found.onlyInBooks.map(\.name) == ["book 3"] && found.onlyInStatement.isEmpty && found.matched == 0)
  }

  @Test("a line without references belongs to the only one of its amount, and to none of several")
  func byAmount() {
    let fee = Line("fee", Money(-5_00, "EUR"), references: [])
    let one = Reconciliation(
      books: [Line("a", Money(-5_00, "EUR"), references: ["X"])], statement: [fee])
    #expect(one.matched == 1 && one.openCount == 0)
    let two = Reconciliation(
      books: [Line("a", Money(-5_00, "EUR"), references: ["X"]), Line("b", Money(-5_00, "EUR"), references: ["Y"])],
      statement: [fee])
    #expect(two.matched == 0 && two.onlyInBooks.count == 2 && two.onlyInStatement == [fee])
    let named = Reconciliation(
      books: [Line("a", Money(-5_00, "EUR"), references: ["X"])],
      statement: [Line("s", Money(-5_00, "EUR"), references: ["Z"])])
    #expect(named.matched == 0 && named.openCount == 2)
  }

  @Test("what is not due is no difference, and still finds its other side")
  func due() {
    let early = Line("early", Money(1, "EUR"), references: ["E"], isDue: false)
    #expect(Reconciliation(books: [early], statement: []).openCount == 0)
    let late = Line("late", Money(1, "EUR"), references: ["E"])
    #expect(Reconciliation(books: [early], statement: [late]).matched == 1)
  }

  /// The rules, line by line and over all lines at once: how many match, and the names of what differs and is left.
  private static func plainly(books: [Line], statement: [Line]) -> (Int, [String], [String], [String]) {
    var (rest, free, matched, differing) = (books, statement, 0, [String]())
    func pass(_ belongs: (Line, Line) -> Bool, _ found: (Line, Line) -> Void) {
      rest = rest.filter { book in
        guard let place = free.firstIndex(where: { belongs(book, $0) }) else { return true }
        found(book, free.remove(at: place))
        return false
      }
    }
    pass({ $0.amount == $1.amount && !$0.references.isDisjoint(with: $1.references) }) { _, _ in matched += 1 }
    pass({ book, line in
      (book.amount.minorUnits < 0) == (line.amount.minorUnits < 0) && !book.references.isDisjoint(with: line.references)
    }) { differing.append("\($0.name) \($1.name)") }
    let (left, open) = (rest, free)
    pass({ book, line in
      left.count { $0.amount == book.amount } == 1 && open.count { $0.amount == book.amount } == 1
        && book.amount == line.amount && (book.references.isEmpty || line.references.isEmpty)
    }) { _, _ in matched += 1 }
    return (matched, differing, rest.filter(\.isDue).map(\.name), free.filter(\.isDue).map(\.name))
  }

  @Test("lines that come by pages belong to each other as those that are looked at all at once", arguments: [1, 2, 5])
  func pages(size: Int) {
    var generator = SeededGenerator(seed: 187)
    for _ in 0..<300 {
      // Few references and amounts, so that all rules meet.
      func lines(_ side: String) -> [Line] {
        (0..<Int.random(in: 0...12, using: &generator)).map { place in
          let references = (0..<Int.random(in: 0...2, using: &generator)).map { _ in
            "R-\(Int.random(in: 0...9, using: &generator))"
          }
          let amount = Int64.random(in: 1...6, using: &generator) * (Bool.random(using: &generator) ? 1 : -1)
          return Line(
            "\(side) \(place)", Money(amount, "EUR"), references: Set(references),
            isDue: side == "entry" || Bool.random(using: &generator))
        }
      }
      let (books, statement) = (lines("book"), lines("entry"))
      var matching = Reconciliation.Matching()
      for start in stride(from: 0, to: statement.count, by: size) {
        matching.take(statement: Array(statement[start..<min(start + size, statement.count)]))
      }
      for start in stride(from: 0, to: books.count, by: size) {
        matching.take(books: Array(books[start..<min(start + size, books.count)]))
      }
      let found = matching.found()
      #expect(found == Reconciliation(books: books, statement: statement))
      let (matched, differing, onlyInBooks, onlyInStatement) = Self.plainly(books: books, statement: statement)
      #expect(found.matched == matched)
      #expect(found.differing.map { "\($0.book.name) \($0.statement.name)" } == differing)
      #expect(found.onlyInBooks.map(\.name) == onlyInBooks && found.onlyInStatement.map(\.name) == onlyInStatement)
    }
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
