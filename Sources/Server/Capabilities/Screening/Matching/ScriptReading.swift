// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Reads the letters of other scripts as Latin ones, as lists and passports spell names.
///
/// Arabic, Hebrew and Greek have tables here, because ICU's transforms spell them like no list does: `Mētsotákēs`,
/// `bynymyn`. Arabic and Hebrew write few vowels, so what is read of them is compared by its consonants. Chinese is
/// read as Pinyin with the family name first. Cyrillic is left to Doc 9303-3 §6.B, everything else to ICU.
enum ScriptReading {
  /// A text in Latin letters, and whether its vowels are missing.
  struct Reading {
    var text: String
    var isConsonantal = false
  }

  /// How letters are read that stand for several sounds.
  struct Choices: OptionSet {
    let rawValue: Int
    /// Hebrew's `ב`, `כ` and `פ` behind the first letter of a word as `v`, `ch` and `f`, `ח` as `ch`, and `ו` as `v`.
    static let soft = Choices(rawValue: 1)
    /// Hebrew's `פ` at the beginning of a word as `f`.
    static let foreign = Choices(rawValue: 2)
    /// Arabic's `و` at the beginning of a word as `v`, as in Persian and Urdu.
    static let persian = Choices(rawValue: 4)
    /// Arabic's `ذ` and `ض` as `z`, `ث` as `s` and `ژ` as `j`, as in Persian, Urdu and Turkish; and `تش` as `ch`, as
    /// Arabic writes foreign names.
    static let sounds = Choices(rawValue: 8)
  }

