// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

extension Data {
  /// SHA-256 (FIPS 180-4) in lower-case hexadecimal digits.
  package var sha256Hex: String { SHA256.hash(data: self).hex }
}

extension Sequence<UInt8> {
  /// Lower-case hexadecimal digits.
  package var hex: String { hex(dashedAt: []) }

  /// Lower-case hexadecimal digits with a dash before each of these bytes, which are named in ascending order.
  func hex(dashedAt places: [Int]) -> String {
    var (text, index, dash) = ([UInt8](), 0, 0)
    text.reserveCapacity(2 * underestimatedCount + places.count)
    for byte in self {
      if dash < places.count, places[dash] == index {
        text.append(UInt8(ascii: "-"))
        dash += 1
      }
      text.append(hexDigit(byte >> 4))
      text.append(hexDigit(byte & 15))
      index += 1
    }
    return String(decoding: text, as: UTF8.self)
  }

  private func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? 48 + value : 87 + value }

  /// Base64 with the URL alphabet and no padding (RFC 4648 §5).
  package var base64URL: String {
    Data(self).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }
}

extension Data {
  /// - Returns: nil when the text is not base64url.
  package init?(base64URL text: String) {
    guard !text.contains(where: { $0 == "+" || $0 == "/" || $0 == "=" }) else { return nil }
    let standard = text.replacing("-", with: "+").replacing("_", with: "/")
    self.init(base64Encoded: standard + String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4))
  }

  package init?(hex text: String) {
    let digits = Array(text.utf8)
    // `UInt8(_:radix:)` would take a sign.
    guard digits.count.isMultiple(of: 2), digits.allSatisfy({ UnicodeScalar($0).properties.isASCIIHexDigit }) else {
      return nil
    }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let byte = UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16) else { return nil }
      bytes.append(byte)
    }
    self.init(bytes)
  }
}

extension Sequence<UInt8> {
  /// Whether two byte strings are equal, in a time that depends on their lengths only.
  package func isEqualInConstantTime(to other: some Sequence<UInt8>) -> Bool {
    let (one, two) = (Array(self), Array(other))
    guard one.count == two.count else { return false }
    return zip(one, two).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension Substring {
  /// Without the optional whitespace around the value of a field: spaces and tabs (RFC 9110 §5.6.3). Foundation's own way
  /// takes a text to UTF-16 and back, of which every request would notice.
  package var withoutOptionalWhitespace: String {
    func isText(_ byte: UInt8) -> Bool { byte != 0x20 && byte != 0x09 }
    guard let first = utf8.firstIndex(where: isText), let last = utf8.lastIndex(where: isText) else { return "" }
    // Neither is ever a part of another character.
    return String(self[first..<utf8.index(after: last)])
  }
}

extension String {
  /// Whether this is a word of a protocol, in either case (RFC 9110 §5.6.2). By bytes: a text of many combining marks
  /// takes long to compare (decision 176), and some other letters have one of ASCII for their lower case.
  /// - Parameter token: in lower case.
  package func isToken(_ token: String) -> Bool {
    utf8.elementsEqual(token.utf8) { byte, other in
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 == other : byte == other
    }
  }
}
