// SPDX-License-Identifier: Apache-2.0

/// Comparing what an OCR engine saw with a word that is expected.
enum Label {
  /// Upper case, Latin letters without marks, digits.
  static func normal(_ text: String) -> String { String(decoding: letters(of: text), as: UTF8.self) }

  /// True when `seen` is `expected` but for one slip in four letters.
  static func matches(_ seen: String, _ expected: String) -> Bool { matches(letters(of: seen), letters(of: expected)) }

  /// The same of words that are only letters already.
  static func matches(_ seen: [UInt8], _ expected: [UInt8]) -> Bool {
    !seen.isEmpty && slips(seen, expected) != nil
  }

  /// In how many letters they differ; nil when these are more than one in four.
  static func slips(_ seen: [UInt8], _ expected: [UInt8]) -> Int? {
    if seen == expected { return 0 }
    let slipsMax = (expected.count + 1) / 4
    guard expected.count >= 4, abs(seen.count - expected.count) <= slipsMax else { return nil }
    let slips = distance(seen, expected)
    return slips <= slipsMax ? slips : nil
  }

  /// Levenshtein distance; both are words.
  static func distance<Letter: Equatable>(_ left: [Letter], _ right: [Letter]) -> Int {
    guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
    var row = Array(0...right.count)
    for (i, a) in left.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, b) in right.enumerated() {
        let above = row[j + 1]
        row[j + 1] = min(above + 1, row[j] + 1, diagonal + (a == b ? 0 : 1))
        diagonal = above
      }
    }
    return row[right.count]
  }

  /// What of a text is compared. Text of ASCII, which is nearly all of it, is not taken through Unicode's tables.
  static func letters(of text: String) -> [UInt8] {
    var letters: [UInt8] = []
    letters.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): letters.append(byte)
      case UInt8(ascii: "a")...UInt8(ascii: "z"): letters.append(byte - 32)
      case 0x80...: return Array(decomposed(text).utf8)
      default: break
      }
    }
    return letters
  }

  /// Letters as the digits that they look like in small print.
  static func shapes(of letters: [UInt8]) -> [UInt8] {
    letters.map { letter in
      switch letter {
      case UInt8(ascii: "I"), UInt8(ascii: "L"): UInt8(ascii: "1")
      case UInt8(ascii: "O"), UInt8(ascii: "D"), UInt8(ascii: "Q"): UInt8(ascii: "0")
      case UInt8(ascii: "S"): UInt8(ascii: "5")
      case UInt8(ascii: "B"): UInt8(ascii: "8")
      case UInt8(ascii: "Z"): UInt8(ascii: "2")
      default: letter
      }
    }
  }

  private static func decomposed(_ text: String) -> String {
    String(
      text.uppercased().decomposedStringWithCanonicalMapping.unicodeScalars
        .filter { ("A"..."Z").contains($0) || ("0"..."9").contains($0) }.map(Character.init))
  }
}