  static func latin(_ text: String, _ choices: Choices = []) -> Reading {
    // The first of them is U+0370, whose first byte is CD.
    guard text.utf8.contains(where: { $0 >= 0xCD }), text.unicodeScalars.contains(where: isForeign) else {
      return Reading(text: text)
    }
    var result = Reading(text: "")
    var rest = String.UnicodeScalarView()
    var isHan = false
    var isFirst = true
    var before: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      if let plain = arabic[scalar] ?? hebrew[scalar] {
        let letter = choices.isEmpty ? plain : Self.letter(scalar, isFirst: isFirst, choices) ?? plain
        result.isConsonantal = true
        // Two letters that only look like one sound: `כהן` is Cohen, and `زهير` Zuhair.
        if letter == "h", let last = rest.last, "kgstdpcz".unicodeScalars.contains(last) { rest.append("e") }
        if choices.contains(.sounds), scalar == "\u{634}", before == "\u{62A}" {
          rest.removeLast()
          rest.append(contentsOf: "ch".unicodeScalars)
        } else {
          rest.append(contentsOf: letter.unicodeScalars)
        }
        (isFirst, before) = (false, scalar)
      } else if (0x610...0x61A).contains(scalar.value) || (0x64B...0x65F).contains(scalar.value)
        || (0x591...0x5C7).contains(scalar.value) || scalar.value == 0x640
      {
        continue
      } else {
        isHan = isHan || (0x3400...0x9FFF).contains(scalar.value)
        rest.append(scalar)
        (isFirst, before) = (true, nil)
      }
    }
    result.text = greek(String(rest))
    if isHan { result = Reading(text: pinyin(result.text), isConsonantal: result.isConsonantal) }
    if result.text.unicodeScalars.contains(where: isForeign) {
      let text = withoutLastVowels(result.text)
      result.text = text.applyingTransform(.toLatin, reverse: false) ?? text
    }
    return result
  }

  /// Hindi, Bengali, Punjabi and Gujarati do not speak the `a` of a consonant that ends a word, unless two stand
  /// together: `पुतिन` is `Putin`, and `मिश्र` is `Mishra`. A virama tells ICU so.
  private static func withoutLastVowels(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var (last, before): (Unicode.Scalar?, Unicode.Scalar?) = (nil, nil)
    func end() {
      guard let last, let virama = virama(behind: last), before != virama else { return }
      result.append(virama)
    }
    for scalar in text.unicodeScalars {
      if scalar.properties.isWhitespace { end() }
      result.append(scalar)
      // A nukta makes another consonant of the one before it: `अज़ीज़` is `Aziz`.
      if !isNukta(scalar) { (last, before) = (scalar, last) }
    }
    end()
    return String(result)
  }

  /// The sign that takes the vowel from a consonant of one of the four scripts, which Unicode arranges alike.
  private static func virama(behind scalar: Unicode.Scalar) -> Unicode.Scalar? {
    let (block, place) = (scalar.value & ~0x7F, scalar.value & 0x7F)
    let isConsonant = (0x15...0x39).contains(place) || (0x58...0x5F).contains(place)
    return (0x900...0xA80).contains(block) && isConsonant ? Unicode.Scalar(block + 0x4D) : nil
  }

  private static func isNukta(_ scalar: Unicode.Scalar) -> Bool {
    (0x900...0xAFF).contains(scalar.value) && scalar.value & 0x7F == 0x3C
  }

  /// How else a letter may be read; nil for one that has no other sound there.
  private static func letter(_ scalar: Unicode.Scalar, isFirst: Bool, _ choices: Choices) -> String? {
    switch scalar {
    case "ב": choices.contains(.soft) && !isFirst ? "v" : nil
    case "כ", "ך": choices.contains(.soft) && !isFirst ? "ch" : nil
    case "ח": choices.contains(.soft) ? "ch" : nil
    case "ו": choices.contains(.soft) ? "v" : nil
    case "פ": choices.contains(isFirst ? .foreign : .soft) ? "f" : nil
    case "\u{648}": choices.contains(.persian) && isFirst ? "v" : nil
    default: choices.contains(.sounds) ? otherSounds[scalar] : nil
    }
  }

  /// A text with `г` and `и` as `h` and `y`, which they are in Ukrainian and Belarusian (Doc 9303-3 §6.B); nil unless it
  /// has a letter that Russian lacks, for in Russian they are `g` and `i`.
  static func ukrainian(_ text: String) -> String? {
    guard text.utf8.contains(where: { $0 >= 0xD0 }), text.unicodeScalars.contains(where: ukrainianOnly.contains)
    else { return nil }
    let read = text.unicodeScalars.map { scalar -> Unicode.Scalar in ukrainianReadings[scalar] ?? scalar }
    return read.contains("h") || read.contains("y") ? String(String.UnicodeScalarView(read)) : nil
  }

  private static let ukrainianOnly = Set("ієїґўІЄЇҐЎ".unicodeScalars)
  private static let ukrainianReadings: [Unicode.Scalar: Unicode.Scalar] = ["г": "h", "Г": "h", "и": "y", "И": "y"]

  /// Whether a letter is one of Hebrew's.
  static func isHebrew(_ scalar: Unicode.Scalar) -> Bool { hebrew[scalar] != nil }

  /// Scripts that Doc 9303-3 §6 has no table for, and Arabic. Latin and Cyrillic lie below, save Latin's extensions.
  static func isForeign(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x370...0x3FF, 0x530...0x1DFF, 0x1F00...0x1FFF, 0x2C00...0xA63F, 0xA800...0xFAFF, 0xFB1D...0xFDFF,
      0xFE70...0xFEFF, 0x10000...:
      true
    default: false
    }
  }

  // MARK: Chinese

  private static let twoPartFamilies: Set<String> = ["欧阳", "歐陽", "司马", "司馬", "诸葛", "諸葛", "上官", "夏侯", "东方"]

  /// Syllables of one word are joined. A name of two to four characters without a dot is family and given name; a
  /// dotted one spells a foreign name, part by part.
  private static func pinyin(_ text: String) -> String {
    let dots: Set<Character> = ["·", "・", "‧", "•"]
    let parts = text.split { $0.isWhitespace || dots.contains($0) }
    let words = parts.flatMap { part -> [Substring] in
      guard parts.count == 1, (2...4).contains(part.count), part.allSatisfy({ !$0.isASCII }) else { return [part] }
      let family = twoPartFamilies.contains(String(part.prefix(2))) && part.count > 2 ? 2 : 1
      return [part.prefix(family), part.dropFirst(family)]
    }
    return words.map { word in
      let latin = String(word).applyingTransform(.toLatin, reverse: false) ?? String(word)
      return latin.filter { !$0.isWhitespace }
    }.joined(separator: " ")
  }

  // MARK: Arabic, Persian, Urdu and Hebrew

  private static let arabic: [Unicode.Scalar: String] = [
    "\u{621}": "", "\u{622}": "a", "\u{623}": "a", "\u{624}": "w", "\u{625}": "i", "\u{626}": "y", "\u{627}": "a",
    "\u{628}": "b", "\u{629}": "a", "\u{62A}": "t", "\u{62B}": "th", "\u{62C}": "j", "\u{62D}": "h", "\u{62E}": "kh",
    "\u{62F}": "d", "\u{630}": "dh", "\u{631}": "r", "\u{632}": "z", "\u{633}": "s", "\u{634}": "sh", "\u{635}": "s",
    "\u{636}": "d", "\u{637}": "t", "\u{638}": "z", "\u{639}": "a", "\u{63A}": "gh", "\u{641}": "f", "\u{642}": "q",
    "\u{643}": "k", "\u{644}": "l", "\u{645}": "m", "\u{646}": "n", "\u{647}": "h", "\u{648}": "w", "\u{649}": "a",
    "\u{64A}": "y", "\u{671}": "a", "\u{67E}": "p", "\u{686}": "ch", "\u{698}": "zh", "\u{6A9}": "k", "\u{6AF}": "g",
    "\u{6BA}": "n", "\u{6BE}": "h", "\u{6C1}": "h", "\u{6CC}": "y", "\u{6D2}": "y", "\u{679}": "t", "\u{688}": "d",
    "\u{691}": "r", "\u{200C}": "",
  ]

  private static let otherSounds: [Unicode.Scalar: String] = [
    "\u{62B}": "s", "\u{630}": "z", "\u{636}": "z", "\u{698}": "j",
  ]

  private static let hebrew: [Unicode.Scalar: String] = [
    "א": "a", "ב": "b", "ג": "g", "ד": "d", "ה": "h", "ו": "w", "ז": "z", "ח": "h", "ט": "t", "י": "y", "כ": "k",
    "ך": "k", "ל": "l", "מ": "m", "ם": "m", "נ": "n", "ן": "n", "ס": "s", "ע": "a", "פ": "p", "ף": "f", "צ": "ts",
    "ץ": "ts", "ק": "k", "ר": "r", "ש": "sh", "ת": "t", "׳": "", "״": "",
  ]
}
