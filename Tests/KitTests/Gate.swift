// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Holds the tasks that pass until it is opened.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var isReached = false
    var waiting: [CheckedContinuation<Void, Never>] = []
    var watching: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  func pass() async {
    await withCheckedContinuation { continuation in
      let (now, watching) = state.withLock { state in
        state.isReached = true
        defer { state.watching = [] }
        if !state.isOpen { state.waiting.append(continuation) }
        return (state.isOpen, state.watching)
      }
      for watcher in watching { watcher.resume() }
      if now { continuation.resume() }
    }
  }

  func reached() async {
    await withCheckedContinuation { continuation in
      let now = state.withLock { state in
        if !state.isReached { state.watching.append(continuation) }
        return state.isReached
      }
      if now { continuation.resume() }
    }
  }

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
