// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// A few threads of their own for calls that block or compute for long, so that they never hold up Swift's cooperative
/// pool, and a bound on how much may wait for them.
package final class BlockingThreadPool: Sendable {
  private let queues: [Queue]
  /// How much each queue has still to do.
  private let pending: Mutex<[Int]>
  private let pendingMax: Int

  /// What does one thing after another.
  private enum Queue: Sendable {
    case dispatch(DispatchQueue)
    case yielding(YieldingThread)

    /// - Parameter work: returns what tells of its end.
    func add(_ work: @escaping @Sendable () -> YieldingThread.Work) {
      switch self {
      case .dispatch(let queue): queue.async { work()() }
      case .yielding(let thread): thread.add(work)
      }
    }
  }

  /// - Parameters:
  ///   - width: how many calls run side by side.
  ///   - pendingMax: how many may run or wait, over all threads.
  ///   - isYielding: whether the threads let what answers requests have the processor first (`YieldingThread`).
  package init(_ name: String, width: Int, pendingMax: Int = 256, isYielding: Bool = false) {
    precondition(width > 0 && pendingMax >= width, "At least one thread, and room for one call on each.")
    queues = (0..<width).map {
      let name = "gatehouse.\(name).\($0)"
      return isYielding ? .yielding(YieldingThread(name)) : .dispatch(DispatchQueue(label: name))
    }
    pending = Mutex(Array(repeating: 0, count: width))
    self.pendingMax = pendingMax
  }

  /// - Throws: `BlockingThreadPoolFull`, or what `body` throws.
  package func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    let thread = try enter()
    return try await withCheckedThrowingContinuation { continuation in
      queues[thread].add {
        let result = Result { try body() }
        self.pending.withLock { $0[thread] -= 1 }
        return { continuation.resume(with: result) }
      }
    }
  }

  /// The thread with the least to do.
  private func enter() throws -> Int {
    try pending.withLock { pending in
      guard pending.reduce(0, +) < pendingMax,
        let thread = pending.indices.min(by: { pending[$0] < pending[$1] })
      else { throw BlockingThreadPoolFull() }
      pending[thread] += 1
      return thread
    }
  }
}

/// More work is waiting than this process means to hold.
package struct BlockingThreadPoolFull: Error, Equatable {}
