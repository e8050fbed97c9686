// SPDX-License-Identifier: Apache-2.0

/// ISO/IEC 7064, MOD 97-10: two digits at the end of a text find every wrong character and every pair that was
/// exchanged.
enum Modulus97 {
  /// What is left of a text read as one number, in which A is 10 and Z is 35.
  /// - Parameter text: capitals and digits of ASCII.
  static func remainder(_ text: some StringProtocol) -> Int {
    text.utf8.reduce(0) { rest, letter in
      let value = letter < 0x41 ? Int(letter) - 0x30 : Int(letter) - 55
      return (rest * (value < 10 ? 10 : 100) + value) % 97
    }
  }

  /// The two digits that make a text with them at its end leave 1.
  static func digits(for text: some StringProtocol) -> String { Self.padded(98 - remainder("\(text)00"), to: 2) }

  /// A number with zeros in front.
  static func padded(_ number: some BinaryInteger, to length: Int) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: max(length - digits.count, 0)) + digits
  }
}
