// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Kit

/// A name as the matcher sees it: upper-case Latin words, whatever the script. Of a person the family name stands last
/// when a comma tells which it is; of an organisation the legal forms stand apart.
struct ListedName: Sendable, Hashable {
  /// Longer names are cut: no real name has more parts.
  static let wordsMax = 16
  static let scalarsMax = 512

  /// One part of a name.
  struct Word: Sendable, Hashable {
    let letters: [UInt8]
    let wordClass: WordClass
    /// Read from a script that writes few vowels.
    let isConsonantal: Bool
    /// Read from Chinese characters, by the rules of Pinyin. The same letters are the same word all the same.
    let isPinyin: Bool
    /// The letters with what is heard and seen of them, worked out once.
    let spelling: SpellingCost.Spelling

    init(letters: [UInt8], wordClass: WordClass, isConsonantal: Bool, isPinyin: Bool = false) {
      self.letters = letters
      self.wordClass = wordClass
      self.isConsonantal = isConsonantal
      self.isPinyin = isPinyin
      spelling = SpellingCost.Spelling(letters, keepsArrays: false)
    }

    /// An initial, or two letters that may be two of them.
    var mayBeInitials: Bool { wordClass == .initial || letters.count <= 2 && wordClass == .plain }

    static func == (one: Self, other: Self) -> Bool {
      one.letters == other.letters && one.wordClass == other.wordClass && one.isConsonantal == other.isConsonantal
    }

    func hash(into hasher: inout Hasher) {
      // An array gives the hasher byte for byte, which takes several times as long.
      letters.withUnsafeBytes { hasher.combine(bytes: $0) }
      hasher.combine(isConsonantal)
    }
  }

  let words: [Word]
  /// Short forms, such as `LTD`.
  let legalForms: [String]
  let isPerson: Bool

  /// - Parameter known: a word that was read before from the same letters, so that what is heard of it is not worked
  ///   out again; nil for none.
  init(
    _ text: String, isPerson: Bool = true, known: (_ letters: [UInt8], _ isConsonantal: Bool) -> Word? = { _, _ in nil }
  ) {
    self.init(Self.read(Self.bounded(text), isPerson: isPerson), isPerson: isPerson, known: known)
  }

  /// Words in upper-case Latin letters, and what they were read from.
  struct Reading {
    var words: [String]
    var isConsonantal = false
    var isPinyin = false
  }

  init(
    _ reading: Reading, isPerson: Bool, known: (_ letters: [UInt8], _ isConsonantal: Bool) -> Word?
  ) {
    self.isPerson = isPerson
    var plain = reading.words
    if reading.isConsonantal { plain = plain.flatMap(Self.withoutArticle) }
    if isPerson { plain = Self.withServant(Self.withMohammed(plain)) }
    var (forms, behind): ([String], Int) = ([], 0)
    if !isPerson { (plain, forms, behind) = LegalForm.parted(OrganisationWords.read(Self.withShipPrefix(plain))) }
    legalForms = forms
    let read = plain.prefix(Self.wordsMax).map { word in
      let letters = Array(word.utf8)
      return known(letters, reading.isConsonantal)
        ?? Word(
          letters: letters, wordClass: WordClass.of(letters, isPerson: isPerson), isConsonantal: reading.isConsonantal,
          isPinyin: reading.isPinyin)
    }
    words = isPerson ? read : Self.withSeat(Self.withMisspeltForms(read), words: plain.count > read.count ? 0 : behind)
  }

  /// The same name with other words.
  func with(_ words: [Word]) -> ListedName { ListedName(words: words, legalForms: legalForms, isPerson: isPerson) }

  private init(words: [Word], legalForms: [String], isPerson: Bool) {
    (self.words, self.legalForms, self.isPerson) = (words, legalForms, isPerson)
  }

  static func bounded(_ text: String) -> String { text.prefix(scalars: scalarsMax) }

