// SPDX-License-Identifier: Apache-2.0

/// A text of a bank as it may be shown: without control and format characters. With those that turn the direction of
/// writing around, or are there unseen, an amount or a payee could be made to read differently.
package enum PlainText {
  /// Longer texts are cut off.
  package static let charactersMax = 20_000

  /// Line ends and tabs stay.
  package static func text(_ text: String) -> String { kept(text) { $0 == "\n" || $0 == "\t" } }

  /// In one line.
  package static func line(_ text: String) -> String { kept(text) { _ in false } }

  private static func kept(_ text: String, _ isKept: (Unicode.Scalar) -> Bool) -> String {
    let scalars = text.unicodeScalars.prefix(charactersMax).filter { isKept($0) || !isInvisible($0) }
    return String(String.UnicodeScalarView(scalars))
  }

  /// Controls (Cc), and what formats (Cf): embeddings, overrides, isolates and marks of direction, joiners, blanks
  /// without a width, tags (Unicode Standard Annex 9 §2, Annex 44 §5.7.1).
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    let category = scalar.properties.generalCategory
    return category == .control || category == .format
  }
}
