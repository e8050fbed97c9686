// SPDX-License-Identifier: Apache-2.0

internal import Locks

/// Cancels a call whose task is cancelled, also when that happens before the call is lined up.
final class PendingCall: Sendable {
  private struct State: Sendable {
    var operation: CallOperation?
    var isCancelled = false
  }

  private let state = Guarded(State())

  func start(_ operation: CallOperation) {
    let isCancelled = state.withLock { state in
      state.operation = operation
      return state.isCancelled
    }
    if isCancelled { operation.cancel() }
  }

  func cancel() {
    let operation = state.withLock { state in
      state.isCancelled = true
      return state.operation
    }
    operation?.cancel()
  }
}
