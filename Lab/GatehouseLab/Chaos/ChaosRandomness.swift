// SPDX-License-Identifier: Apache-2.0

import CrashTrials
import Synchronization

/// Repeatable randomness that many share: the same seed makes the same plan of faults, as far as the machine lets it.
final class ChaosRandomness: Sendable {
  private let generator: Mutex<SeededGenerator>

  init(seed: UInt64) { generator = Mutex(SeededGenerator(seed: seed)) }

  func number(below bound: Int) -> Int { generator.withLock { Int($0.next() % UInt64(max(bound, 1))) } }
}
