// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A clock that stands still until a test moves it. Its sleepers wake when it reaches their time.
final class SleepClock: Sendable {
  private struct State {
    var now = Duration.zero
    var nextID = 0
    var sleepers: [Int: (until: Duration, continuation: CheckedContinuation<Void, any Error>)] = [:]
    var watcher: (count: Int, continuation: CheckedContinuation<Void, Never>)?

    /// The watcher, when as many sleep as it waits for.
    mutating func takeWatcher() -> CheckedContinuation<Void, Never>? {
      guard let watcher, sleepers.count >= watcher.count else { return nil }
      self.watcher = nil
      return watcher.continuation
    }
  }

  private let state = Mutex(State())

  var now: Duration { state.withLock { $0.now } }
  var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// - Throws: `CancellationError` when the task is cancelled.
  @Sendable
  func sleep(for duration: Duration) async throws {
    try Task.checkCancellation()
    guard duration > .zero else { return }
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCancelled = state.withLock { state in
          guard !Task.isCancelled else { return true }
          state.sleepers[id] = (state.now + duration, continuation)
          return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
        state.withLock { $0.takeWatcher() }?.resume()
      }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Returns when at least so many sleep.
  /// - Precondition: one task waits at a time.
  func waitForSleepers(_ count: Int) async {
    await withCheckedContinuation { continuation in
      state.withLock { state in
        precondition(state.watcher == nil, "one task waits for sleepers")
        state.watcher = (count, continuation)
        return state.takeWatcher()
      }?.resume()
    }
  }

  func advance(by duration: Duration) {
    let woken = state.withLock { state in
      state.now += duration
      let due = state.sleepers.filter { $0.value.until <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.map(\.continuation)
    }
    for continuation in woken { continuation.resume() }
  }
}
