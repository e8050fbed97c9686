// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Synchronization

/// What the requests of each network have cost this node lately: a unit for a request, four more for a refusal, and
/// one for each MiB that was sent or received, rounded. Every ten seconds all costs are halved. While others ask,
/// networks that cost much have so many units a second together, and their requests wait for their turn (GCRA, as in
/// ITU-T I.371).
///
/// What was computed for a network is counted for longer, apart by whether it was in vain, as wrong passwords are, or
/// of use: a client that guesses slowly costs little in ten seconds, and behind an address of many customers most
/// passwords are right.
package final class NetworkCosts: Sendable {
  /// From here on a network costs much.
  static let much = 10
  /// No network costs more: one that only claims the largest of lengths is forgotten after some two minutes.
  static let costMax = UInt32(UInt16.max)
  static let halfLife = Duration.seconds(10)
  /// The longest that a request waits for its turn.
  static let waitMax = Duration.seconds(5)
  /// Units a second, of all networks that cost much, for each processor: about half of what it can do.
  static let unitsOfProcessor = 500
  /// What is computed for a network rests when so many milliseconds more were computed for it in vain than of use. One
  /// wrong password takes some 20 of a processor of today.
  static let inVainMax = 50
  /// Nothing rests unless so many milliseconds more were computed in vain for all networks together than half of what
  /// was of use: a bank's customers mistype passwords and take unreadable pictures on any day.
  static let allInVainMax = 3000
  /// What was of use excuses no more than this, so that a node with much to do is not open to attackers.
  static let excusedMax = 30_000
  static let computedHalfLife = Duration.seconds(300)

  private struct State {
    var costs: CountMinSketch
    /// Milliseconds that were computed.
    var (inVain, ofUse): (CountMinSketch, CountMinSketch)
    /// Which network that costs little has asked last, nil for the institution's own, and when; nil before the first.
    var quiet: (network: String?, at: Duration)?
    /// When one beside that has asked last.
    var otherQuietAt: Duration?
    /// When the next request of a network that costs much has its turn.
    var turnAt: Duration

    mutating func askedQuietly(_ network: String?, at now: Duration) {
      if let quiet, quiet.network != network { otherQuietAt = quiet.at }
      quiet = (network, now)
    }

    /// Whether so much was in vain lately for all networks together as it is under an attack.
    mutating func isMuchInVain(at now: Duration) -> Bool {
      inVain.total(at: now) >= NetworkCosts.allInVainMax + min(ofUse.total(at: now) / 2, NetworkCosts.excusedMax)
    }

    /// Whether networks have asked lately for which others may have to wait.
    /// - Parameter network: whose own requests do not count; nil where those of all do.
    func isAsked(besides network: String? = nil, at now: Duration) -> Bool {
      let at = network != nil && quiet?.network == network ? otherQuietAt : quiet?.at
      return at.map { now - $0 <= NetworkCosts.halfLife } ?? false
    }
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
    state = Mutex(
      State(
        costs: CountMinSketch(halfLife: Self.halfLife, countMax: Self.costMax, at: now),
        inVain: CountMinSketch(halfLife: Self.computedHalfLife, at: now),
        ofUse: CountMinSketch(halfLife: Self.computedHalfLife, at: now), turnAt: now))
  }

  /// Counts a request.
  /// - Returns: how long it has to wait for its turn; nil when its network costs little, or none that costs little has
  ///   asked lately.
  func begin(from network: String) -> Duration? {
    let now = world.ticks()
    let wait: Duration? = state.withLock { state in
      guard state.costs.add(1, to: network, at: now) >= Self.much else {
        state.askedQuietly(network, at: now)
        return nil
      }
      guard state.isAsked(at: now) else { return nil }
      let turn = min(max(now, state.turnAt), now + Self.waitMax)
      state.turnAt = turn + interval
      return turn - now
    }
    if wait != nil { waited.add(1, ordering: .relaxed) }
    return wait
  }

  /// Whether a network costs much, with what was counted of it until now.
  func costsMuch(_ network: String) -> Bool {
    state.withLock { $0.costs.count(of: network) > Self.much }
  }

  /// Whether what is computed for the network rests, while much is in vain on this node: because much was in vain for
  /// this network, or because it costs much and no more was of use for it than in vain.
  func mustRest(for network: String, costsMuch: Bool) -> Bool {
    let now = world.ticks()
    return state.withLock { state in
      let balance = state.inVain.count(of: network, at: now) - state.ofUse.count(of: network, at: now)
      return balance >= (costsMuch ? 0 : Self.inVainMax) && state.isMuchInVain(at: now)
        && state.isAsked(besides: network, at: now)
    }
  }

  /// Takes note of a request of one of the institution's own networks: it is not counted, and others wait for it.
  func beginOwn() { state.withLock { $0.askedQuietly(nil, at: world.ticks()) } }

  /// Counts what a request has cost beyond a unit.
  /// - Parameters:
  ///   - hadTurn: whether it waited for its turn, so that the next one comes later.
  ///   - received: bytes of its body.
  ///   - sent: bytes of its answer's.
  ///   - inVain: milliseconds that were computed in vain for it.
  ///   - ofUse: milliseconds that were computed for it and not in vain.
  func end(
    from network: String, hadTurn: Bool, isRefused: Bool, received: Int, sent: Int, inVain: Int = 0, ofUse: Int = 0
  ) {
    let more = (isRefused ? 4 : 0) + Self.megabytes(received) + Self.megabytes(sent)
    guard more > 0 || inVain > 0 || ofUse > 0 else { return }
    let now = world.ticks()
    state.withLock { state in
      if inVain > 0 { state.inVain.add(inVain, to: network, at: now) }
      if ofUse > 0 { state.ofUse.add(ofUse, to: network, at: now) }
      guard more > 0 else { return }
      state.costs.add(more, to: network, at: now)
      if hadTurn { state.turnAt = min(max(now, state.turnAt) + interval * min(more, 1024), now + Self.waitMax) }
    }
  }

  /// Counts a piece of an answer that does not tell its length, when it is sent.
  /// - Parameter before: bytes of the answer that were sent before it.
  func send(_ bytes: Int, after before: Int, to network: String) {
    let more = Self.megabytes(before + bytes) - Self.megabytes(before)
    guard more > 0 else { return }
    let now = world.ticks()
    state.withLock { _ = $0.costs.add(more, to: network, at: now) }
  }

  private static func megabytes(_ bytes: Int) -> Int { (max(0, bytes) / (1024 * 512) + 1) / 2 }

  package var families: [MetricFamily] {
    [
      .single(
        "gatehouse_http_demanding_requests_total",
        help: "Requests that had to wait for their turn, because their network cost much lately.", kind: .counter,
        Double(waited.load(ordering: .relaxed)))
    ]
  }
}
