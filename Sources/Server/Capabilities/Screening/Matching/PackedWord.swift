// SPDX-License-Identifier: Apache-2.0

/// A word of up to sixteen letters in two numbers: the key of tables that are asked for every word of a name. An array
/// gives the hasher letter for letter, which takes several times as long.
struct PackedWord: Hashable {
  static let lettersMax = 16

  /// The last eight letters, and those before them.
  private var last: UInt64 = 0
  private var before: UInt64 = 0

  init() {}

  /// - Parameter letters: no byte of them is nought.
  /// - Returns: nil for a longer word, which is in no table.
  init?(_ letters: some Collection<UInt8>) {
    guard letters.count <= Self.lettersMax else { return nil }
    for letter in letters { append(letter) }
  }

  /// A word of a table.
  /// - Precondition: it has no more than sixteen letters.
  init(ofTable word: Substring) {
    precondition(word.utf8.count <= Self.lettersMax, "\(word) has too many letters for a table")
    for letter in word.utf8 { append(letter) }
  }

  /// The last letter; nought for an empty word.
  var lastLetter: UInt8 { UInt8(truncatingIfNeeded: last) }

  /// Adds a letter at the end. Behind sixteen letters the first one is lost.
  mutating func append(_ letter: UInt8) {
    before = before << 8 | last >> 56
    last = last << 8 | UInt64(letter)
  }
}

extension Set<PackedWord> {
  /// Words parted by blanks.
  init(words text: String) {
    self.init(text.split(separator: " ").map(Element.init(ofTable:)))
  }

  func contains(_ letters: some Collection<UInt8>) -> Bool { Element(letters).map { contains($0) } ?? false }
}
