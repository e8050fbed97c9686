// SPDX-License-Identifier: Apache-2.0

internal import Locks

/// What a service found out, numbered from 1, for those who wait for news.
final class StateReports: Sendable {
  struct Report: Sendable {
    let number: Int
    let state: WDOVerificationState
  }

  private struct State {
    var latest: Report?
    var waiting: [Int: CheckedContinuation<Report?, Never>] = [:]
    var cancelled: Set<Int> = []
    var lastWaiter = 0
  }

  private let shared = Guarded(State())

  /// Nil before the first one.
  var latest: Report? { shared.withLock { $0.latest } }

  func add(_ state: WDOVerificationState) {
    let (report, waiting) = shared.withLock { shared in
      let report = Report(number: (shared.latest?.number ?? 0) + 1, state: state)
      shared.latest = report
      defer { shared.waiting = [:] }
      return (report, shared.waiting.values)
    }
    for waiter in waiting { waiter.resume(returning: report) }
  }

  /// The latest one, as soon as its number is above the given one.
  /// - Returns: nil when the task is cancelled.
  func next(after number: Int) async -> Report? {
    let waiter = shared.withLock { shared in
      shared.lastWaiter += 1
      return shared.lastWaiter
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Report?? = shared.withLock { shared in
          if shared.cancelled.remove(waiter) != nil { return .some(nil) }
          if let latest = shared.latest, latest.number > number { return latest }
          shared.waiting[waiter] = continuation
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let continuation = shared.withLock { shared in
        guard let continuation = shared.waiting.removeValue(forKey: waiter) else {
          shared.cancelled.insert(waiter)
          return nil as CheckedContinuation<Report?, Never>?
        }
        return continuation
      }
      continuation?.resume(returning: nil)
    }
  }
}
