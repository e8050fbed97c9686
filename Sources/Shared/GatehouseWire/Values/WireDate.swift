// SPDX-License-Identifier: Apache-2.0

/// A calendar date on the wire: `YYYY-MM-DD` in the proleptic Gregorian calendar (rubix-onboarding §1).
public struct WireDate: Codable, Hashable, Sendable, Comparable, CustomStringConvertible {
  /// 1…9999.
  public let year: Int
  /// 1…12.
  public let month: Int
  /// 1…31, and never past the end of the month.
  public let day: Int

  /// - Returns: nil when no such day exists, 29 February of a common year included.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.daysInMonth(month, of: year)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Reads `2026-11-21`.
  /// - Returns: nil for any other form and for days that do not exist.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let year = Digits.read(bytes[0..<4]), let month = Digits.read(bytes[5..<7]),
      let day = Digits.read(bytes[8..<10])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// The day that lies so many days after 1970-01-01. Days outside the years 1…9999 are held at that edge.
  public init(daysSince1970 days: Int) {
    // Years are counted from 1 March, so that the leap day is a year's last; 719468 days lie between 0000-03-01 and
    // 1970-01-01; 146097 days make a cycle of 400 years.
    let shifted = min(max(days, -719_162), 2_932_896) + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Days since 1970-01-01, negative before it.
  public var daysSince1970: Int {
    let marchYear = month <= 2 ? year - 1 : year
    let era = marchYear / 400
    let yearOfEra = marchYear % 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// `2026-11-21`.
  public var description: String { "\(Digits.pad(year, to: 4))-\(Digits.pad(month, to: 2))-\(Digits.pad(day, to: 2))" }

  /// Reads the text form.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let date = WireDate(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a date YYYY-MM-DD")
    }
    self = date
  }

  /// Writes the text form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  /// Earlier before later.
  public static func < (left: WireDate, right: WireDate) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }

  private static func daysInMonth(_ month: Int, of year: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
