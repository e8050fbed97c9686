// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Two names in Chinese characters, or two in Hangul, compared by what is written. Of such a name each character is a
/// syllable or a word of its own: `山本太郎` and `山木太郎`, or `김하늘` and `김하은`, are two persons' names though most of their
/// Latin letters agree, and 石 and 市 are even read alike.
enum CharacterNames {
  private enum Script { case han, hangul }

  /// Full names have that many; longer ones spell names of other languages by their sound, and one is a part of a name.
  private static let lengths = 2...5

  /// How many characters are others in two names of as many characters, written in one script: nought in all other
  /// cases, where nothing can be said. Traditional characters are read as the simplified ones.
  static func difference(_ one: String, _ other: String) -> Int {
    guard let mine = characters(one), let theirs = characters(other), mine.script == theirs.script,
      mine.scalars.count == theirs.scalars.count
    else { return 0 }
    return zip(mine.scalars, theirs.scalars).count { $0 != $1 }
  }

  /// Whether a name is written in Chinese characters, as many as a Chinese name has. Longer ones, and those with a dot,
  /// spell names of other languages by their sound.
  static func isChineseName(_ text: String) -> Bool {
    let scalars = text.unicodeScalars.filter { !$0.properties.isWhitespace }
    return (2...4).contains(scalars.count) && scalars.allSatisfy { script(of: $0) == .han }
  }

  /// Nil for a name that has any other letters, or too few or too many of these.
  private static func characters(_ text: String) -> (script: Script, scalars: [Unicode.Scalar])? {
    // Composed, for Hangul may be written letter by letter.
    let composed = text.precomposedStringWithCanonicalMapping
    guard let first = composed.unicodeScalars.first(where: { script(of: $0) != nil }), let script = script(of: first)
    else { return nil }
    let plain = script == .han ? simplified(composed) : composed
    let scalars = plain.unicodeScalars.filter { !$0.properties.isWhitespace }
    guard lengths.contains(scalars.count), scalars.allSatisfy({ Self.script(of: $0) == script }) else { return nil }
    return (script, Array(scalars))
  }

  private static func simplified(_ text: String) -> String {
    text.applyingTransform(StringTransform("Traditional-Simplified"), reverse: false) ?? text
  }

  private static func script(of scalar: Unicode.Scalar) -> Script? {
    switch scalar.value {
    case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x323AF: .han
    case 0xAC00...0xD7A3: .hangul
    default: nil
    }
  }
}
