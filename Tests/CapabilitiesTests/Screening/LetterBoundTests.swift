// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Screening

/// What a name can reach by its letters is known before it is aligned; a bound that is too low would lose hits.
@Suite("Screening: what letters allow", .storeless)
struct LetterBoundTests {
  private static let words = """
    O J Yu Jo Kim Mohamed Mohammad Mahmud Hassan Hussein Hasan Khan Kahn Ali Aliya Iman Amin William Bill Vander Velde \
    Van Der Al Jan \
    Jean Yusuf Josef Ivanovich Ivan Quindaro Ashgrove Ashgrov Okavello Okavelloe Tamsin Tamsyn Petrovna Petrov Abdel Rahman
    """.split(separator: " ").map(String.init)

  private static func name(_ generator: inout SeededGenerator) -> String {
    (0..<Int.random(in: 1...4, using: &generator)).map { _ in
      var letters = Array(words[Int.random(in: 0..<words.count, using: &generator)])
      let place = Int.random(in: 0..<letters.count, using: &generator)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: letters[place] = "e"
      case 1: letters.insert(letters[place], at: place)
      default: break
      }
      return String(letters)
    }.joined(separator: " ")
  }

  private static func index(_ generator: inout SeededGenerator, count: Int) -> ScreeningIndex {
    let entries = (0..<count).map { WatchList.Entry(reference: "L.\($0)", names: [name(&generator)]) }
    let list = WatchList(version: .init(code: "L", version: "1"), entries: entries)
    return ScreeningIndex([list], countries: InventedList.countries)
  }

  /// The standard one, and one whose weights are not such that what is less alike scores less.
  private static let policies = {
    var other = MatchingPolicy.standard
    (other.doubtAfterDate, other.doubtMin, other.exactDate) = (-1, -1, -0.9)
    return [MatchingPolicy.standard, other]
  }()

  @Test(
    "no name scores more than its letters allow, with a date of birth and without",
    arguments: 1...3 as ClosedRange<UInt64>)
  func bound(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let index = Self.index(&generator, count: 400)
    var bounded = 0
    for round in 0..<60 {
      let text = Self.name(&generator)
      let policy = Self.policies[round % 2]
      let search = NameSearch(ListedName(text), in: index, policy: policy)
      for number in index.names.indices {
        let found = search.measure(Int32(number))
        guard found.score >= policy.nameMin else { continue }
        for date in [nil, BirthDate.Agreement.exact, .digit] {
          let circumstances = SecondaryIdentifiers(
            date: date, isSameNationality: false, isOtherNationality: false, isOtherSex: false, isSameDocument: false)
          let (doubt, weight) = (policy.doubt(after: date), circumstances.weight(policy))
          let (bySets, most) = search.mostByLetters(Int32(number), doubt: doubt, weight: weight)
          #expect(most <= bySets + 1e-6, "\(text) and \(number)")
          if most < 1 { bounded += 1 }
          let score = index.score(of: found, search.name, circumstances, policy)
          #expect(score <= max(0, most) + 1e-9, "\(text) and \(number)")
        }
      }
    }
    #expect(bounded > 50)
  }

  /// What is thrown away by parts and profile alone would be thrown away when the words were read.
  @Test("no name can reach more than its parts and its profile allow", arguments: 1...4 as ClosedRange<UInt64>)
  func parts(seed: UInt64) {
    var generator = SeededGenerator(seed: seed &+ 40)
    let index = Self.index(&generator, count: 600)
    let some = [ScoreAdjustment(doubt: 1, weight: -0.06), ScoreAdjustment(doubt: 0.4, weight: 0.02)]
    let prospects = ScoreAdjustments(KnownDates.allCases.map { _ in some })
    var (kept, dropped, muchKept, muchDropped) = (0, 0, 0, 0)
    for round in 0..<60 {
      // Words that are there twice or thrice, and names of more than five parts.
      var text = Self.name(&generator)
      if round % 3 == 0 { text += " " + text }
      if round % 5 == 0 { text = "Ali Ali Ali \(text)" }
      if round % 4 == 0 { text += " Mohamed Khan Mohammad" }
      if round % 7 == 0 { text = "Ali Ali Ali Xuthosk Qwerimb Zbigorn Plonkevu" }
      let search = NameSearch(ListedName(text), in: index, policy: .standard)
      let least = round % 2 == 0 ? 0.1 : 0.7
      var worths = PartScoreBounds(of: search, kinds: PartKinds(of: search), least: least, prospects)
      for number in index.names.indices {
        let shared = worths.kinds.bits(ofName: index.words(of: index.names[number]))
        let profile = NameProfile(rawValue: index.profiles[number])
        let step = worths.step(of: shared, profile)
        guard let candidate = search.candidate(Int32(number), least: least, prospects) else {
          dropped += step == nil ? 1 : 0
          if worths.isWorth(shared), !worths.isWorth(shared, tellsMuch: true) { muchDropped += 1 }
          continue
        }
        kept += 1
        let most = some.map { search.most(candidate, doubt: $0.doubt, weight: $0.weight) }.max() ?? 0
        #expect(step ?? -1 >= CandidateQueue.step(most), "\(text) and \(number)")
        if !profile.hasInitials { #expect(worths.isWorth(shared), "\(text) and \(number)") }
        if NameGroup.of(index.names[number]) == .much {
          muchKept += 1
          #expect(worths.isWorth(shared, tellsMuch: true), "\(text) and \(number)")
          let mayBeWorth = worths.mayBeWorth(shared, tellsMuch: true)
          #expect(mayBeWorth, "\(text) and \(number)")
        }
      }
    }
    #expect(kept > 100 && dropped > 100 && muchKept > 50 && muchDropped > 50)
  }

  /// Names are left out by bounds that hold for all names which share and tell no more. Between two particles that are
  /// left of either name lies the most that these can reach: it was taken to be less by 0.01.
  @Test("what is shared at most bounds every name, however much it tells besides", arguments: policies)
  func besides(policy: MatchingPolicy) throws {
    var generator = SeededGenerator(seed: 2_400)
    let index = Self.index(&generator, count: 400)
    let numbers = try [false, true].map { hasInitials in
      Int32(try #require(index.names.firstIndex { $0.hasInitials == hasInitials && $0.isPerson }))
    }
    // What particles and words tell, the bounds that tell them apart, and little beside these.
    let amounts = [0, 0.005, 0.01, 0.02, 0.05, 0.12, 0.2, 0.24, 0.33, 0.34, 0.345, 0.36, 0.5, 1, 2, 4]
    func some() -> Double { amounts[Int.random(in: 0..<amounts.count, using: &generator)] }
    var near = 0
    for text in ["Van Ashgrove Okavello", "Al Quindaro Bin Tamsin", "Ashgrove", "J Okavello Der"] {
      let search = NameSearch(ListedName(text), in: index, policy: policy)
      for round in 0..<8_000 {
        let number = numbers[round % 2]
        let (share, theirs, least) = (max(0, search.total - some()), some(), some())
        let (mine, told, besides) = (max(0, share - some()), max(0, theirs - some()), least + some())
        let adjustment = ScoreAdjustment(doubt: round % 3 == 0 ? 1 : 0.4, weight: 0)
        let candidate = NameSearch.Candidate(
          name: number, all: search.total + told + besides, told: told, rest: (search.total - mine, besides))
        let score = search.most(candidate, doubt: adjustment.doubt, weight: adjustment.weight)
        let hasInitials = search.hasInitials || index.names[Int(number)].hasInitials
        let most = search.most(share, theirs, adjustment, hasInitials: hasInitials, besidesMin: least)
        near += score > most - 1e-6 ? 1 : 0
        #expect(score <= most + 1e-6, "\(text): \(mine) of \(share), \(told) of \(theirs), \(besides)")
        let closer = search.most(
          share, theirs, (least, besides), all: theirs + besides, adjustment, hasInitials: hasInitials)
        #expect(score <= closer + 1e-6, "\(text): \(mine) of \(share), \(told) of \(theirs), \(besides)")
      }
    }
    #expect(near > 20)
  }

  @Test("a profile of four bytes keeps what it is told, and no rarity leaves its bounds")
  func profile() {
    for dates in KnownDates.allCases {
      for hasInitials in [false, true] {
        for rarity in [0, 0.12, 0.25, 0.35, 2.49, 2.5, 10.24, 10.25, 10.5, 16] {
          let year = UInt8(rarity * 15)
          let periods = UInt16(rarity * 4_000)
          let profile = NameProfile(dates, year: year, periods: periods, hasInitials: hasInitials).telling(rarity)
          #expect(profile.dates == dates && profile.hasInitials == hasInitials)
          #expect(profile.year == year && profile.periods == periods)
          #expect(profile.rarity.least <= rarity && rarity <= profile.rarity.most)
        }
      }
    }
  }

  @Test("no two words cost less than their letters say", arguments: 0..<4 as Range<UInt64>)
  func letterSets(seed: UInt64) {
    var generator = SeededGenerator(seed: seed &+ 470)
    let letters = Array("AEIOUYJHCKQVWSZGDTBPFXLMNR0123456789".utf8)
    var near = 0
    for number in 0..<20_000 {
      // Some are longer than what is compared of a word.
      let front = number % 50 == 0 ? [UInt8](repeating: UInt8(ascii: "N"), count: 60) : []
      let one =
        front
        + (0..<Int.random(in: 1...9, using: &generator)).map { _ in letters.randomElement(using: &generator) ?? 65 }
      var other = one
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let (place, letter) = (
          Int.random(in: 0..<max(1, other.count), using: &generator), letters.randomElement(using: &generator) ?? 65
        )
        switch Int.random(in: 0..<5, using: &generator) {
        case 0 where !other.isEmpty: other[place] = letter
        case 1 where !other.isEmpty: other.remove(at: place)
        case 2 where !other.isEmpty: other.insert(other[place], at: place)
        case 3 where place > 0: other.swapAt(place - 1, place)
        default: other.insert(letter, at: place)
        }
      }
      let edits = SpellingCost.distance(one, other, [], bound: 10_000)
      let least = SpellingCost.LetterSet(one).least(to: SpellingCost.LetterSet(other))
      near += least == edits ? 1 : 0
      #expect(least <= edits, "\(String(decoding: one, as: UTF8.self)) \(String(decoding: other, as: UTF8.self))")
    }
    #expect(near > 100)
  }
}
