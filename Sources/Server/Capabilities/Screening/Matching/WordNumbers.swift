// SPDX-License-Identifier: Apache-2.0

/// The numbers of words while the lists are arranged, by their letters.
///
/// The same letters weigh otherwise in names of persons and of organisations, and are another word when they are read
/// from a script that writes few vowels. So is a misspelt legal form, or what stands behind a legal form: they tell less
/// than the same letters elsewhere.
struct WordNumbers {
  private struct Key: Hashable {
    let letters: [UInt8]
    let kind: UInt8

    func hash(into hasher: inout Hasher) {
      letters.withUnsafeBytes { hasher.combine(bytes: $0) }
      hasher.combine(kind)
    }
  }

  private var numbers: [Key: Int32] = [:]

  /// The number of a word that is of the class of its letters.
  func number(of letters: [UInt8], _ isConsonantal: Bool, _ isPerson: Bool) -> Int32? {
    numbers[Key(letters: letters, kind: Self.kind(isConsonantal, isPerson, other: nil))]
  }

  /// - Parameter words: the words of the numbers that there are.
  func number(of word: ListedName.Word, _ isPerson: Bool, in words: [ListedName.Word]) -> Int32? {
    for other in [nil, word.wordClass] {
      let kind = Self.kind(word.isConsonantal, isPerson, other: other)
      // Of the same letters there may be a word of another class only, and then the word itself is new.
      if let number = numbers[Key(letters: word.letters, kind: kind)], words[Int(number)].wordClass == word.wordClass {
        return number
      }
    }
    return nil
  }

  mutating func add(_ number: Int32, of word: ListedName.Word, _ isPerson: Bool) {
    let isOther = word.wordClass != WordClass.of(word.letters, isPerson: isPerson)
    let kind = Self.kind(word.isConsonantal, isPerson, other: isOther ? word.wordClass : nil)
    numbers[Key(letters: word.letters, kind: kind)] = number
  }

  /// - Parameter other: the class of a word that is not of the class of its letters.
  private static func kind(_ isConsonantal: Bool, _ isPerson: Bool, other: WordClass?) -> UInt8 {
    (isConsonantal ? 1 : 0) | (isPerson ? 2 : 0) | (other.map { 4 | $0.rawValue << 3 } ?? 0)
  }
}
