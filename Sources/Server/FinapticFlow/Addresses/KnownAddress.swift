// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation

/// A home in Canada that is suggested to people: all that `updateAddresses` needs.
package struct KnownAddress: Sendable, Hashable {
  package let line1: String
  /// Apartment or unit.
  package let line2: String?
  package let locality: String
  package let province: CanadianProvince
  package let postalCode: CanadianPostalCode

  package init(
    line1: String, line2: String? = nil, locality: String, province: CanadianProvince, postalCode: CanadianPostalCode
  ) {
    (self.line1, self.line2, self.locality) = (line1, line2, locality)
    (self.province, self.postalCode) = (province, postalCode)
  }

  /// - Parameter type: `HOME` or `WORK`.
  package func wire(type: String) -> FinapticAPI.Address {
    FinapticAPI.Address(
      type: type, line1: line1, line2: line2, locality: locality,
      administrativeArea: province.isTerritory ? "Territory" : "Province", area: province.name,
      postalCode: postalCode.description, country: "Canada")
  }

  /// What it is found by, each word once: those of its line and its town, and its postal code whole and in halves.
  var words: [String] {
    let code = postalCode.description.lowercased()
    let halves = code.split(separator: " ").map(String.init)
    var words: [String] = []
    for word in FoldedWords.words(of: line1) + FoldedWords.words(of: locality) + halves + [halves.joined()]
    where !words.contains(word) {
      words.append(word)
    }
    return words
  }
}

/// The words of a text as they are compared: in lower case, without accents and marks.
enum FoldedWords {
  /// `Côte-Saint-Luc` is `cote-saint-luc`, `Cœur` is `coeur`.
  static func fold(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
    return text.lowercased().replacing("œ", with: "oe").replacing("æ", with: "ae")
      .folding(options: .diacriticInsensitive, locale: nil)
  }

  /// Letters and digits that stand together. What parts them, hyphens and apostrophes too, is left out; a point within
  /// letters is not a boundary that people type, so that `P.O.` is two words like `P O`.
  static func words(of text: String) -> [String] {
    fold(text).split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }
}
