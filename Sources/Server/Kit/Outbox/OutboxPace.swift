// SPDX-License-Identifier: Apache-2.0

/// How long and how much: the bounds of a worker.
package struct OutboxPace: Sendable {
  /// How long a lease must stand still before another worker takes the row over.
  package var leaseLifetime = Duration.seconds(15)
  /// How long one attempt may take; until then its lease is extended.
  package var attemptLifetimeMax = Duration.minutes(2)
  /// How long a worker sleeps without a signal, and how often it looks at the leases of others.
  package var pollInterval = Duration.seconds(1)
  /// How many effects one worker has in hand.
  package var concurrencyMax = 16
  /// How many of them may be of one topic, so that a flood of one leaves room for the others. More than half of
  /// `concurrencyMax`, so that at most one topic is at its share.
  package var topicShareMax = 12
  /// How long what is in hand may go on when a graceful shutdown began.
  package var drainMax = Duration.seconds(20)
  /// How long an interrupted handler may take to end before its lease is given back all the same.
  package var interruptMax = Duration.seconds(2)
  /// How long a worker tries to write how an attempt ended while the store does not answer.
  package var settleMax = Duration.minutes(1)

  package init() {}

  /// The time between two extensions of a lease.
  var beat: Duration { leaseLifetime / 3 }
  /// A worker that did not look for this long cannot tell a lease that stood still from one that it did not see move.
  var lookGapMax: Duration { max(leaseLifetime * 2 / 3, pollInterval * 2) }
}
