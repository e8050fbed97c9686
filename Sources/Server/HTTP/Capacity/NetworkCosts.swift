// SPDX-License-Identifier: Apache-2.0

import Kit
import Synchronization

/// What the requests of each network have cost this node lately: a unit for a request, three more for a refusal, and
/// one for each MiB that was sent or received. Every ten seconds all costs are halved.
///
/// A count-min sketch (Cormode and Muthukrishnan, 2005) of two rows: it takes 128 KiB however many networks ask. A
/// network has a cell in each row, and costs what the cheaper of them says. Cells are chosen by Swift's hash, whose
/// seed is another one in each process, so that no client can aim at the cells of another.
package final class NetworkCosts: Sendable {
  /// From here on a network costs much.
  static let much = 16
  static let halfLife = Duration.seconds(10)
  private static let width = 32_768

  private struct State {
    var cells = [UInt16](repeating: 0, count: 2 * NetworkCosts.width)
    var halvedAt: Duration
    /// When a network that costs little has asked last; nil before the first.
    var quietAt: Duration?
  }

  private let state: Mutex<State>
  private let world: World
  private let demanding = Atomic(0)

  package init(world: World) {
    self.world = world
    state = Mutex(State(halvedAt: world.ticks()))
  }

  /// Counts a request.
  /// - Returns: whether it is to wait for those of others: its network costs much, and some that cost little have asked
  ///   lately.
  func begin(from network: String) -> Bool {
    let now = world.ticks()
    let waits = state.withLock { state in
      guard Self.add(1, to: network, at: now, &state) >= Self.much else {
        state.quietAt = now
        return false
      }
      return state.quietAt.map { now - $0 <= Self.halfLife } ?? false
    }
    if waits { demanding.add(1, ordering: .relaxed) }
    return waits
  }

  /// Counts what a request has cost beyond a unit.
  /// - Parameters:
  ///   - received: bytes of its body.
  ///   - sent: bytes of its answer's.
  func end(from network: String, isRefused: Bool, received: Int, sent: Int) {
    let more = (isRefused ? 3 : 0) + [received, sent].map { max(0, $0) / (1024 * 1024) }.reduce(0, +)
    guard more > 0 else { return }
    let now = world.ticks()
    state.withLock { _ = Self.add(more, to: network, at: now, &$0) }
  }

  /// - Returns: what the network had cost before.
  private static func add(_ cost: Int, to network: String, at now: Duration, _ state: inout State) -> Int {
    let halvings = min(Int((now - state.halvedAt) / halfLife), UInt16.bitWidth)
    if halvings > 0 {
      for cell in state.cells.indices { state.cells[cell] >>= halvings }
      state.halvedAt = now
    }
    let hash = UInt(bitPattern: network.hashValue)
    let (first, second) = (Int(hash % UInt(width)), width + Int(hash >> 32 % UInt(width)))
    let before = Int(min(state.cells[first], state.cells[second]))
    let after = UInt16(clamping: before + cost)
    state.cells[first] = max(state.cells[first], after)
    state.cells[second] = max(state.cells[second], after)
    return before
  }

  package var families: [MetricFamily] {
    [
      .single(
        "gatehouse_http_demanding_requests_total",
        help: "Requests that shared half of the processors, because their network cost much lately.", kind: .counter,
        Double(demanding.load(ordering: .relaxed)))
    ]
  }
}
