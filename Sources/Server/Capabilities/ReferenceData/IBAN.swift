// SPDX-License-Identifier: Apache-2.0

/// The number of a payment account (ISO 13616): country, two check digits, and up to 30 letters and digits.
package struct IBAN: Sendable, Hashable {
  /// Without spaces, in capitals.
  package let text: String

  /// - Returns: nil when the form or the check digits are wrong (ISO 7064, MOD 97-10).
  package init?(_ written: String) {
    let text = written.filter { $0 != " " }.uppercased()
    guard text.wholeMatch(of: #/[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}/#) != nil, Self.remainder(text) == 1 else { return nil }
    self.text = text
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
