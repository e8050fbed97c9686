// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import GatehouseUI
internal import RubixOnboarding

/// The countries that can be chosen, by their names in every language that the screens speak: a form that was begun in
/// one of them is read in another.
struct FormCountries: Sendable, Equatable {
  static let shownMax = 5

  let all: [ReferenceCountry]
  /// Of each country, in the order of `all`; by language.
  private let names: [[ScreenLanguage: String]]

  init(all: [ReferenceCountry]) {
    self.all = all
    let locales = ScreenLanguage.allCases.filter { $0 != .english }.map { ($0, Locale(identifier: $0.rawValue)) }
    names = all.map { country in
      // The list's own names are English.
      var names: [ScreenLanguage: String] = [.english: country.name]
      for (language, locale) in locales { names[language] = locale.localizedString(forRegionCode: country.alpha2) }
      return names
    }
  }

  /// - Parameter text: a name, or ISO 3166-1 alpha-2.
  /// - Returns: ISO 3166-1 alpha-2; nil for what is no country.
  func code(_ text: String) -> String? {
    let word = Self.plain(text)
    if let index = index(named: word) ?? all.firstIndex(where: { $0.alpha2.lowercased() == word }) {
      return all[index].alpha2
    }
    // Without the list, which could not be loaded, the server judges.
    let isCode = word.count == 2 && word.allSatisfy { $0.isASCII && $0.isLetter }
    return all.isEmpty && isCode ? word.uppercased() : nil
  }

  /// The countries whose name begins with a text, by code and name; none when the text is a country's name already.
  func suggestions(_ text: String, _ language: ScreenLanguage) -> [(code: String, name: String)] {
    let word = Self.plain(text)
    guard !word.isEmpty, index(named: word) == nil else { return [] }
    let fitting = all.indices.lazy.filter { index in
      all[index].alpha2.lowercased() == word || names[index].values.contains { Self.plain($0).hasPrefix(word) }
    }
    return fitting.prefix(Self.shownMax).map { (all[$0].alpha2, names[$0][language] ?? all[$0].name) }
  }

  private func index(named word: String) -> Int? {
    names.firstIndex { $0.values.contains { Self.plain($0) == word } }
  }

  /// As names are compared: without capitals and marks, which many keyboards make hard to type.
  private static func plain(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.lowercased().replacing("’", with: "'").decomposedStringWithCanonicalMapping.unicodeScalars.filter {
          $0.properties.generalCategory != .nonspacingMark
        }))
  }
}
