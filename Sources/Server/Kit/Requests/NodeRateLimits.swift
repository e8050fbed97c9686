// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// How often something may be read, counted by this node alone.
///
/// Reads change nothing, so their limits protect a node and not a secret: counting them in the store would make a
/// durable write of every read. Limits that guard a secret or a cost are `RateLimits`, which every node shares.
package final class NodeRateLimits: Sendable {
  /// Subjects remembered at once; the oldest windows go first.
  static let subjectsMax = 100_000

  private struct Window {
    let end: Int64
    var used: Int
  }

  private let windows = Mutex<[String: Window]>([:])
  private let world: World

  package init(world: World) { self.world = world }

  /// Whether as many uses as are allowed were counted; counts none.
  package func isSpent(_ limit: RateLimit, by subject: String) -> Bool {
    let now = world.now().milliseconds
    let window = windows.withLock { $0["\(limit.name) \(subject)"] }
    return window.map { $0.end > now && $0.used >= limit.count } ?? false
  }

  /// Counts one read.
  /// - Throws: `Problem` rate-limited with its usage.
  package func spend(_ limit: RateLimit, by subject: String) throws {
    let usage = count(limit, by: subject)
    RateUsage.current?.note(usage)
    guard !usage.isExceeded else { throw Problem.rateLimited(usage) }
  }

  /// Counts a failure before it is known whether it is one, so that checks side by side cannot pass the limit. After a
  /// success the caller takes it back; the answer then has no headers of this limit.
  /// - Throws: `Problem` rate-limited with its usage; then nothing is to be taken back.
  package func reserve(_ limit: RateLimit, by subject: String) throws {
    let usage = count(limit, by: subject)
    guard usage.isExceeded else { return }
    giveBack(limit, by: subject)
    throw Problem.rateLimited(usage)
  }

  /// Takes one use back that was counted in this window.
  package func giveBack(_ limit: RateLimit, by subject: String) {
    let (now, key) = (world.now().milliseconds, "\(limit.name) \(subject)")
    windows.withLock { windows in
      guard let window = windows[key], window.end > now, window.used > 0 else { return }
      windows[key] = Window(end: window.end, used: window.used - 1)
    }
  }

  private func count(_ limit: RateLimit, by subject: String) -> RateLimit.Usage {
    let now = world.now().milliseconds
    let width = limit.window.milliseconds
    let key = "\(limit.name) \(subject)"
    let end = now - now % width + width
    let used = windows.withLock { windows in
      if windows.count >= Self.subjectsMax { windows = windows.filter { $0.value.end > now } }
      // A flood of subjects within one window: forgetting counts is better than refusing people.
      if windows.count >= Self.subjectsMax { windows.removeAll() }
      let window = windows[key].flatMap { $0.end > now ? $0 : nil } ?? Window(end: end, used: 0)
      windows[key] = Window(end: window.end, used: window.used + 1)
      return window.used + 1
    }
    return RateLimit.Usage(
      policy: limit, remaining: max(0, limit.count - used), resetSeconds: Int((end - now + 999) / 1000),
      isExceeded: used > limit.count)
  }
}
