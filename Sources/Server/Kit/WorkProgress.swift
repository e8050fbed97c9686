// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// How far long work has come: the work tells it, and those who wait for the work ask.
///
/// Work has parts, one after another, each with a count of its own: an end of the whole that is guessed would be wrong
/// more often than not.
package final class WorkProgress: Sendable {
  /// A part of the work.
  package struct Part: Sendable, Equatable {
    /// What is done, as in "pictures".
    package let name: String
    /// What of it was done.
    package var done: Int
    /// What there is to do; nil while that is not known.
    package var all: Int?

    package init(name: String, done: Int, all: Int?) { (self.name, self.done, self.all) = (name, done, all) }

    /// The share in percent, rounded down; nil while there is no telling.
    package var percent: Int? {
      guard let all, all > 0 else { return nil }
      return min(done, all) * 100 / all
    }
  }

  private let state = Mutex<Part?>(nil)

  package init() {}

  /// The part that is being done; nil before the first.
  package var part: Part? { state.withLock { $0 } }

  /// Begins the next part.
  /// - Parameter all: what there is to do, in whatever `advance` counts; nil when that is not known.
  package func begin(_ name: String, of all: Int? = nil) {
    state.withLock { $0 = Part(name: name, done: 0, all: all) }
  }

  /// Tells that so much more of the part is done.
  package func advance(by count: Int = 1) {
    state.withLock { part in
      if part != nil { part?.done += count }
    }
  }

  /// Tells how much of the part is left. The most that was left is all there is.
  package func remain(_ left: Int) {
    state.withLock { part in
      let all = max(part?.all ?? 0, left)
      part?.all = all
      part?.done = all - left
    }
  }

  /// Tells how much of the part is done altogether, where also the amount may change.
  package func reach(_ done: Int, of all: Int) {
    state.withLock { part in
      part?.done = done
      part?.all = all
    }
  }
}
