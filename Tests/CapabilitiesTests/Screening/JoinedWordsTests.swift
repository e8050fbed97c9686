// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import TestSupport
import Testing

@testable import Screening

/// What is asked of words before names are aligned, and how much of the lists a search runs through.
@Suite("Screening: joined and repeated words", .storeless)
struct JoinedWordsTests {
  private static func word(_ generator: inout SeededGenerator) -> [UInt8] {
    // Letters that are read together across the blank, or heard once: T and SCH, C and K, P and H.
    let letters = Array("ABCCDEHHIKLMNOPSSTTUWYZ".utf8)
    return (0..<Int.random(in: 1...8, using: &generator)).map { _ in letters.randomElement(using: &generator) ?? 65 }
  }

  @Test("two words without their blank are as near as the word that they make", arguments: 1...4 as ClosedRange<UInt64>)
  func joined(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var near = 0
    for round in 0..<3000 {
      let (first, second) = (Self.word(&generator), Self.word(&generator))
      var letters = round % 5 == 0 ? Self.word(&generator) : first + second
      if round % 2 == 0 { letters[letters.count / 2] = UInt8(ascii: "K") }
      if round % 3 == 0 { letters.insert(letters[0], at: 0) }
      let whole = SpellingCost.Spelling(letters)
      for limit in [0.5, 1.3, 2.5] {
        let expected = SpellingCost.areWithin(limit, whole, .init(first + second))
        near += expected ? 1 : 0
        #expect(
          SpellingCost.areWithin(limit, whole, .init(first), .init(second)) == expected,
          "\(String(decoding: letters, as: UTF8.self)) \(String(decoding: first + second, as: UTF8.self)) \(limit)")
      }
    }
    #expect(near > 1000)
  }

  @Test("a word that stands in a name many times is looked for once")
  func repeated() {
    let entries = (0..<600).map { number in
      WatchList.Entry(reference: "R.\(number)", names: ["Mohammad \(["Dost", "Sadiq", "Karim"][number % 3])"])
    }
    let list = WatchList(version: .init(code: "R", version: "1"), entries: entries)
    let index = ScreeningIndex([list], countries: InventedList.countries)
    func postings(_ text: String) -> Int {
      let search = NameSearch(ListedName(text), in: index, policy: .standard)
      let facts = SubjectFacts(InventedList.subject(text), in: index)
      let prospects = facts.prospects(.standard)
      var promising = CandidateQueue()
      search.find(facts, prospects, least: 0, &promising) { _, _ in }
      return search.postings
    }
    let once = postings("Mohammad Dost")
    #expect(once >= 600)
    for count in [2, 5, 6, 14, 40] {
      let text = Array(repeating: "Mohammad", count: count).joined(separator: " ") + " Dost"
      #expect(postings("Dost " + text) <= once, "\(count)")
    }
  }

  @Test("pairs of words that no longer fit are remembered all the same, or measured again to the same edits")
  func remembered() {
    var generator = SeededGenerator(seed: 7)
    func words(_ count: Int) -> [ListedName.Word] {
      (0..<count).map { _ in .init(letters: Self.word(&generator), wordClass: .plain, isConsonantal: false) }
    }
    let (mine, table) = (words(3), words(4000))
    var pairs = WordPairs(mine, table: table)
    for _ in 0..<2 {
      for (number, word) in table.enumerated() {
        for (one, other) in mine.enumerated() {
          let limit = Double(max(word.letters.count, other.letters.count))
          let expected = SpellingCost.between(other.spelling, word.spelling, limit: limit)
          #expect(pairs.edits(one, Int32(number)) == expected)
        }
      }
    }
  }
}
