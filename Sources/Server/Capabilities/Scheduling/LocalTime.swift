// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Kit

/// The institution's clock on the wall: turns local dates and times into instants, across changes of the clock.
package struct LocalTime: Sendable, Hashable {
  private let zone: TimeZone

  /// The IANA name as it was given, `Asia/Kuwait`: Foundation calls `UTC` `GMT`.
  package let identifier: String

  /// - Returns: nil when this machine knows no such zone.
  package init?(zone identifier: String) {
    guard let zone = TimeZone(identifier: identifier) else { return nil }
    (self.zone, self.identifier) = (zone, identifier)
  }

  /// Which of two instants a local time means when clocks were set back over it.
  package enum Reading: Sendable { case first, last }

  /// The instant at so many minutes after local midnight.
  ///
  /// 1. A time that occurs once is that instant.
  /// 2. A time that occurs twice (clocks set back) is the one that `reading` names.
  /// 3. A time that is skipped (clocks set forward) is the instant of the change.
  package func instant(_ date: CalendarDate, minutes: Int, reading: Reading) -> Instant {
    let local = Int64(date.dayNumber) * 86400 + Int64(minutes) * 60
    // No zone changes twice within two days, so the offsets a day before and after frame any change.
    let before = local - offset(at: local - 86400)
    let after = local - offset(at: local + 86400)
    let meanings = [before, after].filter { $0 + offset(at: $0) == local }
    switch (meanings.isEmpty, reading) {
    case (false, .first): return seconds(min(meanings[0], meanings[meanings.count - 1]))
    case (false, .last): return seconds(max(meanings[0], meanings[meanings.count - 1]))
    case (true, _): return seconds(change(between: min(before, after), and: max(before, after)))
    }
  }

  /// The date that the wall's calendar shows.
  package func date(at instant: Instant) -> CalendarDate? {
    let local = instant.seconds + offset(at: instant.seconds)
    return CalendarDate(dayNumber: Int((Double(local) / 86400).rounded(.down)))
  }

  /// What calendar and clock on the wall show, as in `2026-11-27 14:15`; nil beyond the calendar.
  package func text(_ instant: Instant) -> String? {
    guard let day = date(at: instant) else { return nil }
    let minutes = ((instant.seconds + offset(at: instant.seconds)) % 86400 + 86400) % 86400 / 60
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(day) \(two(minutes / 60)):\(two(minutes % 60))"
  }

  /// The first second with the later offset.
  private func change(between low: Int64, and high: Int64) -> Int64 {
    let old = offset(at: low)
    var (low, high) = (low, high)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if offset(at: middle) == old { low = middle } else { high = middle }
    }
    return high
  }

  private func offset(at seconds: Int64) -> Int64 {
    Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))))
  }

  private func seconds(_ count: Int64) -> Instant { Instant(milliseconds: count * 1000) }
}
