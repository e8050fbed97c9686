// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a scalar without quotes means by the core schema of YAML 1.2 (§10.3.2), which OpenAPI 3.1 recommends.
///
/// Numbers in octal and hexadecimal, infinity, what a `Double` cannot hold and what is no number are left out: JSON has
/// none of them, and a description that writes one gets it as a text.
enum PlainScalar {
  /// - Returns: `NSNull`, a `Bool`, an `Int`, a `Double`, or the text itself.
  static func value(of text: String) -> Any {
    guard let first = text.utf8.first else { return NSNull() }
    switch first {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."):
      return number(text) ?? text
    default: return words[text] ?? text
    }
  }

  private static let words: [String: any Sendable] = [
    "~": NSNull(), "null": NSNull(), "Null": NSNull(), "NULL": NSNull(), "true": true, "True": true, "TRUE": true,
    "false": false, "False": false, "FALSE": false,
  ]

  /// Nil for a date, a version and whatever else only begins like a number.
  private static func number(_ text: String) -> Any? {
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
    guard text.utf8.count - digits.count <= 1, digits.contains(where: isDigit) else { return nil }
    if digits.allSatisfy(isDigit), let whole = Int(text) { return whole }
    guard digits.allSatisfy({ isDigit($0) || ".eE+-".utf8.contains($0) }), let value = Double(text), value.isFinite
    else { return nil }
    return value
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
