// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Screening

/// Entries are numbered by their dates of birth, so that whole spans of names are far from a subject's in their years.
@Suite("Screening: names that are far in their years", .storeless)
struct FarYearTests {
  private static let reaches: [NameTally.Reach] = [.everywhere, .near, .nowhere]

  @Test(
    "lists bring names in where they reach, and where spans begin may be noted or looked for",
    arguments: 0..<6 as Range<UInt64>, [true, false])
  func reach(seed: UInt64, isNoted: Bool) {
    var generator = SeededGenerator(seed: seed &+ 400)
    let (count, spans) = (60_000 as Int32, 8)
    // Those of nine names are dealt out, and the others are run through.
    let lists = (0..<9).map { list in
      Set((0..<(list < 6 ? 900 : 9)).map { _ in Int32.random(in: 0..<count, using: &generator) }).sorted()
    }
    var numbers = NumberLists(count: lists.count) { add in
      for (list, names) in lists.enumerated() { for name in names { add(Int32(list), name) } }
    }
    if isNoted { numbers.divide(spans: spans, bits: NameTally.spanBits, least: NameTally.longMin(spans)) }
    let noted = lists.indices.filter { numbers.row(at: numbers.range(Int32($0)).lowerBound) != nil }
    #expect(noted.count == (isNoted ? 6 : 0))
    let far = (0..<spans).map { _ in Bool.random(using: &generator) }
    let marks = (0..<40).map { _ in Int32.random(in: 0..<count, using: &generator) }
    let reachOfMarks = Self.reaches[Int(seed % 3)]
    func isIn(_ reach: NameTally.Reach, _ name: Int32) -> Bool {
      reach == .everywhere || reach == .near && !far[Int(name) >> NameTally.spanBits]
    }
    var (tally, expected): (NameTally, [Int32: Int]) = (NameTally(), [:])
    for (list, names) in lists.enumerated() {
      tally.add(numbers.range(Int32(list)), bits: 1 << list, bringsIn: Self.reaches[list % 3])
      for name in names where isIn(Self.reaches[list % 3], name) { expected[name] = 0 }
    }
    for name in marks where isIn(reachOfMarks, name) { expected[name] = 0 }
    for (list, names) in lists.enumerated() { for name in names { expected[name]? |= 1 << list } }
    for name in marks { expected[name]? |= NameTally.agreeing }
    var seen: [Int32: Int] = [:]
    let agreeing = marks.map { $0..<$0 + 1 }
    tally.run(numbers, names: Int(count), agreeing: agreeing, marksBringIn: reachOfMarks, far: far) { told, isFar in
      for one in told {
        #expect(far[Int(one.name) >> NameTally.spanBits] == isFar)
        #expect(seen.updateValue(Int(one.bits), forKey: one.name) == nil)
      }
    }
    #expect(seen == expected)
  }

