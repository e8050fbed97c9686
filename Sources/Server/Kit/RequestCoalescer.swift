// SPDX-License-Identifier: Apache-2.0

import Storage
import Synchronization

/// Questions that come at once, put to the store together.
///
/// A question that comes while others are on their way waits for the next trip and shares it with all who wait too:
/// the busier a node is, the less of a trip each of them costs. No trip takes a question that was put after it began,
/// so an answer is never older than its question.
package final class RequestCoalescer<Question: Hashable & Sendable, Answer: Sendable>: Sendable {
  /// Trips that run at once.
  package static var tripsMax: Int { 2 }
  /// So many questions that wait begin a second trip: a first one that is slow does not hold up a crowd, and a few do
  /// not cost a trip each.
  package static var crowd: Int { 16 }
  /// Questions of one trip.
  package static var questionsMax: Int { 64 }
  /// Questions that may wait.
  package static var waitingMax: Int { 2048 }
  /// Between two looks at who waits for too long, at least.
  private static var watchPause: Duration { .milliseconds(10) }

  private struct Waiting: Sendable {
    let since: ContinuousClock.Instant
    let question: Question
    let turn: CheckedContinuation<Turn, Never>
  }

  /// What a waiting caller is told.
  private enum Turn: Sendable {
    case answered(Result<Answer?, any Error>)
    /// To make the next trip, for itself and for these.
    case leads([Waiting])
    /// The one who led was cancelled.
    case again
  }

  private struct State: Sendable {
    var trips = 0
    var waiting: [Waiting] = []

    /// Callers who have waited longer than `waitMax`: all wait equally long, so they are the first.
    mutating func takeOverdue(_ limit: Duration) -> [Waiting] {
      let now = ContinuousClock.now
      let overdue = Array(waiting.prefix { $0.since + limit <= now })
      waiting.removeFirst(overdue.count)
      return overdue
    }

    /// As many of those who wait as one trip takes beside its leader.
    mutating func takeWaiting() -> [Waiting] {
      defer { waiting.removeFirst(min(waiting.count, RequestCoalescer.questionsMax - 1)) }
      return Array(waiting.prefix(RequestCoalescer.questionsMax - 1))
    }
  }

  private let state = Mutex(State())
  private let waitMax: Duration
  private let ask: @Sendable (Set<Question>) async throws -> [Question: Answer]

  /// - Parameters:
  ///   - waitMax: who waits for longer is refused, also while every trip hangs on a store that does not answer.
  ///   - ask: makes one trip; a question that is not in its answer has none.
  package init(
    waitMax: Duration = .seconds(10),
    ask: @escaping @Sendable (Set<Question>) async throws -> [Question: Answer]
  ) {
    self.waitMax = waitMax
    self.ask = ask
  }

  /// Questions that wait for a trip now.
  package var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// The answer to a question, as it stands after the question was put; nil when it has none.
  /// - Throws: what the trip threw; `SQLError.busy` when too many wait.
  package func answer(to question: Question) async throws -> Answer? {
    while true {
      switch await turn(question) {
      case .answered(let result): return try result.get()
      case .leads(let others): return try await lead(question, others).get()
      case .again: try Task.checkCancellation()
      }
    }
  }

  private func turn(_ question: Question) async -> Turn {
    await withCheckedContinuation { continuation in
      let (now, overdue): (Turn?, [Waiting]) = state.withLock { state in
        let overdue = state.takeOverdue(waitMax)
        let capacity = state.waiting.count + 1 < Self.crowd ? 1 : Self.tripsMax
        guard state.trips >= capacity else {
          state.trips += 1
          return (.leads(state.takeWaiting()), overdue)
        }
        guard state.waiting.count < Self.waitingMax else { return (.answered(.failure(SQLError.busy)), overdue) }
        state.waiting.append(Waiting(since: .now, question: question, turn: continuation))
        return (nil, overdue)
      }
      for late in overdue { late.turn.resume(returning: .answered(.failure(SQLError.busy))) }
      if let now { continuation.resume(returning: now) }
    }
  }

  private func lead(_ question: Question, _ others: [Waiting]) async -> Result<Answer?, any Error> {
    do {
      // All waiting callers wait for a query that is under way, and while there is one, its leader watches the time.
      async let _: Void = refuseOverdue()
      let answers = try await ask(Set([question] + others.map { $0.question }))
      passOn()
      for other in others { other.turn.resume(returning: .answered(.success(answers[other.question]))) }
      return .success(answers[question])
    } catch let error as CancellationError {
      // Whose client went away gives up its own question, not those of the others.
      passOn()
      for other in others { other.turn.resume(returning: .again) }
      return .failure(error)
    } catch {
      // The store does not answer: the others need not wait for the same failure.
      for other in others + giveUp() { other.turn.resume(returning: .answered(.failure(error))) }
      return .failure(error)
    }
  }

  /// Refuses those who wait for too long, until the trip that it goes with is back.
  private func refuseOverdue() async {
    while !Task.isCancelled {
      let (late, next) = state.withLock { state in
        (state.takeOverdue(waitMax), (state.waiting.first?.since ?? .now) + waitMax)
      }
      for waiting in late { waiting.turn.resume(returning: .answered(.failure(SQLError.busy))) }
      // The first to wait is the first to be late; no later caller is late before that.
      do { try await Task.sleep(until: max(next, .now + Self.watchPause), clock: .continuous) } catch { return }
    }
  }

  /// Ends a trip; one of those who wait makes the next.
  private func passOn() {
    let next = state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.trips -= 1
        return [Waiting]()
      }
      let leader = state.waiting.removeFirst()
      return [leader] + state.takeWaiting()
    }
    next.first?.turn.resume(returning: .leads(Array(next.dropFirst())))
  }

  /// Ends a trip and all waiting for it.
  private func giveUp() -> [Waiting] {
    state.withLock { state in
      defer { state.waiting = [] }
      state.trips -= 1
      return state.waiting
    }
  }
}
