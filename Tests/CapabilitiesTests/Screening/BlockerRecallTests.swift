// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Screening

/// Names of invented people over a seeded list: what the index leaves out that measuring every name would accept.
@Suite("Screening: what the index leaves out", .storeless)
struct BlockerRecallTests {
  private static let given = """
    Bartholomew Quindaro Ottilie Leopold Wintermute Tamsin Ignatius Wilhelmina Xavier Rosamund Muhammad Yusuf Svetlana \
    Anatoly Guadalupe Esteban Nkechi Chukwuma Ingeborg Thorvald Marguerite Baptiste Zulfiqar Parveen
    """.split(separator: " ").map(String.init)
  private static let family = """
    Ashgrove Vanterpool Okavello Fernweh Zarqavendi Driftwell Nullmann Brackwater Silverhythe Montclairon Petrovansky \
    Ivanchenkov Rodrigueza Almohandes Okonkwolo Lindqvistad Delacroixen Haverstock Szymborek Quillfeather
    """.split(separator: " ").map(String.init)

  /// - Parameter hasSlips: whether family names have slips of their own.
  private static func lists(_ generator: inout SeededGenerator, hasSlips: Bool = true) -> [WatchList.Entry] {
    (0..<600).map { number in
      var words = [given[Int.random(in: 0..<given.count, using: &generator)]]
      if Int.random(in: 0..<3, using: &generator) == 0 {
        words.append(given[Int.random(in: 0..<given.count, using: &generator)])
      }
      let name = family[Int.random(in: 0..<family.count, using: &generator)]
      words.append(hasSlips ? altered(name, &generator) : name)
      let born = BirthDate(
        "19\(Int.random(in: 40...99, using: &generator))-0\(Int.random(in: 1...9, using: &generator))-11")
      return WatchList.Entry(
        reference: "B.\(number)", names: [words.joined(separator: " ")], datesOfBirth: born.map { [$0] } ?? [])
    }
  }

