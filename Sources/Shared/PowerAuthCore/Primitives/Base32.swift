// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Base32 without padding (RFC 4648 §6), upper case only, and only the spelling that encoding gives.
enum Base32 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

  static func encode(_ bytes: Data) -> String {
    var (buffer, bits): (UInt32, Int) = (0, 0)
    var characters: [UInt8] = []
    for byte in bytes {
      buffer = (buffer << 8 | UInt32(byte)) & 0xffff
      bits += 8
      while bits >= 5 {
        bits -= 5
        characters.append(alphabet[Int(buffer >> UInt32(bits) & 31)])
      }
    }
    if bits > 0 { characters.append(alphabet[Int(buffer << UInt32(5 - bits) & 31)]) }
    return String(decoding: characters, as: UTF8.self)
  }

  static func decode(_ text: some StringProtocol) -> Data? {
    var (buffer, bits): (UInt32, Int) = (0, 0)
    var bytes = Data()
    for character in text.utf8 {
      guard let value = value(of: character) else { return nil }
      buffer = (buffer << 5 | value) & 0xffff
      bits += 5
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
      }
    }
    return encode(bytes) == text ? bytes : nil
  }

  private static func value(of character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
    case UInt8(ascii: "2")...UInt8(ascii: "7"): UInt32(character - UInt8(ascii: "2")) + 26
    default: nil
    }
  }
}
