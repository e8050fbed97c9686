// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Thread {
  /// Starts a thread that tools show under `name`, of 15 bytes at most on Linux, where only the thread itself can take it.
  static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
    Thread {
      Thread.current.name = name
      body()
    }.start()
  }
}
