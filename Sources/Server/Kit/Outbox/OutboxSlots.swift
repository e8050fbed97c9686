// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What one worker has in hand, and what it has room for.
final class OutboxSlots: Sendable {
  private struct Taken {
    let topic: String
    let stop: Notifier
  }

  /// What may be taken next.
  struct Capacity: Equatable {
    let limit: Int
    /// The topic that has its share already.
    let saturated: String?
  }

  private let taken = Mutex<[OutboxItem.ID: Taken]>([:])
  private let pace: OutboxPace

  init(_ pace: OutboxPace) {
    precondition(pace.topicShareMax * 2 > pace.concurrencyMax, "two topics could be at their share")
    self.pace = pace
  }

  /// - Returns: the notifier that interrupts the attempt.
  func begin(_ item: OutboxItem) -> Notifier {
    let stop = Notifier()
    taken.withLock { $0[item.id] = Taken(topic: item.topic, stop: stop) }
    return stop
  }

  func end(_ item: OutboxItem) { taken.withLock { $0[item.id] = nil } }

  func interruptAll() {
    for slot in taken.withLock({ Array($0.values) }) { slot.stop.notify() }
  }

  var isEmpty: Bool { taken.withLock { $0.isEmpty } }
  var ids: Set<OutboxItem.ID> { taken.withLock { Set($0.keys) } }

  /// nil when every slot is taken.
  var capacity: Capacity? {
    let (count, topics) = taken.withLock { taken in
      (taken.count, taken.values.reduce(into: [String: Int]()) { $0[$1.topic, default: 0] += 1 })
    }
    guard count < pace.concurrencyMax else { return nil }
    let saturated = topics.first { $0.value >= pace.topicShareMax }?.key
    let most = topics.filter { $0.key != saturated }.map(\.value).max() ?? 0
    return Capacity(limit: min(pace.concurrencyMax - count, pace.topicShareMax - most), saturated: saturated)
  }
}
