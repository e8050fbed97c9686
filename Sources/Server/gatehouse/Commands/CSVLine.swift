// SPDX-License-Identifier: Apache-2.0

import Console

/// A line of RFC 4180 without its end. A text that a spreadsheet would take for a formula is written as a text, as in
/// exports of the console; an amount below zero stays a number.
struct CSVLine: CustomStringConvertible {
  let description: String

  init(_ fields: [String]) {
    description = fields.map { Self.isAmountBelowZero($0) ? $0 : FiguresCSV.field($0) }.joined(separator: ",")
  }

  private static func isAmountBelowZero(_ field: String) -> Bool {
    let digits = field.dropFirst()
    return field.first == "-" && !digits.isEmpty && digits.allSatisfy("0123456789.".contains)
  }
}
