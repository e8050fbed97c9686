// SPDX-License-Identifier: Apache-2.0

/// When the institution takes calls: opening hours by day of the week, in its own time zone (rubix-onboarding §6.13).
package struct WorkingWeek: Sendable, Hashable, Codable {
  /// Opening hours of one day, in minutes since local midnight.
  package struct Hours: Sendable, Hashable, Codable {
    /// First minute of the day.
    package let opens: Int
    /// 1440 is the midnight that ends the day.
    package let closes: Int

    /// The whole day, which lasts 23 or 25 hours when clocks change.
    package static let fullDay = Hours(checkedOpens: 0, closes: 1440)

    /// Reads `08:00` and `16:30`; `24:00` closes at the day's end.
    /// - Returns: nil for another form or when the day would close before it opens.
    package init?(_ opens: String, _ closes: String) {
      guard let opens = Self.minutes(opens), let closes = Self.minutes(closes), opens < closes else { return nil }
      self.init(checkedOpens: opens, closes: closes)
    }

    /// - Parameter minutes: since local midnight.
    /// - Returns: nil for hours that are empty or go beyond the day.
    package init?(minutes: Range<Int>) {
      guard !minutes.isEmpty, minutes.lowerBound >= 0, minutes.upperBound <= 1440 else { return nil }
      self.init(checkedOpens: minutes.lowerBound, closes: minutes.upperBound)
    }

    /// The part of the hours that lies in the other ones too; nil when the two do not overlap.
    package func overlapping(_ other: Hours?) -> Hours? {
      guard let other else { return nil }
      let (opens, closes) = (max(opens, other.opens), min(closes, other.closes))
      return opens < closes ? Hours(checkedOpens: opens, closes: closes) : nil
    }

    /// As in `08:00`; 1440 minutes are `24:00`.
    package static func text(_ minutes: Int) -> String {
      func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
      return "\(two(minutes / 60)):\(two(minutes % 60))"
    }

    private init(checkedOpens opens: Int, closes: Int) {
      self.opens = opens
      self.closes = closes
    }

    package init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      opens = try container.decode(Int.self, forKey: .opens)
      closes = try container.decode(Int.self, forKey: .closes)
      guard opens >= 0, opens < closes, closes <= 1440 else {
        throw DecodingError.dataCorruptedError(
          forKey: .closes, in: container, debugDescription: "opening hours must lie within one day")
      }
    }

    private static func minutes(_ text: String) -> Int? {
      guard let parts = text.wholeMatch(of: /([0-9]{2}):([0-9]{2})/), let hour = Int(parts.1),
        let minute = Int(parts.2), minute < 60, hour * 60 + minute <= 1440
      else { return nil }
      return hour * 60 + minute
    }
  }

  /// By ISO 8601 day of the week, Monday = 1 … Sunday = 7; an absent day is closed.
  private let hours: [Int: Hours]

  /// - Parameter hours: by ISO 8601 day of the week, Monday = 1 … Sunday = 7; an absent day is closed.
  package init(_ hours: [Int: Hours]) { self.hours = hours }

  /// The same hours on each of the days.
  package init(_ days: [Int], _ hours: Hours) {
    self.init(Dictionary(days.map { ($0, hours) }) { one, _ in one })
  }

  /// Nil when the day is closed.
  package func hours(onISOWeekday weekday: Int) -> Hours? { hours[weekday] }
}
