// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

/// What the network allows, and how long things last in it (finaptic §8.8): data, so that an installation can follow
/// the network without another version of this program.
package struct InteracRules: Sendable {
  /// Of one retail customer, over all accounts.
  package var registrationsMax = 5
  /// Calendar months after which an unused registration ends.
  package var emailMonths = 12
  package var phoneMonths = 3
  /// How long before its end its holder is told.
  package var noticeAhead = Duration.days(7)
  /// How long a registration can be confirmed. Its alias is not taken before.
  package var confirmLifetime = Duration.days(7)
  /// How long money waits to be taken.
  package var transferLifetime = Duration.days(30)
  /// Wrong answers that cancel a transfer.
  package var answersMax = 3
  /// What one customer may take within a day, beside what comes by itself, in cents.
  package var takenPerDayMax: Int64 = 10_000_00
  /// Area codes in service in Canada.
  package var areaCodes: Set<String> = Self.standardAreaCodes

  package init() {}

  package static let standardAreaCodes: Set<String> = [
    "204", "226", "236", "249", "250", "257", "263", "289", "306", "343", "354", "365", "367", "368", "382", "403",
    "416", "418", "428", "431", "437", "438", "450", "468", "474", "506", "514", "519", "548", "579", "581", "584",
    "587", "604", "613", "639", "647", "672", "683", "705", "709", "742", "753", "778", "780", "782", "807", "819",
    "825", "867", "873", "879", "902", "905", "942",
  ]

  /// When a registration ends that was used, or made, at an instant.
  func expiry(of alias: InteracAlias, after instant: Instant) -> Instant {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let months = alias.isEmail ? emailMonths : phoneMonths
    return calendar.date(byAdding: .month, value: months, to: instant.date).map { Instant($0) }
      ?? instant + .days(30 * months)
  }
}
