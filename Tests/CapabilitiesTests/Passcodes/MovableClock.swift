// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage
import Synchronization

/// A world whose time stands still until a test moves it. Chance is real.
final class MovableClock: Sendable {
  private let instant: Mutex<Instant>

  init(_ start: String = "2026-11-21T06:00:00Z") {
    instant = Mutex(Instant(rfc3339: start) ?? Instant(milliseconds: 0))
  }

  var now: Instant { instant.withLock { $0 } }

  func advance(_ duration: Duration) { instant.withLock { $0 = $0 + duration } }

  var world: World { World(now: { self.now }, random: World.live.random) }
}
