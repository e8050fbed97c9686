// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage

/// A point in time: milliseconds since 1970-01-01T00:00:00Z, as it is stored.
package struct Instant: Sendable, Hashable, Comparable, Codable {
  package let milliseconds: Int64

  package init(milliseconds: Int64) { self.milliseconds = milliseconds }

  package init(_ date: Date) { milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded(.down)) }

  package var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

  /// Whole seconds since 1970, as in JWT claims (RFC 7519 NumericDate).
  package var seconds: Int64 { milliseconds / 1000 }

  package static func < (one: Instant, other: Instant) -> Bool { one.milliseconds < other.milliseconds }
  package static func + (instant: Instant, duration: Duration) -> Instant {
    Instant(milliseconds: instant.milliseconds + duration.milliseconds)
  }
  package static func - (instant: Instant, duration: Duration) -> Instant {
    Instant(milliseconds: instant.milliseconds - duration.milliseconds)
  }
  package static func - (later: Instant, earlier: Instant) -> Duration {
    .milliseconds(later.milliseconds - earlier.milliseconds)
  }

  /// RFC 3339 in UTC with whole seconds, `2026-11-21T06:00:00Z`.
  package var rfc3339: String { Self.format.format(date) }

  /// - Parameter rfc3339: with any offset, with or without fractional seconds; nil when it is not such a text.
  package init?(rfc3339: String) {
    // Foundation forgives days and hours that do not exist, and text behind the end.
    let form =
      /(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)/
    guard let parts = rfc3339.wholeMatch(of: form)?.output, let year = Int(parts.1), let month = Int(parts.2),
      let day = Int(parts.3), (1...12).contains(month), day >= 1, day <= Self.dayCount(month, of: year)
    else { return nil }
    guard let date = (try? Self.format.parse(rfc3339)) ?? (try? Self.fractional.parse(rfc3339)) else { return nil }
    self.init(date)
  }

  private static func dayCount(_ month: Int, of year: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static let format = Date.ISO8601FormatStyle()
  private static let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}

extension Instant: SQLConvertible {
  package var sqlValue: SQLValue { .integer(milliseconds) }
  package init(sqlValue: SQLValue) throws { milliseconds = try Int64(sqlValue: sqlValue) }
}

extension Duration {
  package var wholeSeconds: Int { Int(components.seconds) }
  package static func minutes(_ count: Int) -> Duration { .seconds(count * 60) }
  package static func hours(_ count: Int) -> Duration { .seconds(count * 3600) }
  package static func days(_ count: Int) -> Duration { .seconds(count * 86400) }
}
