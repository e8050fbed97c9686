// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Locks

/// One call under way, which reports exactly once: its outcome, or that it was cancelled, whichever is first.
final class CallTask<Value: Sendable>: PowerAuthOperationTask {
  typealias Report = @Sendable (Result<Value, CallFailure>) -> Void

  private struct State {
    var report: Report?
    var work: Task<Void, Never>?
    var isCancelled = false
  }

  private let state: Guarded<State>
  private let undo: @Sendable () -> Void

  private init(_ report: @escaping Report, _ undo: @escaping @Sendable () -> Void) {
    state = Guarded(State(report: report))
    self.undo = undo
  }

  /// Starts the work at once.
  /// - Parameters:
  ///   - report: called on whatever thread the outcome is known; see `onMain`.
  ///   - undo: called before `cancel()` is reported, for work that may have succeeded already.
  static func start(
    _ report: @escaping Report, undo: @escaping @Sendable () -> Void = {},
    _ work: @escaping @Sendable () async throws -> Value
  ) -> CallTask<Value> {
    let call = CallTask(report, undo)
    // The one place where a callback's work begins: published calls return at once and are cancelled by their task.
    let task = Task {
      let outcome: Result<Value, CallFailure>
      do { outcome = .success(try await work()) } catch { outcome = .failure(CallFailure(error, otherwise: .NA)) }
      call.finish(outcome)
    }
    let isCancelled = call.state.withLock { state in
      state.work = task
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
    return call
  }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  func cancel() {
    let (report, work) = state.withLock { state in
      defer { state.report = nil }
      state.isCancelled = true
      return (state.report, state.work)
    }
    work?.cancel()
    guard let report else { return }
    // First, so that the callback finds it undone.
    undo()
    report(.failure(.cancelled))
  }

  private func finish(_ outcome: Result<Value, CallFailure>) {
    let report = state.withLock { state in
      defer { state.report = nil }
      return state.report
    }
    report?(outcome)
  }
}

/// Wraps a published callback: on the main queue, with either a value or an `NSError`.
func onMain<Value: Sendable>(
  _ callback: @escaping @MainActor @Sendable (Value?, (any Error)?) -> Void
) -> CallTask<Value>.Report {
  { outcome in
    DispatchQueue.main.async {
      MainActor.assumeIsolated {
        switch outcome {
        case .success(let value): callback(value, nil)
        case .failure(let failure): callback(nil, failure.nsError)
        }
      }
    }
  }
}

/// The same for calls whose only news is an error.
func onMain(_ callback: @escaping @MainActor @Sendable ((any Error)?) -> Void) -> CallTask<Void>.Report {
  onMain { (_: Void?, error) in callback(error) }
}
