// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Reads the padding of RSAES-PKCS1-v1_5 (RFC 8017 §7.2.2) in a time that does not depend on what it holds:
///
/// 1. the first byte is 0, the second 2;
/// 2. at least eight bytes follow that are not 0;
/// 3. then a 0, then the message, which may hold zeros.
package enum EncryptionPadding {
  /// Two bytes, eight of padding, one that ends them.
  package static let bytesMin = 11

  /// The message of a known length, or the bytes given instead.
  /// - Precondition: `encoded` has room for it, and `otherwise` has its length.
  package static func message(in encoded: Data, count: Int, otherwise: Data) -> Data {
    precondition(encoded.count >= bytesMin + count && otherwise.count == count)
    let bytes = Array(encoded)
    let start = bytes.count - count
    var wrong = Int(bytes[0]) | Int(bytes[1] ^ 2) | Int(bytes[start - 1])
    for place in 2..<start - 1 { wrong |= bytes[place].isZeroMask }
    // All ones when something was wrong: `wrong` is zero, or negative, or at most 255.
    let mask = UInt8(truncatingIfNeeded: (wrong | -wrong) >> (Int.bitWidth - 1))
    return Data(zip(bytes[start...], otherwise).map { $0 ^ (mask & ($0 ^ $1)) })
  }

  /// The message, whatever its length.
  package static func message(in encoded: Data) -> Data? {
    guard encoded.count >= bytesMin else { return nil }
    let bytes = Array(encoded)
    var (end, searching) = (0, -1)
    for place in 2..<bytes.count {
      let isZero = bytes[place].isZeroMask
      end |= searching & isZero & place
      searching &= ~isZero
    }
    // Negative when the padding has fewer than eight bytes, or no end, which leaves `end` at zero.
    let tooShort = (end - (bytesMin - 1)) >> (Int.bitWidth - 1)
    let wrong = Int(bytes[0]) | Int(bytes[1] ^ 2) | tooShort
    return wrong == 0 ? Data(bytes[(end + 1)...]) : nil
  }
}
