// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Other ways to read a person's name: in Arabic or Hebrew letters, which leave sounds and blanks open, and in Latin or
/// Cyrillic ones by rules of a language that the letters do not tell for certain.
extension ListedName {
  /// A name as it is read first, and as it may be read besides.
  static func readings(
    of text: String, isPerson: Bool, known: (_ letters: [UInt8], _ isConsonantal: Bool) -> Word?
  ) -> [ListedName] {
    var names = [ListedName(text, isPerson: isPerson, known: known)]
    guard isPerson else {
      if let other = ScriptReading.foreign(bounded(text)) {
        names.append(.init(Reading(words: words(of: other, keepsDigits: true)), isPerson: false, known: known))
      }
      return names
    }
    let ordered = givenFirst(bounded(text))
    for reading in names[0].isConsonantal ? consonantal(ordered) : latin(ordered, names[0].words) {
      let name = ListedName(reading, isPerson: true, known: known)
      if !name.words.isEmpty, !names.contains(where: { $0.words == name.words }) { names.append(name) }
    }
    return names
  }

  /// Whose son, daughter or wife a person is, as passports of India, Malaysia and Singapore write it, is no slash
  /// between two names: `S/O` and `A/L` are `bin`, `D/O` and `A/P` `bint`. Of `W/O` and `C/O` nothing is read. A colon
  /// or a dot may follow, as on Indian papers.
  static func withDescent(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "/")) else { return text }
    return text.split(whereSeparator: \.isWhitespace).map { word in
      let short = word.last == ":" || word.last == "." ? word.dropLast() : word
      return descents[short.uppercased()] ?? String(word)
    }.joined(separator: " ")
  }

  private static let descents = [
    "S/O": "bin", "A/L": "bin", "D/O": "bint", "A/P": "bint", "W/O": "", "H/O": "", "C/O": "",
  ]

  /// Of names in Latin letters, or Cyrillic ones.
  private static func latin(_ text: String, _ words: [Word]) -> [Reading] {
    var readings: [Reading] = []
    if let words = LatinCompounds.read(words) { readings.append(Reading(words: words)) }
    if let words = withGeneration(words) { readings.append(Reading(words: words)) }
    if let words = WadeGiles.pinyin(text) { readings.append(Reading(words: words, isPinyin: true)) }
    let ukrainian = ScriptReading.ukrainian(text)
    let others = [ukrainian, ScriptReading.foreign(text), ukrainian.flatMap(ScriptReading.foreign)]
    for other in others.compactMap(\.self) {
      let reading = Reading(words: Self.words(of: other, keepsDigits: false))
      readings.append(reading)
      let read = ListedName(reading, isPerson: true) { _, _ in nil }
      if let words = LatinCompounds.read(read.words) { readings.append(Reading(words: words)) }
    }
    return readings + withMohammed(words, readings)
  }

  /// Adds readings in which `Md` at the beginning stands for Mohammed, as it does in Bangladesh and India. The name as it
  /// stands is kept as well, because `MD` may also be a doctor's title (`Family, MD`) or two initials.
  private static func withMohammed(_ words: [Word], _ readings: [Reading]) -> [Reading] {
    guard words.count > 1, words[0].letters.elementsEqual("MD".utf8) else { return [] }
    let first = Reading(words: words.map { String(decoding: $0.letters, as: UTF8.self) })
    return ([first] + readings).filter { $0.words.first == "MD" }.map {
      Reading(words: ["MOHAMMED"] + $0.words.dropFirst(), isPinyin: $0.isPinyin)
    }
  }

  /// `Junior` behind a whole name as `Jr.`, and `Senior` as `Sr.`: both are names of their own, too, which stand
  /// anywhere in a name.
  private static func withGeneration(_ words: [Word]) -> [String]? {
    guard words.count > 2, let last = words.last else { return nil }
    let short = last.letters == WordClass.junior ? "JR" : last.letters == WordClass.senior ? "SR" : nil
    guard let short else { return nil }
    return words.dropLast().map { String(decoding: $0.letters, as: UTF8.self) } + [short]
  }

  /// With each choice of sounds, and compounds as one word and as several.
  private static func consonantal(_ text: String) -> [Reading] {
    let scalars = text.unicodeScalars.filter(ScriptReading.hasChoices)
    let isHebrew = scalars.contains { $0.value < 0x600 }
    let hasOthers = !scalars.isEmpty || ScriptReading.hasForeignSound(text)
    let choices: [ScriptReading.Choices] =
      isHebrew ? [[], .soft, .foreign, [.soft, .foreign]] : hasOthers ? [[], .persian] : [[]]
    // The last letter of `هبة` is heard before the name of God: Hibatullah.
    let god = " \u{627}\u{644}\u{644}"
    let text = text.replacingOccurrences(of: "\u{629}\(god)", with: "\u{62A}\(god)")
    return choices.flatMap { choice in
      let words = words(of: ScriptReading.latin(text, choice).text, keepsDigits: false)
      return (isHebrew ? [words] : compounds(words)).map { Reading(words: $0, isConsonantal: true) }
    }
  }

  /// `عبد الرحمن` as `Abd al-Rahman`, `Abdulrahman` and `Abdurrahman`, however its blanks are, `نصر الدين` as
  /// `Nasr al-Din` and `Nasreddine`, and `نصر الله` as `Nasr Allah` and `Nasrallah`.
  private static func compounds(_ words: [String]) -> [[String]] {
    let apart = words.flatMap { word in
      word.hasPrefix("ABDAL") && word.utf8.count > 7 ? ["ABD", "AL" + word.dropFirst(5)] : [word]
    }
    guard zip(apart, apart.dropFirst()).contains(where: { isCompound($0, $1) }) else { return [words] }
    return [words, apart, joined(apart) { _ in "AL" }, joined(apart) { sunLetters.contains($0) ? "" : "AL" }]
  }

  private static func isCompound(_ one: String, _ other: String) -> Bool {
    other == "ALDYN" || other == "ALLH" || one == "ABD" && other.hasPrefix("AL")
  }

  /// - Parameter article: what becomes of it before a letter.
  private static func joined(_ words: [String], article: (UInt8) -> String) -> [String] {
    var result: [String] = []
    var index = 0
    while index < words.count {
      if index + 1 < words.count, isCompound(words[index], words[index + 1]) {
        let second = words[index + 1].dropFirst(2)
        result.append(words[index] + (second.utf8.first.map(article) ?? "") + second)
        index += 2
      } else {
        result.append(words[index])
        index += 1
      }
    }
    return result
  }

  /// Before these the article's `l` is not heard.
  private static let sunLetters = Set("TDRZSN".utf8)
}
