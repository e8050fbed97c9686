// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A person's name that a field of so many characters has cut off within its last word, as `Bartholomew Ben Ali Ben
/// Quindaro Ash`: lines of payment messages have 35 characters (ISO 20022's Max35Text), cards fewer. Two names are
/// compared with the word as the other name has it. In searches the word is compared as it stands.
enum CutName {
  /// Shorter names are seldom cut.
  static let charactersMin = 25
  /// Fewer whole words before the one that was cut tell too little.
  static let wordsMin = 2
  /// What it costs that a part of a word is not known.
  static let loss = 0.03

  /// The words of one name with the last one as the other name has it; nil when it is not cut there.
  /// - Parameters:
  ///   - text: the name as it was given, whose last word is the last of the words unless a comma tells otherwise.
  ///   - words: of the name, as it is read.
  ///   - other: the other name's words, of which one begins with what is left of the last word.
  static func whole(_ text: String, _ words: [ListedName.Word], _ other: [ListedName.Word]) -> [ListedName.Word]? {
    guard text.count >= charactersMin, words.count > wordsMin, !text.contains(","), let cut = words.last,
      !cut.isConsonantal, !words.dropLast().contains(cut)
    else { return nil }
    let found = other.filter { $0.letters.count > cut.letters.count && $0.letters.starts(with: cut.letters) }
    // A word that both names have is no part of another one.
    guard found.count == 1, !other.contains(cut), !words.contains(found[0]) else { return nil }
    return words.dropLast() + found
  }
}
