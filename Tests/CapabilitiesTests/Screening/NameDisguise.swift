// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

@testable import Screening

/// What becomes of a name on its way into a form, besides slips.
enum NameDisguise: String, CaseIterable {
  /// In Cyrillic letters, as people write them, and letter by letter as ICU does.
  case cyrillic, cyrillicLetters
  /// Without any blank, without one of them, and with one more.
  case joined, joinedTwo, split
  /// The last word first.
  case order
  /// Letters that are heard alike stand for one another.
  case heard

  /// What of the accepted names is found at least. Of a word that is two listed ones only the rarer counts before it is
  /// measured, and with a slip besides it is no word of the lists: such names are lost when a third word is missing.
  var foundMin: Double {
    switch self {
    case .joined, .joinedTwo, .split: 0.95
    case .cyrillic, .cyrillicLetters, .order, .heard: 0.999
    }
  }

  func name(_ name: String, _ generator: inout SeededGenerator) -> String {
    var words = name.split(separator: " ").map(String.init)
    switch self {
    case .cyrillic: return CyrillicSpelling.spelling(of: name)
    case .cyrillicLetters: return name.applyingTransform(.latinToCyrillic, reverse: false) ?? name
    case .joined: return words.joined()
    case .joinedTwo:
      let first = Int.random(in: 0..<words.count - 1, using: &generator)
      words[first] += words.remove(at: first + 1)
    case .split:
      guard let index = words.indices.filter({ words[$0].count >= 6 }).randomElement(using: &generator) else { break }
      let letters = Array(words[index])
      let place = Int.random(in: 2...letters.count - 2, using: &generator)
      words[index] = "\(String(letters[..<place])) \(String(letters[place...]))"
    case .order: words = words.suffix(1) + words.dropLast()
    case .heard:
      var text = name.lowercased()
      for (written, heard) in Self.alike where Bool.random(using: &generator) {
        text = text.replacing(written, with: heard)
      }
      return text
    }
    return words.joined(separator: " ")
  }

  private static let alike = [
    ("ck", "k"), ("ph", "f"), ("y", "i"), ("w", "v"), ("ou", "u"), ("oo", "u"), ("c", "k"), ("q", "k"), ("ss", "s"),
    ("ll", "l"), ("j", "dzh"), ("x", "ks"), ("gh", "g"), ("dh", "d"),
  ]
}
