// SPDX-License-Identifier: Apache-2.0

/// A place that an address must not be: one where no person lives (finaptic §8.2).
enum ExcludedPlace: CaseIterable {
  case postOfficeBox, militaryBase, hospital, prison

  /// - Returns: nil when a line names no such place.
  init?(in line: String) {
    let words = FoldedWords.words(of: line).flatMap(Self.parted)
    for place in Self.allCases where words.indices.contains(where: { place.begins(at: $0, of: words) }) {
      self = place
      return
    }
    return nil
  }

  var words: String {
    switch self {
    case .postOfficeBox: "a post-office box"
    case .militaryBase: "a military base"
    case .hospital: "a hospital"
    case .prison: "a prison"
    }
  }

  private func begins(at start: Int, of words: [String]) -> Bool {
    let rest = words[start...]
    func says(_ phrases: String...) -> Bool {
      phrases.contains { rest.starts(with: $0.split(separator: " ").map(String.init)) }
    }
    switch self {
    case .postOfficeBox:
      return says("po box", "p o box", "pobox", "post office box", "case postale", "boite postale")
        || Self.isNumbered(["cp"], rest) || Self.isNumbered(["c", "p"], rest)
    case .militaryBase:
      return says("cfb", "bfc", "cfs", "canadian forces base", "military base", "garrison")
    case .hospital:
      return says("hospital", "hopital") && !Self.isStreet(start, of: words)
    case .prison:
      return says("penitentiary", "penitencier", "prison", "jail", "correctional", "detention")
    }
  }

  /// People write `PO Box12` and `CP12` as well, where a number follows without a blank.
  private static func parted(_ word: String) -> [String] {
    for name in ["pobox", "box", "cp"] where word.hasPrefix(name) {
      let number = word.dropFirst(name.count)
      if !number.isEmpty, number.allSatisfy(\.isNumber) { return [name, String(number)] }
    }
    return [word]
  }

  /// `C.P. 12` is a box, `C.P.` alone may be anything.
  private static func isNumbered(_ phrase: [String], _ rest: ArraySlice<String>) -> Bool {
    rest.starts(with: phrase) && rest.dropFirst(phrase.count).first?.first?.isNumber == true
  }

  /// Whether the hospital is the name of a street: `12 Hospital Road`, `12 rue de l’Hôpital`.
  private static func isStreet(_ start: Int, of words: [String]) -> Bool {
    if start + 1 < words.count, streetTypes.contains(words[start + 1]) { return true }
    let before = words[..<start].reversed().first { !["de", "du", "des", "d", "l", "la", "le"].contains($0) }
    return before.map(frenchStreetTypes.contains) ?? false
  }

  private static let frenchStreetTypes: Set<String> = [
    "allee", "av", "avenue", "boul", "boulevard", "chemin", "ch", "cote", "cours", "croissant", "impasse", "montee",
    "place", "quai", "rang", "route", "rte", "rue", "ruelle", "sentier", "terrasse",
  ]

  private static let streetTypes: Set<String> = frenchStreetTypes.union([
    "alley", "ave", "bay", "blvd", "circle", "cir", "close", "common", "court", "crt", "ct", "cove", "crescent", "cres",
    "crossing", "drive", "dr", "gardens", "gate", "green", "grove", "heights", "highway", "hwy", "hill", "landing",
    "lane", "line", "link", "loop", "mews", "park", "parkway", "pkwy", "path", "pl", "point", "rd", "ridge", "rise",
    "road", "row", "square", "sq", "st", "street", "terrace", "terr", "trail", "view", "villas", "walk", "way", "wood",
  ])
}
