// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A truth that one thread leaves for another.
final class ResultBox: Sendable {
  private let box = Mutex(false)

  var value: Bool { box.withLock { $0 } }

  func set(_ value: Bool) { box.withLock { $0 = value } }
}
