// SPDX-License-Identifier: Apache-2.0

/// The rule for texts that somebody types and that customers or staff are shown: names, reasons, notes, words to a
/// customer. It holds for the command line, the API and the console alike, since it is applied where the text is taken.
package enum DisplayedText {
  /// Whether a text shows what it holds: it has no control characters, nothing that ends a line unseen, that turns the
  /// direction of writing or that is invisible, and nothing that fonts do not have. Zero-width joiners stay, for some
  /// scripts need them, and variation selectors, which choose a form; but not where nothing else is seen.
  /// - Parameter lines: whether it may have several lines, and tabs. Browsers send ends of lines as CR and LF. Such a
  ///   text is a note, which staff paste from elsewhere: marks of direction (UAX #9 §2.6), which programs put into
  ///   Arabic and Hebrew, and the space without width between words of Khmer and Thai are taken in it.
  package static func isPlain(_ text: String, lines: Bool = false) -> Bool {
    // Most of what is typed, and cheaper to see than to look up.
    if text.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) { return true }
    let scalars = text.unicodeScalars
    guard scalars.allSatisfy({ isTaken($0, lines: lines) }) else { return false }
    return !scalars.contains(where: isUnseen) || scalars.contains { !isUnseen($0) && !$0.properties.isWhitespace }
  }

  /// A text that was copied, or comes from a program, without what its author does not see: characters of format that
  /// it may not have, such as those by which telephones keep the direction of a number that is copied, are left out,
  /// and separators of lines are ends of lines or, in a text of one line, blanks. It is to be checked all the same.
  package static func cleaned(_ text: String, lines: Bool = false) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    let scalars: [Unicode.Scalar] = text.unicodeScalars.compactMap { scalar in
      switch scalar.properties.generalCategory {
      case .format: isTaken(scalar, lines: lines) ? scalar : nil
      case .lineSeparator, .paragraphSeparator: lines ? "\n" : " "
      default: scalar
      }
    }
    return String(String.UnicodeScalarView(scalars))
  }

  private static func isTaken(_ scalar: Unicode.Scalar, lines: Bool) -> Bool {
    switch scalar.properties.generalCategory {
    case .control: lines && (scalar == "\n" || scalar == "\r" || scalar == "\t")
    case .format:
      switch scalar {
      case "\u{200C}", "\u{200D}": true
      case "\u{200B}", "\u{200E}", "\u{200F}", "\u{061C}": lines
      default: false
      }
    // The fillers of Korean are letters that are not seen.
    case .otherLetter: !isUnseen(scalar)
    // Blocks of emoji: telephones know new ones before this program does.
    case .unassigned: (0x1F000...0x1FAFF).contains(scalar.value)
    case .lineSeparator, .paragraphSeparator, .privateUse, .surrogate: false
    default: true
    }
  }

  /// Also the empty pattern of Braille, which is a symbol.
  private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isDefaultIgnorableCodePoint || scalar == "\u{2800}"
  }
}
