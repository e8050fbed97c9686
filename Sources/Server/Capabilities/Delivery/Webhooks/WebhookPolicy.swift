// SPDX-License-Identifier: Apache-2.0

import Kit

/// How long and how often: the bounds of webhooks.
package struct WebhookPolicy: Sendable {
  /// The pauses between tries: eleven tries in a little more than a day.
  package var delays: [Duration] = [
    .seconds(5), .seconds(30), .minutes(2), .minutes(10), .minutes(30), .hours(1), .hours(2), .hours(4), .hours(8),
    .hours(8),
  ]
  /// How long what is owed waits for an endpoint that does not answer, from when it was owed, before it is given up.
  package var life = Duration.hours(24)
  /// Calls of one endpoint at a time, on all nodes together: one that hangs leaves room for the others.
  package var turnsMax = 4
  /// Messages that one turn posts at most, and for how long it begins another.
  package var turnShare = 16
  package var turnLength = Duration.seconds(5)
  /// Tries without an answer, one after another, after which an endpoint rests.
  package var failuresMax = 3
  /// How long it rests: after so many failures, after the next one, …; the last one from then on.
  package var rests: [Duration] = [.seconds(5), .seconds(30), .minutes(2), .minutes(5)]
  /// How long an endpoint waits when this process has too much to send.
  package var crowdedPause = Duration.seconds(5)
  /// How long a delivery may be due before it counts as forgotten. Longer than any turn.
  package var waitMax = Duration.minutes(10)
  /// Deliveries that one transaction gives up.
  package var givenUpMax = 1000
  /// How long the secret before a new one goes on signing, unless told otherwise.
  package var overlap = Duration.days(1)
  /// How long messages that reached their end can be sent again.
  package var retention = Duration.days(30)
  /// Whether addresses that are not public are called, and over HTTP: for development.
  package var allowsPrivate = false
  /// Networks of the institution's own in which receivers may be, over HTTPS.
  package var networks: [PeerNetwork] = []

  package static let overlapMax = Duration.days(30)
  /// Of one tenant, that operators added.
  package static let endpointsMax = 32
  /// With the one that a record of its module names.
  static let allEndpointsMax = endpointsMax + 1
  /// Bytes of a message.
  package static let bodyMax = 256 * 1024

  package init() {}

  /// - Parameter tries: how many there were; the first pause comes after the first.
  func pause(after tries: Int) -> Duration? { (1...delays.count).contains(tries) ? delays[tries - 1] : nil }

  /// - Parameter failures: tries without an answer, one after another.
  func rest(after failures: Int) -> Duration? {
    failures < failuresMax ? nil : rests.isEmpty ? nil : rests[min(failures - failuresMax, rests.count - 1)]
  }
}
