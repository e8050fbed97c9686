// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Base64 and base64url (RFC 4648 §4, §5), as strict or as tolerant as the place that it is read in.
package enum Base64Text {
  package enum Spelling: Sendable {
    /// The standard alphabet, padded, in one line: the one text that encoding the bytes gives.
    case standard
    /// base64url without padding (RFC 7515 §2): the one text that encoding the bytes gives.
    case url
    /// The standard alphabet, padded, with white space anywhere: what stands in PEM (RFC 7468 §2). A hyphen is no
    /// letter
    /// there, or one block's end and another's beginning would be read as part of a key.
    case lines
    /// What peers send: either alphabet, padded or not, with white space anywhere. Ruby breaks lines after 60
    /// characters, Android after 76, old Androids used base64url (specification §4.10).
    case any
  }

  private static let urlAlphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  private static let padding = UInt8(ascii: "=")
  /// In the tables: no letter of the alphabet.
  private static let foreign: UInt8 = 0xff
  private static let standardValues = values(letters62And63: [("+", "/")])
  private static let urlValues = values(letters62And63: [("-", "_")])
  private static let anyValues = values(letters62And63: [("+", "/"), ("-", "_")])

  private static func values(letters62And63: [(Unicode.Scalar, Unicode.Scalar)]) -> [UInt8] {
    var values = [UInt8](repeating: foreign, count: 256)
    for (value, letter) in urlAlphabet.prefix(62).enumerated() { values[Int(letter)] = UInt8(value) }
    for (letter62, letter63) in letters62And63 {
      values[Int(UInt8(ascii: letter62))] = 62
      values[Int(UInt8(ascii: letter63))] = 63
    }
    return values
  }

  /// - Returns: nil for anything but that spelling.
  package static func decode(_ text: some Sequence<UInt8>, _ spelling: Spelling) -> Data? {
    let values =
      switch spelling {
      case .standard, .lines: standardValues
      case .url: urlValues
      case .any: anyValues
      }
    let tolerates = spelling == .any || spelling == .lines
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.underestimatedCount / 4 * 3)
    var (pending, letters, paddings) = (UInt32(0), 0, 0)
    for letter in text {
      let value = values[Int(letter)]
      if value == foreign {
        if letter == padding {
          paddings += 1
        } else if !(tolerates && letter.isWhiteSpace) {
          return nil
        }
        continue
      }
      guard paddings == 0 else { return nil }
      pending = pending << 6 | UInt32(value)
      letters += 1
      if letters.isMultiple(of: 4) {
        bytes.append(UInt8(truncatingIfNeeded: pending >> 16))
        bytes.append(UInt8(truncatingIfNeeded: pending >> 8))
        bytes.append(UInt8(truncatingIfNeeded: pending))
      }
    }
    let wanted = (4 - letters % 4) % 4
    guard wanted != 3 else { return nil }
    let paddingsAllowed: Set<Int> =
      switch spelling {
      case .standard, .lines: [wanted]
      case .url: [0]
      case .any: [0, wanted]
      }
    guard paddingsAllowed.contains(paddings) else { return nil }
    // The bits of the last letter that belong to no byte.
    let rest = pending & (wanted == 2 ? 0xf : wanted == 1 ? 0x3 : 0)
    guard tolerates || rest == 0 else { return nil }
    switch wanted {
    case 2: bytes.append(UInt8(truncatingIfNeeded: pending >> 4))
    case 1:
      bytes.append(UInt8(truncatingIfNeeded: pending >> 10))
      bytes.append(UInt8(truncatingIfNeeded: pending >> 2))
    default: break
    }
    return Data(bytes)
  }

  /// base64url without padding.
  package static func url(_ bytes: Data) -> String {
    let alphabet = urlAlphabet
    return String(unsafeUninitializedCapacity: (bytes.count * 4 + 2) / 3) { letters in
      var (count, pending, bits) = (0, UInt32(0), 0)
      for byte in bytes {
        pending = pending << 8 | UInt32(byte)
        bits += 8
        while bits >= 6 {
          bits -= 6
          letters.initializeElement(at: count, to: alphabet[Int(pending >> UInt32(bits) & 0x3f)])
          count += 1
        }
      }
      if bits > 0 {
        letters.initializeElement(at: count, to: alphabet[Int(pending << UInt32(6 - bits) & 0x3f)])
        count += 1
      }
      return count
    }
  }
}

extension UInt8 {
  /// ASCII white space: space, tab, line feed, vertical tab, form feed, carriage return.
  var isWhiteSpace: Bool { self == 0x20 || (0x09...0x0d).contains(self) }
}
