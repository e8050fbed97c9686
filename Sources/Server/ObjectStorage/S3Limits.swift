// SPDX-License-Identifier: Apache-2.0

import Kit

/// How long, how often and how much at once.
package struct S3Limits: Sendable {
  /// Objects above this go in parts of this size; also what one put holds in memory. Amazon's least is 5 MiB.
  package var partBytes = 8 * 1024 * 1024
  /// Requests in flight; streams that are read come on top.
  package var concurrencyMax = 16
  package var attemptsMax = 5
  /// The first wait is at most this long, the next twice that, …
  package var backoffFirst = Duration.milliseconds(100)
  package var backoffMax = Duration.seconds(5)
  /// For one attempt, body included.
  package var attemptMax = Duration.seconds(30)
  /// For all attempts of a request: after this no other one is begun.
  package var requestMax = Duration.seconds(90)
  /// For `check`, which is tried once.
  package var checkMax = Duration.seconds(2)
  package var connectMax = Duration.seconds(5)
  /// Without a byte for this long a connection counts as dead.
  package var idleMax = Duration.seconds(20)

  package init() {}

  /// What S3 takes.
  static let partsMax = 10_000

  /// Full jitter: anything between nothing and the bound of this attempt, so that clients do not come back in step.
  func backoff(after attempt: Int, _ world: World) -> Duration {
    let bound = min(backoffFirst.milliseconds << min(attempt - 1, 16), backoffMax.milliseconds)
    return .milliseconds(Int64(world.number(below: UInt64(max(bound, 0)) + 1)))
  }
}
