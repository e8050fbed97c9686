// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The padding of PKCS #7 (RFC 5652 §6.3) for blocks of 16 bytes.
package enum PKCS7 {
  private static let blockBytes = 16

  package static func padded(_ bytes: Data) -> Data {
    let length = blockBytes - bytes.count % blockBytes
    return bytes + Data(repeating: UInt8(length), count: length)
  }

  /// Looks at the whole last block whatever it holds, so that the time taken does not tell where the padding is wrong.
  package static func unpadded(_ bytes: Data) -> Data? {
    guard let last = bytes.last, bytes.count.isMultiple(of: blockBytes) else { return nil }
    let length = Int(last)
    var wrong = (length - 1) >> 8 | (blockBytes - length) >> 8
    for (distance, byte) in bytes.suffix(blockBytes).reversed().enumerated() {
      // All ones within the padding, zero before it.
      let mask = (distance - length) >> 8
      wrong |= mask & Int(byte ^ last)
    }
    return wrong == 0 ? Data(bytes.dropLast(length)) : nil
  }
}
