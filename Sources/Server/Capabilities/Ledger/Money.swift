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
    var digits = Substring(decimal)
    let isNegative = digits.first == "-"
    if isNegative { digits.removeFirst() }
    let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let decimals = parts.count == 2 ? parts[1] : ""
    guard !parts[0].isEmpty, parts.count == 1 || !decimals.isEmpty, decimals.count <= known.minorUnits,
      parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } })
    else { return nil }
    let all = parts[0] + decimals + String(repeating: "0", count: known.minorUnits - decimals.count)
    let significant = all.drop { $0 == "0" }
    guard significant.count <= Self.digitsMax, let units = significant.isEmpty ? 0 : Int64(significant) else {
      return nil
    }
    self.init(isNegative ? -units : units, currency)
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
