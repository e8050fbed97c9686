// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The text as a UUID in lower case (RFC 9562 §4); nil for any other text. One that is in lower case already is
  /// answered as it is: most are, and a call that names many needs no copies. Foundation's own reader also takes a space
  /// or a sign for a digit.
  package var canonicalUUID: String? {
    guard utf8.count == 36 else { return nil }
    var (place, isLower) = (0, true)
    for byte in utf8 {
      let isDash = place == 8 || place == 13 || place == 18 || place == 23
      switch byte {
      case UInt8(ascii: "-"): if !isDash { return nil }
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): if isDash { return nil }
      case UInt8(ascii: "A")...UInt8(ascii: "F"):
        if isDash { return nil }
        isLower = false
      default: return nil
      }
      place += 1
    }
    return isLower ? self : lowercased()
  }
}
