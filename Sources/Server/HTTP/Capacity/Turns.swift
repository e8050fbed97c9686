// SPDX-License-Identifier: Apache-2.0

import Kit
import NIOCore
import Synchronization

/// Lets requests of this node in, by their turns (`TurnQueue`).
final class Turns: Sendable {
  fileprivate struct State {
    var queue: TurnQueue
    var lastID = 0
    /// What is called when the turn of one that waits has come.
    var entries: [Int: @Sendable (Int) -> Void] = [:]
    /// Whether a look at those whose time is over is due.
    var isWatched = false
  }

  private let pause: TimeAmount
  private let state: Mutex<State>

  init(_ limits: TurnQueue.Limits) {
    pause = TimeAmount(limits.lease / 2)
    state = Mutex(State(queue: TurnQueue(limits)))
  }

  /// Requests that wait.
  var waiting: Int { state.withLock { $0.queue.waiting } }

  /// - Parameter enter: is called once, on any thread, when the turn of a request that has to wait has come. It is told
  ///   what the request is known by.
  /// - Returns: what the request is known by, and whether it may go on at once.
  func begin(
    of network: String, on loop: any EventLoop, enter: @escaping @Sendable (Int) -> Void
  ) -> (id: Int, isIn: Bool) {
    let now = Self.now(of: loop)
    let (id, others, isIn, isToBeWatched) = state.withLock { state in
      state.lastID += 1
      let id = state.lastID
      let next = state.queue.arrive(id, of: network, at: now)
      let isIn = next.contains(id)
      if !isIn { state.entries[id] = enter }
      let isToBeWatched = !isIn && !state.isWatched
      if isToBeWatched { state.isWatched = true }
      return (id, state.taken(next), isIn, isToBeWatched)
    }
    for other in others { other.enter(other.id) }
    if isToBeWatched { watch(on: loop) }
    return (id, isIn)
  }

  /// The request was answered, or is given up.
  func end(_ id: Int, on loop: any EventLoop) {
    let now = Self.now(of: loop)
    let entries = state.withLock { state in
      state.entries[id] = nil
      return state.taken(state.queue.end(id, at: now))
    }
    for entry in entries { entry.enter(entry.id) }
  }

  /// Looks again and again whether the time of some is over, for as long as others wait.
  private func watch(on loop: any EventLoop) {
    loop.scheduleTask(in: pause) { [self] in
      let now = Self.now(of: loop)
      let (entries, isWatched) = state.withLock { state in
        let entries = state.taken(state.queue.next(at: now))
        state.isWatched = state.queue.waiting > 0
        return (entries, state.isWatched)
      }
      for entry in entries { entry.enter(entry.id) }
      if isWatched { watch(on: loop) }
    }
  }

  private static func now(of loop: any EventLoop) -> Duration {
    .nanoseconds(Int64(clamping: loop.now.uptimeNanoseconds))
  }
}

extension Turns.State {
  fileprivate mutating func taken(_ ids: [Int]) -> [(id: Int, enter: @Sendable (Int) -> Void)] {
    ids.compactMap { id in entries.removeValue(forKey: id).map { (id, $0) } }
  }
}
