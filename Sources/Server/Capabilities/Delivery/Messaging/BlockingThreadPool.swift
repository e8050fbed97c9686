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
  private let later: Later

  /// Does something after so long.
  typealias Later = @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

  struct State {
    var lastCall = 0
    /// How much each queue has still to do.
    var pending: [Int]
    /// What runs on whichever thread is free next.
    var waiting = FairQueue<Call>()
  }

  struct Call: Sendable {
    var number = 0
    /// Returns what tells of its end.
    let run: @Sendable () -> YieldingThread.Work
    let refuse: YieldingThread.Work
  }

  /// What does one thing after another.
  private enum Queue: Sendable {
    case dispatch(DispatchQueue)
    case yielding(YieldingThread)

    /// - Parameter work: returns what tells of its end.
    func add(_ work: @escaping @Sendable () -> YieldingThread.Work) {
      switch self {
      case .dispatch(let queue): queue.async { work()() }
      case .yielding(let thread): thread.add(work)
      }
    }
  }

  /// - Parameters:
  ///   - width: how many calls run side by side.
  ///   - pendingMax: how many may run or wait, over all threads.
  ///   - isYielding: whether the threads let what answers requests have the processor first (`YieldingThread`).
  ///   - share: the part of a processor for which each of them does not.
  ///   - patience: how long a call waits for its turn; nil for any time.
  package convenience init(
    _ name: String, width: Int, pendingMax: Int = 256, isYielding: Bool = false, share: Double = 0,
    patience: Duration? = nil
  ) {
    self.init(
      name, width: width, pendingMax: pendingMax, isYielding: isYielding, share: share, patience: patience
    ) { DispatchQueue.global().asyncAfter(deadline: .now() + $0.inSeconds, execute: $1) }
  }

  init(
    _ name: String, width: Int, pendingMax: Int, isYielding: Bool, share: Double, patience: Duration?,
    later: @escaping Later
  ) {
    precondition(width > 0 && pendingMax >= width, "At least one thread, and room for one call on each.")
    queues = (0..<width).map {
      let name = "gatehouse.\(name).\($0)"
      return isYielding ? .yielding(YieldingThread(name, share: share)) : .dispatch(DispatchQueue(label: name))
    }
    state = Mutex(State(pending: Array(repeating: 0, count: width)))
    (self.pendingMax, self.patience, self.later) = (pendingMax, patience, later)
  }

  /// - Parameter caller: who takes turns with others: the network that a request comes from. Calls without one have
  ///   their turns together.
  /// - Throws: `BlockingThreadPoolFull`, at once or while it waits, or what `body` throws.
  package func run<Value: Sendable>(
    for caller: String? = nil, _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      enter(
        Call(
          run: {
            let result = Result { try body() }
            return { continuation.resume(with: result) }
          }, refuse: { continuation.resume(throwing: BlockingThreadPoolFull()) }), for: caller ?? "")
    }
  }

  /// Gives a call to the thread with the least to do, or the place of a call that gives way.
  private func enter(_ call: Call, for caller: String) {
    let (number, thread, refused) = state.withLock { state -> (Int, Int?, Call?) in
      var call = call
      state.lastCall += 1
      call.number = state.lastCall
      if state.pending.reduce(0, +) < pendingMax,
        let thread = state.pending.indices.min(by: { state.pending[$0] < state.pending[$1] })
      {
        state.pending[thread] += 1
        state.waiting.append(call, for: caller)
        return (call.number, thread, nil)
      }
      // A thread comes for the call that gives way already, and takes whichever has its turn then.
      guard let displaced = state.waiting.giveWay(to: caller) else { return (call.number, nil, call) }
      state.waiting.append(call, for: caller)
      return (call.number, nil, displaced)
    }
    refused?.refuse()
    if let thread { queues[thread].add { self.runNext(on: thread) } }
    guard let patience else { return }
    later(patience) { self.leave(number, of: caller) }
  }

  /// Refuses a call that has not had its turn. A thread comes for it still, and takes another one or none.
  private func leave(_ number: Int, of caller: String) {
    state.withLock { $0.waiting.remove(of: caller) { $0.number == number } }?.refuse()
  }

  private func runNext(on thread: Int) -> YieldingThread.Work {
    let told = state.withLock { $0.waiting.next() }?.run()
    state.withLock { $0.pending[thread] -= 1 }
    return told ?? {}
  }
}

/// More work is waiting than this process means to hold, or than it does in time.
package struct BlockingThreadPoolFull: Error, Equatable {}
