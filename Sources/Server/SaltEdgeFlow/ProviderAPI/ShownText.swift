// SPDX-License-Identifier: Apache-2.0

/// What may stand in a text that customers decide by. Payee, reference and the like come from the party that wants to
/// be paid: they must not be able to add a line, hide one, or turn one round.
enum ShownText {
  /// - Parameter lines: whether it may have several. What devices of v1 are shown is lines of `Name: value` (§4.6).
  static func isPlain(_ text: String, lines: Bool = false) -> Bool {
    text.unicodeScalars.allSatisfy { isVisible($0) || (lines && $0 == "\n") } && !isMarkup(text)
  }

  /// Without controls, line ends, what turns the direction of writing, what has no width, and what fonts do not have.
  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
    // Fillers have no width either. U+FE0F asks for a coloured picture.
    default: !scalar.properties.isDefaultIgnorableCodePoint || scalar == "\u{fe0f}"
    }
  }

  /// Apps of v1 show a text that has markup as HTML (§10.6); then references to characters count, too.
  private static func isMarkup(_ text: String) -> Bool {
    text.contains { $0 == "<" || $0 == ">" } || text.contains(#/&(#|[A-Za-z][A-Za-z0-9]*;)/#)
  }
}
