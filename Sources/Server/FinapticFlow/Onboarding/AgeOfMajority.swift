// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Kit
import Scheduling

/// The age from which a person may make contracts, by the province where they live (finaptic §5.5).
package struct AgeOfMajority: Sendable {
  /// Whose day it is.
  private static let zone = "America/Toronto"
  private static let years: [String: Int] = [
    "AB": 18, "MB": 18, "ON": 18, "PE": 18, "QC": 18, "SK": 18, "BC": 19, "NB": 19, "NL": 19, "NS": 19, "NT": 19,
    "NU": 19, "YT": 19,
  ]

  private let time: LocalTime

  /// - Throws: `Unknown` on a machine without the data of time zones: ages are not guessed.
  package init() throws {
    guard let time = LocalTime(zone: Self.zone) else { throw Unknown() }
    self.time = time
  }

  package struct Unknown: Error, Sendable {}

  /// The civil date that counts.
  /// - Throws: `Unknown` for an instant beyond the calendar.
  package func today(at now: Instant) throws -> CalendarDate {
    guard let date = time.date(at: now) else { throw Unknown() }
    return date
  }

  /// Reaching the age on that day is enough. A person born on 29 February comes of age on 1 March of a common year.
  /// - Parameter province: the two letters of a province or territory; nil for any other text.
  package static func isReached(bornOn birth: CalendarDate, in province: String, on today: CalendarDate) -> Bool? {
    years[province].map { birth.age(on: today) >= $0 }
  }
}
