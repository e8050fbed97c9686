// SPDX-License-Identifier: Apache-2.0

/// `application/x-www-form-urlencoded` of one name or value, byte by byte of its UTF-8 (powerauth.md §5.2).
public enum FormURLEncoding {
  private static let hexDigits = Array("0123456789ABCDEF".utf8)

  public static func encode(_ text: String) -> String { encode(text.utf8) }

  static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var encoded: [UInt8] = []
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
        UInt8(ascii: "*"):
        encoded.append(byte)
      case UInt8(ascii: " "): encoded.append(UInt8(ascii: "+"))
      default:
        encoded += [UInt8(ascii: "%"), hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// - Returns: nil when a percent sign is not followed by two hexadecimal digits.
  static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var decoded: [UInt8] = []
    var rest = text.makeIterator()
    while let byte = rest.next() {
      switch byte {
      case UInt8(ascii: "+"): decoded.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard let high = rest.next().flatMap(value(ofHex:)), let low = rest.next().flatMap(value(ofHex:)) else {
          return nil
        }
        decoded.append(high << 4 | low)
      default: decoded.append(byte)
      }
    }
    return decoded
  }

  private static func value(ofHex digit: UInt8) -> UInt8? {
    Character(UnicodeScalar(digit)).hexDigitValue.map(UInt8.init)
  }
}
