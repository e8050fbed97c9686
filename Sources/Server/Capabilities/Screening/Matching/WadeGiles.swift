// SPDX-License-Identifier: Apache-2.0

/// Chinese persons' names in the spelling of Wade and Giles, which Taiwan's passports and older lists have: read as
/// Pinyin, which the People's Republic has used since 1958 (ISO 7098). `Chou En-lai` is `Zhou Enlai`, `Hsü Chih-mo` is
/// `Xu Zhimo`.
///
/// An apostrophe tells `ch'`, `p'`, `t'`, `k'` and `ts'` from the letters without it. Most lists leave it out; then the
/// letter is read as without it, and what it differs by is left to the comparison of letters.
enum WadeGiles {
  private static let syllablesMax = 4
  private static let lettersMax = 6

  /// Words in Pinyin.
  /// - Returns: nil unless every syllable is one of Wade and Giles and at least one cannot be Pinyin.
  static func pinyin(_ text: String) -> [String]? {
    guard mayBeSyllables(text) else { return nil }
    var words: [String] = []
    var count = 0
    var isMarked = false
    for word in parted(text) {
      var read = ""
      for part in word.split(separator: "-") {
        guard let syllable = syllable(part) else { return nil }
        read += syllable.pinyin
        isMarked = isMarked || syllable.isMarked
        count += 1
      }
      words.append(read)
    }
    return isMarked && (2...syllablesMax).contains(count) ? words : nil
  }

