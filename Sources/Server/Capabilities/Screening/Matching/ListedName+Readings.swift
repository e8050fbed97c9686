// SPDX-License-Identifier: Apache-2.0

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
    let isHebrew = text.unicodeScalars.contains(where: ScriptReading.isHebrew)
    let choices: [ScriptReading.Choices] =
      isHebrew ? [[], .soft, .foreign, [.soft, .foreign]] : [[], .persian, .sounds, [.persian, .sounds]]
    // Most names have few of the letters that the choices are of, and are read alike by several.
    var known: Set<String> = []
    return choices.flatMap { choice -> [Reading] in
      let latin = ScriptReading.latin(text, choice).text
      guard known.insert(latin).inserted else { return [] }
      let words = words(of: latin, keepsDigits: false)
      let read = isHebrew ? [words] : compounds(words, heard: heard(words, text, choice))
      return read.map { Reading(words: $0, isConsonantal: true) }
    }
  }

  /// The words with a `ة` before the name of God as the `t` that it is there: `هبة الله` is Hibatullah.
  private static func heard(_ words: [String], _ text: String, _ choice: ScriptReading.Choices) -> [String] {
    guard words.contains(god), text.unicodeScalars.contains("\u{629}") else { return words }
    let letters = text.unicodeScalars.map { scalar -> Unicode.Scalar in scalar == "\u{629}" ? "\u{62A}" : scalar }
    let latin = ScriptReading.latin(String(String.UnicodeScalarView(letters)), choice).text
    let heard = self.words(of: latin, keepsDigits: false)
    guard heard.count == words.count else { return words }
    return words.indices.map { words.dropFirst($0 + 1).first == god ? heard[$0] : words[$0] }
  }

  /// `عبد الرحمن` as `Abd al-Rahman`, `Abdulrahman` and `Abdurrahman`, however its blanks are, `نصر الدين` as
  /// `Nasr al-Din` and `Nasreddine`, and `نصر الله` as `Nasr Allah` and `Nasrallah`. Of a name that has the name of God
  /// and another compound either may be joined alone.
  private static func compounds(_ words: [String], heard: [String]) -> [[String]] {
    let (plain, heard) = (withServantApart(words), withServantApart(heard))
    var readings = [words]
    func add(_ words: [String], withGod: Bool) {
      guard zip(words, words.dropFirst()).contains(where: { isCompound($0, $1, withGod: withGod) }) else { return }
      readings += [
        words, joined(words, withGod) { _ in "AL" }, joined(words, withGod) { sunLetters.contains($0) ? "" : "AL" },
      ]
    }
    add(plain, withGod: false)
    if plain.contains(god) { add(heard, withGod: true) }
    return readings
  }

  private static func withServantApart(_ words: [String]) -> [String] {
    words.flatMap { word in
      word.hasPrefix("ABDAL") && word.utf8.count > 7 ? ["ABD", "AL" + word.dropFirst(5)] : [word]
    }
  }

  private static func isCompound(_ one: String, _ other: String, withGod: Bool) -> Bool {
    other == "ALDYN" || withGod && other == god || one == "ABD" && other.hasPrefix("AL")
  }

  /// `الله`.
  private static let god = "ALLH"

  /// - Parameters:
  ///   - withGod: whether the name of God is joined, too, with the word before it.
  ///   - article: what becomes of it before a letter.
  private static func joined(_ words: [String], _ withGod: Bool, article: (UInt8) -> String) -> [String] {
    var result: [String] = []
    var index = 0
    while index < words.count {
      if index + 1 < words.count, isCompound(words[index], words[index + 1], withGod: withGod) {
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
