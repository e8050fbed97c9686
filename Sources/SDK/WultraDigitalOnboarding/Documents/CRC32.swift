// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// CRC-32 as in ISO 3309, the check of ZIP (APPNOTE 6.3.10 §4.4.7), where no zlib is at hand.
enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { number in
    (0..<8).reduce(UInt32(number)) { crc, _ in crc & 1 == 1 ? 0xedb8_8320 ^ (crc >> 1) : crc >> 1 }
  }

  static func of(_ bytes: Data) -> UInt32 {
    ~bytes.reduce(~UInt32(0)) { crc, byte in table[Int((crc ^ UInt32(byte)) & 0xff)] ^ (crc >> 8) }
  }
}
