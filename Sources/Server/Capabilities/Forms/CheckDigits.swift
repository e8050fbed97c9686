// SPDX-License-Identifier: Apache-2.0

/// The check-digit arithmetic that taxpayer numbers share.
enum CheckDigits {
  /// The sum of digit × weight; digits beyond the weights do not count.
  static func weightedSum(_ digits: some Sequence<Int>, _ weights: [Int]) -> Int {
    zip(digits, weights).reduce(0) { $0 + $1.0 * $1.1 }
  }

  /// Luhn's algorithm (ISO/IEC 7812-1 annex B): every second digit from the right is doubled.
  static func luhn(_ digits: [Int]) -> Bool {
    let sum = digits.reversed().enumerated().reduce(0) { sum, place in
      let doubled = place.offset.isMultiple(of: 2) ? place.element : place.element * 2
      return sum + doubled / 10 + doubled % 10
    }
    return sum.isMultiple(of: 10)
  }

  /// ISO 7064 MOD 11,10: the hybrid system with one check digit.
  static func mod11And10(_ digits: [Int]) -> Bool {
    guard let check = digits.last else { return false }
    var product = 10
    for digit in digits.dropLast() {
      let sum = (digit + product) % 10
      product = (sum == 0 ? 10 : sum) * 2 % 11
    }
    return (11 - product) % 10 == check
  }

  /// EAN-13: weights 1 and 3 in turn from the left, the check digit fills up to a multiple of ten.
  static func ean13(_ digits: [Int]) -> Bool {
    weightedSum(digits, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]).isMultiple(of: 10)
  }
}
