// SPDX-License-Identifier: Apache-2.0

import DocumentCore

/// Turns what lists and documents write for a nationality into ISO 3166-1 alpha-3.
package struct CountryNames: Sendable {
  private let codes: [String: String]

  /// - Parameter countries: alpha-2 and alpha-3 with every name and adjective that is known for the country.
  package init(_ countries: [(alpha2: String, alpha3: String, names: [String])]) {
    var codes: [String: String] = [:]
    for country in countries {
      codes[country.alpha2] = country.alpha3
      codes[country.alpha3] = country.alpha3
      for name in country.names {
        codes[Self.key(name)] = country.alpha3
        codes[name.uppercased()] = country.alpha3
      }
    }
    for (alpha3, names) in Self.otherNames {
      for name in names { codes[Self.key(name)] = alpha3 }
    }
    // Doc 9303-3 §5: Germany's passports say D, specimens say UTO, and Kosovo has no code of ISO's.
    codes["D"] = "DEU"
    codes["UTO"] = "UTO"
    for name in ["KOSOVO", "RKS", "XKX", "XK"] { codes[name] = "RKS" }
    self.codes = codes
  }

  /// - Returns: nil when the text names no country that is known here; that is no evidence either way.
  package func alpha3(_ text: String) -> String? {
    codes[text.uppercased()] ?? codes[Self.key(text)]
  }

  /// Whether a text is understood as a nationality. Names and codes of countries are. So are the codes that travel
  /// documents have where there is no country (Doc 9303-3 §5), such as `XXA` for a stateless person and `GBD` for a
  /// British overseas territories citizen, and the codes of former States. Screening compares these with nothing.
  package func isUnderstood(_ text: String) -> Bool {
    if alpha3(text) != nil { return true }
    return switch StateCode.kind(of: text.uppercased()) {
    case .icaoAddition, .organisation, .person, .withdrawn: true
    case .state, .specimen, .unknown: false
    }
  }

  /// The words of a name in any order, so that `Korea, North` is `North Korea`.
  private static func key(_ name: String) -> String {
    let noise: Set<String> = ["THE", "OF", "AND", "POSSIBLY"]
    return Transliteration.words(of: name).filter { !noise.contains($0) }.map { $0 == "SAINT" ? "ST" : $0 }
      .sorted().joined(separator: " ")
  }

  /// Names that lists use beside the short English one.
  private static let otherNames: [String: [String]] = [
    "BOL": ["Plurinational State of Bolivia"], "CIV": ["Ivory Coast", "Côte d'Ivoire"],
    "COD": ["Democratic Republic of the Congo", "DR Congo", "Congo (Kinshasa)", "Zaire"],
    "COG": ["Congo", "Republic of the Congo", "Congo (Brazzaville)"], "CPV": ["Cape Verde", "Cabo Verde"],
    "CZE": ["Czech Republic", "Czechia"], "GBR": ["United Kingdom of Great Britain and Northern Ireland", "UK"],
    "GMB": ["The Gambia"], "HKG": ["Hong Kong"], "IRN": ["Islamic Republic of Iran", "Persia"],
    "KOR": ["South Korea", "Republic of Korea"],
    "LAO": ["Lao People's Democratic Republic"], "MDA": ["Republic of Moldova"],
    "MKD": ["North Macedonia", "Macedonia, The Former Yugoslav Republic of"], "MMR": ["Burma", "Myanmar"],
    "PRK": ["North Korea", "Democratic People's Republic of Korea", "DPRK"],
    "PSE": ["State of Palestine", "Palestinian", "Palestine"], "RUS": ["Russian Federation", "former Soviet Union"],
    "SWZ": ["Swaziland", "Eswatini"], "SYR": ["Syrian Arab Republic"], "TUR": ["Turkey", "Türkiye"],
    "TWN": ["Taiwan", "Taiwan, Province of China"], "TZA": ["United Republic of Tanzania"],
    "USA": ["United States of America", "US", "United States"], "VAT": ["Holy See"],
    "VEN": ["Bolivarian Republic of Venezuela"], "VNM": ["Viet Nam", "Vietnam"],
  ]
}
