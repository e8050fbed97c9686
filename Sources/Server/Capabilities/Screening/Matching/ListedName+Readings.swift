// SPDX-License-Identifier: Apache-2.0

/// Other ways to read a person's name in a script whose letters, or their blanks, leave it open.
extension ListedName {
  /// - Returns: nil for a name that can be read in one way only, as any in Latin, Cyrillic and Greek letters.
  static func others(
    of text: String, than whole: ListedName, known: (_ letters: [UInt8], _ isConsonantal: Bool) -> Word?
  ) -> [ListedName]? {
    guard text.utf8.contains(where: { $0 >= 0xD6 }) else { return nil }
    let ordered = givenFirst(bounded(text))
    let readings = whole.isConsonantal ? consonantal(ordered) : HangulReading.names(ordered).map { Reading(words: $0) }
    var names = [whole]
    for reading in readings {
      let name = ListedName(reading, isPerson: true, known: known)
      if !name.words.isEmpty, !names.contains(where: { $0.words == name.words }) { names.append(name) }
    }
    return names.count > 1 ? Array(names.dropFirst()) : nil
  }

  /// Names in Arabic and Hebrew letters with each choice of sounds, and compounds as one word and as several.
  private static func consonantal(_ text: String) -> [Reading] {
    let scalars = text.unicodeScalars.filter(ScriptReading.hasChoices)
    let isHebrew = scalars.contains { $0.value < 0x600 }
    let choices: [ScriptReading.Choices] =
      isHebrew ? [[], .soft, .foreign, [.soft, .foreign]] : scalars.isEmpty ? [[]] : [[], .persian]
    return choices.flatMap { choice in
      let words = words(of: ScriptReading.latin(text, choice).text, keepsDigits: false)
      return (isHebrew ? [words] : compounds(words)).map { Reading(words: $0, isConsonantal: true) }
    }
  }

  /// `عبد الرحمن` as `Abd al-Rahman`, `Abdulrahman` and `Abdurrahman`, however its blanks are, and `نصر الدين` as
  /// `Nasr al-Din` and `Nasreddine`.
  private static func compounds(_ words: [String]) -> [[String]] {
    let apart = words.flatMap { word in
      word.hasPrefix("ABDAL") && word.utf8.count > 7 ? ["ABD", "AL" + word.dropFirst(5)] : [word]
    }
    guard zip(apart, apart.dropFirst()).contains(where: { isCompound($0, $1) }) else { return [words] }
    return [words, apart, joined(apart) { _ in "AL" }, joined(apart) { sunLetters.contains($0) ? "" : "AL" }]
  }

  private static func isCompound(_ one: String, _ other: String) -> Bool {
    other == "ALDYN" || one == "ABD" && other.hasPrefix("AL")
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
