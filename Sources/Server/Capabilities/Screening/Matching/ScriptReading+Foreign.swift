// SPDX-License-Identifier: Apache-2.0

/// Names of other languages in Greek and Cyrillic letters, which have no letter of their own for some sounds and write
/// two instead: `Μπαράκ Ομπάμα` is Barack Obama, and `Джон` John.
extension ScriptReading {
  /// A name of one of these alphabets as one of another language; nil when it reads the same, and for other scripts.
  ///
  /// Greek's `μπ`, `ντ` and `γκ` are `b`, `d` and `g` at the beginning of a word, and inside it in foreign names; a
  /// Greek one such as `Λάμπρος` is Lampros. `τζ` is `j`, `τσ` `ch`, `χ` `h`, and `γι` before a vowel `y`. Cyrillic's
  /// `дж` is `j`, where Doc 9303-3 §6.B has `dzh`.
  static func foreign(_ text: String) -> String? {
    guard text.utf8.contains(where: { $0 >= 0xCD }) else { return nil }
    if text.unicodeScalars.contains(where: isGreek) {
      let read = greek(text, isForeign: true)
      return read == greek(text) ? nil : read
    }
    var result = String.UnicodeScalarView()
    var hasChanged = false
    for scalar in text.unicodeScalars {
      if scalar == "\u{436}" || scalar == "\u{416}", let last = result.last, last == "\u{434}" || last == "\u{414}" {
        result.removeLast()
        result.append("j")
        hasChanged = true
      } else {
        result.append(scalar)
      }
    }
    return hasChanged ? String(result) : nil
  }

  private static func isGreek(_ scalar: Unicode.Scalar) -> Bool {
    (0x370...0x3FF).contains(scalar.value) || (0x1F00...0x1FFF).contains(scalar.value)
  }

  /// Greek letters by ISO 843 type 2, as ELOT 743 spells names; others as they are.
  /// - Parameter isForeign: whether the name is one of another language.
  static func greek(_ text: String, isForeign: Bool = false) -> String {
    guard text.unicodeScalars.contains(where: isGreek) else { return text }
    let plain = text.decomposedStringWithCanonicalMapping.unicodeScalars.filter { !(0x300...0x36F).contains($0.value) }
    // The sigma at the end of a word is another letter to Unicode, and none of a name in capitals.
    let letters = String(String.UnicodeScalarView(plain)).lowercased().map { $0 == "ς" ? "σ" : $0 }
    var result = ""
    var index = 0
    while index < letters.count {
      let pair = index + 1 < letters.count ? String(letters[index...index + 1]) : ""
      if isForeign, pair == "ντ", index + 2 < letters.count, "σζ".contains(letters[index + 2]) {
        // `ν` and the one sound of the next two: `Σάντσεζ` is Sanchez.
        result += "n"
        index += 1
      } else if isForeign, let sound = foreignPairs[pair] {
        result += sound
        index += 2
      } else if isForeign, pair == "γι", index + 2 < letters.count, vowels.contains(letters[index + 2]) {
        result += "y"
        index += 2
      } else if let sound = greekPairs[pair] {
        let isFirst = index == 0 || letters[index - 1].isWhitespace
        result += sound == "mp" && isFirst ? "b" : sound == "nt" && isFirst ? "d" : sound
        index += 2
      } else {
        result += isForeign && letters[index] == "χ" ? "h" : greekLetters[letters[index]] ?? String(letters[index])
        index += 1
      }
    }
    return result
  }

  private static let foreignPairs: [String: String] = [
    "μπ": "b", "ντ": "d", "γκ": "g", "τζ": "j", "τσ": "ch", "γχ": "nh",
  ]

  private static let vowels: Set<Character> = ["α", "ε", "η", "ι", "ο", "υ", "ω"]

  private static let greekPairs: [String: String] = [
    "ου": "ou", "αυ": "av", "ευ": "ev", "μπ": "mp", "ντ": "nt", "γκ": "gk", "γγ": "ng", "γχ": "nch", "ει": "ei",
    "οι": "oi", "αι": "ai", "τσ": "ts", "τζ": "tz",
  ]

  private static let greekLetters: [Character: String] = [
    "α": "a", "β": "v", "γ": "g", "δ": "d", "ε": "e", "ζ": "z", "η": "i", "θ": "th", "ι": "i", "κ": "k", "λ": "l",
    "μ": "m", "ν": "n", "ξ": "x", "ο": "o", "π": "p", "ρ": "r", "σ": "s", "τ": "t", "υ": "y", "φ": "f",
    "χ": "ch", "ψ": "ps", "ω": "o",
  ]
}
