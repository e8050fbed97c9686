// SPDX-License-Identifier: Apache-2.0

import Storage
import Synchronization

/// Work of concurrent callers, made durable together.
///
/// A commit waits for the disk, and the disk takes as long for one piece of work as for a hundred. So who comes while a
/// commit is on its way waits, and the next commit takes all who wait. Each is answered after the commit that holds its
/// work, with an outcome of its own: work that is to be declined is declined by value, so that it fails no other work.
///
/// There is no task in the background: one of the waiting callers leads, commits for all, and passes the lead on. A
/// leader takes those who wait no earlier than its commit asks for them, which is when its transaction has begun: while
/// it waits for the store's one writer, who comes meanwhile goes along.
///
/// Where the disk is slow, one leads at a time and first waits a moment for those who were just answered: they ask
/// again while a quarter of a sync goes by, and all of them then share the next one. Where it is quick that would be
/// time lost, and so it would where a whole commit of others waits already: then as many lead as on a quick disk.
package final class GroupCommit<Work: Sendable, Outcome: Sendable>: Sendable {
  /// As `World.ticks` has it.
  package typealias Ticks = @Sendable () -> Duration
  /// Returns after so long; throws when its task is cancelled.
  package typealias Pause = @Sendable (Duration) async throws -> Void

  /// How much is joined, and how much may wait.
  package struct Limits: Sendable {
    /// Commits at once: enough that the store works while another commit waits for its disk.
    package var workersMax: Int
    /// Pieces of work of one commit.
    package var batchMax = 256
    /// Pieces of work that may wait; who comes then is told to come again.
    package var waitingMax = 4096
    /// How long a caller may wait: one who waits longer is told to come again when the next one comes.
    package var waitMax = Duration.seconds(10)
    /// The time from the end of the work to its being durable from which on the store counts as slow: more than calls
    /// take to be answered and to come again.
    package var slowMin = Duration.milliseconds(2)

    package init(workersMax: Int) { self.workersMax = workersMax }
  }

  fileprivate struct Waiting: Sendable {
    let since: Duration
    let work: Work
    let turn: CheckedContinuation<Turn, Never>
  }

  /// What a waiting caller is told.
  fileprivate enum Turn: Sendable {
    case answered(Result<Outcome, any Error>)
    case leads
    /// The one who led was cancelled. Whether it had committed is not known: work is done again under its own key.
    case again
  }

  /// The longest that a leader waits for others.
  private static var gatheringMax: Duration { .milliseconds(5) }
  /// Between two looks at how many have come.
  private static var gatheringPause: Duration { .microseconds(250) }
  /// Looks at how many have come, also where the time does not go on.
  private static var gatheringLooksMax: Int { 20 }

  private struct State: Sendable {
    var workers = 0
    var waiting: [Waiting] = []
    /// How long the last commit took once its work was done.
    var syncTime = Duration.zero
    /// How many callers it answered, and how many waited then: about as many will be there for the next one.
    var crowd = 1
  }

  /// The work of one commit.
  package final class Batch: Sendable {
    private let first: Work
    private let others: Mutex<[Waiting]?>
    private let takeWaiting: @Sendable () -> [Waiting]
    private let ticks: Ticks
    private let doneAt = Mutex<Duration?>(nil)

    fileprivate init(_ first: Work, _ ticks: @escaping Ticks, _ takeWaiting: @escaping @Sendable () -> [Waiting]) {
      (self.first, self.ticks, self.takeWaiting) = (first, ticks, takeWaiting)
      others = Mutex(nil)
    }

    /// All of it, decided by the first call: a caller who comes after that waits for the next commit. A transaction
    /// that runs again has the same work.
    package func work() -> [Work] { [first] + taken(or: takeWaiting).map(\.work) }

    /// Carries out all of the work inside of the transaction; what comes after it is the store's.
    package func carryOut(_ body: ([Work]) throws -> [Outcome]) rethrows -> [Outcome] {
      defer { doneAt.withLock { $0 = ticks() } }
      return try body(work())
    }

    /// What has passed since the work was done; nothing where it was not carried out here.
    fileprivate var syncTime: Duration { doneAt.withLock { $0 }.map { ticks() - $0 } ?? .zero }

    /// Closes the batch: from now on nothing is added. Returns the callers whose work went along.
    fileprivate func end() -> [Waiting] { taken { [] } }

    private func taken(or take: () -> [Waiting]) -> [Waiting] {
      others.withLock { others in
        let all = others ?? take()
        others = all
        return all
      }
    }
  }

  private let state = Mutex(State())
  private let limits: Limits
  private let ticks: Ticks
  private let pause: Pause
  private let commit: @Sendable (Batch) async throws -> [Outcome]

  /// - Parameters:
  ///   - ticks: what syncs and waits are measured by: the machine's, whatever the clock of the rows is.
  ///   - commit: makes all of a batch durable, or nothing of it and throws; an outcome for each, in their order. It
  ///     asks for the work inside of its transaction. Work that was committed before is given again after a lost
  ///     connection or a cancelled leader, so it carries a key by which it is known.
  package init(
    _ limits: Limits, ticks: @escaping Ticks = World.live.ticks,
    pausing pause: @escaping Pause = { try await Task.sleep(for: $0) },
    committing commit: @escaping @Sendable (Batch) async throws -> [Outcome]
  ) {
    precondition(limits.workersMax > 0 && limits.batchMax > 0, "Something must be able to go.")
    (self.limits, self.ticks, self.pause) = (limits, ticks, pause)
    // The one who leads commits work of others too, which is not of low priority because this one's is.
    self.commit = { batch in try await WorkPriority.$current.withValue(.usual) { try await commit(batch) } }
  }

  /// Work that waits now.
  package var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// The outcome of this work, once it is durable.
  /// - Throws: what committing it alone threw; `SQLError.busy` when too much waits, or for too long;
  ///   `SQLError.uncertain` when it may have been committed with work whose caller was cancelled.
  package func callAsFunction(_ work: Work) async throws -> Outcome {
    var mayBeDone = false
    while true {
      do {
        switch await turn(work) {
        case .answered(let result): return try result.get()
        case .leads: return try await lead(work).get()
        case .again:
          try Task.checkCancellation()
          mayBeDone = true
        }
      } catch is SQLError where mayBeDone { throw SQLError.uncertain }
    }
  }

  private func turn(_ work: Work) async -> Turn {
    await withCheckedContinuation { continuation in
      let (now, overdue): (Turn?, [Waiting]) = state.withLock { state in
        let overdue = takeOverdue(&state)
        if state.workers < leadersMax(state) {
          state.workers += 1
          return (.leads, overdue)
        }
        guard state.waiting.count < limits.waitingMax else { return (.answered(.failure(SQLError.busy)), overdue) }
        state.waiting.append(Waiting(since: ticks(), work: work, turn: continuation))
        return (nil, overdue)
      }
      for late in overdue { late.turn.resume(returning: .answered(.failure(SQLError.busy))) }
      if let now { continuation.resume(returning: now) }
    }
  }

  /// All wait equally long, so those who wait for too long are the first.
  private func takeOverdue(_ state: inout State) -> [Waiting] {
    guard !state.waiting.isEmpty else { return [] }
    let now = ticks()
    let overdue = Array(state.waiting.prefix { $0.since + limits.waitMax <= now })
    state.waiting.removeFirst(overdue.count)
    return overdue
  }

  private func lead(_ work: Work) async -> Result<Outcome, any Error> {
    // Those who were answered a moment ago may have more: after a yield they wait too, instead of just missing this
    // one.
    await Task.yield()
    await gather()
    let batch = Batch(work, ticks) { [self] in
      state.withLock { state in
        let others = Array(state.waiting.prefix(limits.batchMax - 1))
        state.waiting.removeFirst(others.count)
        return others
      }
    }
    let done: Result<[Outcome], any Error>
    do { done = .success(try await commit(batch)) } catch {
      // Those who would have gone along need not wait for the same failure, one after the other.
      if Self.isOfStore(error) { _ = batch.work() }
      done = .failure(error)
    }
    let others = batch.end()
    let syncTime = batch.syncTime
    state.withLock { ($0.syncTime, $0.crowd) = (syncTime, others.count + 1 + $0.waiting.count) }
    do {
      let outcomes = try done.get()
      precondition(outcomes.count == others.count + 1, "An outcome for each piece of work.")
      passOn()
      for (other, outcome) in zip(others, outcomes.dropFirst()) {
        other.turn.resume(returning: .answered(.success(outcome)))
      }
      return .success(outcomes[0])
    } catch let error as CancellationError {
      passOn()
      for other in others { other.turn.resume(returning: .again) }
      return .failure(error)
    } catch {
      defer { passOn() }
      guard !others.isEmpty, !Self.isOfStore(error) else {
        for other in others { other.turn.resume(returning: .answered(.failure(error))) }
        return .failure(error)
      }
      return await oneByOne(work, others)
    }
  }

  private func isSlow(_ state: borrowing State) -> Bool { state.syncTime >= limits.slowMin }

  /// Commits that may be on their way now.
  private func leadersMax(_ state: borrowing State) -> Int {
    isSlow(state) && state.waiting.count < limits.batchMax ? 1 : limits.workersMax
  }

  /// Waits for those who will soon be there, where a sync takes much longer than that.
  private func gather() async {
    let (crowd, patience) = state.withLock { state in
      (min(state.crowd, limits.batchMax), isSlow(state) ? min(state.syncTime / 4, Self.gatheringMax) : .zero)
    }
    let end = ticks() + patience
    for _ in 0..<Self.gatheringLooksMax {
      guard waitingCount + 1 < crowd, ticks() < end else { return }
      do { try await pause(Self.gatheringPause) } catch { return }
    }
  }

  /// Whether each alone would only hear the same, after having waited for it as long.
  private static func isOfStore(_ error: any Error) -> Bool {
    switch error as? SQLError {
    case .busy, .unreachable, .uncertain: true
    default: false
    }
  }

  /// A commit of many failed, perhaps by one of them: each goes by itself and hears of its own.
  private func oneByOne(_ work: Work, _ others: [Waiting]) async -> Result<Outcome, any Error> {
    for (index, other) in others.enumerated() {
      do { other.turn.resume(returning: .answered(.success(try await alone(other.work)))) } catch is CancellationError {
        for rest in others[index...] { rest.turn.resume(returning: .again) }
        return .failure(CancellationError())
      } catch  where Self.isOfStore(error) {
        for rest in others[index...] { rest.turn.resume(returning: .answered(.failure(error))) }
        return .failure(error)
      } catch { other.turn.resume(returning: .answered(.failure(error))) }
    }
    do { return .success(try await alone(work)) } catch { return .failure(error) }
  }

  private func alone(_ work: Work) async throws -> Outcome { try await commit(Batch(work, ticks) { [] })[0] }

  /// Ends a commit; one of those who wait leads the next.
  private func passOn() {
    let next: CheckedContinuation<Turn, Never>? = state.withLock { state in
      guard !state.waiting.isEmpty, state.workers <= leadersMax(state) else {
        state.workers -= 1
        return nil
      }
      return state.waiting.removeFirst().turn
    }
    next?.resume(returning: .leads)
  }
}
