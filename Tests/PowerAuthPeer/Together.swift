// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Does the same on so many threads, which start as close together as they can, and waits for all.
package func together(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) async {
  let line = StartingLine(count)
  await withCheckedContinuation { done in
    let group = DispatchGroup()
    for index in 0..<count {
      DispatchQueue(label: "together \(index)").async(group: group) {
        line.wait()
        work(index)
      }
    }
    group.notify(queue: .global()) { done.resume() }
  }
}

private final class StartingLine: Sendable {
  private let missing: Atomic<Int>

  init(_ count: Int) { missing = Atomic(count) }

  /// Waits awake: a thread that has to be woken up comes too late to meet another.
  func wait() {
    missing.subtract(1, ordering: .relaxed)
    while missing.load(ordering: .relaxed) > 0 { sched_yield() }
  }
}