  /// The words of a text. Of ASCII, which most texts are, each byte is a character.
  private static func parted(_ text: String) -> [Substring] {
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return text.split(whereSeparator: \.isWhitespace) }
    return text.utf8.split { $0 == 0x20 || (9...13).contains($0) }.map(Substring.init)
  }

  /// Most names have a part with more letters than a syllable. An apostrophe and an umlaut take three bytes more.
  private static func mayBeSyllables(_ text: String) -> Bool {
    guard text.utf8.count <= syllablesMax * (lettersMax + 4) else { return false }
    var count = 0
    for byte in text.utf8 {
      count = byte == UInt8(ascii: "-") || byte <= UInt8(ascii: " ") ? 0 : count + 1
      if count > lettersMax + 4 { return false }
    }
    return true
  }

  private static func syllable(_ text: Substring) -> (pinyin: String, isMarked: Bool)? {
    var letters = ""
    var isAspirated = false
    for scalar in text.unicodeScalars {
      switch scalar {
      case "a"..."z", "A"..."Z": letters.unicodeScalars.append(Unicode.Scalar(UInt8(scalar.value) & 0xDF))
      case "'", "\u{2019}", "\u{2018}", "\u{2BB}", "\u{2BC}", "`": isAspirated = true
      case "ü", "Ü": letters += "U"
      case "ê", "Ê": letters += "E"
      default: return nil
      }
      if letters.utf8.count > lettersMax { return nil }
    }
    guard let read = pinyin(letters, isAspirated: isAspirated), pinyinSyllables.contains(read) else { return nil }
    return (read, isAspirated || !pinyinSyllables.contains(letters))
  }

  private static func pinyin(_ letters: String, isAspirated: Bool) -> String? {
    if let whole = wholes[letters] { return isAspirated ? whole.aspirated : whole.plain }
    guard let start = initials.first(where: { letters.hasPrefix($0.letters) }) else { return nil }
    let end = String(letters.dropFirst(start.letters.utf8.count))
    guard !pinyinOnly.contains(end), let first = end.first else { return nil }
    var initial = isAspirated ? start.aspirated : start.plain
    if start.letters == "CH", first == "I" || end == "UEH" { initial = isAspirated ? "Q" : "J" }
    if end == "O", ["K", "H"].contains(start.letters) { return initial + "E" }
    if end == "O", !["P", "M", "F", "W", "Y"].contains(start.letters) { return initial + "UO" }
    return initial + (finals[end] ?? end)
  }

  private struct Initial {
    let letters: String
    let plain: String
    let aspirated: String
  }

  /// The longest first; what begins with a vowel comes last.
  private static let initials: [Initial] =
    [("HS", "X", "X"), ("SH", "SH", "SH"), ("CH", "ZH", "CH"), ("TS", "Z", "C"), ("P", "B", "P"), ("T", "D", "T")]
    .map(Initial.init)
    + [("K", "G", "K"), ("J", "R", "R")].map(Initial.init)
    + ["M", "F", "N", "L", "H", "S", "Y", "W", ""].map { Initial(letters: $0, plain: $0, aspirated: $0) }

  /// Syllables whose vowel is written for the consonant's sake.
  private static let wholes: [String: (plain: String, aspirated: String)] = [
    "CHIH": ("ZHI", "CHI"), "SHIH": ("SHI", "SHI"), "JIH": ("RI", "RI"), "TZU": ("ZI", "CI"), "TZE": ("ZI", "CI"),
    "TSE": ("ZE", "CE"), "SZU": ("SI", "SI"), "SSU": ("SI", "SI"), "SZE": ("SI", "SI"), "I": ("YI", "YI"),
    "ERH": ("ER", "ER"), "YEN": ("YAN", "YAN"), "YEH": ("YE", "YE"), "YUNG": ("YONG", "YONG"),
    "YUEH": ("YUE", "YUE"),
  ]

  private static let finals = [
    "IEH": "IE", "IEN": "IAN", "IUNG": "IONG", "UNG": "ONG", "UEH": "UE", "UEI": "UI", "EH": "E",
  ]

  /// As only Pinyin writes them.
  private static let pinyinOnly: Set<String> = ["ONG", "IAN", "IONG", "IE", "UE"]

  private static let pinyinSyllables: Set<String> = Set(
    table.split(separator: "\n").flatMap { line -> [String] in
      let sides = line.split(separator: ":")
      return sides[1].split(separator: " ").map { (sides[0] == "-" ? "" : String(sides[0])) + $0 }
    })

  /// The syllables of Pinyin, by what they begin with.
  private static let table = """
    -:A AI AN ANG AO E EI EN ER O OU
    B:A AI AN ANG AO EI EN ENG I IAN IAO IE IN ING O U
    P:A AI AN ANG AO EI EN ENG I IAN IAO IE IN ING O OU U
    M:A AI AN ANG AO E EI EN ENG I IAN IAO IE IN ING IU O OU U
    F:A AN ANG EI EN ENG O OU U
    D:A AI AN ANG AO E EI EN ENG I IAN IAO IE ING IU ONG OU U UAN UI UN UO
    T:A AI AN ANG AO E ENG I IAN IAO IE ING ONG OU U UAN UI UN UO
    N:A AI AN ANG AO E EI EN ENG I IAN IANG IAO IE IN ING IU ONG OU U UAN UE UO
    L:A AI AN ANG AO E EI ENG I IA IAN IANG IAO IE IN ING IU ONG OU U UAN UE UN UO
    G:A AI AN ANG AO E EI EN ENG ONG OU U UA UAI UAN UANG UI UN UO
    K:A AI AN ANG AO E EN ENG ONG OU U UA UAI UAN UANG UI UN UO
    H:A AI AN ANG AO E EI EN ENG ONG OU U UA UAI UAN UANG UI UN UO
    J:I IA IAN IANG IAO IE IN ING IONG IU U UAN UE UN
    Q:I IA IAN IANG IAO IE IN ING IONG IU U UAN UE UN
    X:I IA IAN IANG IAO IE IN ING IONG IU U UAN UE UN
    ZH:A AI AN ANG AO E EN ENG I ONG OU U UA UAI UAN UANG UI UN UO
    CH:A AI AN ANG AO E EN ENG I ONG OU U UA UAI UAN UANG UI UN UO
    SH:A AI AN ANG AO E EI EN ENG I OU U UA UAI UAN UANG UI UN UO
    R:AN ANG AO E EN ENG I ONG OU U UAN UI UN UO
    Z:A AI AN ANG AO E EI EN ENG I ONG OU U UAN UI UN UO
    C:A AI AN ANG AO E EN ENG I ONG OU U UAN UI UN UO
    S:A AI AN ANG AO E EN ENG I ONG OU U UAN UI UN UO
    Y:A AN ANG AO E I IN ING O ONG OU U UAN UE UN
    W:A AI AN ANG EI EN ENG O U
    """
}
