// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Screening

/// A listed word stands for one of the parts of which it is a variant.
@Suite("Screening: which words stand for which parts", .storeless)
struct PartMatchingTests {
  /// The most that some words tell, each paired with a part of its own or left out, by trying every way.
  private static func most(_ words: ArraySlice<(weight: Double, parts: Int)>, taken: Int = 0) -> Double {
    guard let word = words.first else { return 0 }
    var best = most(words.dropFirst(), taken: taken)
    for part in 0..<PartMatching.most where word.parts & ~taken & 1 << part != 0 {
      best = max(best, word.weight + most(words.dropFirst(), taken: taken | 1 << part))
    }
    return best
  }

  @Test("the pairs that tell most are found, as by trying every way", arguments: 0..<4 as Range<UInt64>)
  func matching(seed: UInt64) {
    var generator = SeededGenerator(seed: seed &+ 450)
    for _ in 0..<200 {
      let parts = Int.random(in: 1...4, using: &generator)
      let weights = (0..<parts).map { _ in Double(Int.random(in: 1...20, using: &generator)) / 16 }
      let words = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
        (
          weight: Double(Int.random(in: 0...20, using: &generator)) / 16,
          parts: Int.random(in: 0..<1 << parts, using: &generator)
        )
      }
      var matching = PartMatching()
      for word in words { matching.add(word.weight, for: word.parts) }
      #expect(matching.told() == Self.most(words[...]))
      // From the side of the parts.
      let turned = weights.enumerated().map { part, weight in
        (weight: weight, parts: words.indices.reduce(0) { words[$1].parts >> part & 1 == 1 ? $0 | 1 << $1 : $0 })
      }
      #expect(matching.share(of: weights) == Self.most(turned[...]))
    }
  }

  private static func index(_ names: [String]) -> ScreeningIndex {
    let entries = names.enumerated().map { WatchList.Entry(reference: "P.\($0)", names: [$1]) }
    return ScreeningIndex(
      [WatchList(version: .init(code: "P", version: "1"), entries: entries)], countries: InventedList.countries)
  }

  @Test("of two alike parts a name with one such word has one, and a name with two of them both")
  func alike() {
    let index = Self.index(["Mohammad Quindaro", "Mohamed Mohammad", "Mohammad Mohammad", "Okavello Tamsin"])
    let search = NameSearch(ListedName("Mohammad Ashgrove Mohammed"), in: index, policy: .standard)
    let weight = search.parts[0].weight
    func share(_ name: Int) -> Double { search.variants.sums(of: index.words(of: index.names[name])).matched.share }
    #expect(abs(share(0) - weight) < 1e-9 && share(3) == 0)
    for name in 1...2 { #expect(abs(share(name) - 2 * weight) < 1e-9) }
    let kinds = PartKinds(of: search)
    func told(_ name: Int) -> Double {
      kinds.shares(of: kinds.bits(ofName: index.words(of: index.names[name])), assumed: 0).mine
    }
    for name in 0...3 { #expect(abs(told(name) - share(name)) < 1e-9) }
  }

  @Test("a name that has a word twice stands twice in the word's list")
  func twice() {
    let index = Self.index(["Tamsin Tamsin", "Tamsin Quindaro"])
    let word = index.words(of: index.names[0])[0]
    #expect(index.namesByWord.withNumbers { numbers in index.names(with: word).map { numbers[$0] } } == [0, 0, 1])
  }
}
