// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What a queue of pictures was told to rest, and goes on when the test says.
final class PictureRests: Sendable {
  private let kept = Mutex<[(Duration, @Sendable () -> Void)]>([])

  var all: [Duration] { kept.withLock { $0.map(\.0) } }

  func add(_ rest: Duration, _ next: @escaping @Sendable () -> Void) { kept.withLock { $0.append((rest, next)) } }

  /// - Parameter place: which rest ends; nil for the last.
  func end(_ place: Int? = nil) { kept.withLock { kept in place.map { kept[$0] } ?? kept.last }?.1() }

  /// Takes 20 milliseconds.
  static func work() -> Int {
    let begun = ContinuousClock.now
    while .now - begun < .milliseconds(21) {}
    return 4
  }
}
