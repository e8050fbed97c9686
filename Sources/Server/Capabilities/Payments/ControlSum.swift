// SPDX-License-Identifier: Apache-2.0

import Ledger
import ReferenceData

/// The sum of the amounts of a message "irrespective of currencies" (`CtrlSum`), exact: no binary fraction is in it.
struct ControlSum: Equatable {
  /// Decimals that `DecimalNumber` has at most.
  private static let places = 17
  /// In units of 10⁻¹⁷.
  private var units: Int128

  /// - Returns: nil unless it is `DecimalNumber`: up to 18 digits.
  init?(decimal: String) {
    var digits = Substring(decimal)
    let isNegative = digits.first == "-"
    if isNegative || digits.first == "+" { digits.removeFirst() }
    let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let decimals = parts.count == 2 ? parts[1] : ""
    guard digits.utf8.count <= 40, parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }),
      !(parts[0].isEmpty && decimals.isEmpty), decimals.count <= Self.places
    else { return nil }
    let whole = parts[0].drop { $0 == "0" }
    guard whole.count + decimals.count <= 18,
      let units = Int128(whole + decimals + String(repeating: "0", count: Self.places - decimals.count))
    else { return nil }
    self.units = isNegative ? -units : units
  }

  /// - Throws: when the sum is more than any message may say.
  init(_ amounts: [Money] = []) throws(MessageFault) {
    units = 0
    for amount in amounts { try add(amount) }
  }

  /// - Throws: as `init`.
  mutating func add(_ amount: Money) throws(MessageFault) {
    var unit = Int128(1)
    for _ in 0..<(Self.places - (Currency.with(code: amount.currency)?.minorUnits ?? 0)) { unit *= 10 }
    let added = units.addingReportingOverflow(Int128(amount.minorUnits) * unit)
    guard !added.overflow else { throw MessageFault("the sum of the amounts is too large") }
    units = added.partialValue
  }

  /// In the form of `DecimalNumber`; nil when it needs more than 18 digits.
  var decimal: String? {
    let digits = String(units.magnitude)
    let padded = String(repeating: "0", count: max(0, Self.places + 1 - digits.count)) + digits
    var decimals = padded.suffix(Self.places)
    while decimals.last == "0" { decimals.removeLast() }
    let whole = padded.dropLast(Self.places)
    guard whole.drop(while: { $0 == "0" }).count + decimals.count <= 18 else { return nil }
    return (units < 0 ? "-" : "") + whole + (decimals.isEmpty ? "" : "." + decimals)
  }
}
