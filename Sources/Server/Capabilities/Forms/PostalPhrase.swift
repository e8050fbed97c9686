// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Finds a post-office box or a care-of line in one line of an address, in the spellings that people use.
///
/// Words are compared whole, so that `Boxberg`, `Poststraße 7`, `Via Po 12` and `Co. Dublin` stay what they are.
enum PostalPhrase {
  /// `P.O. Box 12`, `PO Box`, `P O Box`, `POBox 12`, `Post Office Box`, `Postal Box`, `Post Box`, `GPO Box`,
  /// `Locked Bag`, `Private Bag`, `Postfach`, `Boîte postale`, `BP 12`, `Casella postale`, `Apartado 7`, `Caixa
  /// postal`, `Postbus 7`, `Postboks`, `Box 7`, `PMB 7`, `ص.ب 7`, `صندوق بريد`.
  static func isBox(_ line: String) -> Bool {
    let words = words(of: line)
    for start in words.indices {
      if phrases.contains(where: { words[start...].starts(with: $0) }) { return true }
      // A word that means a box only with a number behind it.
      if numbered.contains(where: { words[start...].starts(with: $0) && isNumber(words, after: start + $0.count) }) {
        return true
      }
    }
    return false
  }

  /// `c/o`, `c.o.`, `care of`, `in care of`, `℅`, `z. Hd.`, `attn`.
  static func isCareOf(_ line: String) -> Bool {
    if line.contains("℅") || line.lowercased().contains("c/o") { return true }
    let words = words(of: line)
    return words.indices.contains { start in
      [["CARE", "OF"], ["C/O"], ["Z", "HD"], ["ATTN"]].contains { phrase in
        // The two letters inside a line may be the names of a block and a door.
        words[start...].starts(with: phrase) && (phrase != ["C/O"] || start == 0)
      }
    }
  }

  private static let phrases: [[String]] = [
    ["PO", "BOX"], ["POBOX"], ["POB"], ["GPO", "BOX"], ["POST", "OFFICE", "BOX"], ["POSTAL", "BOX"], ["POST", "BOX"],
    ["POSTBOX"], ["PO", "B"], ["LOCKED", "BAG"], ["PRIVATE", "BAG"], ["PRIVATE", "MAILBOX"], ["POSTFACH"],
    ["BOITE", "POSTALE"], ["CASELLA", "POSTALE"], ["CAIXA", "POSTAL"], ["APARTADO", "DE", "CORREOS"],
    ["APARTADO", "POSTAL"], ["POSTBUS"], ["POSTBOKS"], ["صندوق", "بريد"], ["صندوق", "البريد"], ["صب"],
  ]
  private static let numbered: [[String]] = [["BOX"], ["BP"], ["PMB"], ["APARTADO"]]

  private static func isNumber(_ words: [String], after index: Int) -> Bool {
    guard index < words.count else { return false }
    let word = words[index] == "NO" && index + 1 < words.count ? words[index + 1] : words[index]
    return word.allSatisfy(\.isNumber)
  }

  /// The words in capitals without accents; the letters of `P. O.` become one word.
  /// A digit after a letter begins a new word: `POBox12`.
  private static func words(of line: String) -> [String] {
    var words: [String] = []
    var word = ""
    func end() {
      if !word.isEmpty { words.append(word) }
      word = ""
    }
    for character in line.folding(options: .diacriticInsensitive, locale: nil).uppercased() {
      if character.isLetter || character.isNumber {
        if let last = word.last, last.isNumber != character.isNumber { end() }
        word.append(character)
      } else if character != "'" && character != "’" {
        end()
      }
    }
    end()
    return words.reduce(into: [String]()) { merged, word in
      switch (merged.last, word) {
      case ("P", "O"): merged[merged.count - 1] = "PO"
      case ("B", "P"): merged[merged.count - 1] = "BP"
      case ("C", "O"): merged[merged.count - 1] = "C/O"
      case ("ص", "ب"): merged[merged.count - 1] = "صب"
      default: merged.append(word)
      }
    }
  }
}
