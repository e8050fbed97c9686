// SPDX-License-Identifier: Apache-2.0

import HTTP
import Synchronization
import TestSupport

/// Counts the pieces of bodies that were read.
final class BodyWatch: Sendable {
  private let read = Mutex(0)

  /// Since the last time.
  func take() -> Int {
    read.withLock { count in
      defer { count = 0 }
      return count
    }
  }

  var middleware: EachBodyPiece<PublicContext> { EachBodyPiece { [self] in read.withLock { $0 += 1 } } }
}
