// SPDX-License-Identifier: Apache-2.0

import ReferenceData

extension InputCheck {
  /// A country by its code of two letters, or by its name in English or French as `ReferenceDataTypes.country` has it:
  /// the published text calls the member a name, and names countries by code beside it. Case, accents and marks of a
  /// name do not count.
  /// - Returns: the code.
  mutating func country(_ value: String?, _ path: String) -> String? {
    text(value, path, isRequired: true, "A country's code or name.") { Self.countryCode($0) != nil }
      .flatMap(Self.countryCode)
  }

  private static func countryCode(_ text: String) -> String? {
    Country.with(alpha2: text)?.alpha2 ?? countriesByName[FoldedWords.words(of: text)]
  }

  private static let countriesByName = Dictionary(
    Country.all.flatMap { country in
      [country.name, country.nameFrench].map { (FoldedWords.words(of: $0), country.alpha2) }
    }, uniquingKeysWith: { first, _ in first })
}
