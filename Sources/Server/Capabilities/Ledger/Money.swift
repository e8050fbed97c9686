// SPDX-License-Identifier: Apache-2.0

import ReferenceData

/// An amount in a currency: a whole number of its minor units, never a fraction in binary.
package struct Money: Hashable, Sendable {
  /// Cents of a dollar, yen of a yen, fils of a dinar. Negative means out.
  package let minorUnits: Int64
  /// ISO 4217 alphabetic code, in capitals.
  package let currency: String

  package init(_ minorUnits: Int64, _ currency: String) {
    self.minorUnits = minorUnits
    self.currency = currency
  }

  /// Digits of an amount that are looked at: more do not fit anyway.
  private static let digitsMax = 18

  /// - Parameter decimal: `-?[0-9]+(\.[0-9]+)?`: no exponent, no grouping.
  /// - Returns: nil when it is not such a text, has more decimals than the currency, does not fit, or the currency is
  ///   none of ISO 4217.
  package init?(decimal: String, currency: String) {
    guard let known = Currency.with(code: currency) else { return nil }
    let isNegative = decimal.utf8.first == UInt8(ascii: "-")
    // Digits from the first that is not 0 on; those before the point; those behind it, nil without a point.
    var (units, significant, wholes, decimals) = (Int64(0), 0, 0, Int?.none)
    func add(_ digit: UInt8) -> Bool {
      guard significant > 0 || digit > 0 else { return true }
      significant += 1
      guard significant <= Self.digitsMax else { return false }
      units = units * 10 + Int64(digit)
      return true
    }
    for byte in decimal.utf8.dropFirst(isNegative ? 1 : 0) {
      if byte == UInt8(ascii: "."), decimals == nil {
        decimals = 0
        continue
      }
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), add(byte - UInt8(ascii: "0")) else { return nil }
      if let count = decimals { decimals = count + 1 } else { wholes += 1 }
    }
    guard wholes > 0, decimals != 0, decimals ?? 0 <= known.minorUnits else { return nil }
    for _ in (decimals ?? 0)..<known.minorUnits { guard add(0) else { return nil } }
    self.init(isNegative ? -units : units, currency)
  }

  /// More than any amount that a text gives, in minor units.
  package static let beyondDecimal: Int64 = 1_000_000_000_000_000_000

  /// Whether a text has the form of an amount of `init(decimal:currency:)` that is not negative, and is nothing but too
  /// much: `beyondDecimal` or more.
  package static func isBeyond(decimal: String, currency: String) -> Bool {
    guard let places = Currency.with(code: currency)?.minorUnits, Money(decimal: decimal, currency: currency) == nil
    else { return false }
    let parts = decimal.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    let areDigits = parts.allSatisfy { part in
      !part.isEmpty && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
    return areDigits && (parts.count == 1 || parts[1].count <= places)
  }

  /// With as many decimals as the currency has, as in `-12.30`.
  package var decimal: String { Self.decimal(Int128(minorUnits), currency) }

  /// A sum of amounts in the form of `decimal`: it may be more than an amount holds.
  package static func decimal(_ minorUnits: Int128, _ currency: String) -> String {
    let places = Currency.with(code: currency)?.minorUnits ?? 0
    let digits = String(minorUnits.magnitude)
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    let sign = minorUnits < 0 ? "-" : ""
    return places == 0 ? sign + padded : "\(sign)\(padded.dropLast(places)).\(padded.suffix(places))"
  }
}
