// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Tells which leases are not extended any more.
///
/// Nodes do not agree on the time, so an instant that another node wrote is never compared with this node's clock. A
/// lease is lapsed when this worker saw it unchanged for its whole lifetime: a dead worker's rows are taken over
/// whatever its clock said, and a living worker with a wrong clock neither steals nor loses a row.
final class LeaseWatch: Sendable {
  private struct State {
    var firstSeen: [OutboxLease: Instant] = [:]
    var lookedAt: Instant?
  }

  private let state = Mutex(State())
  private let pace: OutboxPace

  init(_ pace: OutboxPace) { self.pace = pace }

  /// Whether it is time to look again.
  func isDue(at now: Instant) -> Bool {
    guard let lookedAt = state.withLock({ $0.lookedAt }) else { return true }
    return now < lookedAt || now - lookedAt >= pace.pollInterval
  }

  /// - Parameter leases: every lease that there is now.
  /// - Returns: those that stood still for a lifetime, oldest first.
  func lapsed(among leases: [OutboxLease], at now: Instant) -> [OutboxLease] {
    state.withLock { state in
      // After a gap (the store was away, the clock was set) everything is seen for the first time.
      if let lookedAt = state.lookedAt, now < lookedAt || now - lookedAt > pace.lookGapMax { state.firstSeen = [:] }
      state.lookedAt = now
      let known = state.firstSeen
      state.firstSeen = Dictionary(leases.map { ($0, known[$0] ?? now) }, uniquingKeysWith: min)
      return leases.filter { now - (known[$0] ?? now) >= pace.leaseLifetime }
    }
  }
}

/// A leased row. Every extension changes the beat.
struct OutboxLease: Sendable, Hashable {
  let id: OutboxItem.ID
  let owner: String
  let beat: Int64
}