  @Test("ranges of names agree in all spans that they reach, in any order and one over another", arguments: reaches)
  func ranges(reachOfMarks: NameTally.Reach) {
    let (count, far) = (40_000 as Int32, [true, false, true, false, false])
    let word = Array(stride(from: 0, to: count, by: 7))
    let numbers = NumberLists(count: 1) { add in for name in word { add(0, name) } }
    let agreeing: [Range<Int32>] = [30_000..<40_000, 8_190..<8_194, 5..<5, 8_000..<24_580, 8_191..<8_192, 0..<3]
    var tally = NameTally()
    tally.add(numbers.range(0), bits: 1)
    var expected = Dictionary(uniqueKeysWithValues: word.map { ($0, 1) })
    for name in Set(agreeing.joined()) {
      let bringsIn = reachOfMarks == .everywhere || reachOfMarks == .near && !far[Int(name) >> NameTally.spanBits]
      if bringsIn || expected[name] != nil { expected[name, default: 0] |= NameTally.agreeing }
    }
    var seen: [Int32: Int] = [:]
    tally.run(numbers, names: Int(count), agreeing: agreeing, marksBringIn: reachOfMarks, far: far) { told, _ in
      for one in told { #expect(seen.updateValue(Int(one.bits), forKey: one.name) == nil) }
    }
    #expect(seen == expected)
  }

  @Test("a range of names may end with the last number that a name can have")
  func lastNumbers() {
    let last = Int32.max - 1
    let numbers = NumberLists(count: 1) { add in add(0, last) }
    var tally = NameTally()
    tally.add(numbers.range(0), bits: 1)
    var seen: [Int32: Int] = [:]
    tally.run(numbers, names: Int(Int32.max), agreeing: [last - 1..<Int32.max]) { told, _ in
      for one in told { #expect(seen.updateValue(Int(one.bits), forKey: one.name) == nil) }
    }
    #expect(seen == [last - 1: NameTally.agreeing, last: NameTally.agreeing | 1])
  }

  private static let given = ["Mohamed", "Mohammad", "Ali", "Hassan", "Omar", "Yusuf", "Abdul", "Karim", "Habib"]
  private static let family = ["Khan", "Rahman", "Ashgrove", "Okavello", "Quindaro", "Tamsin", "Noorzai", "Szymborek"]

  private static func name(_ generator: inout SeededGenerator) -> String {
    let first = (0..<Int.random(in: 1...2, using: &generator)).map { _ in
      given[Int.random(in: 0..<given.count, using: &generator)]
    }
    return (first + [family[Int.random(in: 0..<family.count, using: &generator)]]).joined(separator: " ")
  }

  @Test("over several spans every name is found that measuring accepts, near in its year, far, or without one")
  func recall() throws {
    var generator = SeededGenerator(seed: 266)
    let entries = try (0..<30_000).map { number in
      let year = number % 3 == 0 ? 1950 + number % 4 : 1985 + number % 4
      let born = try #require(BirthDate("\(year)-0\(1 + number % 9)-11"))
      let other = try #require(BirthDate("\(year + 9)-0\(1 + number % 9)-11"))
      let dates = number % 40 == 0 ? [] : number % 8 == 1 ? [born, other] : [born]
      return WatchList.Entry(reference: "F.\(number)", names: [Self.name(&generator)], datesOfBirth: dates)
    }
    let list = WatchList(version: .init(code: "F", version: "1"), entries: entries)
    let index = ScreeningIndex([list], countries: InventedList.countries)
    var (accepted, isAnyFar) = (0, false)
    for date in ["1951-03-11", "1986-04-11", "1986", "circa 1953", nil] {
      let born = try date.map { try #require(BirthDate($0)) }
      let subject = Screening.Subject(
        names: [Self.name(&generator)], dateOfBirth: born, nationalities: [], documentNumbers: [])
      let prospects = SubjectFacts(subject, in: index).prospects(.standard)
      let far = index.periodsOfSpans.map(prospects.areFar)
      #expect(far.contains(false))
      isAnyFar = isAnyFar || far.contains(true)
      let all = index.exhaustiveHitEntries(of: subject)
      accepted += all.count
      #expect(all.subtracting(index.hitEntries(of: subject)).isEmpty, "\(subject.names[0]) \(date ?? "")")
    }
    #expect(accepted > 200 && isAnyFar)
  }

  /// The third word is rarer than the fourth, but more names have one of its variants. Without a look at the dates the
  /// first two and the fourth are idle, and where years are far the first three: all four together are a hit.
  @Test("words that bring no name in where years are far are worth no look together either")
  func idle() throws {
    let bearers = [
      ("Quindaro", 2500), ("Szymborek", 2500), ("Okavello", 600), ("Okavella", 600), ("Okavelle", 600),
      ("Okavellu", 600), ("Ashgrove", 1800), ("Zarqavendi", 2800),
    ]
    let names = bearers.flatMap { name, count in repeatElement(name, count: count) }
    let entries = names.enumerated().map { WatchList.Entry(reference: "I.\($0)", names: [$1]) }
    let list = WatchList(version: .init(code: "I", version: "1"), entries: entries)
    let index = ScreeningIndex([list], countries: InventedList.countries)
    let name = "Quindaro Szymborek Okavello Ashgrove"
    let facts = SubjectFacts(InventedList.subject(name, born: "1951-03-11"), in: index)
    var isWorthTogether = false
    for threshold in stride(from: 0.7, through: 0.9, by: 0.01) {
      var policy = MatchingPolicy.standard
      policy.threshold = threshold
      let search = NameSearch(ListedName(name), in: index, policy: policy)
      let (kinds, prospects) = (PartKinds(of: search), facts.prospects(policy))
      let (all, far) = (
        PartScoreBounds(of: search, kinds: kinds, least: threshold, prospects, isPerhapsKnown: true),
        PartScoreBounds(of: search, kinds: kinds, least: threshold, prospects.onlyConflict, isPerhapsKnown: true)
      )
      let lists = kinds.words.map { NameSearch.ListsOfWord(of: $0.number, in: index) }
      let idle = search.idleBits(all, lists)
      let idleFar = search.idleBits(far, lists, besides: idle)
      #expect(idle.bits & ~idleFar.bits == 0 && idle.bitsOfMuch & ~idleFar.bitsOfMuch == 0)
      for some in 0..<1 << kinds.bitCount {
        if some & ~idleFar.bits == 0 { #expect(!far.isWorth(some)) }
        if some & ~idleFar.bitsOfMuch == 0 { #expect(!far.isWorth(some, tellsMuch: true)) }
      }
      let alone = search.idleBits(far, lists)
      isWorthTogether = isWorthTogether || far.isWorth(idle.bitsOfMuch | alone.bitsOfMuch, tellsMuch: true)
    }
    #expect(isWorthTogether)
  }

  @Test("of answers with the same score the one comes first that the lists have first, whatever dates of birth")
  func order() throws {
    func entry(_ reference: String, _ dates: [String]) throws -> WatchList.Entry {
      let born = try dates.map { try #require(BirthDate($0)) }
      return WatchList.Entry(reference: reference, names: ["Ottilie Vanterpoole"], datesOfBirth: born)
    }
    let lists = try [("ONE", [["1990-01-02"], [], ["1950-01-02"]]), ("TWO", [["1930-01-02", "1931-01-02"], []])]
      .map { code, dates in
        let entries = try dates.enumerated().map { try entry("O.\($0)", $1) }
        return WatchList(version: .init(code: code, version: "1"), entries: entries)
      }
    let index = ScreeningIndex(lists, countries: InventedList.countries)
    let subject = Screening.Subject(
      names: ["Ottilie Vanterpoole"], dateOfBirth: nil, nationalities: [], documentNumbers: [])
    let answers = try #require(index.answers(to: subject))
    #expect(answers.map { "\($0.list) \($0.ref)" } == ["ONE O.0", "ONE O.1", "ONE O.2", "TWO O.0", "TWO O.1"])
    #expect(index.entries(withReference: "O.1").map(\.list.code) == ["ONE", "TWO"])
  }
}
