// SPDX-License-Identifier: Apache-2.0

import Foundation

/// CRC-16/ARC: reflected polynomial 0xA001, initial value zero, no final change (powerauth.md §3.1).
public enum CRC16 {
  public static func checksum(_ bytes: some Sequence<UInt8>) -> UInt16 {
    bytes.reduce(0) { checksum, byte in
      (0..<8).reduce(checksum ^ UInt16(byte)) { remainder, _ in
        remainder & 1 == 1 ? remainder >> 1 ^ 0xa001 : remainder >> 1
      }
    }
  }
}
