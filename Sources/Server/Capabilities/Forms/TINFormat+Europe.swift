// SPDX-License-Identifier: Apache-2.0

extension TINFormat {
  /// NINO: 2 letters (first none of DFIQUV, second none of DFIOQUV, not BG GB KN NK NT TN ZZ), 6 digits, A–D; or UTR:
  /// 10 digits, the first one checks: weights 6 7 8 9 10 5 4 3 2 over the other nine, sum mod 11 → 2 1 9 8 7 6 5 4 3 2
  /// 1.
  static func unitedKingdom(_ tin: [UInt8]) -> TINFormat {
    if let digits = tin.digits {
      guard digits.count == 10 else { return .malformed }
      let remainder = CheckDigits.weightedSum(digits.dropFirst(), [6, 7, 8, 9, 10, 5, 4, 3, 2]) % 11
      return [2, 1, 9, 8, 7, 6, 5, 4, 3, 2, 1][remainder] == digits[0] ? .wellFormed : .wrongCheckDigit
    }
    guard tin.matches("AA999999A"), ("A"..."D").contains(Character(UnicodeScalar(tin[8]))),
      !"DFIQUV".utf8.contains(tin[0]), !"DFIOQUV".utf8.contains(tin[1]),
      !["BG", "GB", "KN", "NK", "NT", "TN", "ZZ"].contains(String(decoding: tin[0...1], as: UTF8.self))
    else { return .malformed }
    return .wellFormed
  }

  /// IdNr: 11 digits, the first not 0, ISO 7064 MOD 11,10.
  static func germany(_ tin: [UInt8]) -> TINFormat {
    guard let digits = tin.digits, digits.count == 11, digits[0] != 0 else { return .malformed }
    return CheckDigits.mod11And10(digits) ? .wellFormed : .wrongCheckDigit
  }

  /// Numéro fiscal: 13 digits, the first 0–3, the last three are the first ten modulo 511.
  static func france(_ tin: [UInt8]) -> TINFormat {
    guard let digits = tin.digits, digits.count == 13, digits[0] <= 3 else { return .malformed }
    let number = digits.prefix(10).reduce(0) { $0 * 10 + $1 }
    let key = digits.suffix(3).reduce(0) { $0 * 10 + $1 }
    return number % 511 == key ? .wellFormed : .wrongCheckDigit
  }

  /// Codice fiscale of a person: 16 characters, the last a check letter. In cases of namesakes digits are replaced by
  /// the letters LMNPQRSTUV.
  static func italy(_ tin: [UInt8]) -> TINFormat {
    guard tin.count == 16 else { return .malformed }
    for (place, character) in tin.enumerated() {
      let fits =
        switch place {
        case 6, 7, 9, 10, 12, 13, 14: character.isDigit || "LMNPQRSTUV".utf8.contains(character)
        case 8: "ABCDEHLMPRST".utf8.contains(character)
        default: character.isCapital
        }
      guard fits else { return .malformed }
    }
    // The values of places 1, 3, 5 … for 0–9 and A–J alike, then for K–Z; at even places a character counts as itself.
    let odd = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23]
    let sum = tin.dropLast().enumerated().reduce(0) { sum, place in
      let value = place.element.isDigit ? place.element.digit : Int(place.element) - 65
      return sum + (place.offset.isMultiple(of: 2) ? odd[value] : value)
    }
    return sum % 26 == Int(tin[15]) - 65 ? .wellFormed : .wrongCheckDigit
  }

  /// NIF of a person: 8 digits, or X, Y, Z (→ 0, 1, 2) and 7 digits, then the letter at n mod 23.
  static func spain(_ tin: [UInt8]) -> TINFormat {
    guard tin.count == 9, tin[8].isCapital else { return .malformed }
    var body = Array(tin.dropLast())
    if let series = "XYZ".utf8.firstIndex(of: body[0]) {
      body[0] = 48 + UInt8("XYZ".utf8.distance(from: "XYZ".utf8.startIndex, to: series))
    }
    guard let digits = body.digits else { return .malformed }
    let letters = Array("TRWAGMYFPDXBNJZSQVHLCKE".utf8)
    return letters[digits.reduce(0) { $0 * 10 + $1 } % 23] == tin[8] ? .wellFormed : .wrongCheckDigit
  }

  /// BSN: 9 digits, weights 9 … 2 and −1, the sum a multiple of eleven.
  static func netherlands(_ tin: [UInt8]) -> TINFormat {
    guard let digits = tin.digits, digits.count == 9, digits.contains(where: { $0 != 0 }) else { return .malformed }
    let sum = CheckDigits.weightedSum(digits, [9, 8, 7, 6, 5, 4, 3, 2, -1])
    return sum.isMultiple(of: 11) ? .wellFormed : .wrongCheckDigit
  }

  /// PESEL: 11 digits, weights 1 3 7 9 1 3 7 9 1 3, the check digit fills up to a multiple of ten; or NIP: 10 digits,
  /// weights 6 5 7 2 3 4 5 6 7, sum mod 11 is the check digit (a sum that gives 10 is never issued).
  static func poland(_ tin: [UInt8]) -> TINFormat {
    guard let digits = tin.digits, digits.contains(where: { $0 != 0 }) else { return .malformed }
    switch digits.count {
    case 11:
      let sum = CheckDigits.weightedSum(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1])
      return sum.isMultiple(of: 10) ? .wellFormed : .wrongCheckDigit
    case 10:
      let sum = CheckDigits.weightedSum(digits, [6, 5, 7, 2, 3, 4, 5, 6, 7])
      return sum % 11 == digits[9] ? .wellFormed : .wrongCheckDigit
    default:
      return .malformed
    }
  }

  /// Personnummer: 10 or 12 digits, Luhn on the last ten. A `+` before the last four (people over 100) is no separator
  /// here: they write twelve digits.
  static func sweden(_ tin: [UInt8]) -> TINFormat {
    guard let digits = tin.digits, [10, 12].contains(digits.count) else { return .malformed }
    return CheckDigits.luhn(Array(digits.suffix(10))) ? .wellFormed : .wrongCheckDigit
  }

  /// AHV number: 13 digits from 756 on, EAN-13 check digit.
  static func switzerland(_ tin: [UInt8]) -> TINFormat {
    guard let digits = tin.digits, digits.count == 13, digits.starts(with: [7, 5, 6]) else { return .malformed }
    return CheckDigits.ean13(digits) ? .wellFormed : .wrongCheckDigit
  }
}
