// SPDX-License-Identifier: Apache-2.0

/// Arabic names of two words that Latin letters write as one or as several: `Abdelaziz` and `Abd al-Aziz`, `Noureddine`
/// and `Nur al-Din`.
enum LatinCompounds {
  private static let restMin = 4

  /// The words with each compound as one word, in one form: `Abdaziz`, which is `Abd al-Aziz` but for a blank, and
  /// `Nouruddin`. Apart, `Aziz` alone would be the same name with a part left out.
  /// - Returns: nil for names without one.
  static func read(_ words: [ListedName.Word]) -> [String]? {
    guard words.contains(where: { mayBegin($0.letters) || isFaith($0.letters) || faithStem($0.letters) != nil })
    else { return nil }
    var result: [[UInt8]] = []
    var hasChanged = false
    for word in words.map(\.letters) {
      if let rest = servantRest(word) {
        result.append(servant + rest)
      } else if let stem = faithStem(word) {
        result.append(stem + faith)
      } else if isFaith(word), let before = lastName(&result) {
        result.append(before + faith)
      } else {
        result.append(word)
        continue
      }
      hasChanged = true
    }
    return hasChanged ? result.map { String(decoding: $0, as: UTF8.self) } : nil
  }

  private static func mayBegin(_ word: [UInt8]) -> Bool { word.count > servant.count && word.starts(with: servant) }

  /// What stands behind `Abdul`, `Abdel` or, with the article's letter lost in the next one, `Abdur`.
  private static func servantRest(_ word: [UInt8]) -> ArraySlice<UInt8>? {
    guard mayBegin(word) else { return nil }
    let end = word[servant.count...].firstIndex { !vowels.contains($0) } ?? word.endIndex
    guard end > servant.count, end < word.endIndex else { return nil }
    var rest = word[end...]
    if rest.first == article {
      rest = rest.dropFirst()
    } else if rest.count > 1, rest.first == rest.dropFirst().first {
      rest = rest.dropFirst()
    } else if !sunLetters.contains(word[end]) {
      return nil
    }
    // `Abdullah` is a name of its own.
    return rest.count < restMin || rest.starts(with: Array("LAH".utf8)) ? nil : rest
  }

  private static func isFaith(_ word: [UInt8]) -> Bool { mayEndFaith(word) && faiths.contains(word) }

  private static func mayEndFaith(_ word: [UInt8]) -> Bool {
    word.last == UInt8(ascii: "N") || word.last == UInt8(ascii: "E")
  }

  /// `Nour` of `Noureddine`.
  private static func faithStem(_ word: [UInt8]) -> [UInt8]? {
    guard word.count > 6, mayEndFaith(word) else { return nil }
    for end in joinedFaiths where word.count >= end.count + 3 && word.suffix(end.count).elementsEqual(end) {
      return Array(word.dropLast(end.count))
    }
    return nil
  }

  /// Takes the word that belongs to `al-Din` from the end, with the article.
  private static func lastName(_ words: inout [[UInt8]]) -> [UInt8]? {
    let articles = words.reversed().prefix { Self.articles.contains($0) }.count
    guard articles < 2, words.count > articles else { return nil }
    let name = words[words.count - 1 - articles]
    guard name.count > 2, !name.elementsEqual(servant) else { return nil }
    words.removeLast(articles + 1)
    return name
  }

  private static func list(_ text: String) -> [[UInt8]] { text.split(separator: " ").map { Array($0.utf8) } }

  private static let servant = Array("ABD".utf8)
  private static let article = UInt8(ascii: "L")
  private static let vowels = Array("AEIOU".utf8)
  private static let sunLetters = Array("RSNZ".utf8)
  private static let faith = Array("UDDIN".utf8)
  private static let articles = list("AL EL UL UD ED AD")
  private static let faiths = list("DIN DINE DEEN EDDINE EDDIN UDDIN ALDIN ELDIN ADDIN ELDINE UDDEEN")
  private static let joinedFaiths = list(
    "EDDINE ELDINE UDDEEN UDDIN EDDIN ADDIN IDDIN ODDIN ALDIN ELDIN ULDIN EDINE UDIN")
}
