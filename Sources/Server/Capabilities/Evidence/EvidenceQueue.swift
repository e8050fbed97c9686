// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Runs image work on a bounded number of threads of its own, so that it never blocks the cooperative pool.
package final class EvidenceQueue: Sendable {
  private struct State {
    /// Admitted pictures, in work and waiting.
    var admitted = 0
    var refused = 0
  }

  private let operations: OperationQueue
  /// Work beside other work, and by a barrier work alone; in the order in which it came.
  private let turns = DispatchQueue(label: "evidence.turns", attributes: .concurrent)
  private let state = Mutex(State())
  private let admittedMax: Int

  /// How many pictures wait for a place now, and how many were refused since the start.
  package var use: (waiting: Int, refused: Int) {
    state.withLock { (max(0, $0.admitted - operations.maxConcurrentOperationCount), $0.refused) }
  }

  /// Too much image work is waiting, or a worker did not get the processor in time: ask again later.
  package struct Busy: Error, Sendable {}

  /// - Parameters:
  ///   - concurrencyMax: images in work at once; each takes one core, and as much memory as
  ///     `ImageLimits.sharedBytesMax` says; what takes more runs alone.
  ///   - waitingMax: images that may wait for a place.
  package init(concurrencyMax: Int, waitingMax: Int = 64) {
    operations = OperationQueue()
    operations.name = "evidence"
    operations.maxConcurrentOperationCount = max(1, concurrencyMax)
    operations.qualityOfService = .userInitiated
    admittedMax = waitingMax + max(1, concurrencyMax)
  }

  /// - Parameter isAlone: whether no other work runs beside it. It waits for what came before it, and what comes after
  ///   it waits for it. Asked on a thread of this queue, because it may read the whole of a hostile file, and never of
  ///   work that is refused.
  /// - Throws: `Busy`, or what `work` throws.
  package func run<Value: Sendable>(
    isAlone: @escaping @Sendable () -> Bool = { false }, _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let isAdmitted = state.withLock { state in
      guard state.admitted < admittedMax else {
        state.refused += 1
        return false
      }
      state.admitted += 1
      return true
    }
    guard isAdmitted else { throw Busy() }
    defer { state.withLock { $0.admitted -= 1 } }
    return try await withCheckedThrowingContinuation { continuation in
      operations.addOperation { [turns] in
        continuation.resume(with: Result { try turns.sync(flags: isAlone() ? .barrier : []) { try work() } })
      }
    }
  }
}
