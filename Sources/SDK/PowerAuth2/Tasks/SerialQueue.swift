// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Locks

/// The queue of signed requests, which sends them to the server in the order of their counters.
final class SerialQueue: Sendable {
  private let queue: OperationQueue

  init() {
    queue = OperationQueue()
    queue.name = "PowerAuth2.signed"
    queue.maxConcurrentOperationCount = 1
  }

  /// Turns that were asked for and have not ended.
  var count: Int { queue.operationCount }

  /// An operation of the app's.
  func add(_ operation: Operation) { queue.addOperation(operation) }

  /// Work of the app's that takes its turn until it cancels the task that it is given.
  func add(_ work: @escaping @Sendable (any PowerAuthOperationTask) -> Void) -> any PowerAuthOperationTask {
    let turn = Turn()
    queue.addOperation {
      guard !turn.isCancelled else { return }
      work(turn)
      turn.wait()
    }
    return turn
  }

  /// Work of the SDK. It blocks the thread of the queue, which does not belong to the pool of Swift's tasks.
  func alone<Value: Sendable>(_ work: @Sendable () async throws -> Value) async throws -> Value {
    let turn = Turn()
    await withCheckedContinuation { begin in
      queue.addOperation {
        begin.resume()
        turn.wait()
      }
    }
    defer { turn.cancel() }
    try Task.checkCancellation()
    return try await work()
  }
}

/// A place on the queue, held until it is cancelled.
private final class Turn: PowerAuthOperationTask {
  private let end = DispatchSemaphore(value: 0)
  private let state = Guarded(false)

  var isCancelled: Bool { state.withLock { $0 } }

  func cancel() {
    state.withLock { $0 = true }
    end.signal()
  }

  func wait() { end.wait() }
}
