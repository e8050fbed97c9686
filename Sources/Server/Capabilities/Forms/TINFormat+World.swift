// SPDX-License-Identifier: Apache-2.0

extension TINFormat {
  /// PAN: five letters, four digits, a letter; the fourth letter is the kind of holder, P for persons.
  static func india(_ tin: [UInt8]) -> TINFormat {
    guard tin.matches("AAAAA9999A"), "ABCFGHLJPT".utf8.contains(tin[3]) else { return .malformed }
    return tin[3] == UInt8(ascii: "P") ? .wellFormed : .wellFormedForOrganisation
  }

  /// CPF: 11 digits of which the last two check the ones before: weights 10 … 2, then 11 … 2; sum × 10 mod 11, where
  /// ten counts as zero. Eleven equal digits satisfy that and are never issued.
  static func brazil(_ tin: [UInt8]) -> TINFormat {
    guard let digits = tin.digits, digits.count == 11, Set(digits).count > 1 else { return .malformed }
    let fits = [9, 10].allSatisfy { place in
      let sum = (0..<place).reduce(0) { $0 + digits[$1] * (place + 1 - $1) }
      return sum * 10 % 11 % 10 == digits[place]
    }
    return fits ? .wellFormed : .wrongCheckDigit
  }

  /// NRIC and FIN: S, T, F, G or M, seven digits, a check letter. Weights 2 7 6 5 4 3 2; T and G add 4, M (since 2022)
  /// adds 3; the remainder of eleven picks the letter from the list of the series.
  static func singapore(_ tin: [UInt8]) -> TINFormat {
    guard tin.matches("A9999999A") else { return .malformed }
    let (offset, letters): (Int, String)
    switch tin[0] {
    case UInt8(ascii: "S"): (offset, letters) = (0, "JZIHGFEDCBA")
    case UInt8(ascii: "T"): (offset, letters) = (4, "JZIHGFEDCBA")
    case UInt8(ascii: "F"): (offset, letters) = (0, "XWUTRQPNMLK")
    case UInt8(ascii: "G"): (offset, letters) = (4, "XWUTRQPNMLK")
    case UInt8(ascii: "M"): (offset, letters) = (3, "XWUTRQPNJLK")
    default: return .malformed
    }
    let sum = CheckDigits.weightedSum(tin[1...7].map(\.digit), [2, 7, 6, 5, 4, 3, 2]) + offset
    return Array(letters.utf8)[sum % 11] == tin[8] ? .wellFormed : .wrongCheckDigit
  }

  /// TFN: 9 digits with weights 1 4 3 7 5 8 6 9 10, or 8 digits of older numbers with weights 10 7 8 4 6 3 5 1; the sum
  /// a multiple of eleven.
  static func australia(_ tin: [UInt8]) -> TINFormat {
    guard let digits = tin.digits, digits.contains(where: { $0 != 0 }) else { return .malformed }
    let weights: [Int]
    switch digits.count {
    case 9: weights = [1, 4, 3, 7, 5, 8, 6, 9, 10]
    case 8: weights = [10, 7, 8, 4, 6, 3, 5, 1]
    default: return .malformed
    }
    return CheckDigits.weightedSum(digits, weights).isMultiple(of: 11) ? .wellFormed : .wrongCheckDigit
  }

  /// SIN: 9 digits, Luhn.
  static func canada(_ tin: [UInt8]) -> TINFormat {
    guard let digits = tin.digits, digits.count == 9, digits.contains(where: { $0 != 0 }) else { return .malformed }
    return CheckDigits.luhn(digits) ? .wellFormed : .wrongCheckDigit
  }
}
