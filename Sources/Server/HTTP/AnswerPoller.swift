// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// How repetitions wait for the answer of the call that they repeat, instead of being sent away.
///
/// Nothing is held meanwhile: no thread, no connection to the store, no transaction. Pauses are counted and not timed,
/// so that a wait ends by whatever clock; so many may wait on a node, and others are sent away at once.
package final class AnswerPoller: Sendable {
  /// The first pause; each later one is twice as long, up to a second.
  private static let pauseFirst = Duration.milliseconds(125)
  private static let pauseMax = Duration.seconds(1)

  private let waitersMax: Int
  private let pause: @Sendable (Duration) async throws -> Void
  private let waiters = Mutex(0)

  /// - Parameter pause: returns after so long; throws when the caller is gone.
  package init(
    waitersMax: Int = 1_000,
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    (self.waitersMax, self.pause) = (waitersMax, pause)
  }

  /// No request waits.
  package static var none: AnswerPoller { AnswerPoller(waitersMax: 0) }

  /// Waits until the work is done, or for so long.
  /// - Returns: false when no request waited, as too many do.
  func wait(upTo limit: Duration, while isRunning: () async throws -> Bool) async throws -> Bool {
    guard limit > .zero, enter() else { return false }
    defer { waiters.withLock { $0 -= 1 } }
    var (waited, next) = (Duration.zero, Self.pauseFirst)
    while waited < limit {
      try await pause(next)
      waited += next
      next = min(next * 2, Self.pauseMax)
      guard try await isRunning() else { break }
    }
    return true
  }

  private func enter() -> Bool {
    waiters.withLock { count in
      guard count < waitersMax else { return false }
      count += 1
      return true
    }
  }
}
