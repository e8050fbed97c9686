// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation

extension BlockingThreadPool {
  /// Threads that hash passwords. A guess costs much of a processor on purpose, so that many guesses at once could
  /// take every processor. That is why these threads are half as many as the processors, and let
  /// others go first. What has waited for ten seconds when one of them is free is refused, and comes again.
  ///
  /// Staff, customers and the demonstration bank have their own, so that guesses at one leave the others their turn.
  static func hashingPasswords(_ name: String) -> BlockingThreadPool {
    BlockingThreadPool(
      name, width: max(1, ProcessInfo.processInfo.activeProcessorCount / 2), isYielding: true, patience: .seconds(10))
  }
}
