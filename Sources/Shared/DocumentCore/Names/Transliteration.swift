// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Names in the letters A–Z, by the tables of Doc 9303-3 §6 (identity-documents §4.3).
///
/// Scripts without a table here (Greek, Chinese …) vanish: the printed Latin form is the truth for them.
public enum Transliteration {
  /// Whose reading of Cyrillic letters applies.
  public enum Language: Hashable, Sendable, CaseIterable {
    case standard, belarusian, ukrainian, serbian, macedonian, bulgarian
  }

  /// How many scalars of a name are read; no name of a document is longer.
  static let scalarsMax = 512

  /// The words of a name in upper-case Latin letters, each of at least one letter.
  ///
  /// Apostrophes, digits and marks vanish within a word; blanks, hyphens, slashes, dots and commas end one.
  public static func words(of name: String, language: Language = .standard) -> [String] {
    composedWords(of: name).compactMap { word in
      let latin = latin(word, language: language)
      return latin.isEmpty ? nil : latin
    }
  }

  /// One word in upper-case Latin letters; letters without a table are left out.
  private static func latin(_ word: [Character], language: Language) -> String {
    var result = ""
    for (index, character) in word.enumerated() {
      result += reading(of: character, isFirst: index == 0, isLast: index == word.count - 1, language: language)
    }
    return result
  }

  private static func reading(of character: Character, isFirst: Bool, isLast: Bool, language: Language) -> String {
    if character.isASCII { return character.isLetter ? String(character) : "" }
    if let readings = latin[character] { return readings[0] }
    if language == .ukrainian, isFirst, let initial = ukrainianInitials[character] { return initial }
    if let own = cyrillicByLanguage[language]?[character] { return own }
    if let common = cyrillic[character] { return common }
    if let first = character.unicodeScalars.first, (0x600...0x6FF).contains(first.value) {
      return arabicReading(of: character, isLast: isLast)
    }
    return base(of: character)
  }

  /// Shadda doubles the letter that it marks; teh marbuta ends a word as XAH and stands elsewhere as XTA.
  private static func arabicReading(of character: Character, isLast: Bool) -> String {
    var result = ""
    var letter = ""
    for scalar in character.unicodeScalars {
      switch scalar {
      case "\u{651}": result += letter
      case "\u{629}":
        letter = isLast ? "XAH" : "XTA"
        result += letter
      default:
        guard let reading = arabic[scalar] else { continue }
        letter = reading
        result += letter
      }
    }
    return result
  }

  /// The letters that remain of a letter with marks, or of a ligature.
  private static func base(of character: Character) -> String {
    guard character.isLetter else { return "" }
    // Scalar by scalar: a letter and its mark are one Character even when decomposed.
    return String(character).decomposedStringWithCompatibilityMapping.uppercased().unicodeScalars
      .map { $0.isASCII ? ($0.properties.isAlphabetic ? String($0) : "") : latin[Character($0)]?[0] ?? "" }
      .joined()
  }

  /// Upper-cased words of composed characters, so that `u` + U+0308 is looked up as `Ü`.
  private static func composedWords(of name: String) -> [[Character]] {
    var bounded = String.UnicodeScalarView()
    bounded.append(contentsOf: name.unicodeScalars.prefix(scalarsMax))
    let composed = String(bounded).precomposedStringWithCanonicalMapping
    return composed.split(whereSeparator: endsWord).map { word in
      word.filter { !isDropped($0) }.flatMap(upperCased)
    }
  }

  /// Upper case that keeps the letters of which the table has its own reading.
  private static func upperCased(_ character: Character) -> [Character] {
    if character.isASCII { return Array(character.uppercased()) }
    guard character.isLetter, latin[character] == nil else { return [character] }
    return Array(character.uppercased().precomposedStringWithCanonicalMapping)
  }

  private static let wordEnds = Set<Character>("-‐‑‒–—/.,;<&")
  private static let apostrophes = Set<Character>("'’‘ʼʻ`´")

  private static func endsWord(_ character: Character) -> Bool {
    wordEnds.contains(character) || character.isWhitespace
  }

  private static func isDropped(_ character: Character) -> Bool {
    apostrophes.contains(character)
  }
}
