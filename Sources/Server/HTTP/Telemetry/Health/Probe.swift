// SPDX-License-Identifier: Apache-2.0

import Kit
import Synchronization

/// A question to something that may hang. Who asks waits no longer than the limit; the question itself goes on, and
/// a caller that asks meanwhile waits for the same answer, so that a store that hangs holds one question and not
/// thousands.
///
/// `Deadline` will not do here: it waits for the cancelled work to end, and a blocked call does not.
package final class Probe<Value: Sendable>: Sendable {
  package struct Late: Error, Sendable {}

  private struct State {
    var isAsking = false
    var nextWaiter = 0
    var waiters: [Int: CheckedContinuation<Value, any Error>] = [:]
  }

  private let limit: Duration
  private let ask: @Sendable () async throws -> Value
  private let state = Mutex(State())

  package init(limit: Duration, ask: @escaping @Sendable () async throws -> Value) {
    self.limit = limit
    self.ask = ask
  }

  /// How many wait for the answer now.
  package var waiterCount: Int { state.withLock { $0.waiters.count } }

  /// - Throws: `Late`, or what the question threw.
  package func answer() async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let (waiter, isFirst) = state.withLock { state in
        state.nextWaiter += 1
        state.waiters[state.nextWaiter] = continuation
        defer { state.isAsking = true }
        return (state.nextWaiter, !state.isAsking)
      }
      // Neither may be a child of the asker: a child is waited for.
      if isFirst { Task { await self.run() } }
      Task { [limit] in
        try? await Task.sleep(for: limit)
        self.giveUp(waiter)
      }
    }
  }

  private func run() async {
    let result: Result<Value, any Error>
    do { result = .success(try await ask()) } catch { result = .failure(error) }
    let waiters = state.withLock { state in
      defer { state.waiters = [:] }
      state.isAsking = false
      return state.waiters.values
    }
    for waiter in waiters { waiter.resume(with: result) }
  }

  private func giveUp(_ waiter: Int) {
    state.withLock { $0.waiters.removeValue(forKey: waiter) }?.resume(throwing: Late())
  }
}
