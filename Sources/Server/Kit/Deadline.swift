// SPDX-License-Identifier: Apache-2.0

/// A bound on how long something may take.
package enum Deadline {
  package struct Exceeded: Error, Sendable {
    package init() {}
  }

  /// Runs `body` and cancels it when it takes longer than `limit`.
  /// - Throws: `Exceeded`, or what the body throws.
  package static func run<Value: Sendable>(
    _ limit: Duration, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
      group.addTask(operation: body)
      group.addTask {
        try await Task.sleep(for: limit)
        throw Exceeded()
      }
      defer { group.cancelAll() }
      guard let value = try await group.next() else { throw Exceeded() }
      return value
    }
  }
}
