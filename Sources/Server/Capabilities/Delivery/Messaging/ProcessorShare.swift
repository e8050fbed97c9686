// SPDX-License-Identifier: Apache-2.0

/// Which work of a yielding thread has the usual nice value all the same: as much as takes a part of one processor.
///
/// Beside programs that leave no processor idle, work with a higher nice value would take minutes, and what waits
/// behind it as long. Where one piece was found to be so slow, the next ones wait for the share instead.
struct ProcessorShare {
  typealias Instant = ContinuousClock.Instant

  /// For so long after a piece of work was slow.
  static let busyTime = Duration.seconds(600)
  /// The longest that work waits for the share.
  static let waitMax = Duration.seconds(5)

  /// The part of a processor, below 1; 0 for none.
  private let part: Double
  private var usualFrom: Instant
  private var busyUntil: Instant

  init(_ part: Double, at now: Instant) {
    precondition((0..<1).contains(part), "A share is a part of one processor.")
    (self.part, usualFrom, busyUntil) = (part, now, now)
  }

  /// - Returns: how long the next work waits, and whether it yields then.
  func next(at now: Instant) -> (wait: Duration, yields: Bool) {
    guard part > 0 else { return (.zero, true) }
    guard now < usualFrom else { return (.zero, false) }
    return now < busyUntil ? (min(usualFrom - now, Self.waitMax), false) : (.zero, true)
  }

  /// - Parameters:
  ///   - yielded: whether the work did.
  ///   - taken: time of a processor that it took.
  ///   - elapsed: how long it was under way.
  mutating func ended(yielded: Bool, taken: Duration, elapsed: Duration, at now: Instant) {
    guard part > 0 else { return }
    if !yielded { usualFrom = now + taken * (1 / part - 1) } else if taken < elapsed * part {
      busyUntil = now + Self.busyTime
    }
  }
}
