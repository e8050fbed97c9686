// SPDX-License-Identifier: Apache-2.0

/// A person's name as one source has it, in whatever script and case.
public struct PersonName: Hashable, Sendable {
  /// The primary identifier: family name, or the only name.
  public let primary: String
  /// The secondary identifier: given names, separated by spaces; empty for none.
  public let secondary: String
  /// A suffix that the source keeps in a field of its own.
  public let suffix: String?
  /// The source may have shortened the name to fit a field (identity-documents §4.2).
  public let possiblyTruncated: Bool

  public init(primary: String, secondary: String = "", suffix: String? = nil, possiblyTruncated: Bool = false) {
    self.primary = primary
    self.secondary = secondary
    self.suffix = suffix
    self.possiblyTruncated = possiblyTruncated
  }

  /// The name of a zone; nil when the zone has none.
  public init?(_ result: MRZ.Result) {
    guard let fields = result.fields, let surname = fields.surname else { return nil }
    self.init(
      primary: surname, secondary: fields.givenNames ?? "",
      possiblyTruncated: result.warnings.contains(.namePossiblyTruncated))
  }
}

/// A name made comparable (identity-documents §8.1): upper-case Latin tokens, titles and suffixes set apart.
public struct NormalizedName: Hashable, Sendable {
  public let primary: [String]
  public let secondary: [String]
  public let titles: [String]
  public let suffixes: [String]

  private static let knownTitles: Set<String> = ["MR", "MRS", "DR", "PROF", "ING"]
  private static let knownSuffixes: Set<String> = ["JR", "SR", "II", "III"]

  public init(_ name: PersonName, language: Transliteration.Language = .standard) {
    var titles: [String] = []
    var suffixes = name.suffix.map { Transliteration.words(of: $0) } ?? []
    // A suffix such as 1ST keeps its digits: transliteration would leave them out.
    if let suffix = name.suffix, suffix.utf8.contains(where: \.isDigit) { suffixes = [suffix.uppercased()] }
    func tokens(_ text: String) -> [String] {
      var tokens = Transliteration.words(of: text, language: language)[...]
      // What is left must be a name: a person may be called just ING or II.
      while tokens.count > 1, let first = tokens.first, Self.knownTitles.contains(first) {
        titles.append(first)
        tokens.removeFirst()
      }
      while tokens.count > 1, let last = tokens.last, Self.knownSuffixes.contains(last) {
        suffixes.append(last)
        tokens.removeLast()
      }
      return Array(tokens)
    }
    primary = tokens(name.primary)
    secondary = tokens(name.secondary)
    self.titles = titles
    self.suffixes = suffixes
  }

  /// One reading for all readings of AE/A, OE/O, UE/U/UXX, AA/A and N/NXX: the shortest.
  ///
  /// Two names share a reading when their shortest readings are equal, so no set of combinations has to be made and
  /// none has to be cut off.
  static func shortestReading(of token: String) -> String {
    var shortest: [UInt8] = []
    var rest = Array(token.utf8)[...]
    while let first = rest.first {
      shortest.append(first)
      rest = rest.dropFirst(longReadings.first { rest.starts(with: $0) }?.count ?? 1)
    }
    return text(shortest)
  }

  /// Readings whose first letter is the shortest one.
  private static let longReadings = ["UXX", "NXX", "AE", "OE", "UE", "AA"].map { Array($0.utf8) }
}
