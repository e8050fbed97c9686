// SPDX-License-Identifier: Apache-2.0

import DocumentCore

/// The number of a card (ISO/IEC 7812-1). Never shown, logged or stored in clear.
struct CardNumber: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible {
  let digits: String

  /// - Returns: nil for what is no number: 12 to 19 digits, the last of which checks the others.
  init?(_ digits: String) {
    guard (12...19).contains(digits.utf8.count), Self.areDigits(digits), Self.sum(of: digits[...]) % 10 == 0 else {
      return nil
    }
    self.digits = digits
  }

  /// Appends the check digit.
  /// - Precondition: 11 to 18 digits.
  init(payload: String) {
    precondition((11...18).contains(payload.utf8.count) && Self.areDigits(payload), "A number without its last digit.")
    digits = payload + String((10 - Self.sum(of: "\(payload)0"[...]) % 10) % 10)
  }

  var lastFour: String { String(digits.suffix(4)) }
  var description: String { "•••• \(lastFour)" }
  var debugDescription: String { description }

  private static func areDigits(_ text: String) -> Bool {
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// Luhn's: every second digit from the right counts twice, as the sum of its own digits.
  private static func sum(of digits: Substring) -> Int {
    digits.utf8.reversed().enumerated().reduce(0) { sum, next in
      let value = Int(next.element - UInt8(ascii: "0")) * (next.offset.isMultiple(of: 2) ? 1 : 2)
      return sum + (value > 9 ? value - 9 : value)
    }
  }
}

/// The last month in which a card pays.
struct CardExpiry: Sendable, Hashable, Codable, Comparable {
  let year: Int
  /// 1 to 12.
  let month: Int

  /// So many months after the month of a day.
  init(months: Int, after today: CalendarDate) {
    let count = today.year * 12 + today.month - 1 + months
    (year, month) = (count / 12, count % 12 + 1)
  }

  init(year: Int, month: Int) { (self.year, self.month) = (year, month) }

  /// As it stands on a card: `11/29`.
  var text: String { "\(Self.two(month))/\(Self.two(year % 100))" }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  static func < (one: Self, other: Self) -> Bool { (one.year, one.month) < (other.year, other.month) }
}
