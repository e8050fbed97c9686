// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Who is given to SQLite's one writer, which works by the order in which it is asked. Writes of low priority are given
/// to it one at a time, while no other is under way, so that another one waits behind one of them at most, however many
/// come in the same moment.
final class WriteTurns: Sendable {
  /// So many other writes may begin while one of low priority waits; then it has its turn beside them.
  static let passingMax = 64

  private struct State {
    /// Writes of usual priority that were not answered yet.
    var usual = 0
    /// Whether one of low priority is under way.
    var isBusy = false
    var waiting: [CheckedContinuation<Void, Never>] = []
    /// Writes of usual priority that began since one of low priority had its turn last.
    var passed = 0

    /// The one that has its turn now.
    mutating func next() -> CheckedContinuation<Void, Never>? {
      guard !isBusy, !waiting.isEmpty, usual == 0 || passed >= WriteTurns.passingMax else { return nil }
      (isBusy, passed) = (true, 0)
      return waiting.removeFirst()
    }
  }

  private let state = Mutex(State())

  /// How many wait for their turn.
  var waiting: Int { state.withLock { $0.waiting.count } }

  /// Carries out a write when it has its turn.
  func write<Value>(
    _ priority: WorkPriority = .current, _ body: () async throws -> Value
  ) async rethrows -> Value {
    switch priority {
    case .usual: begin()
    case .low: await wait()
    }
    defer { end(priority) }
    return try await body()
  }

  private func begin() {
    let turn = state.withLock { state in
      state.usual += 1
      if !state.waiting.isEmpty { state.passed += 1 }
      return state.next()
    }
    turn?.resume()
  }

  private func wait() async {
    await withCheckedContinuation { turn in
      let now = state.withLock { state in
        state.waiting.append(turn)
        return state.next()
      }
      now?.resume()
    }
  }

  private func end(_ priority: WorkPriority) {
    let turn = state.withLock { state in
      switch priority {
      case .usual: state.usual -= 1
      case .low: state.isBusy = false
      }
      return state.next()
    }
    turn?.resume()
  }
}
