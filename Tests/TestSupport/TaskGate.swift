// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing

/// Holds the tasks that pass until it is opened. It takes no notice of cancellation.
package final class TaskGate: Sendable {
  private struct State {
    var isOpen = false
    var passes = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  package init() {}

  /// How many tasks have come so far.
  package var passes: Int { state.withLock { $0.passes } }

  package func pass() async {
    await withCheckedContinuation { continuation in
      let now = state.withLock { state in
        state.passes += 1
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if now { continuation.resume() }
    }
  }

  /// Waits until so many tasks have come.
  /// - Throws: what `waitUntil` throws. The gate is open then: whatever waits at it would hold up the end of the test.
  package func reached(_ count: Int = 1, isolation: isolated (any Actor)? = #isolation) async throws {
    do {
      try await waitUntil("\(count) come to the gate") { passes >= count }
    } catch {
      open()
      throw error
    }
  }

  package func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
