// SPDX-License-Identifier: Apache-2.0

/// Latin names in Cyrillic letters, as Russian writes foreign names: letters that stand for one sound together are one
/// letter (`SH` is `Ш`, `TH` is `Т`, `QUI` is `КВИ`), and a letter that Cyrillic lacks is its sound (`J` is `ДЖ`).
///
/// The inverse of Doc 9303-3 §6.B where that has one (`KH` is `Х`). ICU's transform is not used, because it changes
/// every letter for itself: `Fenwick Smith` becomes `Фенуицк Смитх`, which is read back as `FENUITSK SMITKH`. A
/// spelling by sound alone (`Гейт` for `Gate`) is not tried, because the letters do not tell it.
enum CyrillicSpelling {
  /// A name in upper-case Cyrillic letters; what is no letter stays as it is.
  static func spelling(of name: String) -> String {
    let letters = Array(name.uppercased())
    var result = ""
    var index = 0
    while index < letters.count {
      let next = group(in: letters, at: index)
      result += next.cyrillic
      index += next.count
    }
    return result
  }

  /// How many letters from `index` on are written together, and how.
  private static func group(in letters: [Character], at index: Int) -> (count: Int, cyrillic: String) {
    for count in stride(from: min(groupMax, letters.count - index), through: 1, by: -1) {
      if let cyrillic = groups[String(letters[index..<(index + count)])] { return (count, cyrillic) }
    }
    guard letters[index] == "Y" else { return (1, String(letters[index])) }
    return (1, index > 0 && vowels.contains(letters[index - 1]) ? "Й" : "И")
  }

  private static let groupMax = 4
  private static let vowels: Set<Character> = ["A", "E", "I", "O", "U"]

  /// The longest that fits counts. `Y` depends on the letter before it, unless one of these has it.
  private static let groups: [String: String] = [
    "SHCH": "Щ", "SCH": "Ш", "SH": "Ш", "CH": "Ч", "KH": "Х", "ZH": "Ж", "TS": "Ц",
    "PH": "Ф", "TH": "Т", "GH": "Г", "DH": "Д", "CK": "К", "TCH": "Ч", "X": "КС", "JJ": "ДЖ", "J": "ДЖ", "DJ": "ДЖ",
    "DZH": "ДЖ", "OU": "У", "OO": "У", "EE": "И", "YOU": "Ю", "YA": "Я", "YU": "Ю", "YE": "Е", "YO": "ЙО",
    "CE": "СЕ", "CI": "СИ", "CY": "СИ",
    "QUA": "КВА", "QUE": "КВЕ", "QUI": "КВИ", "QUO": "КВО",
    "A": "А", "B": "Б", "C": "К", "D": "Д", "E": "Е", "F": "Ф", "G": "Г", "H": "Х", "I": "И", "K": "К", "L": "Л",
    "M": "М", "N": "Н", "O": "О", "P": "П", "Q": "К", "R": "Р", "S": "С", "T": "Т", "U": "У", "V": "В", "W": "В",
    "Z": "З",
  ]
}
