// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import SaltEdgeAuthenticator

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
  public var iso8601date: Date? { PayloadInstant.read(self)?.date }
}

extension Date {
  /// `2026-11-21T06:00:00`, in UTC but without saying so.
  public var iso8601string: String { DateUtils.dateFormatter.string(from: self) }

  /// Whole seconds since 1970, rounded down. Dates outside the years 1…9999, as an app's arithmetic with what a bank
  /// sent may make them, are held at that edge; one that is no number is 1970-01-01.
  public var utcSeconds: Int {
    let seconds = timeIntervalSince1970.rounded(.down)
    return seconds.isNaN ? 0 : Int(min(max(seconds, -62_135_596_800), 253_402_300_799))
  }

  /// The beginning of its day in UTC.
  public var withoutTime: Date { Calendar.utc.startOfDay(for: self) }

  /// How many days lie between today and its day, both in UTC: 0 for today, 1 for tomorrow.
  public var numberOfDaysFromNow: Int {
    let today = SEAuthenticatorPlatform.current.now.withoutTime
    return Calendar.utc.dateComponents([.day], from: today, to: withoutTime).day ?? 0
  }
}
