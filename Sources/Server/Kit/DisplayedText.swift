// SPDX-License-Identifier: Apache-2.0

/// The rule for texts that somebody types and that customers or staff are shown: names, reasons, notes, words to a
/// customer. It holds for the command line, the API and the console alike, since it is applied where the text is taken.
package enum DisplayedText {
  /// Whether a text shows what it holds: it has no control characters, nothing that ends a line unseen, that turns the
  /// direction of writing or that is invisible, and nothing that fonts do not have. Zero-width joiners stay, for some
  /// scripts need them.
  /// - Parameter lines: whether it may have several lines, and tabs. Browsers send ends of lines as CR and LF.
  package static func isPlain(_ text: String, lines: Bool = false) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      // Most of what is typed, and cheaper to see than to look up.
      if (0x20...0x7e).contains(scalar.value) { return true }
      return switch scalar.properties.generalCategory {
      case .control: lines && (scalar == "\n" || scalar == "\r" || scalar == "\t")
      case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
      case .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
      default: true
      }
    }
  }
}
