// SPDX-License-Identifier: Apache-2.0

import GatehouseApp

/// Text from outside on a terminal: one line, in which nothing moves the cursor or turns what follows around.
enum TerminalLine {
  /// Joins letters into words and signs into emoji.
  private static let joiners: Set<Unicode.Scalar> = ["\u{200C}", "\u{200D}"]

  /// - Returns: the text with line ends as `\n`, backslashes twice, and what is not to be seen as `\u{…}`.
  static func of(_ text: String) -> String { text.unicodeScalars.map(shown).joined() }

  /// - Returns: lines of ours, in which only what moves the cursor is shown as `\u{…}`: rows of a store that others can
  ///   write, and files of a backup, stand in them.
  static func lines(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: movesCursor) else { return text }
    return text.unicodeScalars.map { movesCursor($0) ? shown($0) : String($0) }.joined()
  }

  /// Of the controls (Unicode's category Cc) those that are neither the end of a line nor a tab.
  static func movesCursor(_ scalar: Unicode.Scalar) -> Bool {
    (scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)) && scalar != "\n" && scalar != "\t"
  }

  private static func shown(_ scalar: Unicode.Scalar) -> String {
    if scalar == "\n" { return #"\n"# }
    if scalar == "\\" { return #"\\"# }
    switch scalar.properties.generalCategory {
    case .format where joiners.contains(scalar): return String(scalar)
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
      return #"\u{"# + String(scalar.value, radix: 16) + "}"
    default: return String(scalar)
    }
  }
}
