// SPDX-License-Identifier: Apache-2.0

/// Texts as they may be drawn. Names come from strangers: what would turn the direction of a line around, or end it, is
/// taken out of them.
enum PaperText {
  /// Characters of one text.
  static let charactersMax = 2000
  /// Marks, embeddings, overrides and isolates of direction (UAX #9).
  private static let directions = Set<UInt32>(0x202A...0x202E).union(0x2066...0x2069).union([0x61C, 0x200E, 0x200F])

  static func plain(_ text: String) -> String {
    // Most texts are short and have no other characters than these, which stay as they are.
    if text.utf8.count <= charactersMax, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
    var plain = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(charactersMax) where !directions.contains(scalar.value) {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: plain.append(" ")
      default: plain.append(scalar)
      }
    }
    return String(plain)
  }

  /// Between marks that keep its direction to itself: FSI or LRI, and PDI (UAX #9 §2.4).
  static func isolated(_ piece: Paper.Piece) -> String {
    switch piece {
    case .text(let text): "\u{2068}\(plain(text))\u{2069}"
    case .number(let text): "\u{2066}\(plain(text))\u{2069}"
    }
  }
}
