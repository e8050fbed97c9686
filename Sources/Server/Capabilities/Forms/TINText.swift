// SPDX-License-Identifier: Apache-2.0

/// A taxpayer number as it was typed: ASCII letters in capitals, digits and the separators `-/. `.
struct TINText {
  /// With its separators, without white space at the ends.
  let whole: [UInt8]
  /// Letters and digits only.
  let compact: [UInt8]

  /// - Returns: nil when there is any other character, or more than 40 of them.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count <= 40 else { return nil }
    var whole: [UInt8] = []
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): whole.append(byte - 32)
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): whole.append(byte)
      case UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: " "): whole.append(byte)
      default: return nil
      }
    }
    while whole.first == UInt8(ascii: " ") { whole.removeFirst() }
    while whole.last == UInt8(ascii: " ") { whole.removeLast() }
    self.whole = whole
    compact = whole.filter { $0.isDigit || $0.isCapital }
  }
}

extension UInt8 {
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  var isCapital: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }

  /// The value of an ASCII digit.
  var digit: Int { Int(self) - 48 }
}

extension Collection<UInt8> {
  /// The values of ASCII digits; nil when there is any other character.
  var digits: [Int]? { allSatisfy(\.isDigit) ? map(\.digit) : nil }

  /// Whether each character is of the kind that stands at its place in `shape`: `9` a digit, `A` a capital, else
  /// itself.
  func matches(_ shape: String) -> Bool {
    let kinds = shape.utf8
    return count == kinds.count
      && zip(self, kinds).allSatisfy { character, kind in
        switch kind {
        case UInt8(ascii: "9"): character.isDigit
        case UInt8(ascii: "A"): character.isCapital
        default: character == kind
        }
      }
  }
}
