// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A name in the letters that two spellings of it can be compared in.
///
/// 1. Case, accents, apostrophes and full stops do not count; hyphens and spaces part words.
/// 2. `Müller` equals `MUELLER` (ICAO 9303-3 §6, transliterations) and `MULLER` (accents dropped).
/// 3. `AL SABAH` equals `ALSABAH`.
/// 4. Another script than Latin cannot be compared: `isComparable` is false, which is for an agent to look at.
struct HolderName {
  /// Each word in its spellings.
  let words: [Set<String>]
  let isComparable: Bool

  init(_ name: String) {
    let parts = name.split { $0.isWhitespace || $0 == "-" || $0 == "‐" || $0 == "–" || $0 == "," }
    words = parts.compactMap { part in
      let spellings = Set([Self.transliterated(part), Self.stripped(part)]).subtracting([""])
      return spellings.isEmpty ? nil : spellings
    }
    isComparable = words.allSatisfy { $0.allSatisfy { $0.utf8.allSatisfy { $0.isCapital } } }
  }

  init(words: [Set<String>]) {
    self.words = words
    isComparable = true
  }

  var isEmpty: Bool { words.isEmpty }

  static func + (left: HolderName, right: HolderName) -> HolderName { HolderName(words: left.words + right.words) }

  /// The same words in the same order, or the same letters when words are written together.
  func equals(_ other: HolderName) -> Bool {
    if words.count == other.words.count && zip(words, other.words).allSatisfy({ !$0.isDisjoint(with: $1) }) {
      return true
    }
    return !joined.isDisjoint(with: other.joined)
  }

  func contains(_ word: Set<String>) -> Bool {
    words.contains { !$0.isDisjoint(with: word) }
  }

  /// Whether a word of this name begins with that single letter.
  func hasInitial(_ word: Set<String>) -> Bool {
    word.contains { letter in letter.count == 1 && words.contains { $0.contains { $0.hasPrefix(letter) } } }
  }

  /// All words written together, once with every word transliterated and once with accents dropped.
  private var joined: Set<String> {
    [words.compactMap { $0.max() }.joined(), words.compactMap { $0.min() }.joined()]
  }

  /// Accents dropped: `MULLER`.
  private static func stripped(_ part: Substring) -> String {
    var text = ""
    for scalar in part.uppercased().decomposedStringWithCanonicalMapping.unicodeScalars {
      switch scalar {
      case "'", "’", "‘", "ʼ", "`", ".", "<": continue
      case "Ø": text += "O"
      case "Đ", "Ð": text += "D"
      case "Ł": text += "L"
      case "Æ": text += "AE"
      case "Œ": text += "OE"
      case "Þ": text += "TH"
      case "ẞ": text += "SS"
      case _ where scalar.properties.generalCategory == .nonspacingMark: continue
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// As an MRZ writes it: `MUELLER`.
  private static func transliterated(_ part: Substring) -> String {
    let composed = part.uppercased().precomposedStringWithCanonicalMapping
    var text = ""
    for character in composed {
      switch character {
      case "Ä": text += "AE"
      case "Ö", "Ø": text += "OE"
      case "Ü": text += "UE"
      case "Å": text += "AA"
      default: text.append(character)
      }
    }
    return stripped(Substring(text))
  }
}
