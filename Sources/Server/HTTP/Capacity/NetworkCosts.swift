// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Synchronization

/// What the requests of each network have cost this node lately: a unit for a request, four more for a refusal, and
/// one for each MiB that was sent or received, rounded. Every ten seconds all costs are halved. While others ask,
/// networks that cost much have so many units a second together, and their requests wait for their turn (GCRA, as in
/// ITU-T I.371).
///
/// Costs are kept in a count-min sketch (Cormode and Muthukrishnan, 2005) of two rows: it takes 128 KiB however many
/// networks ask. A network has a cell in each row, and costs what the cheaper of them says. Cells are chosen by Swift's
/// hash, whose seed is another one in each process, so that no client can aim at the cells of another.
package final class NetworkCosts: Sendable {
  /// From here on a network costs much.
  static let much = 10
  static let halfLife = Duration.seconds(10)
  /// The longest that a request waits for its turn.
  static let waitMax = Duration.seconds(5)
  /// Units a second, of all networks that cost much, for each processor: about half of what it can do.
  static let unitsOfProcessor = 500
  private static let width = 32_768

  private struct State {
    var cells = [UInt16](repeating: 0, count: 2 * NetworkCosts.width)
    var halvedAt: Duration
    /// When a network that costs little, or one of the institution's own, has asked last; nil before the first.
    var quietAt: Duration?
    /// When the next request of a network that costs much has its turn.
    var turnAt: Duration
  }

  private let state: Mutex<State>
  private let world: World
  /// Of one unit.
  private let interval: Duration
  private let waited = Atomic(0)

  package init(world: World, processors: Int = ProcessInfo.processInfo.activeProcessorCount) {
    self.world = world
    interval = .seconds(1) / (Self.unitsOfProcessor * processors)
    let now = world.ticks()
    state = Mutex(State(halvedAt: now, turnAt: now))
  }

  /// Counts a request.
  /// - Returns: how long it has to wait for its turn; nil when its network costs little, or none that costs little has
  ///   asked lately.
  func begin(from network: String) -> Duration? {
    let now = world.ticks()
    let wait: Duration? = state.withLock { state in
      guard Self.add(1, to: network, at: now, &state) >= Self.much else {
        state.quietAt = now
        return nil
      }
      guard let quietAt = state.quietAt, now - quietAt <= Self.halfLife else { return nil }
      let turn = min(max(now, state.turnAt), now + Self.waitMax)
      state.turnAt = turn + interval
      return turn - now
    }
    if wait != nil { waited.add(1, ordering: .relaxed) }
    return wait
  }

  /// Whether a network costs much, with what was counted of it until now.
  func costsMuch(_ network: String) -> Bool {
    let (first, second) = Self.cells(of: network)
    return state.withLock { Int(min($0.cells[first], $0.cells[second])) > Self.much }
  }

  /// Takes note of a request of one of the institution's own networks: it is not counted, and others wait for it.
  func beginOwn() { state.withLock { $0.quietAt = world.ticks() } }

  /// Counts what a request has cost beyond a unit.
  /// - Parameters:
  ///   - hadTurn: whether it waited for its turn, so that the next one comes later.
  ///   - received: bytes of its body.
  ///   - sent: bytes of its answer's.
  func end(from network: String, hadTurn: Bool, isRefused: Bool, received: Int, sent: Int) {
    let more = (isRefused ? 4 : 0) + Self.megabytes(received) + Self.megabytes(sent)
    guard more > 0 else { return }
    let now = world.ticks()
    state.withLock { state in
      _ = Self.add(more, to: network, at: now, &state)
      if hadTurn { state.turnAt = min(max(now, state.turnAt) + interval * min(more, 1024), now + Self.waitMax) }
    }
  }

  /// Counts a piece of an answer that does not tell its length, when it is sent.
  /// - Parameter before: bytes of the answer that were sent before it.
  func send(_ bytes: Int, after before: Int, to network: String) {
    let more = Self.megabytes(before + bytes) - Self.megabytes(before)
    guard more > 0 else { return }
    let now = world.ticks()
    state.withLock { _ = Self.add(more, to: network, at: now, &$0) }
  }

  private static func megabytes(_ bytes: Int) -> Int { (max(0, bytes) / (1024 * 512) + 1) / 2 }

  /// - Returns: what the network had cost before.
  private static func add(_ cost: Int, to network: String, at now: Duration, _ state: inout State) -> Int {
    let halvings = min(Int((now - state.halvedAt) / halfLife), UInt16.bitWidth)
    if halvings > 0 {
      for cell in state.cells.indices { state.cells[cell] >>= halvings }
      state.halvedAt = now
    }
    let (first, second) = cells(of: network)
    let before = Int(min(state.cells[first], state.cells[second]))
    let after = UInt16(clamping: before + cost)
    state.cells[first] = max(state.cells[first], after)
    state.cells[second] = max(state.cells[second], after)
    return before
  }

  private static func cells(of network: String) -> (first: Int, second: Int) {
    let hash = UInt(bitPattern: network.hashValue)
    return (Int(hash % UInt(width)), width + Int(hash >> 32 % UInt(width)))
  }

  package var families: [MetricFamily] {
    [
      .single(
        "gatehouse_http_demanding_requests_total",
        help: "Requests that had to wait for their turn, because their network cost much lately.", kind: .counter,
        Double(waited.load(ordering: .relaxed)))
    ]
  }
}
