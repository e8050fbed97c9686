// SPDX-License-Identifier: Apache-2.0

/// A currency of ISO 4217, as `GET /reference/currencies` lists it (Rubix §6.15).
package struct Currency: Hashable, Sendable {
  /// ISO 4217 alphabetic code.
  package let code: String
  /// ISO 4217 numeric code, three digits.
  package let numeric: String
  /// Decimal places of the minor unit: 3 for the Kuwaiti dinar, 0 for the yen.
  package let minorUnits: Int
  /// English name.
  package let name: String
  /// Arabic name.
  package let nameArabic: String

  /// Every currency, in the order of its code.
  package static let all: [Currency] = table.split(separator: "\n").map(Currency.init(row:))

  private static let byCode = Dictionary(uniqueKeysWithValues: all.map { ($0.code, $0) })

  /// The currency with this code, in capitals as ISO writes it; nil for an unknown one.
  package static func with(code: String) -> Currency? { byCode[code] }

  private init(row: Substring) {
    let cells = row.split(separator: " | ", omittingEmptySubsequences: false).map(String.init)
    guard cells.count == 5, let units = Int(cells[2]) else {
      preconditionFailure("A row of the currency table has five cells, the third a number.")
    }
    code = cells[0]
    numeric = cells[1]
    minorUnits = units
    name = cells[3]
    nameArabic = cells[4]
  }
}
