// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Screening

/// What dates of birth can add is known before they are read; a bound that is too low would lose hits.
@Suite("Screening: what dates of birth allow", .storeless)
struct DateBoundTests {
  /// The ends of what a byte tells of years, of the table of days and of the calendar; years eighty apart.
  private static let years = [1, 2, 1799, 1800, 1850, 1851, 1891, 1969, 1971, 1974, 2051, 2100, 2105, 2106, 2971, 9999]

  private static func date(_ generator: inout SeededGenerator) throws -> BirthDate {
    func text(_ year: Int) -> String { String(repeating: "0", count: 4 - String(year).count) + String(year) }
    let number = years[Int.random(in: 0..<years.count, using: &generator)]
    let year = text(number)
    let later = text(min(9999, number + [1, 4, 30, 90][Int.random(in: 0..<4, using: &generator)]))
    let day = "\(year)-0\(Int.random(in: 4...5, using: &generator))-\(Int.random(in: 10...12, using: &generator))"
    let texts = [day, day, day, year, "circa \(year)", "\(year)/\(later)", "circa \(day)", "0001/9999"]
    return try #require(BirthDate(texts[Int.random(in: 0..<texts.count, using: &generator)]))
  }

  private static func policies() -> [MatchingPolicy] {
    var (farther, part) = (MatchingPolicy.standard, MatchingPolicy.standard)
    (farther.closeDate, farther.otherDate) = (-0.3, 0.1)
    (part.partialDate, part.doubtAfterPart, part.closeDate) = (-0.2, 1.5, 0.05)
    return [.standard, farther, part]
  }

  @Test("no dates add more than their years allow, whatever the weights", arguments: 0..<3 as Range<UInt64>)
  func prospects(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed &+ 239)
    let entries = try (0..<200).map { number in
      let dates = try (0..<Int.random(in: 0...2, using: &generator)).map { _ in try Self.date(&generator) }
      return WatchList.Entry(reference: "D.\(number)", names: ["Leopold Ashgrove"], datesOfBirth: dates)
    }
    let list = WatchList(version: .init(code: "D", version: "1"), entries: entries)
    let index = ScreeningIndex([list], countries: InventedList.countries)
    var (levels, farCount): ([YearAgreement: Int], Int) = ([:], 0)
    for _ in 0..<20 {
      let subject = Screening.Subject(
        names: ["Leopold Ashgrove"], dateOfBirth: try Self.date(&generator), nationalities: [], documentNumbers: [])
      let facts = SubjectFacts(subject, in: index)
      let agreeing = Set(facts.agreeing.joined().map { index.names[Int($0)].entry })
      let found = try #require(facts.perhaps(in: index, countMax: .max))
      let listed = index.namesByWord.withNumbers { numbers in found.lists.flatMap { $0.map { numbers[$0] } } }
      let perhaps = Set((found.names + listed).map { index.names[Int($0)].entry })
      let prospects = Self.policies().map { ($0, facts.prospects($0)) }
      for entry in entries.indices where !agreeing.contains(Int32(entry)) {
        let circumstances = facts.circumstances(of: entry, in: index)
        let profile = NameProfile(rawValue: index.profiles[index.names(of: Int32(entry)).lowerBound])
        for (policy, prospects) in prospects {
          let (doubt, weight) = (policy.doubt(after: circumstances.date), circumstances.weight(policy))
          let level =
            perhaps.contains(Int32(entry))
            ? .perhaps : prospects.agreement(ofYear: profile.year, periods: profile.periods)
          levels[level, default: 0] += 1
          // Of names that are looked up by their dates, where only the profile is known, and where years are far.
          let isFar = profile.periods != 0 && prospects.areFar(profile.periods)
          farCount += isFar ? 1 : 0
          let far = isFar ? [prospects.onlyConflict.all(perhaps: false)] : []
          for bounds in [prospects.of(profile.dates, level), prospects.of(profile)] + far {
            let isBounded = bounds.contains { $0.doubt == doubt && $0.weight >= weight - 1e-9 }
            #expect(isBounded, "\(entries[entry].datesOfBirth) \(String(describing: subject.dateOfBirth))")
          }
        }
      }
    }
    for level in [YearAgreement.possible, .close, .conflict, .perhaps] { #expect(levels[level, default: 0] > 0) }
    #expect(farCount > 0)
  }

