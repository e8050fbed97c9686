// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Screening

@Suite("The keys of tables of words")
struct PackedWordTests {
  @Test("two words have one key only when they are the same")
  func keys() throws {
    let words = ["", "A", "AA", "AB", "BA", "ABCDEFGH", "BCDEFGH", "ABCDEFGHA", "BBCDEFGHA", "ABCDEFGHABCDEFGH"]
    let keys = try words.map { try #require(PackedWord($0.utf8)) }
    #expect(Set(keys).count == words.count)
    for (word, key) in zip(words, keys) {
      #expect(key == PackedWord(Array(word.utf8)))
      #expect(key.lastLetter == word.utf8.last ?? 0)
    }
  }

  @Test("a word of more than sixteen letters has no key, and is in no set")
  func longWords() {
    let long = Array("ABCDEFGHABCDEFGHA".utf8)
    let set = Set<PackedWord>(words: "ABCDEFGHABCDEFGH BCDEFGHABCDEFGHA IBN")
    #expect(PackedWord(long) == nil)
    #expect(!set.contains(long))
    #expect(set.contains(long.dropFirst()) && set.contains(Array("IBN".utf8)) && !set.contains(Array("BIN".utf8)))
  }
}
