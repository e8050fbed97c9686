// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import Synchronization

/// A device's clocks, which move when a test moves them.
package final class MovableClock: Sendable {
  private struct Hands {
    var wall = 1_800_000_000.0
    var uptime = Duration.seconds(1000)
  }

  private let hands = Mutex(Hands())

  package init() {}

  /// Seconds since 1970.
  package var wall: Double { hands.withLock { $0.wall } }

  /// Time passes.
  package func advance(by seconds: Double) {
    hands.withLock { hands in
      hands.wall += seconds
      hands.uptime += .milliseconds(Int64(seconds * 1000))
    }
  }

  /// Sets the calendar clock; no time passes.
  package func set(by seconds: Double) { hands.withLock { $0.wall += seconds } }

  package var client: ClientClock {
    ClientClock(
      wallTime: { self.wall }, uptime: { self.hands.withLock { $0.uptime } },
      pause: { (_) async throws(CancellationError) in })
  }
}
