// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Synchronization

/// Runs image work on a bounded number of threads of its own, so that it never blocks the cooperative pool.
package final class EvidenceQueue: Sendable {
  /// A picture whose work has not begun. Nothing of it is kept when it leaves.
  private struct Picture: Sendable {
    let computing: RequestComputing?
    let isAlone: @Sendable () -> Bool
    /// Returns what tells of its end, and what it came to: some requests are not refused for a picture that cannot be
    /// used, and answered with a code.
    let work: @Sendable () -> (tell: @Sendable () -> Void, outcome: Outcome)
    let refuse: @Sendable (any Error) -> Void

    var mustRest: Bool { computing?.mustRest == true }
  }

  /// A picture that was in work.
  private struct Done: Sendable {
    let tell: @Sendable () -> Void
    let outcome: Outcome
    let time: Duration
  }

  private enum Outcome {
    /// Of what was found in it the answer to its request tells whether it was in vain.
    case found
    case unusable
    /// A worker that did not get the processor, or an engine that is missing.
    case faultOfOurs

    init<Value>(_ result: Result<Value, any Error>, isUsable: (Value) -> Bool) {
      self =
        switch result {
        case .success(let value): isUsable(value) ? .found : .unusable
        case .failure(is ImageProblem): .unusable
        case .failure: .faultOfOurs
        }
    }

    func isInVain(isRefused: Bool) -> Bool {
      switch self {
      case .found: isRefused
      case .unusable: true
      case .faultOfOurs: false
      }
    }
  }

  private struct State {
    var lastTicket: UInt64 = 0
    var pictures: [UInt64: Picture] = [:]
    /// Those of them that have no thread, in the order in which they came.
    var waiting: [UInt64] = []
    /// Threads that work, or wait for other work to end before theirs begins.
    var busy = 0
    var refused = 0
    /// Those that must rest: how many came, and how many of `refused` they are.
    var (restingCame, restingRefused) = (0, 0)
    /// The request whose picture that must rest was in work last, how many of its pictures are in work, were not
    /// answered yet or rest, how many of them are in work, and how long all of them were.
    var resting: (request: RequestComputing, pictures: Int, inWork: Int, time: Duration)?

    /// The one that begins next.
    mutating func next() -> (ticket: UInt64, picture: Picture)? {
      for (place, ticket) in waiting.enumerated() {
        guard let picture = pictures[ticket] else { continue }
        if let computing = picture.computing, computing.mustRest {
          // A request that has more than one picture looked at does not wait for its own answer.
          guard resting == nil || resting?.request === computing else { continue }
          resting = (computing, (resting?.pictures ?? 0) + 1, (resting?.inWork ?? 0) + 1, resting?.time ?? .zero)
        }
        waiting.remove(at: place)
        return (ticket, picture)
      }
      return nil
    }

    mutating func countRefused(_ picture: Picture) {
      refused += 1
      if picture.mustRest { restingRefused += 1 }
    }

    mutating func endRest() {
      resting?.pictures -= 1
      if resting?.pictures == 0 { resting = nil }
    }

    /// The last one that would have to rest, which gives way to others.
    mutating func giveWay() -> Picture? {
      guard let place = waiting.lastIndex(where: { pictures[$0]?.mustRest == true }) else { return nil }
      let picture = pictures.removeValue(forKey: waiting.remove(at: place))
      if let picture { countRefused(picture) }
      return picture
    }
  }

  private let threads = DispatchQueue(label: "evidence", qos: .userInitiated, attributes: .concurrent)
  /// Work beside other work, and by a barrier work alone; in the order in which it came.
  private let turns = DispatchQueue(label: "evidence.turns", attributes: .concurrent)
  private let timers: DispatchQueue
  private let pause: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
  private let state = Mutex(State())
  private let concurrencyMax: Int
  private let waitingMax: Int
  private let answerMax: Duration

  /// How many pictures wait for a thread now, and how many were refused since the start.
  package var use: (waiting: Int, refused: Int) { state.withLock { ($0.waiting.count, $0.refused) } }

  /// Of pictures that must rest: how many wait now, and how many came and how many were refused since the start. At the
  /// same moment, how many of all others wait, and were refused.
  package var restingUse: (waiting: Int, came: Int, refused: Int, others: (waiting: Int, refused: Int)) {
    state.withLock { state in
      let waiting = state.waiting.count { state.pictures[$0]?.mustRest == true }
      let others = (waiting: state.waiting.count - waiting, refused: state.refused - state.restingRefused)
      return (waiting, state.restingCame, state.restingRefused, others)
    }
  }

  /// Too much image work is waiting or it waited for too long, or a worker did not get the processor in time: ask again
  /// later.
  package struct Busy: Error, Sendable {}

  /// - Parameters:
  ///   - concurrencyMax: images in work at once; each takes one core, and as much memory as
  ///     `ImageLimits.sharedBytesMax` says; what takes more runs alone.
  ///   - waitingMax: images that may wait for a place.
  ///   - answerMax: who must rest waits no longer for the answer to the request before.
  ///   - pause: calls back after so long; nil for the system's clock.
  package init(
    concurrencyMax: Int, waitingMax: Int = 64, answerMax: Duration = .seconds(5),
    pausing pause: (@Sendable (Duration, @escaping @Sendable () -> Void) -> Void)? = nil
  ) {
    (self.concurrencyMax, self.waitingMax, self.answerMax) = (max(1, concurrencyMax), waitingMax, answerMax)
    let timers = DispatchQueue(label: "evidence.timers")
    self.timers = timers
    self.pause = pause ?? { timers.asyncAfter(deadline: .now() + $0 / .seconds(1), execute: $1) }
  }

  /// A caller that is cancelled leaves, unless its work has begun.
  /// - Parameters:
  ///   - patience: work that has not begun after so long is refused; nil for any time.
  ///   - computing: of the request that asks. Pictures of those who must rest are in work for one request at a time,
  ///     the next request waits after one that is refused, and they give way where no more may wait.
  ///   - isUsable: whether a picture of which this was found was worth the work.
  ///   - isAlone: whether no other work runs beside it. It waits for what came before it, and what comes after
  ///     it waits for it. Asked on a thread of this queue, because it may read the whole of a hostile file, and
  ///     never of work that is refused at once.
  /// - Throws: `Busy`, `CancellationError`, or what `work` throws.
  package func run<Value: Sendable>(
    patience: Duration? = nil, computing: RequestComputing? = nil,
    isUsable: @escaping @Sendable (Value) -> Bool = { _ in true },
    isAlone: @escaping @Sendable () -> Bool = { false }, _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let ticket = state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let picture = Picture(
          computing: computing, isAlone: isAlone,
          work: {
            let result = Result { try work() }
            return ({ continuation.resume(with: result) }, Outcome(result, isUsable: isUsable))
          }, refuse: { continuation.resume(throwing: $0) })
        enter(picture, as: ticket, patience)
      }
    } onCancel: {
      take(ticket)?.refuse(CancellationError())
    }
  }

  private func enter(_ picture: Picture, as ticket: UInt64, _ patience: Duration?) {
    let (fault, displaced): ((any Error)?, Picture?) = state.withLock { state in
      // Under the lock: a cancellation either is seen here or finds the picture.
      if Task.isCancelled { return (CancellationError(), nil) }
      if picture.mustRest { state.restingCame += 1 }
      var displaced: Picture?
      if state.busy + state.waiting.count >= concurrencyMax + waitingMax {
        displaced = picture.mustRest ? nil : state.giveWay()
        guard displaced != nil else {
          state.countRefused(picture)
          return (Busy(), nil)
        }
      }
      state.pictures[ticket] = picture
      state.waiting.append(ticket)
      return (nil, displaced)
    }
    displaced?.refuse(Busy())
    if let fault { return picture.refuse(fault) }
    begin()
    guard let patience else { return }
    timers.asyncAfter(deadline: .now() + patience / .seconds(1)) { [weak self] in
      self?.take(ticket, refusing: true)?.refuse(Busy())
    }
  }

  /// A picture whose work begins, or which leaves before that; nil when it has done either.
  private func take(_ ticket: UInt64, refusing: Bool = false) -> Picture? {
    state.withLock { state in
      guard let picture = state.pictures.removeValue(forKey: ticket) else { return nil }
      state.waiting.removeAll { $0 == ticket }
      if refusing { state.countRefused(picture) }
      return picture
    }
  }

  /// Gives the picture that came first a thread, if one is free.
  private func begin() {
    let next = state.withLock { state -> (ticket: UInt64, picture: Picture)? in
      guard state.busy < concurrencyMax, let next = state.next() else { return nil }
      state.busy += 1
      return next
    }
    guard let (ticket, picture) = next else { return }
    threads.async { [self] in
      let isAlone = picture.isAlone()
      let done = turns.sync(flags: isAlone ? .barrier : []) { () -> Done? in
        // What it waited for others to end is no work of its own, and it may have left meanwhile.
        let start = ContinuousClock.now
        guard let (tell, outcome) = take(ticket)?.work() else { return nil }
        return Done(tell: tell, outcome: outcome, time: ContinuousClock.now - start)
      }
      if let computing = picture.computing {
        if let done, done.outcome != .faultOfOurs {
          let (time, outcome) = (done.time, done.outcome)
          computing.whenAnswered { computing.note(time, isInVain: outcome.isInVain(isRefused: $0)) }
        }
        if computing.mustRest { rest(after: done, computing) }
      }
      state.withLock { $0.busy -= 1 }
      begin()
      done?.tell()
    }
  }

  /// Has the next picture that must rest begin when the request of this one is answered, and later if that is refused
  /// or the picture cannot be used. A request that is not answered for long, such as one that asks another system,
  /// counts as refused.
  /// - Parameter done: nil for a picture that left before its work.
  private func rest(after done: Done?, _ computing: RequestComputing) {
    // Rests of pictures of one request begin together, and the longest is for all of them.
    let inWork: Duration? = state.withLock { state in
      state.resting?.inWork -= 1
      guard let done else {
        state.endRest()
        return nil
      }
      state.resting?.time += done.time
      return state.resting?.time ?? done.time
    }
    guard let done, let inWork else { return }
    let (start, outcome) = (First(), done.outcome)
    let startRest: @Sendable (Bool) -> Void = { [weak self] isRefused in
      guard let self, start.isFirst() else { return }
      pause(outcome.isInVain(isRefused: isRefused) ? RequestComputing.rest(after: inWork) : .zero) { [weak self] in
        guard let self else { return }
        state.withLock { $0.endRest() }
        begin()
      }
    }
    computing.whenAnswered(startRest)
    awaitAnswer(of: computing, startRest)
  }

  /// Counts a request as refused that is not answered in time after one of its pictures, unless another one of it is in
  /// work then.
  private func awaitAnswer(of computing: RequestComputing, _ startRest: @escaping @Sendable (Bool) -> Void) {
    timers.asyncAfter(deadline: .now() + answerMax / .seconds(1)) { [weak self] in
      guard let self else { return }
      let isInWork = state.withLock { $0.resting?.request === computing && $0.resting?.inWork ?? 0 > 0 }
      if isInWork { awaitAnswer(of: computing, startRest) } else { startRest(true) }
    }
  }
}

/// Whether something happens for the first time.
private final class First: Sendable {
  private let hasHappened = Atomic(false)

  func isFirst() -> Bool { !hasHappened.exchange(true, ordering: .relaxed) }
}
