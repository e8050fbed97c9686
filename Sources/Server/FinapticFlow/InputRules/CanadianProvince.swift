// SPDX-License-Identifier: Apache-2.0

/// A province or territory of Canada, by its code of two letters.
package enum CanadianProvince: String, Sendable, CaseIterable {
  case alberta = "AB"
  case britishColumbia = "BC"
  case manitoba = "MB"
  case newBrunswick = "NB"
  case newfoundlandAndLabrador = "NL"
  case novaScotia = "NS"
  case northwestTerritories = "NT"
  case nunavut = "NU"
  case ontario = "ON"
  case princeEdwardIsland = "PE"
  case quebec = "QC"
  case saskatchewan = "SK"
  case yukon = "YT"

  /// - Parameter area: its name in English or French, or its code; case, accents and marks do not count.
  /// - Returns: nil for any other text.
  package init?(area: String) {
    guard let province = Self.byName[FoldedWords.words(of: area).joined(separator: " ")] else { return nil }
    self = province
  }

  /// English short name.
  package var name: String { entry.english }

  package var isTerritory: Bool { [.northwestTerritories, .nunavut, .yukon].contains(self) }

  /// The first letters of its postal codes (Canada Post).
  package var letters: String {
    switch self {
    case .alberta: "T"
    case .britishColumbia: "V"
    case .manitoba: "R"
    case .newBrunswick: "E"
    case .newfoundlandAndLabrador: "A"
    case .novaScotia: "B"
    case .northwestTerritories, .nunavut: "X"
    case .ontario: "KLMNP"
    case .princeEdwardIsland: "C"
    case .quebec: "GHJ"
    case .saskatchewan: "S"
    case .yukon: "Y"
    }
  }

  /// Whether a text names the country: its name or its code.
  static func isCanada(_ text: String) -> Bool { ["canada", "ca"].contains(FoldedWords.fold(text)) }

  private var entry: ReferenceEntry {
    ReferenceTables.lists[ReferenceType.state(of: "CA")]?.first { $0.code == rawValue }
      ?? ReferenceEntry(rawValue, english: rawValue, french: rawValue)
  }

  private static let byName: [String: CanadianProvince] = {
    var byName: [String: CanadianProvince] = [:]
    for province in allCases {
      for name in [province.rawValue, province.entry.english, province.entry.french] {
        byName[FoldedWords.words(of: name).joined(separator: " ")] = province
      }
    }
    return byName
  }()
}

/// A postal code of Canada: `A9A 9A9`. The letters D, F, I, O, Q and U are never used, W and Z never come first.
package struct CanadianPostalCode: Sendable, Hashable, CustomStringConvertible {
  /// In capitals, with its blank.
  package let description: String

  /// - Parameter text: with or without its blank.
  package init?(_ text: String) {
    // By hand: a pattern takes a hundred times as long, and a national file has millions.
    var code = Array(text.uppercased().utf8)
    if code.count == 7, code[3] == UInt8(ascii: " ") { code.remove(at: 3) }
    guard code.count == 6,
      code.enumerated().allSatisfy({ ($0.offset.isMultiple(of: 2) ? Self.letters : Self.digits).contains($0.element) }),
      !Self.neverFirst.contains(code[0])
    else { return nil }
    description = String(decoding: code[..<3], as: UTF8.self) + " " + String(decoding: code[3...], as: UTF8.self)
  }

  private static let letters = Array("ABCEGHJKLMNPRSTVWXYZ".utf8)
  private static let digits = Array("0123456789".utf8)
  private static let neverFirst = Array("WZ".utf8)

  package var letter: Character { description.first ?? " " }
}
