// SPDX-License-Identifier: Apache-2.0

/// The cleaning of one line of OCR text (identity-documents §6, step 1).
enum OCRLine {
  /// A line with more scalars than this is no line of a zone, whatever it holds.
  static let scalarsMax = 400
  /// A cleaned line with more characters than this fits no format.
  private static let charactersMax = 46 + 60
  private static let formatLengths = Set(MRZ.Format.allCases.map(\.lineLength))

  /// The line in the alphabet of the zone; nil when it does not look like one of a zone.
  ///
  /// 1. Letters are upper-cased, guillemets become fillers, all white space goes.
  /// 2. At least 60 % of what is left is of the alphabet, with one filler or eight digits; or the line was written in
  ///    one piece of that alphabet and has a format's length, for a name may fill its field, and a card's first line be
  ///    full of letters.
  /// 3. Brackets and the like become fillers; what is still foreign goes.
  static func candidate(_ scalars: some Collection<Unicode.Scalar>) -> [UInt8]? {
    let line = Array(scalars.prefix(scalarsMax + 1))
    guard line.count <= scalarsMax else { return nil }
    let folded = line.flatMap(fold)
    let alphabet = folded.compactMap {
      $0.isASCII && MRZ.characterValue(UInt8($0.value)) != nil ? UInt8($0.value) : nil
    }
    let lookAlikes = folded.count { isFillerLookAlike($0) }
    let isWhole = alphabet.count == line.count && formatLengths.contains(line.count)
    guard !alphabet.isEmpty, alphabet.count * 10 >= folded.count * 6,
      isWhole || alphabet.contains(MRZ.filler) || lookAlikes > 0 || alphabet.count(where: \.isDigit) >= 8
    else { return nil }
    let cleaned = folded.compactMap { scalar -> UInt8? in
      if isFillerLookAlike(scalar) { return MRZ.filler }
      return scalar.isASCII && MRZ.characterValue(UInt8(scalar.value)) != nil ? UInt8(scalar.value) : nil
    }
    return cleaned.count <= charactersMax ? cleaned : nil
  }

  /// True for the characters that end a line of text.
  static func endsLine(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }

  private static func fold(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    switch scalar {
    case "«", "»", "≪", "≫": ["<", "<"]
    case "‹", "›": ["<"]
    case "a"..."z": [Unicode.Scalar(UInt8(scalar.value) - 0x20)]
    case _ where scalar.properties.isWhitespace: []
    default: [scalar]
    }
  }

  private static func isFillerLookAlike(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "≤", "(", "[", "{", "⟨", "〈": true
    default: false
    }
  }
}
