internal import Synchronization

/// What a service found out, numbered from 1, for those who wait for news.
final class StateReports: Sendable {
  struct Report: Sendable {
    let number: Int
    let state: WDOVerificationState
  }

  private struct Book {
    var latest: Report?
    var waiting: [Int: CheckedContinuation<Report?, Never>] = [:]
    var cancelled: Set<Int> = []
    var lastWaiter = 0
  }

  private let book = Mutex(Book())

  /// Nil before the first one.
  var latest: Report? { book.withLock { $0.latest } }

  func add(_ state: WDOVerificationState) {
    let (report, waiting) = book.withLock { book in
      let report = Report(number: (book.latest?.number ?? 0) + 1, state: state)
      book.latest = report
      defer { book.waiting = [:] }
      return (report, book.waiting.values)
    }
    for waiter in waiting { waiter.resume(returning: report) }
  }

  /// The latest one, as soon as its number is above the given one.
  /// - Returns: nil when the task is cancelled.
  func next(after number: Int) async -> Report? {
    let waiter = book.withLock { book in
      book.lastWaiter += 1
      return book.lastWaiter
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Report?? = book.withLock { book in
          if book.cancelled.remove(waiter) != nil { return .some(nil) }
          if let latest = book.latest, latest.number > number { return latest }
          book.waiting[waiter] = continuation
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let continuation = book.withLock { book in
        guard let continuation = book.waiting.removeValue(forKey: waiter) else {
          book.cancelled.insert(waiter)
          return nil as CheckedContinuation<Report?, Never>?
        }
        return continuation
      }
      continuation?.resume(returning: nil)
    }
  }
}
