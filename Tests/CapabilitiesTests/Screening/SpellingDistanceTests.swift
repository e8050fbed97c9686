// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Screening

/// The distance of two words leaves out cells that cannot lie on a way below its bound. A slip there changes scores.
@Suite("Screening: the distance of two words", .storeless)
struct SpellingDistanceTests {
  /// Letters of every cost; and few, so that many are doubled, swapped and shared.
  private static let alphabets = ["AEIOUYJHCKQVWSZGDTBPFXLMNR0123456789", "AHHSSNNYKC"].map { Array($0.utf8) }

  private static func word(_ alphabet: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    (0..<Int.random(in: 0...9, using: &generator)).map { _ in alphabet.randomElement(using: &generator) ?? 65 }
  }

  private static func misspelt(
    _ word: [UInt8], _ alphabet: [UInt8], _ generator: inout SeededGenerator
  ) -> [UInt8] {
    var other = word
    for _ in 0..<Int.random(in: 0...4, using: &generator) {
      let place = Int.random(in: 0..<max(1, other.count), using: &generator)
      let letter = alphabet.randomElement(using: &generator) ?? 65
      switch Int.random(in: 0..<5, using: &generator) {
      case 0 where !other.isEmpty: other[place] = letter
      case 1 where !other.isEmpty: other.remove(at: place)
      case 2 where !other.isEmpty: other.insert(other[place], at: place)
      case 3 where place > 0: other.swapAt(place - 1, place)
      default: other.insert(letter, at: place)
      }
    }
    return other
  }

  /// What a letter costs that only one side has.
  private static func gap(_ word: [UInt8], _ index: Int) -> Int {
    if index > 0, word[index - 1] == word[index] { return 20 }
    if word[index] == UInt8(ascii: "S"), index == word.count - 1 { return 60 }
    return Int(SpellingCost.costs[Int(word[index]) << 7])
  }

  /// Cell by cell, every one of them.
  private static func plainDistance(_ one: [UInt8], _ other: [UInt8]) -> Int {
    let (a, b) = (Array(one.prefix(SpellingCost.lettersMax)), Array(other.prefix(SpellingCost.lettersMax)))
    if a.isEmpty || b.isEmpty { return 100 * max(a.count, b.count) }
    var cells = Array(repeating: Array(repeating: 0, count: b.count + 1), count: a.count + 1)
    for i in 0...a.count {
      for j in 0...b.count where i + j > 0 {
        var ways: [Int] = []
        if i > 0 { ways.append(cells[i - 1][j] + gap(a, i - 1)) }
        if j > 0 { ways.append(cells[i][j - 1] + gap(b, j - 1)) }
        if i > 0, j > 0 {
          ways.append(cells[i - 1][j - 1] + Int(SpellingCost.costs[Int(a[i - 1]) << 7 | Int(b[j - 1])]))
        }
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { ways.append(cells[i - 2][j - 2] + 90) }
        cells[i][j] = ways.min() ?? 0
      }
    }
    return cells[a.count][b.count]
  }

