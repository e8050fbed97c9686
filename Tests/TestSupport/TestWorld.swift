// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Synchronization

/// A world whose clock stands still until it is moved, and whose chance repeats from its seed.
package final class TestWorld: Sendable {
  private struct State {
    var now: Instant
    var generator: SeededGenerator
  }

  private let state: Mutex<State>

  /// 2026-11-21T06:00:00Z unless told otherwise.
  package init(now: Instant = Instant(milliseconds: 1_795_240_800_000), seed: UInt64 = 1) {
    state = Mutex(State(now: now, generator: SeededGenerator(seed: seed)))
  }

  package var now: Instant { state.withLock { $0.now } }

  package func set(_ instant: Instant) { state.withLock { $0.now = instant } }

  package func advance(by duration: Duration) { state.withLock { $0.now = $0.now + duration } }

  package var world: World {
    World(now: { self.now }, random: { count in self.state.withLock { $0.generator.bytes(count) } })
  }
}
