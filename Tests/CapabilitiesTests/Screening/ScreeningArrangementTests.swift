// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Screening

/// Words are numbered anew when all lists are read: every table has to tell of the same word by its new number.
@Suite("Screening: words are numbered by their sound", .storeless)
struct ScreeningArrangementTests {
  private static let list = WatchList(
    version: .init(code: "T", version: "1"),
    entries: [
      // Entries of organisations have the first numbers.
      .init(reference: "0", kind: .organisation, names: ["Tomson Zarka"]),
      .init(reference: "1", names: ["William Tomson"]), .init(reference: "2", names: ["Zarqa Anders"]),
      .init(reference: "3", names: ["Bill Tamsin"]), .init(reference: "4", names: ["Zarka Tomson"]),
    ])
  /// By the consonants `BL`, `LM`, `NTRS`, `SRK` and `TMSN`, and then by their letters. Of two that are the same the
  /// organisation's was read first.
  private static let words = ["BILL", "WILLIAM", "ANDERS", "ZARKA", "ZARKA", "ZARQA", "TAMSIN", "TOMSON", "TOMSON"]
  private static let wordsOfNames: [[Int32]] = [[7, 3], [1, 8], [5, 2], [0, 6], [4, 8]]

  private let arranged = ScreeningIndex.Arrangement([Self.list])

  @Test("words stand in the order of their consonants and then of their letters, and names have the same words")
  func order() {
    #expect(arranged.words.map { String(decoding: $0.letters, as: UTF8.self) } == Self.words)
    #expect(arranged.wordsOfNames == Self.wordsOfNames.flatMap(\.self))
    #expect(arranged.names.map { Array(arranged.wordsOfNames[ScreeningIndex.places(of: $0)]) } == Self.wordsOfNames)
  }

  @Test("what is known of a word has its number")
  func facts() {
    #expect(arranged.facts.map(\.number) == Array(0..<9))
    #expect(arranged.facts.map(\.count) == Self.words.map { Int32($0.utf8.count) })
    #expect(arranged.facts.map(\.last) == Self.words.map { $0.utf8.last ?? 0 })
    #expect(arranged.isWordOfPerson == [true, true, true, false, true, true, true, false, true])
    // Two of fewer than a hundred entries have `TOMSON`.
    let shared = 1.15 - log(2.0) / log(100.0)
    #expect(arranged.rarities == [1, 1, 1, 1, 1, 1, 1, 1, shared])
    #expect(arranged.wordsByGivenName.values.contains([0, 1]))
    #expect(arranged.wordsByGivenName.values.allSatisfy { !$0.contains { $0 > 1 } })
  }

  @Test("names stand in the lists of their words")
  func names() {
    let names = arranged.words.indices.map { word in
      NameGroup.allCases.flatMap { arranged.namesByWord[$0.list(of: Int32(word))] }
    }
    #expect(names == [[3], [1], [2], [0], [4], [2], [3], [0], [1, 4]])
  }

  @Test("words are found under their own keys, and no others are")
  func keys() {
    var (keys, pieces): ([UInt64: Set<Int32>], [UInt64: Set<Int32>]) = ([:], [:])
    for (number, word) in Self.words.enumerated() {
      WordKeys.forEach(of: Array(word.utf8), withCoarse: true) { keys[$0, default: []].insert(Int32(number)) }
      WordKeys.forEachPiece(of: Array(word.utf8)) { pieces[$0, default: []].insert(Int32(number)) }
    }
    #expect(pieces.count == 2, "of WILLIAM")
    for (table, expected) in [(arranged.wordsByKey, keys), (arranged.wordsByPiece, pieces)] {
      for (key, numbers) in expected {
        var found: Set<Int32> = []
        table.forEach(of: key) { found.insert($0) }
        #expect(found == numbers)
      }
    }
  }

  @Test("a search finds words and whole names by what it is told of them")
  func search() {
    let index = ScreeningIndex([Self.list], countries: InventedList.countries)
    #expect(index.otherForms(of: index.facts[0].given) == [0, 1])
    #expect(Set<Int32>([4, 5]).isSubset(of: index.neighbours(of: index.words[3])))
    for (number, words) in Self.wordsOfNames.enumerated() {
      let joined = words.flatMap { Array(Self.words[Int($0)].utf8) }
      #expect(index.names(joinedLike: .init(joined)) == [Int32(number)])
    }
  }
}
