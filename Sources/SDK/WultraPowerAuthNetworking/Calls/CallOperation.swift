// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Locks

/// A call as an operation of a queue. Reports exactly once: its outcome, or that it was cancelled, whichever is first.
///
/// The queue's thread waits for the call, which is not a thread of Swift's tasks; a cancelled call keeps its place
/// until it has really ended, so that signed requests stay in order.
final class CallOperation: Operation, @unchecked Sendable {
  typealias Outcome = Result<Reply, WPNError>

  private struct State {
    var report: (@Sendable (Outcome) -> Void)?
    var work: Task<Void, Never>?
    var isCancelled = false
  }

  private let state: Guarded<State>
  private let work: @Sendable () async -> Outcome

  init(_ work: @escaping @Sendable () async -> Outcome, report: @escaping @Sendable (Outcome) -> Void) {
    self.work = work
    state = Guarded(State(report: report))
    super.init()
  }

  override func main() {
    let end = DispatchSemaphore(value: 0)
    let isCancelled = state.withLock { state in
      guard !state.isCancelled else { return true }
      // The one place where a callback's work begins: published calls return at once.
      state.work = Task {
        self.finish(await self.work())
        end.signal()
      }
      return false
    }
    if !isCancelled { end.wait() }
  }

  override func cancel() {
    super.cancel()
    let work = state.withLock { state in
      state.isCancelled = true
      return state.work
    }
    work?.cancel()
    finish(.failure(.canceled()))
  }

  private func finish(_ outcome: Outcome) {
    let report = state.withLock { state in
      defer { state.report = nil }
      return state.report
    }
    report?(outcome)
  }
}
