// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import TestSupport
import Testing

@testable import Screening

@Suite("Screening: the parts of a search", .storeless)
struct SearchPartsTests {
  private static let letters = Array("abcXYZéÖßøŁžşЖЮйщїəŋ '-./,&·")

  @Test("names are read by the table as Doc 9303's tables read them", arguments: 0..<4 as Range<UInt64>)
  func reading(seed: UInt64) {
    var generator = SeededGenerator(seed: seed &+ 31)
    var count = 0
    for _ in 0..<500 {
      let text = String(
        (0..<Int.random(in: 0...20, using: &generator)).map { _ in Self.letters.randomElement(using: &generator) ?? "a"
        })
      guard let words = LatinReading.words(of: text) else { continue }
      count += 1
      #expect(words == Transliteration.words(of: text), "\(text)")
    }
    #expect(count > 100)
  }

  @Test("what depends on its neighbours, and other scripts, are left to the whole reading")
  func left() {
    for text in ["e\u{301}", "سليم", "Σταύρος", "王小明", "a\u{A0}b"] { #expect(LatinReading.words(of: text) == nil) }
    #expect(LatinReading.words(of: "B0b 1234 Ann-Marie") == ["BOB", "ANN", "MARIE"])
    #expect(ListedName("e\u{301}mile").words.map(\.letters) == [Array("EMILE".utf8)])
  }

  @Test("numbers come back under their keys, in their order", arguments: 0..<3 as Range<UInt64>)
  func keys(seed: UInt64) {
    var generator = SeededGenerator(seed: seed &+ 5)
    var (draft, expected) = (KeyTable.Draft(), [UInt64: [Int32]]())
    for number in 0..<2000 as Range<Int32> {
      let key = KeyTable.hash("\(Int.random(in: 0..<700, using: &generator))".utf8, salt: seed)
      draft.add(number, under: key)
      expected[key, default: []].append(number)
    }
    let table = KeyTable(draft)
    for (key, numbers) in expected {
      var found: [Int32] = []
      table.forEach(of: key) { found.append($0) }
      #expect(found == numbers)
    }
    KeyTable().forEach(of: 7) { _ in Issue.record("an empty table has a number") }
  }

  @Test("names have the parts that one list after the other gives them", arguments: 0..<3 as Range<UInt64>)
  func tally(seed: UInt64) {
    var generator = SeededGenerator(seed: seed &+ 9)
    // Some are dealt out to the spans, and the others are run through.
    let lists = (0..<12).map { list in
      Set((0..<(list % 2 == 0 ? 200 : 9)).map { _ in Int32.random(in: 0..<20_000, using: &generator) }).sorted()
    }
    let numbers = NumberLists(count: lists.count) { add in
      for (list, names) in lists.enumerated() { for name in names { add(Int32(list), name) } }
    }
    var tally = NameTally()
    var expected: [Int32: Int] = [:]
    for (list, names) in lists.enumerated() {
      tally.add(numbers.range(Int32(list)), bits: 1 << (list / 3))
      for name in names { expected[name, default: 0] |= 1 << (list / 3) }
    }
    var seen: [Int32: Int] = [:]
    tally.run(numbers, names: 20_000) { told, _ in
      for one in told { #expect(seen.updateValue(Int(one.parts), forKey: one.name) == nil) }
    }
    #expect(seen == expected)
  }

  @Test(
    "words that bring no name in are told of names that another word or a mark brings in",
    arguments: 0..<6 as Range<UInt64>)
  func bystanders(seed: UInt64) {
    var generator = SeededGenerator(seed: seed &+ 90)
    let count: Int32 = 60_000
    // Some lists have names in few spans only.
    let lists = (0..<8).map { list in
      Set((0..<(list < 2 || list > 5 ? 5 : 900)).map { _ in Int32.random(in: 0..<count, using: &generator) }).sorted()
    }
    let marks = seed % 2 == 0 ? [] : (0..<40).map { _ in Int32.random(in: 0..<count, using: &generator) }
    let numbers = NumberLists(count: lists.count) { add in
      for (list, names) in lists.enumerated() { for name in names { add(Int32(list), name) } }
    }
    var tally = NameTally()
    var all: [Int32: Int] = [:]
    var broughtIn = Set<Int32>()
    for (list, names) in lists.enumerated() {
      tally.add(numbers.range(Int32(list)), bits: 1 << list, bringsIn: list < 3 ? .everywhere : .nowhere)
      for name in names { all[name, default: 0] |= 1 << list }
      if list < 3 { broughtIn.formUnion(names) }
    }
    var seen: [Int32: Int] = [:]
    let (agreeing, perhaps) = (marks.prefix(35), marks.suffix(20))
    let marksBringIn = seed % 3 != 0
    tally.run(
      numbers, names: Int(count), agreeing: (agreeing + agreeing.prefix(3)).map { $0..<$0 + 1 },
      perhaps: Array(perhaps),
      marksBringIn: marksBringIn ? .everywhere : .nowhere
    ) { told, _ in
      for one in told { #expect(seen.updateValue(Int(one.bits), forKey: one.name) == nil) }
    }
    if marksBringIn { broughtIn.formUnion(marks) }
    for name in broughtIn {
      let expected =
        (all[name] ?? 0) | (agreeing.contains(name) ? NameTally.agreeing : 0)
        | (perhaps.contains(name) ? NameTally.perhaps : 0)
      #expect(seen[name] == expected)
    }
    #expect(seen.keys.allSatisfy(broughtIn.contains))
  }

  @Test("long lists are passed over in spans that no list brings a name into, and every name keeps its parts")
  func spans() {
    let count: Int32 = 65_536
    let lists: [(names: [Int32], bringsIn: Bool)] = [
      (Array(30_000..<32_768), true), ([0, count - 1], true), (Array(0..<count), false),
      (Array(stride(from: 1, to: count, by: 3)), false), (Array(32_760..<33_000), false),
      (Array(count - 300..<count), false),
    ]
    let numbers = NumberLists(count: lists.count) { add in
      for (list, some) in lists.enumerated() { for name in some.names { add(Int32(list), name) } }
    }
    var tally = NameTally()
    var expected: [Int32: Int] = [:]
    for name in lists.filter(\.bringsIn).flatMap(\.names) { expected[name] = 0 }
    for (list, some) in lists.enumerated() {
      tally.add(numbers.range(Int32(list)), bits: 1 << list, bringsIn: some.bringsIn ? .everywhere : .nowhere)
      for name in some.names { expected[name]? |= 1 << list }
    }
    var seen: [Int32: Int] = [:]
    tally.run(numbers, names: Int(count)) { told, _ in
      for one in told { #expect(seen.updateValue(one.parts, forKey: one.name) == nil) }
    }
    #expect(seen == expected)
  }

  /// Names that are dealt out have the number of their list beside them, which had no more room then.
  @Test(
    "names keep their own parts when more lists are run through than 19 bits number, whatever marks do",
    arguments: [true, false])
  func manyLists(marksBringIn: Bool) {
    let numbers = NumberLists(count: 1) { add in for name in 0..<3 as Range<Int32> { add(0, name) } }
    var tally = NameTally()
    for _ in 0..<1 << 19 { tally.add(0..<1, bits: 1) }
    for _ in 0..<3 { tally.add(1..<2, bits: 2) }
    tally.add(2..<3, bits: 4, bringsIn: marksBringIn ? .nowhere : .everywhere)
    var seen: [Int32: Int] = [:]
    tally.run(
      numbers, names: 3, agreeing: [2..<3], perhaps: [2], marksBringIn: marksBringIn ? .everywhere : .nowhere
    ) { told, _ in
      for one in told { seen[one.name] = Int(one.bits) }
    }
    #expect(seen == [0: 1, 1: 2, 2: 4 | NameTally.agreeing | NameTally.perhaps])
  }

  @Test("words that many listed names have are looked up beforehand, and are not among those of customers")
  func common() throws {
    let entries = (0..<70).map { WatchList.Entry(reference: "C.\($0)", names: ["Ottilie Vanter\(Self.tail($0))"]) }
    let index = ScreeningIndex(
      [WatchList(version: .init(code: "C", version: "1"), entries: entries)], countries: InventedList.countries)
    let words = ListedName("Ottilie Vanteraa").words
    for (word, known) in zip(words, [0, 1]) {
      let fresh = WordVariants(word, isPerson: true, in: index)
      #expect(index.knownVariants.variants(of: word, isPerson: true, in: index) == fresh)
      #expect(index.knownVariants.size.words == known)
    }
  }

  private static func tail(_ number: Int) -> String {
    String(UnicodeScalar(UInt8(97 + number / 10))) + String(UnicodeScalar(UInt8(97 + number % 10)))
  }

  @Test(
    "a whole name with one slip is found without its blanks, wherever the slip is", arguments: 0..<3 as Range<UInt64>)
  func joined(seed: UInt64) {
    var generator = SeededGenerator(seed: seed &+ 3)
    for _ in 0..<300 {
      let name = Array("BARTHOLOMEWASHGROVE".utf8).prefix(Int.random(in: 2...19, using: &generator)).map { $0 }
      var other = name
      let place = Int.random(in: 0..<name.count, using: &generator)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: other[place] = UInt8(ascii: "Z")
      case 1: other.remove(at: place)
      case 2: other.insert(UInt8(ascii: "Z"), at: place)
      default: if place > 0 { other.swapAt(place, place - 1) }
      }
      #expect(JoinedKeys.isOneEdit(name, other))
      var keys: Set<UInt64> = []
      JoinedKeys.forEach(of: name) { keys.insert($0) }
      var isFound = false
      JoinedKeys.forEachAlike(other) { isFound = isFound || keys.contains($0) }
      #expect(isFound, "\(String(decoding: name, as: UTF8.self)) \(String(decoding: other, as: UTF8.self))")
    }
    #expect(!JoinedKeys.isOneEdit(Array("ABCD".utf8), Array("ABDE".utf8)))
  }

  @Test(
    "words that sound alike are found by the same key",
    arguments: [("FENVIK", "FENWICK"), ("DZHAMAL", "JAMAL"), ("DZHINA", "JINA"), ("ZHYAN", "JIAN")])
  func heard(one: String, other: String) {
    #expect(WordKeys.heard(Array(one.utf8)) == WordKeys.heard(Array(other.utf8)))
    func keys(_ word: String) -> Set<UInt64> {
      var keys: Set<UInt64> = []
      WordKeys.forEach(of: Array(word.utf8), withCoarse: false) { keys.insert($0) }
      return keys
    }
    #expect(!keys(one).isDisjoint(with: keys(other)))
  }

  @Test("what the lists have of a word is the same when it is remembered, and of a ship's word another than a person's")
  func remembered() throws {
    let (index, known) = (try InventedList.index(), KnownVariants(bytesMax: 1000))
    for text in ["Leopold Wintermute", "Leopolt Wintermut", "Hollandaisern", "Leopold Wintermute"] {
      for isPerson in [true, false] {
        for word in ListedName(text, isPerson: isPerson).words {
          let fresh = WordVariants(word, isPerson: isPerson, in: index)
          for _ in 0..<2 { #expect(known.variants(of: word, isPerson: isPerson, in: index) == fresh) }
        }
      }
    }
    let word = try #require(ListedName("Wintermute").words.first)
    #expect(WordVariants(word, isPerson: true, in: index).words.count == 2)
    #expect(WordVariants(word, isPerson: false, in: index).words.count == 1)
  }

  @Test("words of searched names are forgotten by the hour, and when they take too much memory")
  func forgotten() throws {
    let (index, clock) = (try InventedList.index(), TestWorld())
    let known = KnownVariants(bytesMax: 1000, world: clock.world)
    func search(_ text: String) {
      for word in ListedName(text).words { _ = known.variants(of: word, isPerson: true, in: index) }
    }
    search("Leopold Wintermute")
    clock.advance(by: .seconds(3599))
    search("Leopold")
    #expect(known.size.words == 2)
    clock.advance(by: .seconds(1))
    search("Ottilie")
    #expect(known.size.words == 1)
    search("Bartholomew Quindaro Ashgrove Tamsyn Okavelloe Muhammad")
    #expect((1...3).contains(known.size.words) && known.size.bytes <= 1000)
  }

  @Test("entries born on the same day, but for a slip, are found by it", arguments: 0..<3 as Range<UInt64>)
  func births(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed &+ 27)
    func date() throws -> BirthDate {
      let year = Int.random(in: 1958...1972, using: &generator)
      let day = "\(year)-0\(Int.random(in: 1...9, using: &generator))-\(Int.random(in: 10...28, using: &generator))"
      let texts = [day, day, "\(year)", "circa \(year)", "\(year)/\(year + 3)", "circa \(day)", String(day.prefix(7))]
      return try #require(BirthDate(texts[Int.random(in: 0..<texts.count, using: &generator)]))
    }
    let dates = try (0..<900).map { _ in try date() }
    // Every other entry has two dates.
    let ranges = (0..<600).map { $0 * 3 / 2..<($0 + 1) * 3 / 2 }
    // Three names each.
    var conflicts = 0
    let table = BirthTable(dates.map(PackedBirthDate.init), of: ranges, names: (0...600).map { $0 * 3 })
    for _ in 0..<40 {
      let born = try date()
      var (found, sameDay) = (Set<Int32>(), Set<Int32>())
      table.forEachAgreeing(with: born) { names in
        #expect(names.count % 3 == 0 && names.lowerBound % 3 == 0)
        for name in names { found.insert(name / 3) }
      }
      table.forEach(bornOn: born) { for name in $0 { sameDay.insert(name / 3) } }
      var perhaps = Set<Int32>()
      table.forEachVague(with: born) { perhaps.insert($0.lowerBound / 3) }
      #expect(table.vagueCount(with: born) > 0)
      // Days are listed by their years.
      let whole = BirthTable.yearsOfDays(with: born)
      for (entry, range) in ranges.enumerated() {
        let days = dates[range].map(PackedBirthDate.init).filter { $0.day != nil }
        if days.contains(where: { whole?.contains(BirthTable.place(ofYear: $0.firstYear)) ?? false }) {
          perhaps.insert(Int32(entry))
        }
      }
      #expect(perhaps.count < 600)
      let (years, close) = (BirthYear.agreeing(with: born), ScoreAdjustment(doubt: 1, weight: -0.06))
      let prospects = ScoreAdjustments(
        KnownDates.allCases.map { _ in [close] }, close: close, conflict: close, years: years)
      for (entry, range) in ranges.enumerated() {
        let best = dates[range].map { $0.agreement(with: born) }.min() ?? .conflict
        if best < .partial { #expect(found.contains(Int32(entry)), "\(dates[range]) \(born)") }
        if dates[range].contains(where: { $0.agreement(with: born) == .partial }) {
          #expect(perhaps.contains(Int32(entry)), "\(dates[range]) \(born)")
        }
        if best == .exact { #expect(sameDay.contains(Int32(entry)), "\(dates[range]) \(born)") }
        for date in dates[range] { #expect(PackedBirthDate(date).agreement(with: born) == date.agreement(with: born)) }
        if !found.contains(Int32(entry)) {
          let some = Array(dates[range])
          let agreement = prospects.agreement(ofYear: BirthYear.code(of: some), periods: BirthYear.periods(of: some))
          let least: YearAgreement = best == .partial ? .possible : best == .close ? .close : .conflict
          #expect(agreement.rawValue <= least.rawValue, "\(some) \(born)")
          conflicts += agreement == .conflict ? 1 : 0
        }
        if best > .partial { #expect(!sameDay.contains(Int32(entry)), "\(dates[range]) \(born)") }
      }
      #expect(found.count < 600)
    }
    #expect(conflicts > 1_000)
  }
}
