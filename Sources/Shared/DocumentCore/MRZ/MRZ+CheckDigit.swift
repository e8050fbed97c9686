// SPDX-License-Identifier: Apache-2.0

extension MRZ {
  /// A check digit as it stands in the zone and as a reader computes it.
  public struct CheckDigit: Hashable, Sendable, Codable {
    /// The character in the zone.
    public let present: String
    /// The digit that the reader computes.
    public let computed: String
    /// True when accepted, by equality or by one of the named tolerances.
    public let ok: Bool

    public init(present: String, computed: String, ok: Bool) {
      self.present = present
      self.computed = computed
      self.ok = ok
    }
  }

  /// The check digit of a text of the MRZ alphabet (Doc 9303-3 §4.9); nil when it holds any other character.
  ///
  /// 1. A digit counts as itself, A–Z as 10–35, the filler as 0.
  /// 2. The weights 7, 3, 1 repeat from the left.
  /// 3. The digit is the sum of the products modulo 10.
  public static func checkDigit(of text: String) -> Int? {
    var sum = 0
    for (index, byte) in text.utf8.enumerated() {
      guard let value = characterValue(byte) else { return nil }
      sum = (sum + value * weight(at: index)) % 10
    }
    return sum
  }

  /// The weight of a position that counts from 0.
  static func weight(at index: Int) -> Int {
    switch index % 3 {
    case 0: 7
    case 1: 3
    default: 1
    }
  }

  /// The value of a character of the MRZ alphabet; nil for any other.
  static func characterValue(_ byte: UInt8) -> Int? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte - UInt8(ascii: "A")) + 10
    case filler: 0
    default: nil
    }
  }

  /// The check digit of bytes that are known to be of the alphabet, as its ASCII character.
  static func checkDigit(of bytes: some Sequence<UInt8>) -> UInt8 {
    var sum = 0
    for (index, byte) in bytes.enumerated() {
      sum += (characterValue(byte) ?? 0) * weight(at: index)
    }
    return UInt8(ascii: "0") + UInt8(sum % 10)
  }

  /// The filler `<`.
  static let filler = UInt8(ascii: "<")
}

extension UInt8 {
  var isLetter: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  var isFiller: Bool { self == MRZ.filler }
}
