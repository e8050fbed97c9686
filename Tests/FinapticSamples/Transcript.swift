// SPDX-License-Identifier: Apache-2.0

/// What the samples print, in order.
@MainActor
package enum Transcript {
  package private(set) static var lines: [String] = []
  private static var isHeld = false
  private static var waiting: [CheckedContinuation<Void, Never>] = []

  /// What was printed since the last time.
  package static func take() -> [String] {
    defer { lines = [] }
    return lines
  }

  /// Suites that run beside each other have one transcript: each would take the lines of the others away, and a test
  /// whose line was taken waits for it for ever. While `body` lasts, the others wait for their turn.
  package static func alone<Value>(_ body: () async throws -> Value) async rethrows -> Value {
    if isHeld {
      await withCheckedContinuation { waiting.append($0) }
    } else {
      isHeld = true
    }
    defer {
      if waiting.isEmpty { isHeld = false } else { waiting.removeFirst().resume() }
    }
    lines = []
    return try await body()
  }

  /// Plays a sample that says how it went.
  /// - Returns: what it prints first; empty when that takes longer than two minutes.
  package static func heard(_ sample: () -> Void) async -> String {
    await alone {
      sample()
      let end = ContinuousClock.now + .seconds(120)
      while lines.isEmpty, ContinuousClock.now < end, !Task.isCancelled { await Task.yield() }
      return take().joined(separator: "\n")
    }
  }

  fileprivate static func add(_ line: String) { lines.append(line) }
}

/// Stands in for the standard library's in this module.
@MainActor
func print(_ items: Any...) {
  Transcript.add(items.map { "\($0)" }.joined(separator: " "))
}
