// SPDX-License-Identifier: Apache-2.0

/// A telephone number in E.164 form: `+`, then 8 to 15 digits that begin with the country code (ITU-T E.164 §6.2).
package struct PhoneNumber: Sendable, Hashable, CustomStringConvertible {
  /// With its plus sign.
  package let rawValue: String

  /// Nil when the text is not in this form. Nothing is repaired: spaces, brackets and `00` are refused.
  package init?(_ text: String) {
    let digits = text.utf8.dropFirst()
    guard text.utf8.first == UInt8(ascii: "+"), (8...15).contains(digits.count),
      digits.first.map({ (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }) == true,
      digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    rawValue = text
  }

  package var digits: Substring { rawValue.dropFirst() }

  package var description: String { masked }

  /// `+9655•••1234`, for answers and pages (Rubix §6.3). At least three digits stay hidden in the shortest number.
  package var masked: String {
    let tail = digits.count >= 11 ? 4 : 2
    let head = min(4, digits.count - tail - 3)
    return "+\(digits.prefix(head))•••\(digits.suffix(tail))"
  }
}
