// SPDX-License-Identifier: Apache-2.0

/// Decimal digits as ASCII bytes. Foundation's number parsers would also take signs, spaces and other scripts' digits.
package enum Digits {
  package static let range = UInt8(ascii: "0")...UInt8(ascii: "9")

  /// - Returns: nil unless every byte is a digit.
  package static func read(_ bytes: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for byte in bytes {
      guard range.contains(byte) else { return nil }
      value = value * 10 + Int(byte - range.lowerBound)
    }
    return bytes.isEmpty ? nil : value
  }

  /// The number with zeros in front.
  package static func pad(_ number: some BinaryInteger, to width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
}
