import Foundation

/// The words of a text as they are compared: in lower case, without accents and marks.
enum FoldedWords {
  /// `Côte-Saint-Luc` is `cote-saint-luc`, `Cœur` is `coeur`.
  static func fold(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
    return text.lowercased().replacing("œ", with: "oe").replacing("æ", with: "ae")
      .folding(options: .diacriticInsensitive, locale: nil)
  }

  /// Letters and digits that stand together. What parts them, hyphens and apostrophes too, is left out; a point within
  /// letters is not a boundary that anybody would type, so that `P.O.` is two words like `P O`.
  static func words(of text: String) -> [String] {
    fold(text).split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }
}