  /// They are run through side by side: a name out of order would be looked for in another span.
  @Test("names of a year and names with a word are listed in order", arguments: 0..<3 as Range<UInt64>)
  func lists(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed &+ 240)
    let entries = try (0..<60).map { number in
      let texts = ["1971-04-10", "1971-05-12", "1972-04-10", "1971", "circa 1972-04-11"]
      let dates = try (0..<3).map { _ in
        try #require(BirthDate(texts[Int.random(in: 0..<texts.count, using: &generator)]))
      }
      let names = ["Leopold Ashgrove Ashgrove", "L. Ashgrove", "Leopold Quindaro Okavelloe Zarqavendi"]
      return WatchList.Entry(reference: "Y.\(number)", names: names, datesOfBirth: dates)
    }
    let list = WatchList(version: .init(code: "Y", version: "1"), entries: entries)
    let index = ScreeningIndex([list], countries: InventedList.countries)
    index.namesByWord.withNumbers { numbers in
      for year in 1970...1973 {
        let listed = index.names(bornInYear: BirthTable.place(ofYear: year)).map { numbers[$0] }
        let expected = index.names.indices.filter { name in
          index.entries.births(of: Int(index.names[name].entry)).contains { $0.day != nil && $0.firstYear == year }
        }
        #expect(listed == expected.map(Int32.init))
      }
      for (word, group) in (0..<Int32(index.words.count)).flatMap({ word in NameGroup.allCases.map { (word, $0) } }) {
        let listed = index.names(with: word, group).map { numbers[$0] }
        #expect(listed == listed.sorted())
        for name in listed {
          #expect(NameGroup.of(index.names[Int(name)]) == group)
          #expect(index.words(of: index.names[Int(name)]).contains(word))
        }
      }
    }
  }

  /// A list says 1071 or 2971 where 1971 was meant. These were passed over as dates of other people.
  @Test("a date of a year that no one was born in is found by its slip, and days at the ends by themselves")
  func impossibleYears() throws {
    let texts = [
      "0971-05-11", "1071-05-11", "1791-05-11", "1979-05-11", "2971-05-11", "9971-05-11", "0001-01-01", "0001-01-01",
      "1800-01-01", "2100-12-31", "2101-01-01", "9999-12-31", "9999-12-31",
    ]
    let dates = try texts.map { try #require(BirthDate($0)) }
    let table = BirthTable(
      dates.map(PackedBirthDate.init), of: dates.indices.map { $0..<$0 + 1 }, names: Array(0...Int32(dates.count)))
    var found: Set<Int32> = []
    table.forEachAgreeing(with: try #require(BirthDate("1971-05-11"))) { found.formUnion($0) }
    #expect(found == [0, 1, 2, 3, 4, 5])
    for (date, text) in zip(dates, texts) {
      var sameDay: [String] = []
      table.forEach(bornOn: date) { names in sameDay += names.map { texts[Int($0)] } }
      #expect(sameDay == texts.filter { $0 == text })
    }
  }

  @Test("names of entries with one day of birth that follow each other are one range, and others are parted")
  func ranges() throws {
    // The third of six entries was born on another day, the fifth has no name, and the last has two dates.
    let texts = ["1971-05-11", "1971-05-11", "1962-05-12", "1971-05-11", "1971-05-11", "1962-05-12", "1971-05-11"]
    let dates = try texts.map { try #require(BirthDate($0)) }
    let table = BirthTable(
      dates.map(PackedBirthDate.init), of: [0..<1, 1..<2, 2..<3, 3..<4, 4..<5, 5..<7], names: [0, 2, 3, 4, 6, 6, 9])
    var found: [Range<Int32>] = []
    table.forEach(bornOn: dates[0]) { found.append($0) }
    #expect(found == [0..<3, 4..<9])
    found = []
    table.forEach(bornOn: dates[2]) { found.append($0) }
    #expect(found == [3..<4, 6..<9])
  }

  @Test("an index without dates of birth has none that agree")
  func noDates() throws {
    let born = try #require(BirthDate("1971-05-11"))
    let table = BirthTable([], of: [0..<0, 0..<0], names: [0, 1, 2])
    var found = 0
    table.forEachAgreeing(with: born) { _ in found += 1 }
    table.forEach(bornOn: born) { _ in found += 1 }
    #expect(found == 0)
  }
}
