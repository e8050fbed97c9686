// SPDX-License-Identifier: Apache-2.0

/// The check digit of IMEIs and of rolling codes: ISO/IEC 7812-1, annex B.
enum Luhn {
  /// The digit that makes a number whole.
  /// - Parameter digits: values 0…9 without the check digit.
  static func checkDigit(_ digits: some BidirectionalCollection<Int>) -> Int {
    (10 - sum(digits, doublesLast: true) % 10) % 10
  }

  /// - Parameter digits: values 0…9, the check digit last.
  static func isValid(_ digits: some BidirectionalCollection<Int>) -> Bool {
    !digits.isEmpty && sum(digits, doublesLast: false).isMultiple(of: 10)
  }

  private static func sum(_ digits: some BidirectionalCollection<Int>, doublesLast: Bool) -> Int {
    var (sum, doubles) = (0, doublesLast)
    for digit in digits.reversed() {
      let value = doubles ? 2 * digit : digit
      sum += value > 9 ? value - 9 : value
      doubles.toggle()
    }
    return sum
  }
}

extension StringProtocol {
  /// The values of ASCII digits; nil when anything else is among them.
  var digitValues: [Int]? {
    var values: [Int] = []
    for byte in utf8 {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      values.append(Int(byte - UInt8(ascii: "0")))
    }
    return values
  }
}
