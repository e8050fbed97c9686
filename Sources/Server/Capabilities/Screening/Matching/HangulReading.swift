// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Korean names in Hangul as passports and lists spell them, which is not how ICU does: `박정희` is Park Jung Hee in the
/// South and Pak Jong Hui in the North, not Bagjeonghui.
enum HangulReading {
  private static let lengths = 2...5

  /// The words of a name in the spelling of each half of the country, family name first, a word for each syllable.
  /// - Returns: nothing for a text that is no such name.
  static func names(_ text: String) -> [[String]] {
    let scalars = text.precomposedStringWithCanonicalMapping.unicodeScalars.filter { !$0.properties.isWhitespace }
    guard lengths.contains(scalars.count), scalars.allSatisfy({ (0xAC00...0xD7A3).contains($0.value) }) else {
      return []
    }
    let syllables = scalars.map(Syllable.init)
    let family = scalars.count > 2 ? longFamilies[String(String.UnicodeScalarView(scalars.prefix(2)))] : nil
    let count = family == nil ? 1 : 2
    let first = String(String.UnicodeScalarView(scalars.prefix(1)))
    return [
      [family ?? northernFamilies[first] ?? syllables[0].northern] + syllables.dropFirst(count).map(\.northern),
      [family ?? southernFamilies[first] ?? syllables[0].southern] + syllables.dropFirst(count).map(\.southern),
    ]
  }

  /// A syllable by the places of its letters in Unicode's order.
  private struct Syllable {
    let initial: Int
    let vowel: Int
    let final: Int

    init(_ scalar: Unicode.Scalar) {
      let place = Int(scalar.value) - 0xAC00
      (initial, vowel, final) = (place / 588, place / 28 % 21, place % 28)
    }

    var northern: String { initials[initial] + northernVowels[vowel] + finals[final] }
    var southern: String { southernInitials[initial] + southernVowels[vowel] + finals[final] }
  }

  private static func list(_ text: String) -> [String] {
    text.split(separator: " ").map { $0 == "-" ? "" : String($0) }
  }

  private static let initials = list("K KK N T TT R M P PP S SS - J JJ CH KH TH PH H")
  private static let southernInitials = list("K KK N D TT R M B PP S SS - J JJ CH K T P H")
  private static let northernVowels = list("A AE YA YAE O E YO YE O WA WAE OE YO U WO WE WI YU U UI I")
  private static let southernVowels = list("A AE YA YAE U E YU YE O WA WAE OE YO OO WO WE WI YU EU EE I")
  private static let finals = list("- K K K N N N T L L L L L L L L M P P T T NG T T K T P T")

  private static let longFamilies = [
    "남궁": "NAMGUNG", "황보": "HWANGBO", "제갈": "JEGAL", "선우": "SONU", "독고": "DOKKO", "사공": "SAGONG",
  ]
  /// Written as in the South, spelt as in the North.
  private static let northernFamilies = ["이": "RI", "임": "RIM", "유": "RYU", "노": "RO", "나": "RA"]
  private static let southernFamilies = [
    "이": "LEE", "박": "PARK", "최": "CHOI", "조": "CHO", "윤": "YOON", "임": "LIM", "오": "OH", "서": "SEO", "신": "SHIN",
    "안": "AHN", "전": "JEON", "백": "BAEK", "유": "YOO", "심": "SHIM", "노": "ROH", "문": "MOON", "여": "YEO", "허": "HUR",
  ]
}
