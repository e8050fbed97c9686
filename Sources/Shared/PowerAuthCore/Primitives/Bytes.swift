// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Data {
  /// Appends an integer, most significant byte first.
  mutating func append(bigEndian value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }

  /// `SIZES`: every item behind its length in four bytes; an absent item has length zero (powerauth.md §4.1).
  static func sizes(_ items: [Data]) -> Data {
    items.reduce(into: Data()) { result, item in
      result.append(bigEndian: UInt32(item.count))
      result.append(item)
    }
  }

  /// The last four bytes as an unsigned integer, most significant byte first.
  /// - Precondition: there are four.
  var lastBigEndian32: UInt32 {
    precondition(count >= 4, "a digest has four bytes")
    return suffix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }
}

/// The dynamic truncation of digests to decimal digits: fingerprints and decimal signatures (powerauth.md §3.3, §5.3).
func decimalDigits(of digest: Data, count: Int) -> String {
  let modulus = (0..<count).reduce(UInt32(1)) { product, _ in product * 10 }
  let digits = String((digest.lastBigEndian32 & 0x7fff_ffff) % modulus)
  return String(repeating: "0", count: count - digits.utf8.count) + digits
}
