// SPDX-License-Identifier: Apache-2.0

/// The number of a payment account (ISO 13616): country, two check digits, and up to 30 letters and digits.
package struct IBAN: Sendable, Hashable {
  /// Without spaces, in capitals.
  package let text: String

  /// - Returns: nil when the form or the check digits are wrong (ISO 7064, MOD 97-10).
  package init?(_ written: String) {
    // Capitals of some letters beyond ASCII are letters of ASCII, such as SS of ß.
    guard written.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    let text = written.filter { $0 != " " }.uppercased()
    guard Self.hasForm(Array(text.utf8)), Self.remainder(text) == 1 else { return nil }
    self.text = text
  }

  private static func hasForm(_ text: [UInt8]) -> Bool {
    let (capitals, digits) = (UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"))
    return (15...34).contains(text.count) && text[..<2].allSatisfy(capitals.contains)
      && text[2..<4].allSatisfy(digits.contains)
      && text[4...].allSatisfy { capitals.contains($0) || digits.contains($0) }
  }

  /// With the check digits that belong to it.
  /// - Parameter account: capitals and digits, 11 to 30.
  package init?(country: String, account: String) {
    self.init("\(country)\(Modulus97.digits(for: account + country))\(account)")
  }

  /// In groups of four, as people read it.
  package var grouped: String {
    text.enumerated().map { $0.offset > 0 && $0.offset % 4 == 0 ? " \($0.element)" : "\($0.element)" }.joined()
  }

  private static func remainder(_ text: String) -> Int { Modulus97.remainder(text.dropFirst(4) + text.prefix(4)) }
}
