// SPDX-License-Identifier: Apache-2.0

extension Transliteration {
  /// Latin letters that are not a base letter with a mark (Doc 9303-3 §6.A); the first reading is the default.
  static let latin: [Character: [String]] = [
    "Ä": ["AE", "A"], "Å": ["AA", "A"], "Æ": ["AE"], "Ǽ": ["AE"], "Ç": ["C"], "Ð": ["D"], "Đ": ["D"],
    "Ñ": ["N", "NXX"], "Ö": ["OE", "O"], "Ø": ["OE"], "Ǿ": ["OE"], "Œ": ["OE"], "Ü": ["UE", "UXX", "U"],
    "Þ": ["TH"], "ß": ["SS"], "ẞ": ["SS"], "Ł": ["L"], "Ħ": ["H"], "Ŧ": ["T"], "Ŋ": ["N"], "ĸ": ["Q"],
    "ı": ["I"], "İ": ["I"], "Ĳ": ["IJ"], "Ə": ["E"],
  ]

  /// Cyrillic letters (Doc 9303-3 §6.B).
  static let cyrillic: [Character: String] = [
    "А": "A", "Б": "B", "В": "V", "Г": "G", "Ґ": "G", "Д": "D", "Е": "E", "Ё": "E", "Є": "IE", "Ж": "ZH", "З": "Z",
    "И": "I", "І": "I", "Ї": "I", "Й": "I", "К": "K", "Л": "L", "М": "M", "Н": "N", "О": "O", "П": "P", "Р": "R",
    "С": "S", "Т": "T", "У": "U", "Ў": "U", "Ф": "F", "Х": "KH", "Ц": "TS", "Ч": "CH", "Ш": "SH", "Щ": "SHCH",
    "Ъ": "IE", "Ы": "Y", "Ь": "", "Э": "E", "Ю": "IU", "Я": "IA", "Ђ": "D", "Ѓ": "G", "Ѕ": "DZ", "Ј": "J",
    "Љ": "LJ", "Њ": "NJ", "Ћ": "C", "Ќ": "K", "Џ": "DZ", "Ѫ": "U", "Ѵ": "Y",
  ]

  /// Where a language reads a Cyrillic letter otherwise.
  static let cyrillicByLanguage: [Language: [Character: String]] = [
    .belarusian: ["Ё": "IO", "Г": "H"],
    .ukrainian: ["Г": "H", "И": "Y"],
    .serbian: ["Ж": "Z", "Х": "H", "Ц": "C", "Ч": "C", "Ш": "S"],
    .macedonian: ["Ќ": "KJ", "Ѓ": "GJ", "Џ": "DJ", "Х": "H", "Ц": "C"],
    .bulgarian: ["Щ": "SHT"],
  ]

  /// Ukrainian letters at the beginning of a word.
  static let ukrainianInitials: [Character: String] = ["Є": "YE", "Ї": "YI", "Й": "Y", "Ю": "YU", "Я": "YA"]

  /// Arabic letters (Doc 9303-3 §6.C). Shadda and teh marbuta depend on their neighbours and are handled in code.
  static let arabic: [Unicode.Scalar: String] = [
    "\u{621}": "XE", "\u{622}": "XAA", "\u{623}": "XAE", "\u{624}": "U", "\u{625}": "I", "\u{626}": "XI",
    "\u{627}": "A", "\u{628}": "B", "\u{62A}": "T", "\u{62B}": "XTH", "\u{62C}": "J", "\u{62D}": "XH",
    "\u{62E}": "XKH", "\u{62F}": "D", "\u{630}": "XDH", "\u{631}": "R", "\u{632}": "Z", "\u{633}": "S",
    "\u{634}": "XSH", "\u{635}": "XSS", "\u{636}": "XDZ", "\u{637}": "XTT", "\u{638}": "XZZ", "\u{639}": "E",
    "\u{63A}": "G", "\u{640}": "", "\u{641}": "F", "\u{642}": "Q", "\u{643}": "K", "\u{644}": "L", "\u{645}": "M",
    "\u{646}": "N", "\u{647}": "H", "\u{648}": "W", "\u{649}": "XAY", "\u{64A}": "Y", "\u{671}": "XXA",
    "\u{67E}": "P", "\u{686}": "XC", "\u{698}": "XJ", "\u{6A9}": "XKK", "\u{6AF}": "XGG", "\u{6CC}": "XYA",
  ]
}
