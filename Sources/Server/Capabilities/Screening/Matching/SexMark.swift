// SPDX-License-Identifier: Apache-2.0

/// Given and family names that a language ends otherwise for women than for men.
enum SexMark {
  /// - Returns: 1 when the first is the woman's form of the second, -1 the other way round, nought otherwise.
  static func of(_ one: [UInt8], _ other: [UInt8]) -> Int {
    isFeminine(one, of: other) ? 1 : isFeminine(other, of: one) ? -1 : 0
  }

  /// Whether a man's name is a Slavic family name that has a form for women.
  static func isFamilyName(_ word: [UInt8]) -> Bool {
    word.count > 4 && familyEnds.contains { word.suffix($0.count).elementsEqual($0) }
  }

  private static let familyEnds = ["OV", "EV", "IN", "YN", "SKY", "SKI", "SKII", "SKIY", "SKYI", "SKYY", "SKYJ"]
    .map { Array($0.utf8) }

  private static func isFeminine(_ word: [UInt8], of other: [UInt8]) -> Bool {
    guard word.last == UInt8(ascii: "A"), other.last != UInt8(ascii: "A") else { return false }
    let stem = withoutEnd(word)
    return stem.count > 2 && stem == withoutEnd(other)
  }

  /// Without the vowels at the end: `SKAYA` and `SKY` are `SK`.
  private static func withoutEnd(_ word: [UInt8]) -> ArraySlice<UInt8> {
    word[...(word.lastIndex { !vowels.contains($0) } ?? word.startIndex)]
  }

  private static let vowels = Array("AEIJOUY".utf8)
}
