// SPDX-License-Identifier: Apache-2.0

/// Lets callers in one after the other, in the order in which they came.
actor AsyncMutex {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Runs the work alone. A cancelled caller keeps its place and learns of it when it is its turn.
  nonisolated func withLock<Value: Sendable>(_ work: @Sendable () async throws -> Value) async throws -> Value {
    await enter()
    let outcome: Result<Value, any Error>
    do {
      try Task.checkCancellation()
      outcome = .success(try await work())
    } catch { outcome = .failure(error) }
    await leave()
    return try outcome.get()
  }

  private func enter() async {
    guard isTaken else {
      isTaken = true
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  private func leave() {
    if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
  }
}
