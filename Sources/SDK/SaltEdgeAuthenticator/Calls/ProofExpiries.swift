// SPDX-License-Identifier: Apache-2.0

internal import SaltEdgeCore
internal import Locks

/// The expiries that signatures of v2 carry: never the same one twice on a connection. The signature of v2 covers the
/// body and nothing else, so that two of equal content and expiry would be one, and the second refused as a replay.
package final class ProofExpiries: Sendable {
  /// Seconds. An expiry that is further ahead is one of a calendar that was turned back since.
  private static let secondsAheadMax: Int64 = 60

  /// The last ones, by the hash of the connection's token: that two connections share one does no harm.
  private let last = Guarded<[Int: Int64]>([:])

  package init() {}

  /// Five minutes from now, or a second after the last one.
  func next(for token: String, nowSeconds: Int64) -> Int64 {
    let (connection, first) = (token.hashValue, nowSeconds + SignatureExpiry.secondsByDefault)
    return last.withLock { last in
      // Those that are behind are not met again.
      last = last.filter { $0.value >= first && $0.value - first <= Self.secondsAheadMax }
      let expiry = last[connection].map { $0 + 1 } ?? first
      last[connection] = expiry
      return expiry
    }
  }
}
