// SPDX-License-Identifier: Apache-2.0

/// The numbers of words while the lists are arranged, by their letters.
///
/// The same letters weigh otherwise in names of persons and of organisations, and are another word when they are read
/// from a script that writes few vowels. So is a misspelt legal form, which tells less than the word that it may be.
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

  /// The number of a word that is of the class of its letters, not a misspelt form.
  func number(of letters: [UInt8], _ isConsonantal: Bool, _ isPerson: Bool) -> Int32? {
    numbers[Key(letters: letters, kind: Self.kind(isConsonantal, isPerson, isMisspelt: false))]
  }

  /// - Parameter words: the words of the numbers that there are.
  func number(of word: ListedName.Word, _ isPerson: Bool, in words: [ListedName.Word]) -> Int32? {
    for isMisspelt in [false, true] {
      let kind = Self.kind(word.isConsonantal, isPerson, isMisspelt: isMisspelt)
      // Of the same letters there may be the misspelt form only, and then the word itself is new.
      if let number = numbers[Key(letters: word.letters, kind: kind)], words[Int(number)].wordClass == word.wordClass {
        return number
      }
    }
    return nil
  }

  mutating func add(_ number: Int32, of word: ListedName.Word, _ isPerson: Bool) {
    let isMisspelt = word.wordClass != WordClass.of(word.letters, isPerson: isPerson)
    numbers[Key(letters: word.letters, kind: Self.kind(word.isConsonantal, isPerson, isMisspelt: isMisspelt))] = number
  }

  private static func kind(_ isConsonantal: Bool, _ isPerson: Bool, isMisspelt: Bool) -> UInt8 {
    (isConsonantal ? 1 : 0) | (isPerson ? 2 : 0) | (isMisspelt ? 4 : 0)
  }
}
