// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation

extension BlockingThreadPool {
  /// How many passwords are hashed at once: half as many as there are processors, so that another one is free for what
  /// answers requests.
  private static let hashesMax = max(1, ProcessInfo.processInfo.activeProcessorCount / 2)
  private static let turns = FairSemaphore(value: hashesMax)

  /// Threads that hash passwords. A guess costs about a quarter of a second of a processor on purpose, so that many
  /// guesses at once could take every processor. That is why these threads let others go first, and take turns. What has
  /// waited for ten seconds when one of them is free is refused, and comes again.
  ///
  /// Staff, customers and the demonstration bank have their own, so that guesses at one leave the others every second
  /// turn, or every third.
  static func hashingPasswords(_ name: String) -> BlockingThreadPool {
    BlockingThreadPool(name, width: hashesMax, isYielding: true, turns: turns, patience: .seconds(10))
  }
}
