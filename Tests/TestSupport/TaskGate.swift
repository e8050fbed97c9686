// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Holds the tasks that pass until it is opened. It takes no notice of cancellation.
package final class TaskGate: Sendable {
  private struct State {
    var isOpen = false
    var passes = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
    var watching: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  package init() {}

  /// How many tasks have come so far.
  package var passes: Int { state.withLock { $0.passes } }

  package func pass() async {
    await withCheckedContinuation { continuation in
      let (now, watching) = state.withLock { state in
        state.passes += 1
        defer { state.watching = [] }
        if !state.isOpen { state.waiting.append(continuation) }
        return (state.isOpen, state.watching)
      }
      for watcher in watching { watcher.resume() }
      if now { continuation.resume() }
    }
  }

  /// Waits until a task has come.
  package func reached() async {
    await withCheckedContinuation { continuation in
      let now = state.withLock { state in
        if state.passes == 0 { state.watching.append(continuation) }
        return state.passes > 0
      }
      if now { continuation.resume() }
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
