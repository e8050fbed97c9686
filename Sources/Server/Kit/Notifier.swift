// SPDX-License-Identifier: Apache-2.0

import Storage
import Synchronization

/// Wakes one waiting task of this process. Rings coalesce: a ring without a waiting task is kept, not counted.
package final class Notifier: Sendable {
  private struct State {
    var rung = false
    var waiter: (id: UInt64, continuation: CheckedContinuation<Void, Never>)?
    var next: UInt64 = 0
  }

  private let state = Mutex(State())

  package init() {}

  package func notify() {
    let waiter = state.withLock { state in
      guard let waiter = state.waiter else {
        state.rung = true
        return nil as CheckedContinuation<Void, Never>?
      }
      state.waiter = nil
      return waiter.continuation
    }
    waiter?.resume()
  }

  /// Returns at the next ring, at once when it rang since the last wait, or when the task is cancelled.
  /// - Precondition: one waiter at a time.
  package func wait() async {
    let id = state.withLock { state in
      state.next += 1
      return state.next
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let resumeNow = state.withLock { state in
          guard !Task.isCancelled else { return true }
          guard !state.rung else {
            state.rung = false
            return true
          }
          precondition(state.waiter == nil, "a notifier wakes one task")
          state.waiter = (id, continuation)
          return false
        }
        if resumeNow { continuation.resume() }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        guard state.waiter?.id == id else { return nil as CheckedContinuation<Void, Never>? }
        defer { state.waiter = nil }
        return state.waiter?.continuation
      }
      waiter?.resume()
    }
  }

  /// Returns at the next ring, and at the latest when `limit` is over.
  package func wait(atMost limit: Duration) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.wait() }
      group.addTask { try? await Task.sleep(for: limit) }
      await group.next()
      group.cancelAll()
    }
  }
}

/// Listens to one signal of the store for as long as it is kept, and rings its notifier.
///
/// A stream that one stops waiting for has ended. A notifier can be waited for again.
package final class SignalListener: Sendable {
  package let notifier = Notifier()
  private let listening: Task<Void, Never>

  package init(_ database: any SQLDatabase, _ name: String) {
    let (signals, notifier) = (database.signals(name), notifier)
    listening = Task { for await _ in signals { notifier.notify() } }
  }

  deinit { listening.cancel() }
}
