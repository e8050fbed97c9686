// SPDX-License-Identifier: Apache-2.0

/// A day of the proleptic Gregorian calendar, without time or zone; written `YYYY-MM-DD` (ISO 8601).
///
/// Only days that exist can be made. Years run from 1 to 9999.
public struct CalendarDate: Hashable, Sendable {
  public let year: Int
  /// 1–12.
  public let month: Int
  /// 1–31.
  public let day: Int

  /// - Returns: nil when the calendar has no such day.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month),
      day >= 1, day <= Self.dayCount(month: month, year: year)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Reads `YYYY-MM-DD` and nothing else.
  public init?(_ isoText: some StringProtocol) {
    let bytes = Array(isoText.utf8.prefix(11))
    guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let year = decimal(bytes[0..<4]), let month = decimal(bytes[5..<7]), let day = decimal(bytes[8..<10])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// The text `YYYY-MM-DD`.
  public var isoText: String {
    padded(year, to: 4) + "-" + padded(month, to: 2) + "-" + padded(day, to: 2)
  }

  /// True for the years that have a 29 February.
  public static func isLeap(_ year: Int) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }

  /// How many days the month has; 0 for a month outside 1–12.
  public static func dayCount(month: Int, year: Int) -> Int {
    switch month {
    case 1, 3, 5, 7, 8, 10, 12: 31
    case 4, 6, 9, 11: 30
    case 2: isLeap(year) ? 29 : 28
    default: 0
    }
  }
}

extension CalendarDate: Comparable {
  public static func < (left: Self, right: Self) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }
}

extension CalendarDate: CustomStringConvertible, LosslessStringConvertible {
  public var description: String { isoText }

  public init?(_ description: String) {
    self.init(description[...])
  }
}

extension CalendarDate: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let date = Self(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a calendar date YYYY-MM-DD")
    }
    self = date
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(isoText)
  }
}

/// The number that ASCII digits spell; nil when any byte is something else.
func decimal(_ digits: some Sequence<UInt8>) -> Int? {
  var value = 0
  for digit in digits {
    guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit), value < 1_000_000_000 else { return nil }
    value = value * 10 + Int(digit - UInt8(ascii: "0"))
  }
  return value
}

/// The number with leading zeros.
func padded(_ number: Int, to width: Int) -> String {
  let text = String(number)
  return String(repeating: "0", count: max(0, width - text.count)) + text
}
