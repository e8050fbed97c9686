// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Counts from one.
package final class Counter: Sendable {
  private let value = Mutex(0)

  package init() {}

  /// How often it was asked.
  package var count: Int { value.withLock { $0 } }

  package func next() -> Int {
    value.withLock { value in
      value += 1
      return value
    }
  }
}
