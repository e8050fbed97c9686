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
  private let state = Mutex(State())
  private let admittedMax: Int

  /// How many pictures wait for a place now, and how many were refused since the start.
  package var use: (waiting: Int, refused: Int) {
    state.withLock { (max(0, $0.admitted - operations.maxConcurrentOperationCount), $0.refused) }
  }

  /// Too much image work is waiting: ask again later.
  package struct Busy: Error, Sendable {}

  /// - Parameters:
  ///   - concurrencyMax: images in work at once; each takes one core and up to some 300 MB.
  ///   - waitingMax: images that may wait for a place.
  package init(concurrencyMax: Int, waitingMax: Int = 64) {
    operations = OperationQueue()
    operations.name = "evidence"
    operations.maxConcurrentOperationCount = max(1, concurrencyMax)
    operations.qualityOfService = .userInitiated
    admittedMax = waitingMax + max(1, concurrencyMax)
  }

  /// - Throws: `Busy`, or what `work` throws.
  package func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
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
      operations.addOperation { continuation.resume(with: Result { try work() }) }
    }
  }
}
