// SPDX-License-Identifier: Apache-2.0

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

  /// Where only one letter is lost, as of `Hassani`, what is left is mostly a name of its own, and the two are alike
  /// without this.
  private static let lettersLostMin = 2

  /// The words of one name with the last one as the other name has it; nil when it is not cut there.
  /// - Parameters:
  ///   - text: the name as it was given. Where it has a comma or a slash, its last word is not the last of the words.
  ///   - words: of the name, as it is read.
  ///   - other: the other name's words, of which one begins with what is left of the last word.
  static func whole(_ text: String, _ words: [ListedName.Word], _ other: [ListedName.Word]) -> [ListedName.Word]? {
    guard words.count > wordsMin, text.count >= charactersMin, !text.contains(where: { $0 == "," || $0 == "/" }),
      let cut = words.last, !cut.isConsonantal, !words.dropLast().contains(cut)
    else { return nil }
    let found = other.filter {
      $0.letters.count >= cut.letters.count + lettersLostMin && $0.letters.starts(with: cut.letters)
    }
    // A word that both names have is no part of another one, and of two common names, as `Martin` and `Martinez`, the
    // one is not the other cut off.
    guard found.count == 1, !other.contains(cut), !words.contains(found[0]),
      !GivenNames.groups(of: cut.letters).isOtherName(than: GivenNames.groups(of: found[0].letters))
    else { return nil }
    return words.dropLast() + found
  }
}