  /// One slip: a letter that is another, left out, twice, or swapped with the next; or the words in another order.
  private static func altered(_ text: String, _ generator: inout SeededGenerator) -> String {
    var letters = Array(text)
    let place = Int.random(in: 1..<letters.count - 1, using: &generator)
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: letters[place] = "e"
    case 1: letters.remove(at: place)
    case 2: letters.insert(letters[place], at: place)
    case 3: letters.swapAt(place, place + 1)
    case 4: return text.split(separator: " ").reversed().joined(separator: " ")
    default: break
    }
    return String(letters)
  }

  /// The listed names have slips of their own.
  @Test("of what measuring every name accepts, the search finds 999 of 1,000")
  func recall() { Self.measure(slips: 1, least: 0.999) }

  /// Two slips in the only rare word are missed at times when no date of birth is known.
  @Test("with two slips in one name it finds 98 of 100")
  func recallOfTwo() { Self.measure(slips: 2, least: 0.98) }

  private static let common = """
    Mohamed Mohammad Mahmud Ali Hassan Hasan Khan Omar Umar Yusuf Rahman Bari Abdul Karim Habib Jan
    """.split(separator: " ").map(String.init)
  private static let rare = """
    Ashgrove Okavello Agha Akhund Quindaro Tamsin Brackwater Zarqavendi Haverstock Okonkwolo Noorzai Szymborek
    """.split(separator: " ").map(String.init)

  private static func commonName(_ generator: inout SeededGenerator) -> String {
    let given = (0..<Int.random(in: 1...2, using: &generator)).map { _ in
      common[Int.random(in: 0..<common.count, using: &generator)]
    }
    return (given + [rare[Int.random(in: 0..<rare.count, using: &generator)]]).joined(separator: " ")
  }

  /// Such a name is a hit with less than half of what both tell, for words that are no variants are alike too. It was
  /// left out for sharing too little before its date was looked at.
  @Test(
    "of names of common words whose year of birth agrees, every one is found that measuring accepts",
    arguments: [5, 8, 12, 14] as [UInt64])
  func commonWords(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed &* 77)
    let entries = try (0..<600).map { number in
      let name = Self.commonName(&generator)
      let born = try #require(BirthDate("19\(Int.random(in: 50...69, using: &generator))"))
      return WatchList.Entry(reference: "B.\(number)", names: [name], datesOfBirth: [born])
    }
    let list = WatchList(version: .init(code: "B", version: "1"), entries: entries)
    let index = ScreeningIndex([list], countries: InventedList.countries)
    var accepted = 0
    for number in stride(from: 0, to: entries.count, by: 12) {
      let subject = Screening.Subject(
        names: [Self.commonName(&generator)], dateOfBirth: entries[number].datesOfBirth[0], nationalities: [],
        documentNumbers: [])
      let all = index.exhaustiveHitEntries(of: subject)
      accepted += all.count
      let lost = all.subtracting(index.hitEntries(of: subject)).map { entries[$0].names[0] }
      #expect(lost.isEmpty, "\(subject.names[0])")
    }
    #expect(accepted > 15)
  }

  private static let particles = ["Al", "Bin", "Van", "De", "M", ""]
  private static let dates = [
    "1961-04-10", "1961-04-11", "1961-05-10", "1961", "1961-04", "circa 1962", "1960/1962", "circa 1961-04-10", "1981",
    "1981-04-10", "1061-04-10",
  ]

  /// Of words that more than 512 names have, most names are put aside before anything else is read of them.
  @Test(
    "of names of very common words every one is found that measuring accepts, whatever dates",
    arguments: [1, 2, 3] as [UInt64])
  func veryCommonWords(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed &* 241)
    func one(_ some: [String]) -> String { some[Int.random(in: 0..<some.count, using: &generator)] }
    func name() -> String {
      let last = Int.random(in: 0..<3, using: &generator) == 0 ? one(Self.rare) : one(["Khan", "Rahman"])
      return [one(["Mohamed", "Ali", ""]), one(Self.particles), one(Self.rare + ["", "", ""]), last]
        .filter { !$0.isEmpty }.joined(separator: " ")
    }
    let entries = (0..<1_600).map { number in
      let born = (0..<Int.random(in: 0...2, using: &generator)).compactMap { _ in BirthDate(one(Self.dates)) }
      return WatchList.Entry(
        reference: "C.\(number)", names: (0...number % 2).map { _ in name() }, datesOfBirth: born)
    }
    let list = WatchList(version: .init(code: "C", version: "1"), entries: entries)
    let index = ScreeningIndex([list], countries: InventedList.countries)
    let groups = NameGroup.allCases.map { group in
      (0..<Int32(index.words.count)).map { index.names(with: $0, group).count }.max() ?? 0
    }
    #expect(groups[0] + groups[1] > 512 && groups.allSatisfy { $0 > 50 })
    var accepted = 0
    for number in 0..<24 {
      let subject = Screening.Subject(
        names: [name()], dateOfBirth: number % 4 == 0 ? nil : BirthDate(one(Self.dates)), nationalities: [],
        documentNumbers: [])
      guard number.isMultiple(of: 3) else { continue }
      let all = index.exhaustiveHitEntries(of: subject)
      accepted += all.count
      let lost = all.subtracting(index.hitEntries(of: subject)).map { entries[$0].names }
      #expect(lost.isEmpty, "\(subject.names[0]) \(String(describing: subject.dateOfBirth))")
    }
    #expect(accepted > 10)
  }

  private static func policy(_ threshold: Double, uncoveredName: Double) -> MatchingPolicy {
    var policy = MatchingPolicy.standard
    (policy.threshold, policy.uncoveredName) = (threshold, uncoveredName)
    return policy
  }

  /// Two fifths of what both names tell had to be shared whatever the policy, so that a name was lost of which one
  /// common word of three is enough there. What is lost still shares no word at all.
  @Test(
    "by policies that take less off for what is missing, it finds 99 of 100 names of very common words",
    arguments: [(0.75, 1), (0.75, 0.5), (0.85, 0.5)])
  func milderPolicies(threshold: Double, uncoveredName: Double) throws {
    var generator = SeededGenerator(seed: 250)
    func one(_ some: [String]) -> String { some[Int.random(in: 0..<some.count, using: &generator)] }
    func name() -> String {
      [one(["Mohamed", "Ali", ""]), one(Self.particles), one(Self.rare + ["", "", ""]), one(["Khan", "Rahman"])]
        .filter { !$0.isEmpty }.joined(separator: " ")
    }
    let entries = (0..<500).map { number in
      let born = (0..<Int.random(in: 0...2, using: &generator)).compactMap { _ in BirthDate(one(Self.dates)) }
      return WatchList.Entry(reference: "D.\(number)", names: [name()], datesOfBirth: born)
    }
    let list = WatchList(version: .init(code: "D", version: "1"), entries: entries)
    let index = ScreeningIndex([list], countries: InventedList.countries)
    let policy = Self.policy(threshold, uncoveredName: uncoveredName)
    var (accepted, found) = (0, 0)
    for _ in 0..<16 {
      let subject = Screening.Subject(
        names: [name()], dateOfBirth: BirthDate(one(Self.dates)), nationalities: [], documentNumbers: [])
      let all = index.exhaustiveHitEntries(of: subject, policy: policy)
      accepted += all.count
      found += all.intersection(index.hitEntries(of: subject, policy: policy)).count
    }
    #expect(accepted > 100)
    #expect(Double(found) >= 0.99 * Double(accepted), "\(found) of \(accepted)")
  }

  /// By the standard policy a hit has to cover 0.425 of what both names tell, and 0.3 by a threshold of 0.80.
  @Test("a name has to share two fifths by the standard policy and stricter ones, and less by milder ones")
  func sharedByPolicy() {
    #expect(NameSearch.remoteCoverage(.standard) == 0.4)
    for (threshold, uncoveredName) in [(0.9, 1), (1, 1), (0.85, 2), (1, 10)] as [(Double, Double)] {
      #expect(NameSearch.remoteCoverage(Self.policy(threshold, uncoveredName: uncoveredName)) == 0.4)
    }
    #expect(abs(NameSearch.remoteCoverage(Self.policy(0.80, uncoveredName: 1)) - (0.4 - 0.125 / 0.45)) < 1e-9)
    // It never asks for more than a hit has to cover, and falls without a step.
    var last = 0.4
    for thousandths in stride(from: 850, through: 0, by: -1) {
      let threshold = Double(thousandths) / 1_000
      let share = NameSearch.remoteCoverage(Self.policy(threshold, uncoveredName: 1))
      #expect(share <= max(0.05, 1 - (1.08 - threshold) / 0.4) + 1e-9, "\(threshold)")
      #expect(share <= last && share > last - 0.006 && share >= 0.05, "\(threshold)")
      last = share
    }
    #expect(last == 0.05)
  }

  @Test("by a policy that takes nothing off for what is missing, a name has to share next to nothing")
  func nothingOffForMissing() {
    for threshold in [0, 0.85, 1] {
      #expect(NameSearch.remoteCoverage(Self.policy(threshold, uncoveredName: 0)) == 0.05)
    }
    var sure = MatchingPolicy.standard
    sure.doubtAfterDate = 0
    #expect(NameSearch.remoteCoverage(sure) == 0.05)
    // Where nothing raises a score either.
    var plain = Self.policy(1, uncoveredName: 0)
    (plain.exactDate, plain.swappedDate, plain.dateOffByOne) = (0, 0, 0)
    (plain.digitOfDate, plain.partOfDate, plain.partialDate, plain.sameNationality) = (0, 0, 0, 0)
    #expect(NameSearch.remoteCoverage(plain) == 0.05)
  }

  /// A word of which every letter but the first was another way to write it brought no name in, nor did a whole name
  /// without its blanks of which that was true.
  @Test(
    "in other letters or blanks, or as it is heard, and with a slip besides, a name is found that measuring accepts",
    arguments: NameDisguise.allCases)
  func disguised(disguise: NameDisguise) {
    var generator = SeededGenerator(seed: 11)
    let entries = Self.lists(&generator, hasSlips: false)
    let list = WatchList(version: .init(code: "B", version: "1"), entries: entries)
    let index = ScreeningIndex([list], countries: InventedList.countries)
    var (accepted, found) = (0, 0)
    for number in stride(from: 0, to: entries.count, by: 25) {
      let listed = entries[number].names[0]
      for isSlip in [false, true] {
        let name = disguise.name(isSlip ? Self.altered(listed, &generator) : listed, &generator)
        for born in [nil, entries[number].datesOfBirth.first] {
          let subject = Screening.Subject(names: [name], dateOfBirth: born, nationalities: [], documentNumbers: [])
          let all = index.exhaustiveHitEntries(of: subject)
          accepted += all.count
          found += all.intersection(index.hitEntries(of: subject)).count
        }
      }
    }
    #expect(accepted > 40)
    #expect(Double(found) >= disguise.foundMin * Double(accepted), "\(found) of \(accepted)")
  }

  @Test("answers are filled up to five, best first, and none is less alike than without")
  func fills() throws {
    var generator = SeededGenerator(seed: 4)
    let entries = Self.lists(&generator)
    let list = WatchList(version: .init(code: "B", version: "1"), entries: entries)
    let index = ScreeningIndex([list], countries: InventedList.countries)
    for given in ["Ottilie", "Leopold", "Yusuf"] {
      let subject = InventedList.subject("\(given) Hollandaisern")
      let few = try #require(index.answers(to: subject)), filled = try #require(index.answers(to: subject, fills: true))
      #expect(filled.count >= few.count && filled.count <= 5, "\(given)")
      #expect(filled.map(\.score) == filled.map(\.score).sorted(by: >) && filled.allSatisfy { $0.score > 0 })
      for (one, other) in zip(few, filled) { #expect(other.score >= one.score) }
      // No more than five, and those of the exhaustive search are no less alike.
      let all = index.exhaustiveScores(of: subject)
      #expect(filled.count <= max(all.count, few.count), "\(given)")
      for (one, other) in zip(filled, all) { #expect(one.score <= other + 0.0001) }
    }
  }

  private static func measure(slips: Int, least: Double) {
    var (accepted, found) = (0, 0)
    for seed in 1...3 as ClosedRange<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let entries = lists(&generator)
      let list = WatchList(version: .init(code: "B", version: "1"), entries: entries)
      let index = ScreeningIndex([list], countries: InventedList.countries)
      for number in stride(from: 0, to: entries.count, by: 36) {
        let name = (0..<slips).reduce(entries[number].names[0]) { name, _ in altered(name, &generator) }
        for born in [nil, entries[number].datesOfBirth.first] {
          let subject = Screening.Subject(names: [name], dateOfBirth: born, nationalities: [], documentNumbers: [])
          let all = index.exhaustiveHitEntries(of: subject)
          accepted += all.count
          found += all.intersection(index.hitEntries(of: subject)).count
        }
      }
    }
    #expect(accepted > 70)
    #expect(Double(found) >= least * Double(accepted), "\(found) of \(accepted)")
  }
}
