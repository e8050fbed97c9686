// SPDX-License-Identifier: Apache-2.0

/// A business identifier code (ISO 9362): four characters of the party, its country, two of its place, and three of the
/// branch or none.
package struct BIC: Hashable, Sendable {
  package let text: String

  /// - Returns: nil unless it is `BICFIDec2014Identifier`: 8 or 11 capitals and digits, the fifth and sixth letters.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 8 || bytes.count == 11,
      bytes.allSatisfy({ (65...90).contains($0) || (48...57).contains($0) }),
      bytes[4..<6].allSatisfy({ (65...90).contains($0) })
    else { return nil }
    self.text = text
  }

  /// ISO 3166 code, two letters; XK stands for Kosovo.
  package var country: String { String(text.dropFirst(4).prefix(2)) }
}
