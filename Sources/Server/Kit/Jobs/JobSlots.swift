// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Bounds how many jobs run at once; the others wait in the order in which they came.
final class JobSlots: Sendable {
  private struct State {
    var free: Int
    var waiting: [Notifier] = []
  }

  private let state: Mutex<State>

  init(_ count: Int) { state = Mutex(State(free: count)) }

  /// - Returns: nil when the task was cancelled before there was a slot.
  func run<Value: Sendable>(_ body: () async -> Value?) async -> Value? {
    if let turn = join() {
      await turn.wait()
      // A cancelled task stops waiting. It may have been given a slot at the same time, and gives it back then.
      guard !Task.isCancelled else {
        if !leave(turn) { release() }
        return nil
      }
    }
    defer { release() }
    return await body()
  }

  /// - Returns: what is notified when there is a slot; nil when one was free.
  private func join() -> Notifier? {
    state.withLock { state in
      guard state.free == 0 else {
        state.free -= 1
        return nil
      }
      let turn = Notifier()
      state.waiting.append(turn)
      return turn
    }
  }

  /// - Returns: whether it was still waiting.
  private func leave(_ turn: Notifier) -> Bool {
    state.withLock { state in
      guard let index = state.waiting.firstIndex(where: { $0 === turn }) else { return false }
      state.waiting.remove(at: index)
      return true
    }
  }

  private func release() {
    let next = state.withLock { state in
      guard state.waiting.isEmpty else { return Optional(state.waiting.removeFirst()) }
      state.free += 1
      return nil
    }
    next?.notify()
  }
}
