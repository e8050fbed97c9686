// SPDX-License-Identifier: Apache-2.0

/// What names of one day are asked of their words before any letter is read: sixteen bytes, so that one line of the
/// memory has it all, where `WordPairs.Facts` and `ScreeningIndex.rarities` take three.
struct WordGist: Sendable {
  /// How much the word tells, as in `ScreeningIndex.rarities`.
  let rarity: Double
  private let letters: UInt32
  private let count: UInt16
  let isConsonantal: Bool

  init(_ facts: WordPairs.Facts, rarity: Double) {
    self.rarity = rarity
    letters = facts.letterSet.bits
    count = UInt16(clamping: facts.count)
    isConsonantal = facts.isConsonantal
  }

  /// Letters that only one of two words has.
  func apart(from other: WordGist) -> Int { (letters ^ other.letters).nonzeroBitCount }

  /// How many letters one of two words has more than the other.
  func longer(than other: WordGist) -> Int { abs(Int(count) - Int(other.count)) }
}
