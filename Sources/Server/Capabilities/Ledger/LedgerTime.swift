// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// When the ledger booked something: microseconds since 1970-01-01T00:00:00Z.
///
/// On one account no two entries have the same, and a later entry has a later one, also when clocks of nodes disagree:
/// what an account was at any instant is one thing only.
package struct LedgerTime: Hashable, Comparable, Sendable, SQLConvertible {
  package let microseconds: Int64

  package init(microseconds: Int64) { self.microseconds = microseconds }
  package init(_ instant: Instant) { microseconds = instant.milliseconds * 1000 }

  /// Rounded down to milliseconds, in which the other modules count.
  package var instant: Instant {
    Instant(milliseconds: (microseconds - (microseconds % 1000 + 1000) % 1000) / 1000)
  }

  package var sqlValue: SQLValue { .integer(microseconds) }
  package init(sqlValue: SQLValue) throws { microseconds = try Int64(sqlValue: sqlValue) }

  package static func < (one: LedgerTime, other: LedgerTime) -> Bool { one.microseconds < other.microseconds }

  /// The next one after this.
  var next: LedgerTime { LedgerTime(microseconds: microseconds + 1) }
}
