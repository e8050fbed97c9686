// SPDX-License-Identifier: Apache-2.0

internal import Locks

/// Makes the calls of a service one after the other, in the order in which they were asked for.
final class SerialCalls: Sendable {
  private let last = Guarded<Task<Void, Never>?>(nil)

  /// Queues the work. This is the one place where a callback's work begins: published calls return at once.
  @discardableResult
  func add<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Task<Value, Never> {
    last.withLock { last in
      let before = last
      let task = Task {
        await before?.value
        return await work()
      }
      last = Task { _ = await task.value }
      return task
    }
  }

  /// Queues the work and waits for it. Cancelling the waiting task cancels the work.
  func wait<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
    let task = add(work)
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }
}
