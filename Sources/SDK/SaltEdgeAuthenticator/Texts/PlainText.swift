/// A text of a bank as it may be shown: without control characters, and without those that turn the direction of
/// writing around, with which an amount or a payee could be made to read differently.
package enum PlainText {
  /// Longer texts are cut off.
  package static let charactersMax = 20_000

  /// Line ends and tabs stay.
  package static func text(_ text: String) -> String { kept(text) { $0 == "\n" || $0 == "\t" } }

  /// In one line.
  package static func line(_ text: String) -> String { kept(text) { _ in false } }

  private static func kept(_ text: String, _ isKept: (Unicode.Scalar) -> Bool) -> String {
    let scalars = text.unicodeScalars.prefix(charactersMax).filter { scalar in
      isKept(scalar) || !(isControl(scalar) || turnsAround(scalar))
    }
    return String(String.UnicodeScalarView(scalars))
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)
  }

  /// Embeddings, overrides and isolates (Unicode Standard Annex 9 §2).
  private static func turnsAround(_ scalar: Unicode.Scalar) -> Bool {
    (0x202a...0x202e).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
  }
}
