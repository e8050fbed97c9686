// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The values that were used of late, never more than a named number of them: memory that may be lost at any time.
///
/// Two generations: when the younger one is full the older one is forgotten, and with it what was not used meanwhile.
package final class RecentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Generations: Sendable {
    var young: [Key: Value] = [:]
    var old: [Key: Value] = [:]
  }

  private let generations = Mutex(Generations())
  private let countMax: Int

  /// - Parameter countMax: values that are remembered at once, at most.
  package init(countMax: Int) {
    precondition(countMax > 1, "Two generations need a place each.")
    self.countMax = countMax
  }

  package var count: Int { generations.withLock { $0.young.count + $0.old.count } }

  package func find(_ key: Key) -> Value? {
    generations.withLock { generations in
      if let value = generations.young[key] { return value }
      guard let value = generations.old.removeValue(forKey: key) else { return nil }
      keep(value, key, in: &generations)
      return value
    }
  }

  package func keep(_ value: Value, for key: Key) {
    generations.withLock { keep(value, key, in: &$0) }
  }

  /// Forgets what was not used since the last turn, however few values there are.
  package func turn() {
    generations.withLock { generations in
      generations.old = generations.young
      generations.young = [:]
    }
  }

  private func keep(_ value: Value, _ key: Key, in generations: inout Generations) {
    if generations.young.count >= countMax / 2, generations.young[key] == nil {
      generations.old = generations.young
      generations.young = [:]
    }
    generations.young[key] = value
  }
}
