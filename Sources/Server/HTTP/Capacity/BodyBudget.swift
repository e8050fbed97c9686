// SPDX-License-Identifier: Apache-2.0

import Kit
import Synchronization

/// Bytes of bodies that a node holds at once. A body waits for its place with its client, where it costs the node
/// nothing, and is refused when none comes free.
///
/// A place is as large as the body says that it is, and is kept until the request is answered: two halves of bodies can
/// not wait for each other, and what a body is decoded into is bounded with it. Small bodies need none: there are at
/// most as many of them as connections.
///
/// Each sender has a share, so that few who hold their places for long leave room for the others: those whose share is
/// taken are passed by those who wait behind them.
package final class BodyBudget: Sendable {
  /// Up to this size a body is small. What strangers may send is never larger.
  package static let smallMax = 64 * 1024
  static let waitersMax = 1000

  /// Whom a body counts for. Each has one body at a time, or several that fit into its share.
  enum Sender: Hashable {
    case network(String)
    case subject(String)

    /// Of the budget.
    fileprivate var divisor: Int {
      switch self {
      case .network: 2
      case .subject: 4
      }
    }
  }

  /// What a body took, to be given back.
  struct Place: Equatable {
    let bytes: Int
    let senders: [Sender]
  }

  private struct Waiter {
    let id: Int
    let place: Place
    let turn: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var held = 0
    var heldBy: [Sender: Int] = [:]
    /// In the order in which they came.
    var waiters: [Waiter] = []
    var lastID = 0
    /// Whose patience ended before they had begun to wait.
    var late: Set<Int> = []
    var refused = 0

    mutating func hold(_ place: Place) {
      held += place.bytes
      for sender in place.senders { heldBy[sender, default: 0] += place.bytes }
    }
  }

  private let bytesMax: Int
  private let patience: Duration
  private let pause: @Sendable (Duration) async throws -> Void
  private let state = Mutex(State())

  /// - Parameters:
  ///   - patience: how long a body waits.
  ///   - pause: returns after so long; throws when the caller is gone.
  package init(
    bytesMax: Int = 64 * 1024 * 1024, patience: Duration = .seconds(5),
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) { (self.bytesMax, self.patience, self.pause) = (bytesMax, patience, pause) }

  /// A 64th of the budget, 1 MiB of 64. Lighter bodies do not wait behind heavier ones, and have an eighth of the budget
  /// to themselves.
  private var lightMax: Int { bytesMax / 64 }
  private var heavyRoom: Int { bytesMax - bytesMax / 8 }

  /// Bytes of places that are taken.
  package var held: Int { state.withLock { $0.held } }

  /// Bodies that wait.
  package var waiting: Int { state.withLock { $0.waiters.count } }

  package var families: [MetricFamily] {
    let (held, waiting, refused) = state.withLock { ($0.held, $0.waiters.count, $0.refused) }
    return [
      .single("gatehouse_http_body_bytes", help: "Bytes that bodies of requests may take now.", Double(held)),
      .single("gatehouse_http_bodies_waiting", help: "Bodies that wait for their place in memory.", Double(waiting)),
      .single(
        "gatehouse_http_bodies_refused_total", help: "Bodies for which no place came free.", kind: .counter,
        Double(refused)),
    ]
  }

  /// - Returns: what is to be given back. A body larger than heavy bodies may take together has all of that to itself.
  /// - Throws: `Problem` unavailable.
  func take(_ bytes: Int, for senders: [Sender] = []) async throws -> Place {
    let place = Place(bytes: min(bytes, heavyRoom), senders: senders)
    let id = state.withLock { state -> Int? in
      guard state.waiters.isEmpty, hasRoom(place, state), isWithinShares(place, state) else {
        state.lastID += 1
        return state.lastID
      }
      state.hold(place)
      return nil
    }
    guard let id else { return place }
    let isIn = await withTaskGroup(of: Void.self) { group in
      group.addTask {
        try? await self.pause(self.patience)
        self.leave(id)
      }
      defer { group.cancelAll() }
      return await withCheckedContinuation { self.wait(Waiter(id: id, place: place, turn: $0)) }
    }
    state.withLock { state in
      state.late.remove(id)
      if !isIn { state.refused += 1 }
    }
    guard isIn else {
      throw Problem.unavailable.with { $0.retryAfterSeconds = 1 }
    }
    return place
  }

  func giveBack(_ place: Place) {
    let next = state.withLock { state in
      state.held -= place.bytes
      for sender in place.senders {
        let rest = (state.heldBy[sender] ?? 0) - place.bytes
        state.heldBy[sender] = rest > 0 ? rest : nil
      }
      return admitted(&state)
    }
    for waiter in next { waiter.turn.resume(returning: true) }
  }

  private func wait(_ waiter: Waiter) {
    let next = state.withLock { state -> [Waiter]? in
      guard state.waiters.count < Self.waitersMax, !state.late.contains(waiter.id) else { return nil }
      for sender in waiter.place.senders {
        let others = state.waiters.count { $0.place.senders.contains(sender) }
        guard others < Self.waitersMax / 8 else { return nil }
      }
      state.waiters.append(waiter)
      return admitted(&state)
    }
    guard let next else { return waiter.turn.resume(returning: false) }
    for waiter in next { waiter.turn.resume(returning: true) }
  }

  private func leave(_ id: Int) {
    let (gone, next) = state.withLock { state -> (Waiter?, [Waiter]) in
      guard let index = state.waiters.firstIndex(where: { $0.id == id }) else {
        state.late.insert(id)
        return (nil, [])
      }
      return (state.waiters.remove(at: index), admitted(&state))
    }
    gone?.turn.resume(returning: false)
    for waiter in next { waiter.turn.resume(returning: true) }
  }

  /// Those whose turn it is. Light ones keep their order and heavy ones theirs, so that no stream of bodies that fit keeps
  /// out one that waits before them.
  private func admitted(_ state: inout State) -> [Waiter] {
    var (next, rest) = ([Waiter](), [Waiter]())
    var (isLightWaiting, isHeavyWaiting) = (false, false)
    for waiter in state.waiters {
      let isLight = waiter.place.bytes <= lightMax
      if !isWithinShares(waiter.place, state) || (isLight ? isLightWaiting : isHeavyWaiting) {
        rest.append(waiter)
      } else if hasRoom(waiter.place, state) {
        state.hold(waiter.place)
        next.append(waiter)
      } else {
        if isLight { isLightWaiting = true } else { isHeavyWaiting = true }
        rest.append(waiter)
      }
    }
    state.waiters = rest
    return next
  }

  private func hasRoom(_ place: Place, _ state: State) -> Bool {
    state.held + place.bytes <= (place.bytes <= lightMax ? bytesMax : heavyRoom)
  }

  private func isWithinShares(_ place: Place, _ state: State) -> Bool {
    place.senders.allSatisfy { sender in
      guard let held = state.heldBy[sender] else { return true }
      return held + place.bytes <= bytesMax / sender.divisor
    }
  }
}
