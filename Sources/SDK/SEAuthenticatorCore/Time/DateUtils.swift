public import Foundation
internal import GatehouseWire

/// How instants and days are written.
public struct DateUtils {
  /// `yyyy-MM-dd'T'HH:mm:ss` in UTC.
  public static var dateFormatter: DateFormatter { formatter("yyyy-MM-dd'T'HH:mm:ss") }

  /// `yyyy-MM-dd` in UTC.
  public static var ymdDateFormatter: DateFormatter { formatter("yyyy-MM-dd") }

  private static func formatter(_ format: String) -> DateFormatter {
    let formatter = DateFormatter()
    formatter.calendar = .utc
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = .utc
    formatter.dateFormat = format
    return formatter
  }
}

extension TimeZone {
  /// UTC.
  public static var utc: TimeZone { .gmt }
}

extension Calendar {
  /// The Gregorian one, in UTC.
  static var utc: Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .utc
    return calendar
  }
}

extension String {
  /// The instant that the text names: `2026-11-21T06:00:00`, with any fraction of a second. `Z` or nothing behind it
  /// is UTC; an offset, which released apps overlook, is counted. nil for anything else.
  public var iso8601date: Date? {
    if let instant = WireInstant(self) ?? WireInstant("\(self)Z") { return instant.date }
    guard utf8.count > 6, let offset = secondsOfOffset(suffix(6)), let instant = WireInstant("\(dropLast(6))Z") else {
      return nil
    }
    return instant.date.addingTimeInterval(-Double(offset))
  }

  /// `+02:00`
  private func secondsOfOffset(_ text: Substring) -> Int? {
    let bytes = Array(text.utf8)
    guard bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"), bytes[3] == UInt8(ascii: ":") else {
      return nil
    }
    let digits = [1, 2, 4, 5].map { Int(bytes[$0]) - Int(UInt8(ascii: "0")) }
    guard digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
    let (hours, minutes) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3])
    guard hours < 24, minutes < 60 else { return nil }
    return (bytes[0] == UInt8(ascii: "-") ? -1 : 1) * (hours * 60 + minutes) * 60
  }
}

extension Date {
  /// `2026-11-21T06:00:00`, in UTC but without saying so.
  public var iso8601string: String { DateUtils.dateFormatter.string(from: self) }

  /// Whole seconds since 1970, rounded down.
  public var utcSeconds: Int { Int(timeIntervalSince1970.rounded(.down)) }

  /// The beginning of its day in UTC.
  public var withoutTime: Date { Calendar.utc.startOfDay(for: self) }

  /// How many days lie between today and its day, both in UTC: 0 for today, 1 for tomorrow.
  public var numberOfDaysFromNow: Int {
    let today = SEAuthenticatorPlatform.current.now.withoutTime
    return Calendar.utc.dateComponents([.day], from: today, to: withoutTime).day ?? 0
  }
}
