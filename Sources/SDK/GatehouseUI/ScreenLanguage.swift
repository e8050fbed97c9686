// SPDX-License-Identifier: Apache-2.0

/// A language that all screens speak; the raw value is its BCP 47 tag.
public enum ScreenLanguage: String, Sendable, CaseIterable {
  case english = "en"
  case french = "fr"
  case arabic = "ar"

  /// - Parameter tag: BCP 47; its region makes no difference, and what is not spoken becomes English.
  public init(tag: String) {
    self = Self(rawValue: tag.prefix { $0 != "-" && $0 != "_" }.lowercased()) ?? .english
  }

  /// Its name in itself, for the list to choose from.
  public var name: String {
    switch self {
    case .english: "English"
    case .french: "Français"
    case .arabic: "العربية"
    }
  }

  /// Whether lines begin at the right.
  public var isRightToLeft: Bool { self == .arabic }
}

/// What was typed as digits, in any of the scripts that keyboards offer (Unicode's decimal digits), as ASCII digits.
public enum TypedDigits {
  /// Everything else is left out.
  /// - Parameter max: digits that are kept.
  public static func ascii(_ text: String, max: Int) -> String {
    String(
      text.unicodeScalars.lazy.compactMap { scalar -> Character? in
        guard scalar.properties.generalCategory == .decimalNumber, let value = scalar.properties.numericValue else {
          return nil
        }
        return Character(String(Int(value)))
      }.prefix(max))
  }
}
