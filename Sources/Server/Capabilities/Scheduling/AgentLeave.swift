// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Kit

/// A time in which an agent takes no calls.
package struct AgentLeave: Sendable, Hashable {
  package typealias ID = Identifier<AgentLeave>

  /// This leave.
  package let id: ID
  /// Whose it is.
  package let agentID: String
  /// From the first instant away up to the first one back.
  package let time: Range<Instant>

  package init(id: ID, agentID: String, time: Range<Instant>) {
    self.id = id
    self.agentID = agentID
    self.time = time
  }
}

extension AgentLeave {
  /// The longest leave: a longer one is a suspension, or a slip of the pen. Also how far ahead leaves are looked for.
  package static let longest = Duration.days(366)

  /// The time of a leave as people write it.
  /// - Parameters:
  ///   - from: the first day, as in `2026-12-24`, or an instant.
  ///   - until: the last day, which is included, or the instant of the return.
  ///   - clock: where the institution is.
  /// - Throws: `Problem` validation-failed for a leave that is empty, over, or longer than a year, and for one that
  ///   begins more than a year ahead, where it could not be listed.
  package static func time(
    from: String, until: String, by clock: LocalTime, now: Instant
  ) throws -> Range<Instant> {
    func instant(_ text: String, days: Int) -> Instant? {
      Instant(rfc3339: text)
        ?? CalendarDate(text)?.adding(days: days).map { clock.instant($0, minutes: 0, reading: .first) }
    }
    guard let start = instant(from, days: 0), let end = instant(until, days: 1), start < end, end > now,
      end - start <= longest, start - now < longest
    else {
      throw Problem.validation([
        .init("/until", "invalid", "A leave goes from a day to a later one, in the future, and lasts a year at most.")
      ])
    }
    return start..<end
  }
}
