import Kit
import Synchronization

/// Bytes of bodies that a node holds at once. A body waits for its place with its client, where it costs the node
/// nothing, and is refused when none comes free.
///
/// A place is as large as the body says that it is, and is kept until the request is answered: two halves of bodies can
/// not wait for each other, and what a body is decoded into is bounded with it. Small bodies need none: there are at
/// most as many of them as connections.
package final class BodyBudget: Sendable {
  /// Up to this size a body is small. What strangers may send is never larger.
  package static let smallMax = 64 * 1024
  static let waitersMax = 1000

  private struct Waiter {
    let id: Int
    let bytes: Int
    let turn: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var held = 0
    /// In the order in which they came.
    var waiters: [Waiter] = []
    var lastID = 0
    /// Whose patience ended before they had begun to wait.
    var late: Set<Int> = []
    var refused = 0
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

  /// - Returns: what is to be given back: a body larger than the whole budget has it to itself.
  /// - Throws: `Problem` unavailable.
  func take(_ bytes: Int) async throws -> Int {
    let bytes = min(bytes, bytesMax)
    let id = state.withLock { state -> Int? in
      guard !state.waiters.isEmpty || state.held + bytes > bytesMax else {
        state.held += bytes
        return nil
      }
      state.lastID += 1
      return state.lastID
    }
    guard let id else { return bytes }
    let isIn = await withTaskGroup(of: Void.self) { group in
      group.addTask {
        try? await self.pause(self.patience)
        self.leave(id)
      }
      defer { group.cancelAll() }
      return await withCheckedContinuation { self.wait(Waiter(id: id, bytes: bytes, turn: $0)) }
    }
    state.withLock { state in
      state.late.remove(id)
      if !isIn { state.refused += 1 }
    }
    guard isIn else {
      throw Problem.unavailable.with { $0.retryAfterSeconds = 1 }
    }
    return bytes
  }

  func giveBack(_ bytes: Int) {
    let next = state.withLock { state in
      state.held -= bytes
      return admitted(&state)
    }
    for waiter in next { waiter.turn.resume(returning: true) }
  }

  private func wait(_ waiter: Waiter) {
    let next = state.withLock { state -> [Waiter]? in
      guard state.waiters.count < Self.waitersMax, !state.late.contains(waiter.id) else { return nil }
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

  /// Those whose turn it is, in their order.
  private func admitted(_ state: inout State) -> [Waiter] {
    var next: [Waiter] = []
    while let first = state.waiters.first, state.held + first.bytes <= bytesMax {
      state.held += first.bytes
      next.append(state.waiters.removeFirst())
    }
    return next
  }
}