  private static func read(_ text: String, isPerson: Bool) -> Reading {
    guard isPerson else {
      let reading = ScriptReading.latin(text)
      return Reading(words: words(of: reading.text, keepsDigits: true), isConsonantal: reading.isConsonantal)
    }
    let ordered = givenFirst(text)
    if let words = LatinReading.words(of: ordered) { return Reading(words: words) }
    let reading = ScriptReading.latin(ordered)
    return Reading(
      words: words(of: reading.text, keepsDigits: false), isConsonantal: reading.isConsonantal,
      isPinyin: CharacterNames.isChineseName(ordered))
  }

  /// `M/V` and `M/T` before a ship's name are two words to the reader, and one to who writes them.
  private static func withShipPrefix(_ words: [String]) -> [String] {
    guard words.count > 2, ["M", "S", "F"].contains(words[0]), ["V", "T", "S", "Y"].contains(words[1]) else {
      return words
    }
    return ["MV"] + words.dropFirst(2)
  }

  /// `Family, Given` the other way round.
  static func givenFirst(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: ",")) else { return text }
    let parts = text.split(separator: ",", maxSplits: 1)
    return parts.count == 2 ? "\(parts[1]) \(parts[0])" : text
  }

  /// A misspelt legal form stays a word of the name, for it may be one, but it tells no more than an article does. It
  /// stands at the end, behind a word that tells one organisation from another.
  private static func withMisspeltForms(_ words: [Word]) -> [Word] {
    guard let first = words.firstIndex(where: { $0.wordClass.isDistinctive }) else { return words }
    return words.enumerated().map { index, word in
      guard index > first, index + 2 >= words.count, word.wordClass == .plain, LegalForm.isMisspelt(word.letters) else {
        return word
      }
      return Word(letters: word.letters, wordClass: .particle, isConsonantal: word.isConsonantal)
    }
  }

  /// What stands behind the legal form, as in `Ashgrove Inc., Austin TX`, is where an organisation is: it tells no more
  /// than what very many are called, but another one contradicts.
  private static func withSeat(_ words: [Word], words count: Int) -> [Word] {
    let name = words.count - count
    guard (1...seatWordsMax).contains(count), words[..<name].contains(where: { $0.wordClass.isDistinctive }) else {
      return words
    }
    return words[..<name]
      + words[name...].map { word in
        guard word.wordClass.isDistinctive else { return word }
        return Word(letters: word.letters, wordClass: .generic, isConsonantal: word.isConsonantal)
      }
  }

  private static let seatWordsMax = 3

  /// Read from a script that writes few vowels.
  var isConsonantal: Bool { words.contains(where: \.isConsonantal) }

  /// Read from Chinese characters.
  var isPinyin: Bool { words.contains(where: \.isPinyin) }

  /// All words without blanks between them.
  var joined: [UInt8] { words.flatMap(\.letters) }

  /// A name field may give several names, parted by slashes; each stands for itself. A person's name in Arabic
  /// or Hebrew letters may be read in several ways.
  static func alternatives(
    _ text: String, isPerson: Bool, known: (_ letters: [UInt8], _ isConsonantal: Bool) -> Word? = { _, _ in nil }
  ) -> [ListedName] {
    let text = isPerson ? withDescent(text) : text
    let whole = readings(of: text, isPerson: isPerson, known: known)
    guard text.utf8.contains(UInt8(ascii: "/")) else { return whole }
    let parts = text.split(separator: "/").filter { $0.contains(where: \.isLetter) }
    guard (2...4).contains(parts.count), parts.allSatisfy({ $0.unicodeScalars.count > 4 }) else { return whole }
    return whole
      + parts.flatMap { readings(of: String($0), isPerson: isPerson, known: known) }.filter { !$0.words.isEmpty }
  }

  static func words(of text: String, keepsDigits: Bool) -> [String] {
    var words: [String] = []
    // Dots between single letters belong to an abbreviation: G.m.b.H. is GMBH, but J.-C. are two initials.
    let texts = keepsDigits ? joiningAbbreviations(text) : text.split(whereSeparator: \.isWhitespace).map(String.init)
    for word in texts where word.utf8.contains(where: { (48...57).contains($0) }) || !word.isEmpty {
      guard word.utf8.contains(where: { (48...57).contains($0) }) else {
        words += LatinReading.words(of: word) ?? Transliteration.words(of: word)
        continue
      }
      if keepsDigits {
        words += digitWords(word)
      } else if word.contains(where: \.isLetter) {
        words += Transliteration.words(of: String(word.map { lookalikes[$0] ?? $0 }))
      }
    }
    return words
  }

  /// Digits that are typed for letters.
  static let lookalikes: [Character: Character] = [
    "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "9": "g",
  ]

  private static func digitWords(_ word: String) -> [String] {
    if word.utf8.allSatisfy({ $0 < 0x80 }) {
      return word.uppercased().utf8.split { !(48...57).contains($0) && !(65...90).contains($0) }
        .map { String(Substring($0)) }
    }
    return word.split { !$0.isLetter && !$0.isNumber }.flatMap { part -> [String] in
      let kept = part.uppercased().unicodeScalars.filter {
        $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0))
      }
      return kept.isEmpty ? [] : [String(String.UnicodeScalarView(kept))]
    }
  }

  private static func joiningAbbreviations(_ text: String) -> [String] {
    // Most texts have no dot and nothing but ASCII: they are parted byte by byte.
    guard text.utf8.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: ".") }) else {
      let ends = { (byte: UInt8) in byte == 0x20 || (9...13).contains(byte) || ",()\"".utf8.contains(byte) }
      return text.utf8.split(whereSeparator: ends).map { String(Substring($0)) }
    }
    return text.split { $0.isWhitespace || $0 == "," || $0 == "(" || $0 == ")" || $0 == "\"" }.map { word in
      let letters = word.split(separator: ".", omittingEmptySubsequences: true)
      return letters.count > 1 && letters.allSatisfy { $0.count == 1 } ? letters.joined() : String(word)
    }
  }

  /// `Abd al-Rahman`, `Abdul Rahman` and `Abdel Rahman` are one name: the article is left out.
  private static func withServant(_ words: [String]) -> [String] {
    guard words.contains(where: { $0.utf8.first == UInt8(ascii: "A") }) else { return words }
    var result: [String] = []
    for word in words {
      if result.last == "ABD", articles.contains(word) { continue }
      result.append(servants.contains(word) || isMisspeltServant(word) ? "ABD" : word)
    }
    return result
  }

  /// `Mohd` and the like are Mohammed in South and Southeast Asia and in Syria.
  private static func withMohammed(_ words: [String]) -> [String] {
    guard words.count > 1, words.contains(where: { $0.utf8.first == UInt8(ascii: "M") }) else { return words }
    return words.map { $0.utf8.count < 6 && mohammeds.contains($0) ? "MOHAMMED" : $0 }
  }

  private static let mohammeds: Set<String> = ["MHD", "MOHD", "MUHD", "MOHMD", "MUH"]

  private static let servants: Set<String> = ["ABD", "ABDUL", "ABDEL", "ABDOUL", "ABDAL", "ABDOL"]
  private static let servantLetters = [Array("ABDLU".utf8), Array("ABDEL".utf8)]

  /// `Abudl` and `Adbul`: no other name has these letters. One other letter, or one that is left out, makes none
  /// either, but for `Abul` and `Aboul`.
  private static func isMisspeltServant(_ word: String) -> Bool {
    let letters = word.utf8
    guard (4...5).contains(letters.count), letters.first == UInt8(ascii: "A") else { return false }
    if letters.count == 5, servantLetters.contains(letters.sorted()) { return true }
    return letters.last == UInt8(ascii: "L") && !fathers.contains(word)
      && EditDistance.between(Array(letters), abdul, atMost: 1) != nil
  }

  private static let abdul = Array("ABDUL".utf8)
  private static let fathers: Set<String> = ["ABUL", "ABOUL"]
  private static let articles: Set<String> = ["AL", "EL", "UL", "UR", "AR", "AS", "AN"]

  /// The Arabic article is written as part of the word.
  private static func withoutArticle(_ word: String) -> [String] {
    word.hasPrefix("AL") && word.count > 4 ? ["AL", String(word.dropFirst(2))] : [word]
  }
}
