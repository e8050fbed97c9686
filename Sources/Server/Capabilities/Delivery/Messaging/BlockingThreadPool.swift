// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Kit
import Synchronization

/// A few threads of their own for calls that block or compute for long, so that they never hold up Swift's cooperative
/// pool, and a bound on how much may wait for them. Callers take turns: who asks for much waits behind who asks for
/// little, and gives way when no more may wait.
package final class BlockingThreadPool: Sendable {
  private let queues: [Queue]
  /// What runs and what waits, which tests look at.
  let state: Mutex<State>
  private let pendingMax: Int
  private let patience: Duration?
  private let now: @Sendable () -> ContinuousClock.Instant
  /// Compares for those for whom much did not match lately; nil where all calls share the threads.
  let resting: BlockingThreadPool?
  private let kind: Kind

  struct State {
    /// Queues that have nothing to do. While there are some, nothing waits.
    var idle: [Int]
    /// Calls that run, and threads that rest.
    var running = 0
    /// What runs on whichever queue is free next.
    var waiting = FairQueue<Call>()
    /// Calls since the start.
    var came = 0
    /// Those of them that were refused.
    var refused = 0

    var pending: Int { running + waiting.count }

    mutating func removeLate(at time: ContinuousClock.Instant) -> [Call] {
      let late = waiting.removeAll { $0.latest.map { $0 < time } ?? false }
      refused += late.count
      return late
    }
  }

  struct Call: Sendable {
    /// When it is too late for it to begin; nil for never.
    let latest: ContinuousClock.Instant?
    /// Returns what tells of its end, and what was computed in vain.
    let run: @Sendable () -> (tell: YieldingThread.Tell, inVain: Duration)
    let refuse: YieldingThread.Tell
  }

  /// What does one thing after another.
  private enum Queue: Sendable {
    case dispatch(DispatchQueue)
    case yielding(YieldingThread)

    func add(_ work: @escaping @Sendable () -> YieldingThread.Done) {
      switch self {
      case .dispatch(let queue): queue.async { work().tell() }
      case .yielding(let thread): thread.add(work)
      }
    }
  }

  /// - Parameters:
  ///   - width: how many calls run side by side.
  ///   - pendingMax: how many may run or wait, over all threads.
  ///   - isYielding: whether the threads let what answers requests have the processor first (`YieldingThread`).
  ///   - patience: a call that has waited for longer is refused when another one comes or a thread is free; nil for
  ///     any time.
  ///   - pause: returns after so long; on the thread that has to rest.
  package convenience init(
    _ name: String, width: Int, pendingMax: Int = 256, isYielding: Bool = false, patience: Duration? = nil,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    pausing pause: (@Sendable (Duration) -> Void)? = nil
  ) {
    self.init(name, width, pendingMax, isYielding ? .yielding : .dispatch, patience, now, pause)
  }

  /// What an operator looks at: how many calls wait now, and how many came and how many were refused since the start.
  package struct Use: Sendable, Equatable {
    package var waiting = 0
    package var came = 0
    package var refused = 0
  }

  /// Of the threads that do not rest.
  package var use: Use { state.withLock { Use(waiting: $0.waiting.count, came: $0.came, refused: $0.refused) } }

  /// Of those that rest after what was compared in vain; nothing where all calls share the threads.
  package var restingUse: Use { resting?.use ?? Use() }

  private enum Kind { case dispatch, yielding, resting }

  private init(
    _ name: String, _ width: Int, _ pendingMax: Int, _ kind: Kind, _ patience: Duration?,
    _ now: @escaping @Sendable () -> ContinuousClock.Instant, _ pause: (@Sendable (Duration) -> Void)?
  ) {
    precondition(width > 0 && pendingMax >= width, "At least one thread, and room for one call on each.")
    queues = (0..<width).map {
      let name = "gatehouse.\(name).\($0)"
      return switch kind {
      case .dispatch: .dispatch(DispatchQueue(label: name))
      case .yielding, .resting: .yielding(YieldingThread(name, pausing: pause))
      }
    }
    resting =
      kind == .yielding
      ? BlockingThreadPool("\(name).resting", width, pendingMax, .resting, patience, now, pause) : nil
    state = Mutex(State(idle: Array(0..<width)))
    (self.kind, self.pendingMax, self.patience, self.now) = (kind, pendingMax, patience, now)
  }

  /// - Parameter caller: who takes turns with others: the network that a request comes from. Calls without one have
  ///   their turns together.
  /// - Throws: `BlockingThreadPoolFull`, at once or while it waits, or what `body` throws.
  package func run<Value: Sendable>(
    for caller: String? = nil, _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await run(for: caller, body) { _, _ in .zero }
  }

  /// Compares a secret. Those for whom much did not match lately have threads of their own, which rest after each one
  /// that does not match (`RequestComputing`).
  /// - Parameters:
  ///   - caller: as of `run`.
  ///   - expected: what it answers where it was not in vain: false where a secret must not be the one that is kept.
  /// - Throws: as `run` does.
  package func compare(
    for caller: String? = nil, expecting expected: Bool = true, _ body: @escaping @Sendable () throws -> Bool
  ) async throws -> Bool {
    let computing = RequestComputing.current
    let pool = computing?.mustRest == true ? resting ?? self : self
    return try await pool.run(for: caller, body) { result, time in
      let isInVain = if case .success(let answer) = result { answer != expected } else { true }
      computing?.note(time, isInVain: isInVain)
      return isInVain ? time : .zero
    }
  }

  /// - Parameter inVain: of a result and what it took of a processor, what was computed in vain.
  private func run<Value: Sendable>(
    for caller: String?, _ body: @escaping @Sendable () throws -> Value,
    inVain: @escaping @Sendable (Result<Value, any Error>, Duration) -> Duration
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      enter(
        Call(
          latest: patience.map { now() + $0 },
          run: {
            let before = YieldingThread.processorTime
            let result = Result { try body() }
            return ({ continuation.resume(with: result) }, inVain(result, YieldingThread.processorTime - before))
          }, refuse: { continuation.resume(throwing: BlockingThreadPoolFull()) }), for: caller ?? "")
    }
  }

  /// Gives a call to a thread that has nothing to do, or has it wait, in the place of a call that gives way where no
  /// more may.
  private func enter(_ call: Call, for caller: String) {
    let time = now()
    let (queue, refused) = state.withLock { state -> (Int?, [Call]) in
      state.came += 1
      if let queue = state.idle.popLast() {
        state.running += 1
        return (queue, [])
      }
      // Not only when a thread is free: where calls come faster than they are answered, many would be refused at that
      // moment, and what each of them writes would hold up what others write.
      var refused = state.removeLate(at: time)
      if state.pending >= pendingMax {
        state.refused += 1
        guard let displaced = state.waiting.giveWay(to: caller) else { return (nil, refused + [call]) }
        refused.append(displaced)
      }
      state.waiting.append(call, for: caller)
      return (nil, refused)
    }
    for call in refused { call.refuse() }
    if let queue { begin(call, on: queue) }
  }

  /// Runs a call, and whichever has its turn then.
  private func begin(_ call: Call, on queue: Int) {
    queues[queue].add { [self] in
      let (tell, inVain) = call.run()
      guard kind == .resting, inVain > .zero else {
        let late = goOn(queue)
        return YieldingThread.Done {
          tell()
          for call in late { call.refuse() }
        }
      }
      // Behind the rest: until then what waits takes turns, gives way and is refused when it is late.
      queues[queue].add { [self] in
        let late = goOn(queue)
        return YieldingThread.Done { for call in late { call.refuse() } }
      }
      return YieldingThread.Done(tell: tell, rest: RequestComputing.rest(after: inVain))
    }
  }

  /// Gives a queue that has done its call what has its turn, if something waits.
  /// - Returns: what waited for too long.
  private func goOn(_ queue: Int) -> [Call] {
    let time = now()
    let (late, next) = state.withLock { state in
      let late = state.removeLate(at: time)
      let next = state.waiting.next()
      if next == nil {
        state.running -= 1
        state.idle.append(queue)
      }
      return (late, next)
    }
    if let next { begin(next, on: queue) }
    return late
  }
}

/// More work is waiting than this process means to hold, or than it does in time.
package struct BlockingThreadPoolFull: Error, Equatable {}
