// SPDX-License-Identifier: Apache-2.0

/// A country or territory of ISO 3166-1, as `GET /reference/countries` lists it (Rubix §6.15).
package struct Country: Hashable, Sendable {
  /// ISO 3166-1 alpha-2, used in addresses and tax forms.
  package let alpha2: String
  /// ISO 3166-1 alpha-3, used on identity documents.
  package let alpha3: String
  /// ISO 3166-1 numeric, three digits.
  package let numeric: String
  /// The E.164 country code with its plus sign, `+965`.
  package let phoneCode: String
  /// Short English name.
  package let name: String
  /// Short French name.
  package let nameFrench: String
  /// Short Arabic name.
  package let nameArabic: String
  /// The English adjective for its nationals, `Kuwaiti`.
  package let nationality: String

  /// Every country, in the order of alpha-2.
  package static let all: [Country] = table.split(separator: "\n").map(Country.init(row:))

  private static let byAlpha2 = Dictionary(uniqueKeysWithValues: all.map { ($0.alpha2, $0) })
  private static let byAlpha3 = Dictionary(uniqueKeysWithValues: all.map { ($0.alpha3, $0) })

  /// The country with this code, in capitals as ISO writes it; nil for an unknown one.
  package static func with(alpha2: String) -> Country? { byAlpha2[alpha2] }

  /// The country with this code, in capitals as ISO writes it; nil for an unknown one. The codes that only travel
  /// documents use (`GBD`, `UNO`, `XXA` …, ICAO 9303-3 §5) are no countries and give nil.
  package static func with(alpha3: String) -> Country? { byAlpha3[alpha3] }

  private init(row: Substring) {
    let cells = row.split(separator: " | ", omittingEmptySubsequences: false).map(String.init)
    precondition(cells.count == 8, "A row of the country table has eight cells.")
    alpha2 = cells[0]
    alpha3 = cells[1]
    numeric = cells[2]
    phoneCode = cells[3]
    name = cells[4]
    nationality = cells[5]
    nameFrench = cells[6]
    nameArabic = cells[7]
  }
}
