// SPDX-License-Identifier: Apache-2.0

/// Names that share a word, parted by what a search has to know of them before it looks at any: where a common word is
/// all that a name shares, most names tell too much besides to be worth a look.
enum NameGroup: Int32, CaseIterable {
  /// They have no initials and tell less than `muchMin`.
  case little
  /// They have no initials, and tell as much or more.
  case much
  /// They have initials, so that words may stand for one another that share little.
  case initials

  static let count = allCases.count
  /// In rare words.
  static let muchMin = 1.0

  static func of(_ name: ScreeningIndex.Name) -> NameGroup {
    name.hasInitials ? .initials : name.rarity < muchMin ? .little : .much
  }

  /// The number of the first of the lists of years, which stand behind those of words.
  static func firstListOfYears(words count: Int) -> Int32 { Int32(Self.count * count) }

  /// The number of the list that has the names with a word.
  func list(of word: Int32) -> Int32 { Int32(Self.count) * word + rawValue }
}
