// SPDX-License-Identifier: Apache-2.0

import CrashTrials
import Kit
import Synchronization

/// A clock that goes when it is told to, and repeatable randomness.
package final class SimulatedClock: Sendable {
  private let milliseconds: Mutex<Int64>

  /// - Parameter day: since 1970-01-01; the clock stands at its beginning, UTC.
  package init(day: Int64) { milliseconds = Mutex(day * 86_400_000) }

  /// - Parameter minutes: since the beginning of the day, UTC.
  package func set(_ day: Int64, minutes: Int64) { milliseconds.withLock { $0 = day * 86_400_000 + minutes * 60_000 } }

  package func world(seed: UInt64) -> World {
    let random = SeededRandomness(seed: ~seed)
    return World(
      now: { [self] in Instant(milliseconds: milliseconds.withLock { $0 }) },
      random: { count in random.bytes(count) })
  }
}

/// Shared by those who draw.
private final class SeededRandomness: Sendable {
  private let random: Mutex<SeededGenerator>

  init(seed: UInt64) { random = Mutex(SeededGenerator(seed: seed)) }

  func bytes(_ count: Int) -> [UInt8] { random.withLock { $0.bytes(count) } }
}