  @Test("it is what all cells give, or its bound", arguments: 0..<4 as Range<UInt64>)
  func cells(seed: UInt64) {
    var generator = SeededGenerator(seed: seed &+ 241)
    var (near, far) = (0, 0)
    for number in 0..<8_000 {
      let alphabet = Self.alphabets[number % 2]
      // Some are longer than what is compared of a word.
      let front = number % 50 == 0 ? [UInt8](repeating: UInt8(ascii: "N"), count: 60) : []
      let one = front + Self.word(alphabet, &generator)
      let other =
        number % 3 == 0 ? Self.word(alphabet, &generator) : Self.misspelt(one, alphabet, &generator)
      let expected = Self.plainDistance(one, other)
      for bound in [Int.random(in: 0...600, using: &generator), 10_000] {
        let found = SpellingCost.distance(one, other, [], bound: bound)
        (near, far) = (near + (found < bound ? 1 : 0), far + (found < bound ? 0 : 1))
        #expect(
          found == min(bound, expected),
          "\(String(decoding: one, as: UTF8.self)) \(String(decoding: other, as: UTF8.self)) \(bound)")
      }
    }
    #expect(near > 1_000 && far > 1_000)
  }

  /// A profile holds words of up to fifteen letters. Some of the others are longer than what is compared of a word.
  @Test("the profile of a word gives the same distances", arguments: 0..<4 as Range<UInt64>)
  func profiles(seed: UInt64) {
    var generator = SeededGenerator(seed: seed &+ 251)
    var (near, far) = (0, 0)
    for number in 0..<8_000 {
      let alphabet = Self.alphabets[number % 2]
      let letters = Array((Self.word(alphabet, &generator) + Self.word(alphabet, &generator)).prefix(15))
      let one = SpellingCost.Spelling(letters.isEmpty ? [65] : letters, keepsArrays: false)
      guard let profile = SpellingCost.Profile(one) else { continue }
      let back = number % 50 == 0 ? [UInt8](repeating: UInt8(ascii: "N"), count: 60) : []
      let other = SpellingCost.Spelling(
        (number % 3 == 0 ? Self.word(alphabet, &generator) : Self.misspelt(letters, alphabet, &generator)) + back,
        keepsArrays: false)
      for bound in [Int.random(in: 0...600, using: &generator), 1_750] {
        let distance = min(bound, Self.plainDistance(one.letters, other.letters))
        let heard = min(bound, Self.plainDistance(one.sounds, other.sounds))
        (near, far) = (near + (distance < bound ? 1 : 0), far + (distance < bound ? 0 : 1))
        #expect(
          profile.letterDistance(other, bound: bound) == distance,
          "\(String(decoding: letters, as: UTF8.self)) \(String(decoding: other.letters, as: UTF8.self)) \(bound)")
        #expect(profile.soundDistance(other, bound: bound) == heard)
      }
      let limit = Double(max(one.letterCount, other.letterCount))
      #expect(
        SpellingCost.between(one, other, limit: limit, profile: profile)
          == SpellingCost.between(one, other, limit: limit))
      #expect(
        SpellingCost.areWithin(2.5, one, other, profile: profile) == SpellingCost.areWithin(2.5, one, other))
    }
    #expect(near > 1_000 && far > 1_000)
  }

  @Test("words that do not fit into a profile, and bounds that do not, are compared cell by cell")
  func beyondProfiles() throws {
    #expect(SpellingCost.Profile(.init(Array("ABCDEFGHIKLMNOPR".utf8))) == nil)
    // X is heard as two sounds.
    #expect(SpellingCost.Profile(.init(Array("XAXEXIXOXUX".utf8))) == nil)
    #expect(SpellingCost.Profile(.init([])) == nil)
    #expect(SpellingCost.costs.allSatisfy { $0.isMultiple(of: 10) }, "a profile counts in tenths of an edit")
    let profile = try #require(SpellingCost.Profile(.init(Array("ABCDEFGHIKLMNOP".utf8))))
    let other = SpellingCost.Spelling(Array(repeating: UInt8(ascii: "R"), count: 20) + Array("ABC".utf8))
    #expect(profile.letterDistance(other, bound: 1_760) == nil)
    #expect(profile.soundDistance(other, bound: 1_760) == nil)
  }

  /// What letters left over cost is divided by the least that one costs.
  @Test("a byte that is no letter costs something when it is left out")
  func noLetter() {
    #expect(SpellingCost.distance([0, 65], [65], [], bound: 1_000) > 0)
    #expect(SpellingCost.distance([0], [128, 65], [], bound: 1_000) > 0)
  }

  @Test("a spelling that holds its letters itself compares as one that keeps arrays", arguments: 0..<2 as Range<UInt64>)
  func spellings(seed: UInt64) {
    var generator = SeededGenerator(seed: seed &+ 242)
    var near = 0
    for number in 0..<4_000 {
      let alphabet = Self.alphabets[number % 2]
      // About as many letters as a spelling holds, and X, which is heard as two.
      let front = number % 4 == 0 ? Array("XAXEXIXOXUX".utf8.prefix(Int.random(in: 3...11, using: &generator))) : []
      let one = front + Self.word(alphabet, &generator)
      let other = Self.misspelt(one, alphabet, &generator)
      let second = Self.word(alphabet, &generator)
      func spelling(_ letters: [UInt8], _ keepsArrays: Bool) -> SpellingCost.Spelling {
        .init(letters, keepsArrays: keepsArrays)
      }
      let (kept, held) = (spelling(one, true), spelling(one, false))
      #expect(held.letters == one && kept.letters == one)
      #expect(held.sounds == SpellingCost.sound(one) && kept.sounds == held.sounds)
      #expect((held == spelling(other, false)) == (one == other))
      #expect(JoinedKeys.isOneEdit(held, spelling(other, false)) == JoinedKeys.isOneEdit(one, other))
      for limit in [0.5, 1.3, 2.5] {
        let edits = SpellingCost.between(kept, spelling(other, true), limit: limit)
        #expect(SpellingCost.between(held, spelling(other, false), limit: limit) == edits)
        let isNear = SpellingCost.areWithin(limit, kept, spelling(other + second, true))
        near += isNear ? 1 : 0
        #expect(SpellingCost.areWithin(limit, held, spelling(other + second, false)) == isNear)
        #expect(SpellingCost.areWithin(limit, held, spelling(other, false), spelling(second, false)) == isNear)
      }
    }
    #expect(near > 500)
  }
}
