// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import GatehouseApp
import GatehouseWire
import Kit
import Synchronization

/// The server's clock of a demonstration: the machine's, put forward where a story says that time passes.
package final class DemoClock: Sendable {
  private let ahead = Mutex(Duration.zero)

  package init() {}

  var world: World { World(now: { self.now }, random: World.live.random) }

  var now: Instant { ahead.withLock { World.live.now() + $0 } }

  package func advance(by duration: Duration) { ahead.withLock { $0 += duration } }
}

extension DemoClock {
  /// The institution's day; its clock shows UTC.
  var today: WireDate { WireDate(daysSince1970: Int(now.milliseconds / 86_400_000)) }

  /// The same day as documents count it.
  var day: CalendarDate {
    CalendarDate(year: today.year, month: today.month, day: today.day)
      ?? { preconditionFailure("A day on the wire is a day of the calendar.") }()
  }
}
